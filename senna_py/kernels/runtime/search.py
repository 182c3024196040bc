"""Searching lists of keys without a hash table, for the few keys of a short text.

In `kernels.text.plain`, KeySearch and PhraseSearch replace the Dictionary of compiled
kernels.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

_BLOCK = 1 << 12  # bytes that are searched as a list of lines
_STEP = 8  # bytes of a key that are compared at once
_SORT_AFTER = 256  # searches, because sorting takes as long as a few hundred of them


class KeySearch:
    """Finds keys in a list by comparing the first eight bytes of all keys at once."""

    def __init__(self, data: bytes, begin: Ints, end: Ints) -> None:
        """Hold the keys `data[begin[i]:end[i]]`; begin and end are int32[n]."""
        self._data, self._begin, self._end = data, begin, end
        self.longest = int((end - begin).max(initial=0))
        padded = np.frombuffer(data + bytes(_STEP), np.uint8)
        words = np.ndarray(len(data) + 1, "<u8", padded, 0, (1,))
        unused = (_STEP - np.minimum(end - begin, _STEP)).astype(np.uint64) * np.uint64(
            8
        )
        # A shift by 64 is undefined. No other key has the number 0 of the empty key.
        self._first = np.where(end > begin, words[begin] << unused, 0)
        self._order: Any = None
        self._found: dict[bytes, int] = {}

    def find(self, key: bytes) -> int:
        """Return the index of a key, or -1 if it is not in the list."""
        index = self._found.get(key)
        if index is None:
            self._found[key] = index = self._search(key)
        return index

    def _search(self, key: bytes) -> int:
        if len(key) > self.longest:
            return -1
        head = key[:_STEP]
        first = np.uint64(int.from_bytes(head, "little") << 8 * (_STEP - len(head)))
        for index in self._candidates(first).tolist():
            if self._data[self._begin[index] : self._end[index]] == key:
                return index
        return -1

    def _candidates(self, first: np.uint64) -> NDArray[np.int64]:
        if len(self._found) < _SORT_AFTER:
            return np.flatnonzero(self._first == first)
        if self._order is None:
            order = np.argsort(self._first, kind="stable")
            self._sorted, self._order = self._first[order], order
        a, b = (
            np.searchsorted(self._sorted, first, side) for side in ("left", "right")
        )
        return self._order[a:b]


class PhraseSearch:
    """Finds phrases, and beginnings of phrases, by bisection of an ordered list.

    Only the lines that it passes are read.
    """

    def __init__(self, blob: Any) -> None:
        """Hold lines of phrases, with a space between tokens: uint8[n_bytes]."""
        self._view = memoryview(blob)
        self._found: dict[bytes, int] = {}

    def find(self, key: bytes) -> int:
        """Return 1 for a listed phrase, 0 for tokens that begin one, or else -1."""
        kind = self._found.get(key)
        if kind is None:
            self._found[key] = kind = self._search(key)
        return kind

    def _search(self, key: bytes) -> int:
        if not key:
            return -1
        line, start = self._first_from(key), key + b" "
        if line == key:
            return 1
        if line.startswith(key) and line[len(key)] < start[-1]:
            line = self._first_from(start)
        return 0 if line.startswith(start) else -1

    def _first_from(self, key: bytes) -> bytes:
        """Return the first line that is not less than `key`, or b"" without any."""
        low, high = 0, len(self._view)
        while high - low > _BLOCK:
            middle = (low + high) // 2
            begin, line = self._line_around(middle, low)
            if line < key:
                low = begin + len(line) + 1
            elif begin == low:
                return line
            else:
                high = begin
        lines = bytes(self._view[low:high]).split(b"\n")
        if not lines[-1]:
            lines.pop()
        index = bisect_left(lines, key)
        return lines[index] if index < len(lines) else self._line_around(high, high)[1]

    def _line_around(self, position: int, low: int) -> tuple[int, bytes]:
        """Return the begin, at least `low`, of the line around `position`, and it."""
        size = 64
        while True:
            first = max(low, position - size)
            part = bytes(self._view[first : position + size])
            begin = part.rfind(b"\n", 0, position - first) + 1
            end = part.find(b"\n", position - first)
            at_end = len(part) < position - first + size
            if (begin or first == low) and (end >= 0 or at_end):
                return first + begin, part[begin:end] if end >= 0 else part[begin:]
            size *= 4


def first_disorder(blob: NDArray[np.uint8], begin: Ints, end: Ints) -> int:
    """Return the first index whose key is not greater than the previous key, or -1.

    Keys are compared in byte order.

    Args:
        blob: uint8[n_bytes].
        begin, end: int32[n_keys]; key i is `blob[begin[i]:end[i]]`.
    """
    padded = np.append(blob, np.zeros(_STEP, np.uint8))
    words = np.ndarray(len(blob) + 1, ">u8", padded, 0, (1,))
    # Keys whose bytes up to `offset` are the same as those of the previous key.
    left, offset = np.arange(1, len(begin)), 0
    disorder = []
    while len(left):
        before, after = (
            _part(words, begin, end, left + side, offset) for side in (-1, 0)
        )
        disorder += left[(before > after)][:1].tolist()
        ended = (end - begin)[left] <= offset + _STEP
        same = before == after
        longer = (end - begin)[left - 1] >= (end - begin)[left]
        disorder += left[same & ended & longer][:1].tolist()
        left = left[same & ~ended]
        offset += _STEP
    return min(disorder, default=-1)


def _part(
    words: Any, begin: Ints, end: Ints, index: Any, offset: int
) -> NDArray[np.uint64]:
    """Return bytes `offset` to `offset + _STEP` of some keys, each as one number.

    The bytes after the end of a key count as zero.
    """
    size = np.clip(end[index] - begin[index] - offset, 0, _STEP)
    at = np.minimum(begin[index] + offset, end[index])
    unused = 8 * (_STEP - size).astype(np.uint64)
    part = words[at].astype(np.uint64)
    return np.where(size > 0, part >> unused << unused, 0)
