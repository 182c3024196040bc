"""The lookup layer, and tables that are stored in fewer bits than float32."""

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

_LARGEST = 127  # the largest absolute number of a row that is not zero
_SCALES = 512  # twice the number of scales between two powers of two
# Training moves about half of the rows by a smaller fraction of their length. They are
# not stored, which changes scores on dev by at most 0.2: research/teachers.md.
_MOVED = np.float32(0.06)
_MOST_SCALE = np.finfo(np.float32).max / 128  # so products with any int8 are finite


def table_name(k: int) -> str:
    """Return the name in files of lookup table number k."""
    return f"tables/{k}"


class Lookup(Layer):
    """x[t] = the rows index[t] of all tables, side by side (equation 1).

    The equation is from Collobert et al. (2011). Fan-in: 1, because a row is chosen and
    nothing is summed.

    Attributes:
        tables: The tables by their names in files: float32[n_keys, dim] or
            ChangedTables.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.tables = tables

    @classmethod
    def numbered(cls, tables: Sequence[Any]) -> Lookup:
        """Return the layer of a list of tables, which are named by their numbers."""
        return cls({table_name(k): table for k, table in enumerate(tables)})

    def parameters(self) -> dict[str, NDArray]:
        """Return the tables that are arrays, by their names in files."""
        return {name: t for name, t in self.tables.items() if isinstance(t, np.ndarray)}

    def forward(self, index: Ints) -> tuple[NDArray, Ints]:
        """Return rows, float32[n, sum of dims], and the trace: the index.

        Args:
            index: int32[n, n_tables].
        """
        return embed(list(self.tables.values()), index), index

    def backward(self, d_x: NDArray, index: Ints, gradients: Gradients) -> None:
        """Collect the gradients of the tables."""
        column = 0
        for f, (name, table) in enumerate(self.tables.items()):
            end = column + table.shape[1]
            rows = np.ascontiguousarray(index[:, f])
            d_rows = np.ascontiguousarray(d_x[:, column:end])
            gradients.rows(name, len(table), rows, d_rows)
            column = end


@dataclass(frozen=True, eq=False)
class ByteRows:
    """Rows float32[n, dim] in 8 bits: the rows of `numbers`, each times its scale.

    Attributes:
        numbers: int8[n, dim].
        scales: float32[n].
    """

    numbers: NDArray[np.int8]
    scales: Floats

    @classmethod
    def of(cls, rows: NDArray) -> ByteRows:
        """Round finite rows, float32[n, dim] or float16, to the nearest ByteRows.

        The scale of a row is its largest absolute value / 127, rounded to nine
        significant bits. So its product with a number of seven bits is exact, and
        rounding such rows again changes nothing, even if they were stored as float16 in
        between. Values below 6e-5, which float16 stores with less precision, are an
        exception.
        """
        rows = np.asarray(rows, np.float32)
        largest = np.abs(rows).max(axis=1, initial=0)
        fraction, exponent = np.frexp(largest / np.float32(_LARGEST))
        scales = np.ldexp(np.rint(fraction * _SCALES) / _SCALES, exponent).astype(
            np.float32
        )
        # Subnormal numbers have fewer bits: such rows become zeros.
        scales[scales < np.finfo(np.float32).tiny] = 0
        divisors = np.where(scales == 0, np.float32(1), scales)
        return cls(np.rint(rows / divisors[:, None]).astype(np.int8), scales)

    def checked(self) -> ByteRows:
        """Check arrays that came from a file and return this object.

        Raises:
            SennaError: If they are malformed; the message does not name the file.
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
        """The number of rows, and dim."""
        return self.numbers.shape

    def __getitem__(self, which: Any) -> ByteRows:
        return ByteRows(self.numbers[which], self.scales[which])

    def differs(self, other: ByteRows) -> NDArray[np.bool_]:
        """Return which rows differ from the rows of `other`: bool[n]."""
        return (self.numbers != other.numbers).any(axis=1) | (
            self.scales != other.scales
        )

    def moved(self, other: ByteRows) -> NDArray[np.bool_]:
        """Return which rows have moved away from the rows of `other`: bool[n].

        A row has moved if the distance is more than `_MOVED` of the length of the other
        row.
        """
        before = other.dense()
        lengths = np.linalg.norm(before, axis=1)
        return np.linalg.norm(self.dense() - before, axis=1) > _MOVED * lengths

    def dense(self) -> Floats:
        """Return all rows: float32[n, dim]."""
        return self.numbers * self.scales[:, None]


class ChangedTable:
    """A lookup table, float32[n_keys, dim], of shared and changed rows in fewer bits.

    It takes the place of a float32 array in networks that tag; it cannot be trained.
    """

    def __init__(self, base: Any, rows: Ints, changed: Any) -> None:
        """Share `base` and replace some of its rows.

        Args:
            base: float16[n_keys, dim] or ByteRows, which are not copied.
            rows: int32[n], the distinct rows that are replaced.
            changed: float16[n, dim] or ByteRows, like base: the new rows.
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
        """Write row `index[i]` into `out[i]`, from `column` on."""
        self._kernel(*self._base, self._slot, *self._changed, index, out, column)

    def dense(self) -> Floats:
        """Return all rows: float32[n_keys, dim]."""
        out = np.empty(self.shape, np.float32)
        self.lookup(np.arange(len(self), dtype=np.int32), out, 0)
        return out


def _kernel_arrays(rows: Any) -> tuple[NDArray, ...]:
    """Return the arrays of float16 rows or ByteRows, as kernels expect them."""
    if isinstance(rows, ByteRows):
        return rows.numbers, rows.scales
    return (rows.view(np.uint16),)


def dense(table: Any) -> NDArray:
    """Return the values of a lookup table or weight of any type, as float32."""
    return table if isinstance(table, np.ndarray) else table.dense()
