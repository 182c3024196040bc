"""A list of keys as kernels search it: by a hash table, or their fallbacks by a KeySearch."""

import numpy as np

from senna_py.kernels.runtime.fallback import WithFallback
from senna_py.kernels.runtime.search import KeySearch
from senna_py.kernels.text.dictionary import Dictionary, fill_slots


def key_table(data, begin, end, twice):
    """Both ways to search a list of keys: a WithFallback of a Dictionary and a KeySearch.

    Key i is `data[begin[i]:end[i]]`; data: bytes, begin, end: int32[n]; twice: makes the exception
    for a key that occurs twice, from its index and its bytes; a KeySearch does not check.
    """

    def dictionary():
        blob = np.frombuffer(data, np.uint8)
        slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
        index = fill_slots(blob, begin, end, slots)
        if index >= 0:
            raise twice(index, data[begin[index] : end[index]])
        return Dictionary(blob, begin, end, slots, int((end - begin).max(initial=0)))

    return WithFallback(dictionary, lambda: KeySearch(data, begin, end))
