"""The lookup layer, and its tables that are not plain arrays."""

import numpy as np

from senna_py.kernels.nn.lookup import lookup, lookup_changed, lookup_changed_bytes
from senna_py.layers.blocks import embed
from senna_py.layers.byte_rows import ByteRows

__all__ = ["ChangedTable", "Lookup", "SpelledTable", "dense", "table_name", "with_rows"]


def table_name(k):
    """Name in files of lookup table number k."""
    return f"tables/{k}"


class Lookup:
    """x[t] = the rows index[t] of all tables, side by side (Collobert et al. 2011, equation 1).

    tables: {name in files: float32[n_keys, dim], or a table of another kind such as SpelledTable}.
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


class SpelledTable:
    """A lookup table float32[n, dim] of vectors that were computed from the spelling of words.

    Row 0 is zero and stands for all words that need none. The others belong to the words of one
    batch or one corpus, so nothing that is computed from them may be kept for another. It cannot be
    trained.
    """

    def __init__(self, rows):
        """Hold rows: float32[n, dim]; or an int, dim, for a table of nothing but row 0."""
        self.rows = np.zeros((1, rows), np.float32) if isinstance(rows, int) else rows
        self.shape = self.rows.shape

    def __len__(self):
        """Count the rows."""
        return self.shape[0]

    def lookup(self, index, out, column):
        """Write row `index[i]` into `out[i]` from `column` on; see `kernels.nn.lookup.lookup`.

        Raises IndexError for indices of another batch, whose rows are not here.
        """
        if index.max(initial=0) >= len(self):
            raise IndexError(
                f"row {index.max()} of {len(self)}: no rows of this batch, see with_rows"
            )
        lookup(self.rows, index, out, column)

    def dense(self):
        """All rows: float32[n, dim]."""
        return self.rows


def with_rows(network, rows):
    """The network with other rows in tables that are a SpelledTable.

    rows: float32[n, dim] by the number of the table.
    """
    if not rows:
        return network
    tables = [SpelledTable(rows[f]) if f in rows else t for f, t in enumerate(network.tables)]
    return network.with_arrays(tables, {})


def dense(table):
    """The rows of a lookup table of any kind: float32[n_keys, dim]."""
    return table if isinstance(table, np.ndarray) else table.dense()
