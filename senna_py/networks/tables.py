"""Lookup tables that share their rows: half floats, and the rows in which a network differs."""

import numpy as np

from senna_py.kernels.lookup import lookup_changed

__all__ = ["ChangedTable", "dense"]


class ChangedTable:
    """A lookup table float32[n_keys, dim] held as shared float16 rows and changed ones.

    It stands where networks have float32 arrays, for looking up only: nothing trains it.
    """

    def __init__(self, base, rows, changed):
        """Take base: float16[n_keys, dim], not copied; the changed rows: int32[n], distinct, and
        changed: float16[n, dim], what stands there.
        """
        self.shape = base.shape
        self._base, self._changed = base.view(np.uint16), changed.view(np.uint16)
        self._slot = np.full(len(base), -1, np.int32)
        self._slot[rows] = np.arange(len(rows), dtype=np.int32)

    def __len__(self):
        """Count the keys."""
        return self.shape[0]

    def lookup(self, index, out, column):
        """Write row `index[i]` into `out[i]` from `column` on; see `kernels.lookup.lookup`."""
        lookup_changed(self._base, self._slot, self._changed, index, out, column)

    def dense(self):
        """All rows: float32[n_keys, dim]."""
        out = np.empty(self.shape, np.float32)
        self.lookup(np.arange(len(self), dtype=np.int32), out, 0)
        return out


def dense(table):
    """The rows of a lookup table of either kind: float32[n_keys, dim]."""
    return table.dense() if isinstance(table, ChangedTable) else table
