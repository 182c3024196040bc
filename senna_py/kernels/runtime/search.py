"""Search in lists of keys without a hash table.

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

_BLOCK = 1 << 12  # bytes; shorter ranges are split into lines and searched
_STEP = 8  # bytes of a key that are compared at once
_KEPT = 1 << 16  # the number of keys whose places are remembered


class _Memory(dict[bytes, int]):
    """The results of the last searches."""

    def keep(self, key: bytes, result: int) -> int:
        """Remember a result and return it. If there are many, forget all others."""
        if len(self) >= _KEPT:
            self.clear()
        self[key] = result
        return result


class KeySearch:
    """Finds keys in a list by comparing the first eight bytes of all keys at once.

    The results of the last searches are remembered, since words repeat.

    Attributes:
        longest: The number of bytes of the longest key.
    """

    def __init__(self, data: bytes | memoryview, begin: Ints, end: Ints) -> None:
        """Store the list of keys.

        Args:
            data: The bytes of the keys.
            begin, end: int32[n_keys]; key i is `data[begin[i]:end[i]]`.
        """
        self._data, self._begin, self._end = data, begin, end
        self.longest = int((end - begin).max(initial=0))
        padded = np.frombuffer(bytes(data) + bytes(_STEP), np.uint8)
        words = np.ndarray(len(data) + 1, "<u8", padded, 0, (1,))
        unused = (_STEP - np.minimum(end - begin, _STEP)).astype(np.uint64) * np.uint64(
            8
        )
        # A shift by 64 bits is undefined, so the empty key is 0, as is no other key.
        self._first = np.where(end > begin, words[begin] << unused, 0)
        self._places = _Memory()

    def find(self, key: bytes) -> int:
        """Return the index of a key, or -1 if it is not in the list."""
        index = self._places.get(key)
        return self._places.keep(key, self._search(key)) if index is None else index

    def _search(self, key: bytes) -> int:
        if len(key) > self.longest:
            return -1
        head = key[:_STEP]
        first = np.uint64(int.from_bytes(head, "little") << 8 * (_STEP - len(head)))
        for index in np.flatnonzero(self._first == first).tolist():
            if self._data[self._begin[index] : self._end[index]] == key:
                return index
        return -1


class PhraseSearch:
    """Finds phrases and prefixes of phrases by bisection of a sorted list.

    Only the blocks of the list that the bisection visits are read.
    """

    def __init__(self, blob: Any) -> None:
        """Store the list of phrases.

        Args:
            blob: uint8[n_bytes], sorted lines with one phrase each and spaces between
                tokens.
        """
        self._view = memoryview(blob)
        self._marks = _Memory()

    def find(self, key: bytes) -> int:
        """Return 1 for a listed phrase, 0 for a prefix of one, and otherwise -1.

        A prefix consists of whole tokens.
        """
        mark = self._marks.get(key)
        return self._marks.keep(key, self._search(key)) if mark is None else mark

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
        """Return the first line that is not less than `key`, or b"" if all are less."""
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
        """Return the start and the bytes of the line around a byte offset.

        The start is never less than `low`.
        """
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
    # The keys that agree with the previous key up to `offset`.
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
    """Return bytes `offset` to `offset + _STEP` of some keys as big-endian numbers.

    Bytes after the end of a key count as zero.

    Args:
        words: The eight bytes at each offset of the data as a number.
        begin, end: int32[n_keys], the offsets of the keys.
        index: int64[n], the indices of the keys to read.
        offset: The offset within each key.

    Returns:
        uint64[n].
    """
    size = np.clip(end[index] - begin[index] - offset, 0, _STEP)
    at = np.minimum(begin[index] + offset, end[index])
    unused = 8 * (_STEP - size).astype(np.uint64)
    part = words[at].astype(np.uint64)
    return np.where(size > 0, part >> unused << unused, 0)
