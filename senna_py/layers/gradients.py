"""Gradients of a cost by the names of parameters, collected before any parameter
changes.
"""

import math
import threading

import numpy as np

from senna_py.kernels.nn.updates import sum_rows

_local = threading.local()


def _row_of(n_rows):
    """Scratch of `sum_rows`, int32[n_rows or more] of -1, which a thread makes only
    once.
    """
    kept = getattr(_local, "row_of", None)
    if kept is None or len(kept) < n_rows:
        kept = _local.row_of = np.full(n_rows, -1, np.int32)
    return kept


class Gradients:
    """Gradients of whole arrays, of products not yet made, and of some rows of tables.

    by_name: of each array, its gradient, or the pair (left, right) of the product
    left.T @ right;
    by_row: a list of name, rows: int32[n] without repetitions, gradient: float32[n,
    dim], and whether the others are known to have the gradient 0; else they are left
    alone, without decay.
    """

    def __init__(self, fixed=()):
        """Begin with no gradient; fixed: names of tables that get none."""
        self.by_name, self.by_row, self._fixed = {}, [], frozenset(fixed)

    def add(self, name, gradient):
        """Take the gradient of a whole array; a second one of the same array is
        added.
        """
        if name in self.by_name:
            gradient = self._whole(name) + gradient
        self.by_name[name] = gradient

    def product(self, name, left, right):
        """Take the gradient left.T @ right: float32[n, n_rows] and float32[n,
        n_columns].

        It stays a pair, so that a large matrix can be changed in blocks of rows.
        """
        if name in self.by_name:
            self.add(name, left.T @ right)
        else:
            self.by_name[name] = left, right

    def rows(self, name, n_rows, index, gradient):
        """Take gradients of rows of a table of n_rows, in any order: int32[n],
        float32[n, dim].
        """
        if name in self._fixed:
            return
        total, rows = np.empty_like(gradient), np.empty_like(index)
        count = sum_rows(index, gradient, total, _row_of(n_rows), rows)
        self.by_row.append((name, rows[:count], total[:count], True))

    def distinct_rows(self, name, rows, gradient):
        """Take gradients of rows of a table or elements of a vector, each of which
        comes once.
        """
        self.by_row.append((name, rows, gradient, False))

    def _whole(self, name):
        gradient = self.by_name[name]
        if isinstance(gradient, tuple):
            left, right = gradient
            gradient = self.by_name[name] = left.T @ right
        return gradient

    def norm(self):
        """Length of all gradients as one vector."""
        arrays = [self._whole(name) for name in self.by_name]
        arrays += [gradient for _, _, gradient, _ in self.by_row]
        flat = [np.ascontiguousarray(array).reshape(-1) for array in arrays]
        return math.sqrt(sum(float(vector @ vector) for vector in flat))


class Weighted(Gradients):
    """Gives Gradients those of one of several costs, multiplied by its weight, by other
    names.
    """

    def __init__(self, gradients, weight, names):
        """weight: a float; names: {name: name in `gradients`}."""
        self.weight, self._gradients, self._names = weight, gradients, names

    def _times(self, gradient):
        return gradient if self.weight == 1 else np.float32(self.weight) * gradient

    def add(self, name, gradient):
        self._gradients.add(self._names[name], self._times(gradient))

    def product(self, name, left, right):
        self._gradients.product(self._names[name], left, self._times(right))

    def rows(self, name, n_rows, index, gradient):
        self._gradients.rows(
            self._names.get(name, name), n_rows, index, self._times(gradient)
        )

    def distinct_rows(self, name, rows, gradient):
        self._gradients.distinct_rows(self._names[name], rows, self._times(gradient))
