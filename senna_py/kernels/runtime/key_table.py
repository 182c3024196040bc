"""A list of keys as kernels search it: by a hash table, or the plain way by a KeySearch."""

import threading

import numpy as np

from senna_py.kernels.runtime.jit import runs_plain
from senna_py.kernels.runtime.search import KeySearch
from senna_py.kernels.text.dictionary import Dictionary, fill_slots

__all__ = ["KeyTable"]


class KeyTable:
    """Both ways to search a list of keys, each made when first asked for; shared by threads."""

    def __init__(self, data, begin, end):
        """Hold the keys: key i is `data[begin[i]:end[i]]`; data: bytes, begin, end: int32[n]."""
        self._data, self._begin, self._end = data, begin, end
        self._search = self._dictionary = None
        self._lock = threading.Lock()

    def searched(self, twice):
        """A `kernels.text.dictionary.Dictionary`, or for the plain way a KeySearch.

        twice: makes the exception for a key that occurs twice, from its index and its bytes; a
        KeySearch does not check.
        """
        if runs_plain():  # without the lock, which another thread may hold while it compiles
            if self._search is None:
                self._search = KeySearch(self._data, self._begin, self._end)
            return self._search
        with self._lock:
            if self._dictionary is None:
                self._dictionary = self._enter(twice)
            return self._dictionary

    def _enter(self, twice):
        blob, begin, end = np.frombuffer(self._data, np.uint8), self._begin, self._end
        slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
        index = fill_slots(blob, begin, end, slots)
        if index >= 0:
            raise twice(index, self._data[begin[index] : end[index]])
        return Dictionary(blob, begin, end, slots, int((end - begin).max(initial=0)))
