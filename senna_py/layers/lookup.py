"""The lookup layer, and lookup tables that take fewer bits than float32."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.lookup import lookup_changed, lookup_changed_bytes
from senna_py.layers.blocks import embed
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float32]

_LARGEST = 127  # the largest absolute value in a row of int8 that is not all zeros
_SCALES = 512  # twice the number of scales between two powers of two
# Training moves about half of the rows by a smaller fraction of their L2 norm. Leaving
# these out of files changes scores on dev by at most 0.2 (research/teachers.md).
_MOVED = np.float32(0.06)
_ROWS = 1 << 12  # the number of rows whose largest number is found at once
# The largest scale whose products with all int8 values are finite.
_MOST_SCALE = np.finfo(np.float32).max / 128


def table_name(k: int) -> str:
    """Return the name in files of the lookup table with index k."""
    return f"tables/{k}"


class Lookup(Layer):
    """Looks up a row of each table, and concatenates these rows.

    This is equation 1 of Collobert et al. (2011), for several tables. The fan-in is 1,
    because a row is selected and nothing is summed.

    Attributes:
        tables: The tables by their names in files: arrays float32[n_keys, dim], or
            ChangedTables of this shape.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.tables = tables

    @classmethod
    def numbered(cls, tables: Sequence[Any]) -> Lookup:
        """Return a layer with these tables, which are named by their indices."""
        return cls({table_name(k): table for k, table in enumerate(tables)})

    def parameters(self) -> dict[str, NDArray]:
        """Return the tables that can be trained, keyed by their names in files.

        These are the tables that are NumPy arrays; ChangedTables cannot be trained.
        """
        return {name: t for name, t in self.tables.items() if isinstance(t, np.ndarray)}

    def forward(self, index: Ints) -> tuple[NDArray, Ints]:
        """Return the concatenated rows, float32[n, sum of dims], and the trace.

        Args:
            index: int32[n, n_tables], the indices of the rows in each table. It is also
                the trace.
        """
        return embed(list(self.tables.values()), index), index

    def backward(self, d_x: NDArray, index: Ints, gradients: Gradients) -> None:
        """Collect the gradients of the tables.

        Args:
            d_x: float32[n, sum of dims], d(cost)/d(outputs).
            index: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        column = 0
        for f, (name, table) in enumerate(self.tables.items()):
            end = column + table.shape[1]
            rows = np.ascontiguousarray(index[:, f])
            d_rows = np.ascontiguousarray(d_x[:, column:end])
            gradients.rows(name, len(table), rows, d_rows)
            column = end


@dataclass(frozen=True, eq=False)
class ByteRows:
    """Rows quantized to 8 bits: each row of `numbers` times its scale.

    Attributes:
        numbers: int8[n, dim].
        scales: float32[n], the scale of each row.
    """

    numbers: NDArray[np.int8]
    scales: Floats

    @classmethod
    def of(cls, rows: NDArray) -> ByteRows:
        """Round finite rows, float32[n, dim] or float16[n, dim], to ByteRows.

        The scale of a row is its largest absolute value divided by 127, rounded to nine
        significant bits. So its products with int8 values are exact, and rounding such
        rows again changes nothing, even if they were stored as float16 in between. Rows
        of values below 6e-5, where float16 has less precision, are an exception.
        """
        rows = np.asarray(rows, np.float32)
        largest = np.abs(rows).max(axis=1, initial=0)
        fraction, exponent = np.frexp(largest / np.float32(_LARGEST))
        scales = np.ldexp(np.rint(fraction * _SCALES) / _SCALES, exponent).astype(
            np.float32
        )
        # Subnormal numbers have fewer bits, so rows with such scales become zeros.
        scales[scales < np.finfo(np.float32).tiny] = 0
        divisors = np.where(scales == 0, np.float32(1), scales)
        return cls(np.rint(rows / divisors[:, None]).astype(np.int8), scales)

    def checked(self) -> ByteRows:
        """Return this object after checking its arrays, which were read from a file.

        Raises:
            SennaError: If the arrays are malformed. The message does not name the file.
        """
        numbers, scales = self.numbers, self.scales
        if scales.dtype != np.float32 or scales.shape != numbers.shape[:1]:
            raise SennaError(
                f"{scales.dtype}{list(scales.shape)}, for int8{list(numbers.shape)}: expected a "
                "float32 for each row"
            )
        if not ((scales >= 0) & (scales <= _MOST_SCALE)).all():
            raise SennaError("a number that is negative, too large or not finite")
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the rows: (n, dim)."""
        return self.numbers.shape

    def __getitem__(self, which: Any) -> ByteRows:
        return ByteRows(self.numbers[which], self.scales[which])

    def differs(self, other: ByteRows) -> NDArray[np.bool_]:
        """Return whether each row differs from the same row of `other`: bool[n]."""
        return (self.numbers != other.numbers).any(axis=1) | (
            self.scales != other.scales
        )

    def moved(self, other: ByteRows) -> NDArray[np.bool_]:
        """Return whether each row is far from the same row of `other`: bool[n].

        A row is far if the L2 norm of the difference is more than the fraction `_MOVED`
        of the L2 norm of the other row.
        """
        before = other.dense()
        lengths = np.linalg.norm(before, axis=1)
        return np.linalg.norm(self.dense() - before, axis=1) > _MOVED * lengths

    def dense(self) -> Floats:
        """Return the rows as float32[n, dim]."""
        return self.numbers * self.scales[:, None]


