"""The lookup layer, and its tables that are not plain arrays."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.lookup import lookup_changed, lookup_changed_bytes
from senna_py.layers.blocks import embed
from senna_py.layers.protocol import Layer

_LARGEST = 127  # of the numbers of a row, but of one that is zero
_SCALES = 512  # between two powers of two there are half as many
# Rows that training moved by a smaller fraction of their length, about half, are not
# stored; scores on dev change by at most 0.2: research/teachers.md.
_MOVED = np.float32(0.06)
_MOST_SCALE = np.finfo(np.float32).max / 128  # its products with any int8 are finite


def table_name(k):
    """Name in files of lookup table number k."""
    return f"tables/{k}"


class Lookup(Layer):
    """x[t] = the rows index[t] of all tables, side by side (Collobert et al. 2011,
    equation 1).

    tables: {name in files: float32[n_keys, dim], or a ChangedTable}.
    Fan-in: 1, for a row is chosen, not summed.
    """

    def __init__(self, tables):
        self.tables = tables

    @classmethod
    def numbered(cls, tables):
        """The layer of a list of tables, named by their numbers."""
        return cls({table_name(k): table for k, table in enumerate(tables)})

    def parameters(self):
        """The tables that are arrays, by their names in files."""
        return {name: t for name, t in self.tables.items() if isinstance(t, np.ndarray)}

    def forward(self, index):
        """Rows float32[n, sum of dims] of index: int32[n, n_tables], and the trace:
        index.
        """
        return embed(list(self.tables.values()), index), index

    def backward(self, d_x, index, gradients):
        """Give `gradients` those of the tables."""
        column = 0
        for f, (name, table) in enumerate(self.tables.items()):
            end = column + table.shape[1]
            rows = np.ascontiguousarray(index[:, f])
            part = np.ascontiguousarray(d_x[:, column:end])
            gradients.rows(name, len(table), rows, part)
            column = end


@dataclass(frozen=True, eq=False)
class ByteRows:
    """Rows float32[n, dim], held as numbers: int8[n, dim] times scales: float32[n]."""

    numbers: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, rows):
        """Round rows: float32[n, dim] or float16, which are finite, to the nearest
        ByteRows.

        The scale of a row is its largest absolute value / 127, rounded to nine
        significant bits. So a product with a number of seven bits is exact, and
        rounding such rows again changes nothing; nor does it if they were stored as
        float16 in between (unless they are as small as float16 holds with less
        precision, below 6e-5).
        """
        rows = np.asarray(rows, np.float32)
        largest = np.abs(rows).max(axis=1, initial=0)
        fraction, exponent = np.frexp(largest / np.float32(_LARGEST))
        scales = np.ldexp(np.rint(fraction * _SCALES) / _SCALES, exponent).astype(
            np.float32
        )
        scales[scales < np.finfo(np.float32).tiny] = (
            0  # what has fewer bits: rows of zeros
        )
        divisors = np.where(scales == 0, np.float32(1), scales)
        return cls(np.rint(rows / divisors[:, None]).astype(np.int8), scales)

    def checked(self):
        """The same, which came from a file; raises SennaError, without the file's
        name.
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
    def shape(self):
        """Number of rows, and dim."""
        return self.numbers.shape

    def __getitem__(self, which):
        return ByteRows(self.numbers[which], self.scales[which])

    def differs(self, other):
        """Which rows are not those of other ByteRows of this shape: bool[n]."""
        return (self.numbers != other.numbers).any(axis=1) | (
            self.scales != other.scales
        )

    def moved(self, other):
        """Which rows are further than `_MOVED` of its length from that of `other`:
        bool[n].
        """
        before = other.dense()
        lengths = np.linalg.norm(before, axis=1)
        return np.linalg.norm(self.dense() - before, axis=1) > _MOVED * lengths

    def dense(self):
        """All rows: float32[n, dim]."""
        return self.numbers * self.scales[:, None]


class ChangedTable:
    """A lookup table float32[n_keys, dim] held as shared rows and changed ones, of
    fewer bits.

    It takes the place of a float32 array in networks that tag; it cannot be trained.
    """

    def __init__(self, base, rows, changed):
        """Share `base` and replace some of its rows.

        base: float16[n_keys, dim] or ByteRows, not copied; rows: int32[n], which ones,
        each once;
        changed: float16[n, dim] or ByteRows, as base, what they are replaced by.
        """
        self.shape = base.shape
        self._kernel, arrays = lookup_changed, lambda rows: (rows.view(np.uint16),)
        if isinstance(base, ByteRows):
            self._kernel, arrays = (
                lookup_changed_bytes,
                lambda rows: (rows.numbers, rows.scales),
            )
        self._base, self._changed = arrays(base), arrays(changed)
        self._slot = np.full(len(self), -1, np.int32)
        self._slot[rows] = np.arange(len(rows), dtype=np.int32)

    def __len__(self):
        return self.shape[0]

    def lookup(self, index, out, column):
        """Write row `index[i]` into `out[i]` from `column` on; see
        `kernels.nn.lookup.lookup`.
        """
        self._kernel(*self._base, self._slot, *self._changed, index, out, column)

    def dense(self):
        """All rows: float32[n_keys, dim]."""
        out = np.empty(self.shape, np.float32)
        self.lookup(np.arange(len(self), dtype=np.int32), out, 0)
        return out


def dense(table):
    """The numbers of a lookup table or weight of any kind: float32[n_keys or n_in,
    dim].
    """
    return table if isinstance(table, np.ndarray) else table.dense()
