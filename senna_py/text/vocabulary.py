"""Vocabulary: an ordered list of keys with indices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, SupportsIndex

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.runtime.search import first_disorder
from senna_py.kernels.text.key_table import key_table

LONGEST_LABEL = 1000  # bytes

_BLANKS = b" \t\v\f\r"
_IS_BLANK = np.zeros(256, bool)
_IS_BLANK[list(_BLANKS)] = True


class Vocabulary:
    """Keys by index and indices by key, over the bytes of a list with one key a line.

    Blanks around a key are not part of it. Keys must differ if they are searched for;
    labels that are only looked up by index need not.
    """

    def __init__(self, data: bytes, name: object = "vocabulary") -> None:
        """Index the lines of `data`: bytes, one key on each; name: for error
        messages.
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
        """All keys: a list of str."""
        return [self[index] for index in range(len(self))]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All keys, which are kept: for lists of labels."""
        return tuple(self.keys())

    @classmethod
    def from_keys(cls, keys: Iterable[str], name: object = "vocabulary") -> Vocabulary:
        """Vocabulary of an iterable of strings, in their order."""
        return cls(
            "".join(f"{key}\n" for key in keys).encode("utf-8", "surrogateescape"), name
        )

    def _trim(self, begin, end):
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
        """Key at `index` as bytes."""
        return self.data[self._begin[index] : self._end[index]]

    def __getitem__(self, index: SupportsIndex) -> str:
        """Key at `index` as str; bytes outside UTF-8 become surrogate escapes."""
        return self.key(index).decode("utf-8", "surrogateescape")

    @property
    def table(self) -> Any:
        """The table that kernels search: a hash table,
        `kernels.text.dictionary.Dictionary`.

        For the NumPy fallback it is a KeySearch. Raises SennaError if a key occurs
        twice, except for a KeySearch, which does not check.
        """
        return self._table.get()

    def _twice(self, line, key):
        key = key.decode("utf-8", "surrogateescape")
        return SennaError(f"{self.name}: line {line + 1}: {key!r} occurs twice")

    def check_order(self) -> None:
        """Raise SennaError naming the line unless keys are in strictly increasing byte
        order.
        """
        line = first_disorder(self._blob, self._begin, self._end)
        if line >= 0:
            raise SennaError(
                f"{self.name}: line {line + 1}: {self[line]!r} does not follow "
                f"{self[line - 1]!r} in byte order"
            )

    def check_labels(self) -> None:
        """Raise SennaError naming the line unless keys are short enough to stand at
        every token.
        """
        line = int(np.argmax(self._end - self._begin)) if len(self) else 0
        if (
            len(self)
            and (length := int(self._end[line] - self._begin[line])) > LONGEST_LABEL
        ):
            raise SennaError(
                f"{self.name}: line {line + 1}: a label of {length:,} bytes, of which it may have "
                f"{LONGEST_LABEL:,}"
            )

    def __contains__(self, key: str) -> bool:
        """Return whether `key`: str is in the list; a linear scan, like `position`."""
        return self._scan(key) is not None

    def position(self, key: str) -> int:
        """Index of a key by a linear scan, for a few fixed ones; raises SennaError
        without it.
        """
        index = self._scan(key)
        if index is None:
            raise SennaError(f"{self.name}: the key {key!r} is missing")
        return index

    def _scan(self, key):
        wanted = key.encode("utf-8", "surrogateescape")
        candidates = self._end - self._begin == len(wanted)
        if wanted:
            candidates &= (
                self._blob[np.minimum(self._begin, len(self.data) - 1)] == wanted[0]
            )
        for index in np.flatnonzero(candidates):
            if self.key(index) == wanted:
                return int(index)
        return None
