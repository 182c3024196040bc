"""The lookup layer, and its tables that are not plain arrays."""

import numpy as np

from senna_py.kernels.nn.lookup import lookup_changed, lookup_changed_bytes
from senna_py.layers.blocks import embed
from senna_py.layers.byte_rows import ByteRows

__all__ = ["ChangedTable", "Lookup", "dense", "table_name"]


def table_name(k):
    """Name in files of lookup table number k."""
    return f"tables/{k}"


class Lookup:
    """x[t] = the rows index[t] of all tables, side by side (Collobert et al. 2011, equation 1).

    tables: {name in files: float32[n_keys, dim], or a ChangedTable}.
    Fan-in: 1, for a row is chosen, not summed.
    """

    def __init__(self, tables):
        """Hold the tables themselves, not copies: training changes them in place."""
        self.tables = tables

    @classmethod
    def numbered(cls, tables):
        """The layer of a list of tables, named by their numbers."""
        return cls({table_name(k): table for k, table in enumerate(tables)})

    def parameters(self):
        """The tables that are arrays, by their names in files."""
        return {name: t for name, t in self.tables.items() if isinstance(t, np.ndarray)}

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        return dict.fromkeys(self.parameters(), 1)

    def forward(self, index):
        """Rows float32[n, sum of dims] of index: int32[n, n_tables], and the trace: index."""
        return embed(list(self.tables.values()), index), index

    def backward(self, d_x, index, gradients, fixed=()):
        """Give `gradients` those of the tables, but for the numbers in `fixed`."""
        column = 0
        for f, (name, table) in enumerate(self.tables.items()):
            end = column + table.shape[1]
            if f not in fixed:
                rows = np.ascontiguousarray(index[:, f])
                part = np.ascontiguousarray(d_x[:, column:end])
                gradients.rows(name, len(table), rows, part)
            column = end


class ChangedTable:
    """A lookup table float32[n_keys, dim] held as shared rows and changed ones, of fewer bits.

    It takes the place of a float32 array in networks that tag; it cannot be trained.
    """

    def __init__(self, base, rows, changed):
        """Share `base` and replace some of its rows.

        base: float16[n_keys, dim] or ByteRows, not copied; rows: int32[n], which ones, each once;
        changed: float16[n, dim] or ByteRows, as base, what they are replaced by.
        """
        self.shape = base.shape
        self._kernel, arrays = lookup_changed, lambda rows: (rows.view(np.uint16),)
        if isinstance(base, ByteRows):
            self._kernel, arrays = lookup_changed_bytes, lambda rows: (rows.numbers, rows.scales)
        self._base, self._changed = arrays(base), arrays(changed)
        self._slot = np.full(len(self), -1, np.int32)
        self._slot[rows] = np.arange(len(rows), dtype=np.int32)

    def __len__(self):
        """Count the keys."""
        return self.shape[0]

    def lookup(self, index, out, column):
        """Write row `index[i]` into `out[i]` from `column` on; see `kernels.nn.lookup.lookup`."""
        self._kernel(*self._base, self._slot, *self._changed, index, out, column)

    def dense(self):
        """All rows: float32[n_keys, dim]."""
        out = np.empty(self.shape, np.float32)
        self.lookup(np.arange(len(self), dtype=np.int32), out, 0)
        return out


def dense(table):
    """The rows of a lookup table of any kind: float32[n_keys, dim]."""
    return table if isinstance(table, np.ndarray) else table.dense()
