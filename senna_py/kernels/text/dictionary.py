"""A hash table from byte strings to their index in a list of keys."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel

EMPTY_HASH = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_FOLD = np.uint64(32)


class Dictionary(NamedTuple):
    """The arrays of a hash table, as kernels take them.

    blob: uint8[n_bytes], begin and end: int32[n_keys] (key i is
    `blob[begin[i]:end[i]]`), slots: int32[2**k] (index of a key, or -1), longest: bytes
    in the longest key.
    """

    blob: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    slots: np.ndarray
    longest: int


@borrowing_kernel
def extend_hash(value, byte):
    """Hash of a string with one more byte (64-bit FNV-1a)."""
    return (value ^ np.uint64(byte)) * _PRIME


@borrowing_kernel
def _slot(value, n_slots):
    return np.int64((value ^ (value >> _FOLD)) & np.uint64(n_slots - 1))


@borrowing_kernel
def _same_key(blob, begin, end, i, j):
    if end[i] - begin[i] != end[j] - begin[j]:
        return False
    k = 0
    while k < end[i] - begin[i] and blob[begin[i] + k] == blob[begin[j] + k]:
        k += 1
    return k == end[i] - begin[i]


@borrowing_kernel
def enter(blob, begin, end, slots, index, value):
    """Enter key `index`, of hash `value`, into `slots`; returns that of its equal, or
    `index`.
    """
    slot = _slot(value, len(slots))
    while slots[slot] >= 0:
        if _same_key(blob, begin, end, slots[slot], index):
            return np.int64(slots[slot])
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = index
    return index


@borrowing_kernel
def find(dictionary, value, text, begin, end):
    """Index of the key equal to `text[begin:end]`, whose hash is `value`; -1 if there
    is none.
    """
    slots = dictionary.slots
    slot = _slot(value, len(slots))
    while slots[slot] >= 0:
        index = slots[slot]
        first = dictionary.begin[index]
        if dictionary.end[index] - first == end - begin:
            i = 0
            while i < end - begin and dictionary.blob[first + i] == text[begin + i]:
                i += 1
            if i == end - begin:
                return index
        slot = (slot + 1) & (len(slots) - 1)
    return -1


@borrowing_kernel
def enter_words(text, begin, end, slots, first):
    """Enter every word into `slots`, and find the first one equal to it: first:
    int32[n], out.

    Word t is `text[begin[t]:end[t]]`: text: uint8, begin, end: int32[n]; slots:
    int32[2**k], all -1 before, at least one to stay so.
    """
    for index in range(len(begin)):
        value = EMPTY_HASH
        for i in range(begin[index], end[index]):
            value = extend_hash(value, text[i])
        first[index] = enter(text, begin, end, slots, index, value)
