"""Search in lists of keys without a hash table, in place of a Dictionary."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Ints

STEP = 8  # bytes of a key that are compared at once
# The numbers of keys whose places are remembered, and of lines.
_KEPT, _KEPT_LINES = 1 << 16, 1 << 12


class KeySearch:
    """Finds keys in a list by comparing the first eight bytes of all keys at once.

    The results of the last searches are remembered, since words repeat.

    Attributes:
        longest: The number of bytes of the longest key.
        find: A function that returns the index of a key, or -1 if it is not in the
            list.
    """

    def __init__(self, data: bytes | memoryview, begin: Ints, end: Ints) -> None:
        """Store the list of keys.

        Args:
            data: The bytes of the keys.
            begin, end: int32[n_keys]; key i is `data[begin[i]:end[i]]`.
        """
        self.longest = int((end - begin).max(initial=0))
        first = eight_bytes(data, begin, end)
        self.find = lru_cache(_KEPT)(partial(_find_key, data, begin, end, first))


def _find_key(
    data: bytes | memoryview,
    begin: Ints,
    end: Ints,
    first: NDArray[np.uint64],
    key: bytes,
) -> int:
    """Return the index of a key, or -1; `first` is the result of `eight_bytes`."""
    head = int.from_bytes(key[:STEP].ljust(STEP, b"\0"), "big")
    for index in np.flatnonzero(first == np.uint64(head)).tolist():
        if data[begin[index] : end[index]] == key:
            return index
    return -1


def eight_bytes(
    data: bytes | memoryview, begin: Ints, end: Ints, offset: int = 0
) -> NDArray[np.uint64]:
    """Return bytes `offset` to `offset + STEP` of keys as numbers: uint64[n_keys].

    Numbers are ordered like the bytes. Bytes after the end of a key count as zero.

    Args:
        data: The bytes of the keys.
        begin, end: int32[n_keys]; key i is `data[begin[i]:end[i]]`.
        offset: The offset within each key.
    """
    padded = np.frombuffer(bytes(data) + bytes(STEP), np.uint8)
    words: Any = np.ndarray(len(data) + 1, ">u8", padded, 0, (1,))
    size = np.clip(end - begin - offset, 0, STEP)
    unused = 8 * (STEP - size).astype(np.uint64)
    number = words[np.minimum(begin + offset, end)].astype(np.uint64)
    # A shift by 64 bits is undefined.
    return np.where(size > 0, number >> unused << unused, np.uint64(0))


class PhraseSearch:
    """Finds phrases and prefixes of phrases by bisection of a sorted list.

    Only the lines that the bisection visits are read. The results of the last searches
    are remembered.

    Attributes:
        find: A function that returns 1 for a listed phrase, 0 for a prefix of one, and
            otherwise -1. A prefix consists of whole tokens.
    """

    def __init__(self, lines: Any) -> None:
        """Store the list of phrases.

        Args:
            lines: uint8[n_bytes], sorted lines with one phrase each and spaces between
                tokens.
        """
        # Each search begins with the same lines.
        line_at = lru_cache(_KEPT_LINES)(partial(_line_at, memoryview(lines)))
        self.find = lru_cache(_KEPT)(partial(_find_phrase, range(len(lines)), line_at))


def _find_phrase(offsets: range, line_at: Callable[[int], bytes], key: bytes) -> int:
    """Return the result of `PhraseSearch.find`.

    Args:
        offsets: The byte offsets of the list.
        line_at: A function that returns the line around one of them.
        key: The phrase.
    """
    if not key:
        return -1

    def first_not_less(key: bytes) -> bytes:
        begin = bisect_left(offsets, key, key=line_at)
        return line_at(begin) if begin < len(offsets) else b""

    line, start = first_not_less(key), key + b" "
    if line == key:
        return 1
    if line.startswith(key) and line[len(key)] < start[-1]:
        line = first_not_less(start)
    return 0 if line.startswith(start) else -1


def _line_at(lines: memoryview, offset: int) -> bytes:
    """Return the line around a byte offset, without its newline."""
    size = 64
    while True:
        first = max(0, offset - size)
        part = bytes(lines[first : offset + size])
        begin = part.rfind(b"\n", 0, offset - first) + 1
        end = part.find(b"\n", offset - first)
        if (begin or not first) and (end >= 0 or offset + size >= len(lines)):
            return part[begin:end] if end >= 0 else part[begin:]
        size *= 4
