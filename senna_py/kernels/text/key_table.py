"""Lists of keys as kernels search them: by a hash table, or their fallbacks by a
KeySearch.
"""

import threading

import numpy as np

from senna_py.kernels.runtime.jit import runs_fallbacks
from senna_py.kernels.runtime.search import KeySearch
from senna_py.kernels.text.dictionary import Dictionary, enter_words


class WithFallback:
    """Both forms of one thing, each made when first asked for; shared by threads."""

    def __init__(self, compiled, plain):
        """compiled, plain: functions that make the forms; threads may call `plain` at a
        time.
        """
        self._make_compiled, self._make_plain = compiled, plain
        self._compiled = self._plain = None
        self._lock = threading.Lock()

    def get(self):
        """The form for the way that kernels run in this thread."""
        if (
            runs_fallbacks()
        ):  # without the lock, which another thread may hold while it compiles
            if self._plain is None:
                self._plain = self._make_plain()
            return self._plain
        with self._lock:
            if self._compiled is None:
                self._compiled = self._make_compiled()
            return self._compiled


def key_table(data, begin, end, twice):
    """Both ways to search a list of keys: a WithFallback of a Dictionary and a
    KeySearch.

    Key i is `data[begin[i]:end[i]]`; data: bytes, begin, end: int32[n]; twice: makes
    the exception for a key that occurs twice, from its index and its bytes; a KeySearch
    does not check.
    """

    def dictionary():
        blob, first = np.frombuffer(data, np.uint8), np.empty_like(begin)
        slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
        enter_words(blob, begin, end, slots, first)
        again = np.flatnonzero(first != np.arange(len(first)))
        if len(again):
            index = int(again[0])
            raise twice(index, data[begin[index] : end[index]])
        return Dictionary(blob, begin, end, slots, int((end - begin).max(initial=0)))

    return WithFallback(dictionary, lambda: KeySearch(data, begin, end))
