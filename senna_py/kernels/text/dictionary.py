"""A hash table from byte strings to their indices in a list of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints

EMPTY_HASH = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_FOLD = np.uint64(32)


class Dictionary(NamedTuple):
    """The arrays of a hash table with open addressing.

    Attributes:
        blob: uint8[n_bytes], the bytes of the keys.
        begin, end: int32[n_keys]; key i is `blob[begin[i]:end[i]]`.
        slots: int32[2**k], the indices of keys, or -1.
        longest: The number of bytes of the longest key.
    """

    blob: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    slots: np.ndarray
    longest: int


@borrowing_kernel
def extend_hash(value: np.uint64, byte: int) -> np.uint64:
    """Return the hash of a string after another byte is appended (64-bit FNV-1a)."""
    return (value ^ np.uint64(byte)) * _PRIME


@borrowing_kernel
def _slot(value: np.uint64, n_slots: int) -> np.int64:
    return np.int64((value ^ (value >> _FOLD)) & np.uint64(n_slots - 1))


@borrowing_kernel
def _same_key(blob: Bytes, begin: Ints, end: Ints, i: int, j: int) -> bool:
    if end[i] - begin[i] != end[j] - begin[j]:
        return False
    k = 0
    while k < end[i] - begin[i] and blob[begin[i] + k] == blob[begin[j] + k]:
        k += 1
    return k == end[i] - begin[i]


@borrowing_kernel
def enter(
    blob: Bytes, begin: Ints, end: Ints, slots: Ints, index: int, value: np.uint64
) -> int:
    """Insert a key into a hash table.

    Args:
        blob, begin, end, slots: The arrays of a Dictionary.
        index: The index of the key, whose bytes are `blob[begin[index]:end[index]]`.
        value: The hash of the key.

    Returns:
        `index`, or the index of an equal key that was inserted before.
    """
    slot = _slot(value, len(slots))
    while slots[slot] >= 0:
        if _same_key(blob, begin, end, slots[slot], index):
            return np.int64(slots[slot])
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = index
    return index


@borrowing_kernel
def find(
    dictionary: Dictionary, value: np.uint64, text: Bytes, begin: int, end: int
) -> int:
    """Return the index of the key `text[begin:end]`, whose hash is `value`, or -1."""
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
def enter_words(text: Bytes, begin: Ints, end: Ints, slots: Ints, first: Ints) -> None:
    """Insert all words into a hash table, and find the first word equal to each word.

    Args:
        text: uint8[n_bytes].
        begin, end: int32[n]; word t is `text[begin[t]:end[t]]`.
        slots: int32[2**k], the hash table, whose elements are initially -1. At least
            one element must stay -1.
        first: int32[n], which receives the index of the first equal word.
    """
    for index in range(len(begin)):
        value = EMPTY_HASH
        for i in range(begin[index], end[index]):
            value = extend_hash(value, text[i])
        first[index] = enter(text, begin, end, slots, index, value)
