"""Gradients of a cost by parameter, collected before any parameter changes."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.updates import sum_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

_local = threading.local()


def _row_of(n_rows: int) -> Ints:
    """Return the scratch array of `sum_rows`: at least n_rows int32 elements of -1.

    Each thread makes it only once.
    """
    scratch = getattr(_local, "row_of", None)
    if scratch is None or len(scratch) < n_rows:
        scratch = _local.row_of = np.full(n_rows, -1, np.int32)
    return scratch


class Gradients:
    """Gradients of whole arrays, of products not yet computed, and of rows of tables.

    Attributes:
        by_name: For each array its gradient, or the pair (left, right) of the product
            left.T @ right.
        by_row: Tuples of the name of a table, its rows, int32[n] without repetitions,
            their gradient, float32[n, dim], and whether all other rows have the
            gradient 0. If not, the other rows are not changed, not even by weight
            decay.
    """

    def __init__(self, fixed: Iterable[str] = ()) -> None:
        """Start without gradients; `fixed` are the names of tables that get none."""
        self.by_name: dict[str, Any] = {}
        self.by_row: list[tuple[str, Ints, NDArray, bool]] = []
        self._fixed = frozenset(fixed)

    def add(self, name: str, gradient: NDArray) -> None:
        """Add the gradient of a whole array."""
        if name in self.by_name:
            gradient = self._whole(name) + gradient
        self.by_name[name] = gradient

    def product(self, name: str, left: NDArray, right: NDArray) -> None:
        """Add the gradient left.T @ right, where n rows are summed.

        left is float32[n, n_rows], and right is float32[n, n_columns]. They stay a
        pair, so that the optimizer can change a large matrix in blocks of rows.
        """
        if name in self.by_name:
            self.add(name, left.T @ right)
        else:
            self.by_name[name] = left, right

    def rows(self, name: str, n_rows: int, index: Ints, gradient: NDArray) -> None:
        """Add gradients of rows of a table, in any order and perhaps repeated.

        Args:
            name: The name of the table.
            n_rows: The number of its rows.
            index: int32[n], the rows.
            gradient: float32[n, dim].
        """
        if name in self._fixed:
            return
        total, rows = np.empty_like(gradient), np.empty_like(index)
        count = sum_rows(index, gradient, total, _row_of(n_rows), rows)
        self.by_row.append((name, rows[:count], total[:count], True))

    def distinct_rows(self, name: str, rows: Ints, gradient: NDArray) -> None:
        """Add gradients of distinct rows of a table, or of elements of a vector."""
        self.by_row.append((name, rows, gradient, False))

    def _whole(self, name: str) -> NDArray:
        """Return the gradient of an array; a product is computed and kept."""
        gradient = self.by_name[name]
        if isinstance(gradient, tuple):
            left, right = gradient
            gradient = self.by_name[name] = left.T @ right
        return gradient

    def norm(self) -> float:
        """Return the length of all gradients as one vector."""
        arrays = [self._whole(name) for name in self.by_name]
        arrays += [gradient for _, _, gradient, _ in self.by_row]
        flat = [np.ascontiguousarray(array).reshape(-1) for array in arrays]
        return math.sqrt(sum(float(vector @ vector) for vector in flat))


class WeightedGradients(Gradients):
    """The gradients of one of several costs, which are passed on with its weight."""

    def __init__(
        self, gradients: Gradients, weight: float, names: Mapping[str, str]
    ) -> None:
        """Pass gradients on to `gradients`, multiplied by `weight`.

        Args:
            gradients: The Gradients of the sum of costs.
            weight: The weight of this cost.
            names: The name in `gradients` of each parameter.
        """
        self.weight, self._gradients, self._names = weight, gradients, names

    def _times(self, gradient: NDArray) -> NDArray:
        return gradient if self.weight == 1 else np.float32(self.weight) * gradient

    def add(self, name: str, gradient: NDArray) -> None:
        self._gradients.add(self._names[name], self._times(gradient))

    def product(self, name: str, left: NDArray, right: NDArray) -> None:
        self._gradients.product(self._names[name], left, self._times(right))

    def rows(self, name: str, n_rows: int, index: Ints, gradient: NDArray) -> None:
        self._gradients.rows(
            self._names.get(name, name), n_rows, index, self._times(gradient)
        )

    def distinct_rows(self, name: str, rows: Ints, gradient: NDArray) -> None:
        self._gradients.distinct_rows(self._names[name], rows, self._times(gradient))
