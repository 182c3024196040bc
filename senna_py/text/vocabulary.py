"""Vocabularies: ordered lists of keys, which have indices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.runtime.search import first_disorder
from senna_py.kernels.text.key_table import key_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Ints = NDArray[np.int32]

LONGEST_LABEL = 1000  # bytes

_BLANKS = b" \t\v\f\r"
_IS_BLANK = np.zeros(256, bool)
_IS_BLANK[list(_BLANKS)] = True


class Vocabulary:
    """Keys by index, and indices by key, of a list with one key per line.

    The keys stay where they are in the bytes of the list. White space around a key is
    not part of it. Keys must differ if they are searched for; labels that are only
    looked up by index may be equal.
    """

    def __init__(self, data: bytes, name: object = "vocabulary") -> None:
        """Index the lines of `data`, one key on each; `name` is for error messages."""
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
        """Return all keys."""
        return [self[index] for index in range(len(self))]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All keys, which are then kept in memory: for lists of labels."""
        return tuple(self.keys())

    @classmethod
    def from_keys(cls, keys: Iterable[str], name: object = "vocabulary") -> Vocabulary:
        """Make a vocabulary of keys in their order."""
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

    def __getitem__(self, index: SupportsIndex) -> str:
        """Return the key at `index`; bytes outside UTF-8 become surrogate escapes."""
        return self.key(index).decode("utf-8", "surrogateescape")

    @property
    def table(self) -> Any:
        """The table that kernels search, a `kernels.text.dictionary.Dictionary`.

        Without Numba, it is a KeySearch, which does not check that keys differ.

        Raises:
            SennaError: If a key occurs twice.
        """
        return self._table.get()

    def _twice(self, line: int, key: bytes) -> SennaError:
        text = key.decode("utf-8", "surrogateescape")
        return SennaError(f"{self.name}: line {line + 1}: {text!r} occurs twice")

    def check_order(self) -> None:
        """Check that keys are in strictly increasing byte order.

        Raises:
            SennaError: If they are not. The message has the line.
        """
        line = first_disorder(self._blob, self._begin, self._end)
        if line >= 0:
            raise SennaError(
                f"{self.name}: line {line + 1}: {self[line]!r} does not follow "
                f"{self[line - 1]!r} in byte order"
            )

    def check_labels(self) -> None:
        """Check that keys are short enough to be printed for every token.

        Raises:
            SennaError: If one is not. The message has the line.
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
        """Return whether a key is in the list, by a linear scan, as `position` does."""
        return self._scan(key) is not None

    def position(self, key: str) -> int:
        """Return the index of a key by a linear scan, which suits a few fixed keys.

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
