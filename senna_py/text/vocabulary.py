"""Vocabularies, which map between keys and their indices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.text.key_table import key_table
from senna_py.kernels.text.plain.search import STEP, eight_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Ints = NDArray[np.int32]

LONGEST_LABEL = 1000  # in bytes

_BLANKS = b" \t\v\f\r"
_IS_BLANK = np.zeros(256, bool)
_IS_BLANK[list(_BLANKS)] = True


class Vocabulary:
    """A list of keys, one on each line, which are found by index and by key.

    Keys are slices of the bytes of the list, without white space around them. Keys must
    be distinct if `table` is used. Labels, which are only found by index, may repeat.
    """

    def __init__(self, data: bytes, name: object = "vocabulary") -> None:
        """Find the keys in a list.

        Args:
            data: The lines of the list, each with one key.
            name: The name of the list, for error messages.
        """
        self.data = data
        self.name = str(name)
        self._blob = np.frombuffer(data, np.uint8)
        newlines = np.flatnonzero(self._blob == ord("\n")).astype(np.int32)
        begin = np.append(np.int32(0), newlines + np.int32(1))
        end = np.append(newlines, np.int32(len(data)))
        if begin[-1] == len(data):
            begin, end = begin[:-1], end[:-1]
        self._begin, self._end = self._trim(begin, end)
        self._table = key_table(data, self._begin, self._end, self._twice)

    def keys(self) -> list[str]:
        """Return all keys in order."""
        return [self[index] for index in range(len(self))]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All keys in order. They are cached, so use `keys` for a large vocabulary."""
        return tuple(self.keys())

    @classmethod
    def from_keys(cls, keys: Iterable[str], name: object = "vocabulary") -> Vocabulary:
        """Return a vocabulary with the given keys, in order."""
        text = "".join(f"{key}\n" for key in keys)
        return cls(text.encode("utf-8", "surrogateescape"), name)

    def _trim(self, begin: _Ints, end: _Ints) -> tuple[_Ints, _Ints]:
        if not any(blank in self.data for blank in _BLANKS):
            return begin, end
        for edge, offset, step in ((begin, 0, 1), (end, -1, -1)):
            lines = np.flatnonzero(begin < end)
            while len(lines):
                lines = lines[_IS_BLANK[self._blob[edge[lines] + offset]]]
                edge[lines] += step
                lines = lines[begin[lines] < end[lines]]
        return begin, end

    def __len__(self) -> int:
        return len(self._begin)

    def __repr__(self) -> str:
        return f"Vocabulary({self.name!r}, {len(self)} keys)"

    def key(self, index: SupportsIndex) -> bytes:
        """Return the key at `index` as bytes."""
        return self.data[self._begin[index] : self._end[index]]

    def byte_keys(self) -> list[bytes]:
        """Return all keys in order as bytes."""
        ranges = zip(self._begin.tolist(), self._end.tolist(), strict=True)
        return [self.data[begin:end] for begin, end in ranges]

    def __getitem__(self, index: SupportsIndex) -> str:
        """Return the key at `index`; invalid UTF-8 becomes surrogate escapes."""
        return self.key(index).decode("utf-8", "surrogateescape")

    @property
    def table(self) -> Any:
        """The hash table that kernels search (`kernels.text.dictionary.Dictionary`).

        For the NumPy fallbacks of kernels, it is a KeySearch instead.

        Raises:
            SennaError: If a key occurs twice. A KeySearch does not check this.
        """
        return self._table.get()

    def _twice(self, line: int, key: bytes) -> SennaError:
        text = key.decode("utf-8", "surrogateescape")
        return SennaError(f"{self.name}: line {line + 1}: {text!r} occurs twice")

    def check_order(self) -> None:
        """Check that keys are in strictly increasing byte order.

        Raises:
            SennaError: If they are not. The message names the first line that is out of
                order.
        """
        line = self._first_disorder()
        if line >= 0:
            raise SennaError(
                f"{self.name}: line {line + 1}: {self[line]!r} does not follow "
                f"{self[line - 1]!r} in byte order"
            )

    def _first_disorder(self) -> int:
        """Return the first index whose key is not greater than the one before, or -1."""
        length = self._end - self._begin
        # The keys that agree with the key before up to `offset`.
        left, offset, disorder = np.arange(1, len(self)), 0, []
        while len(left):
            before, after = (
                eight_bytes(self.data, self._begin[keys], self._end[keys], offset)
                for keys in (left - 1, left)
            )
            ends = (before == after) & (length[left] <= offset + STEP)
            is_wrong = (before > after) | (ends & (length[left - 1] >= length[left]))
            disorder += left[is_wrong][:1].tolist()
            left = left[(before == after) & ~ends]
            offset += STEP
        return min(disorder, default=-1)

    def check_labels(self) -> None:
        """Check that keys are short enough to be printed as the labels of tokens.

        Raises:
            SennaError: If one has more than LONGEST_LABEL bytes. The message names the
                line of the longest.
        """
        if not len(self):
            return
        lengths = self._end - self._begin
        line = int(lengths.argmax())
        if lengths[line] > LONGEST_LABEL:
            raise SennaError(
                f"{self.name}: line {line + 1}: a label of {int(lengths[line]):,} bytes; "
                f"the limit is {LONGEST_LABEL:,}"
            )

    def __contains__(self, key: str) -> bool:
        """Return whether a key is in the list, by a linear scan; see `position`."""
        return self._scan(key) is not None

    def position(self, key: str) -> int:
        """Return the index of a key.

        This scans the whole list, so look up only a few keys with it; kernels search in
        `table`.

        Raises:
            SennaError: If the key is missing.
        """
        index = self._scan(key)
        if index is None:
            raise SennaError(f"{self.name}: the key {key!r} is missing")
        return index

    def _scan(self, key: str) -> int | None:
        wanted = key.encode("utf-8", "surrogateescape")
        candidates = self._end - self._begin == len(wanted)
        if wanted:
            first = self._blob[np.minimum(self._begin, len(self.data) - 1)]
            candidates &= first == wanted[0]
        for index in np.flatnonzero(candidates):
            if self.key(index) == wanted:
                return int(index)
        return None