class ChangedTable:
    """A lookup table that shares most of its rows with another table.

    Its rows take 8 or 16 bits for each value. It replaces a float32 array at inference,
    and cannot be trained.
    """

    def __init__(self, base: Any, rows: Ints, changed: Any) -> None:
        """Share the rows of `base`, except for some that are replaced.

        Args:
            base: float16[n_keys, dim] or ByteRows, which are not copied.
            rows: int32[n], the distinct indices of the rows that are replaced.
            changed: The new rows, of the same type as `base`: float16[n, dim] or
                ByteRows.
        """
        self.shape = base.shape
        self._base, self._changed = _kernel_arrays(base), _kernel_arrays(changed)
        self._kernel = lookup_changed
        if isinstance(base, ByteRows):
            self._kernel = lookup_changed_bytes
        self._slot = np.full(len(self), -1, np.int32)
        self._slot[rows] = np.arange(len(rows), dtype=np.int32)

    def __len__(self) -> int:
        return self.shape[0]

    def lookup(self, index: Ints, out: Floats, column: int) -> None:
        """Copy row `index[i]` to `out[i, column:column + dim]`, for each i.

        Args:
            index: int32[n].
            out: float32[n, column + dim or more].
            column: The first column of `out` that is written.
        """
        self._kernel(*self._base, self._slot, *self._changed, index, out, column)

    def largest(self) -> np.float32:
        """Return a number that no absolute value in the table exceeds."""
        return np.maximum(_largest(*self._base), _largest(*self._changed))

    def dense(self) -> Floats:
        """Return all rows as float32[n_keys, dim]."""
        out = np.empty(self.shape, np.float32)
        self.lookup(np.arange(len(self), dtype=np.int32), out, 0)
        return out


def _kernel_arrays(rows: Any) -> tuple[NDArray, ...]:
    """Return float16 rows or ByteRows as the arrays that kernels expect.

    They are uint16[n, dim], the bits of float16, or int8[n, dim] and float32[n].
    """
    if isinstance(rows, ByteRows):
        return rows.numbers, rows.scales
    return (rows.view(np.uint16),)


def _largest(numbers: NDArray, scales: Floats | None = None) -> np.float32:
    """Return a number that no absolute value of some rows exceeds.

    Args:
        numbers: uint16[n, dim], the bits of float16, or int8[n, dim].
        scales: float32[n], the scales of int8.
    """
    if scales is not None:
        return scales.max(initial=0) * np.float32(128)
    largest = 0
    for first in range(0, len(numbers), _ROWS):
        bits = numbers[first : first + _ROWS] & np.uint16(0x7FFF)
        largest = max(largest, bits.max(initial=0))
    return np.float32(np.uint16(largest).view(np.float16))


def largest_of(table: Any) -> np.float32:
    """Return a number that no absolute value in a lookup table exceeds.

    It is NaN or infinite if a number in the table is. For an array, it is the largest
    absolute value.
    """
    if not isinstance(table, np.ndarray):
        return table.largest()
    return np.maximum(table.max(initial=0), -table.min(initial=0))


def dense(table: Any) -> NDArray:
    """Return a lookup table or weight as an array: float[n_rows, n_columns].

    Arrays are returned unchanged, and quantized types are converted to float32.
    """
    return table if isinstance(table, np.ndarray) else table.dense()
