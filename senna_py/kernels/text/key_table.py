"""Lists of keys: hash tables for compiled kernels, and KeySearch for fallbacks."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.switch import runs_fallbacks
from senna_py.kernels.text.dictionary import Dictionary, enter_words
from senna_py.kernels.text.plain.search import KeySearch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from senna_py.kernels.arrays import Ints


class WithFallback:
    """A pair of objects, one for compiled kernels and one for fallbacks.

    Each object is created on first use. Threads may share the pair.
    """

    def __init__(self, compiled: Callable[[], Any], plain: Callable[[], Any]) -> None:
        """Store the functions that create the objects.

        Args:
            compiled: A function that creates the object for compiled kernels.
            plain: A function that creates the object for fallbacks. Several threads may
                call it at the same time.
        """
        self._make_compiled, self._make_plain = compiled, plain
        self._compiled: Any = None
        self._plain: Any = None
        self._lock = threading.Lock()

    def get(self) -> Any:
        """Return the object for the kernels that this thread runs."""
        # Do not take the lock, which another thread may hold while it compiles kernels.
        if runs_fallbacks():
            if self._plain is None:
                self._plain = self._make_plain()
            return self._plain
        with self._lock:
            if self._compiled is None:
                self._compiled = self._make_compiled()
            return self._compiled


def key_table(
    data: bytes | memoryview,
    begin: Ints,
    end: Ints,
    twice: Callable[[int, bytes], Exception],
) -> WithFallback:
    """Return a list of keys as a Dictionary and, for fallbacks, as a KeySearch.

    Args:
        data: The bytes of the keys.
        begin, end: int32[n_keys]; key i is `data[begin[i]:end[i]]`.
        twice: A function that takes the index and the bytes of a key that occurs twice
            and returns the exception to raise. It is raised when the Dictionary is
            first used. A KeySearch does not check this.
    """

    def dictionary() -> Dictionary:
        blob, first = np.frombuffer(data, np.uint8), np.empty_like(begin)
        slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
        enter_words(blob, begin, end, slots, first)
        again = np.flatnonzero(first != np.arange(len(first)))
        if len(again):
            index = int(again[0])
            raise twice(index, bytes(data[begin[index] : end[index]]))
        return Dictionary(blob, begin, end, slots, int((end - begin).max(initial=0)))

    return WithFallback(dictionary, lambda: KeySearch(data, begin, end))
