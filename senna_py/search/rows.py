"""Rows of candidates as columns of integers, and joins of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    # Captures have the columns (name, 0) and (name, 1), their begin and end.
    Key: TypeAlias = str | tuple[str | int, int]

ABSENT = -1  # The begin and the end of a capture that did not match anything.
_MOST = 1 << 23  # The most rows that are made at once.


class TooManyRows(Exception):
    """More rows than fit into the memory that a search may use."""


class Rows:
    """Columns of the same length, by name.

    Rows may lack the columns of captures that did not match anything.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Mapping[Key, Ints]) -> None:
        self.columns = dict(columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: Key) -> Ints:
        return self.columns[name]

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some rows, given their indices or a mask."""
        return Rows({name: column[rows] for name, column in self.columns.items()})

    def with_columns(self, columns: Mapping[Key, Ints]) -> Rows:
        """Return the rows with columns added or replaced."""
        return Rows({**self.columns, **columns})

    def without(self, *names: Key) -> Rows:
        """Return the rows without some columns."""
        return Rows({k: each for k, each in self.columns.items() if k not in names})

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Return the rows of all parts; captures that a part lacks are ABSENT there."""
        if len(parts) == 1:
            return parts[0]
        check_number(sum(map(len, parts)))
        names = dict.fromkeys(name for part in parts for name in part.columns)
        columns = {}
        for name in names:
            columns[name] = np.concatenate(
                [part.columns.get(name, np.full(len(part), ABSENT)) for part in parts]
            )
        return cls(columns)


def check_number(n_rows: int, most: int = _MOST) -> None:
    """Raise TooManyRows before too many rows are made."""
    if n_rows > most:
        raise TooManyRows


def distinct_rows(keys: Sequence[Ints], preferences: Sequence[Ints] = ()) -> Ints:
    """Return the index of one of all rows with the same keys, sorted by keys.

    Args:
        keys: Columns, the most significant one first.
        preferences: Columns by which the row is chosen: the one with the least values.
    """
    columns = [*keys, *preferences]
    if len(columns) == 1:
        order = np.argsort(columns[0], kind="stable")
    else:
        order = np.lexsort(tuple(reversed(columns)))
    is_new = np.zeros(len(order), bool)
    is_new[:1] = True
    for key in keys:
        in_order = key[order]
        is_new[1:] |= in_order[1:] != in_order[:-1]
    return order[is_new]


def expanded(first: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return the numbers `first`, `first + 1` and so on, as many as `counts` says.

    Returns:
        For each number, the index of its range, and the number.
    """
    check_number(int(counts.sum()))
    row = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return row, np.arange(len(row)) + np.repeat(first - before, counts)


def pairs_of_equal(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of indices at which two arrays have the same value."""
    order = np.argsort(right, kind="stable")
    in_order = right[order]
    first = np.searchsorted(in_order, left, side="left")
    counts = np.searchsorted(in_order, left, side="right") - first
    at, place = expanded(first, counts)
    return at, order[place]
