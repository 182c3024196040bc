"""The gradients of a cost, collected by parameter before any parameter changes."""

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
    """Return the thread's scratch array for `sum_rows`: int32[n_rows or more], all -1.

    It is reused by later calls, because `sum_rows` leaves only -1 in it.
    """
    scratch = getattr(_local, "row_of", None)
    if scratch is None or len(scratch) < n_rows:
        scratch = _local.row_of = np.full(n_rows, -1, np.int32)
    return scratch


class Gradients:
    """Collects the gradients of whole arrays and of rows of tables.

    Attributes:
        by_name: The gradient of each array by name: either an array of the same shape,
            or a pair (left, right), which stands for the product left.T @ right.
        by_row: The gradients of rows of tables, as tuples of four elements: the name of
            the table; int32[n], the distinct rows; float32[n, dim], their gradients;
            and whether all other rows have the gradient 0. If this is false, the
            optimizer skips the other rows, and not even weight decay changes them.
    """

    def __init__(self, fixed: Iterable[str] = ()) -> None:
        """Start without gradients.

        Args:
            fixed: The names of tables that are not trained; `rows` ignores them.
        """
        self.by_name: dict[str, Any] = {}
        self.by_row: list[tuple[str, Ints, NDArray, bool]] = []
        self._fixed = frozenset(fixed)

    def add(self, name: str, gradient: NDArray) -> None:
        """Add to the gradient of a whole array.

        Args:
            name: The name of the array.
            gradient: The amount to add, which has the shape of the array.
        """
        if name in self.by_name:
            gradient = self._whole(name) + gradient
        self.by_name[name] = gradient

    def product(self, name: str, left: NDArray, right: NDArray) -> None:
        """Add left.T @ right to the gradient of a matrix.

        The first product is not computed yet, so that the optimizer can change a large
        matrix in blocks of rows.

        Args:
            name: The name of the matrix.
            left: float32[n, n_rows].
            right: float32[n, n_columns].
        """
        if name in self.by_name:
            self.add(name, left.T @ right)
        else:
            self.by_name[name] = left, right

    def rows(self, name: str, n_rows: int, index: Ints, gradient: NDArray) -> None:
        """Add gradients of rows of a table, unless the table is fixed.

        Args:
            name: The name of the table.
            n_rows: The number of rows of the table.
            index: int32[n], the rows, in any order and with repetitions.
            gradient: float32[n, dim], the gradients, which are summed for each row.
        """
        if name in self._fixed:
            return
        total, rows = np.empty_like(gradient), np.empty_like(index)
        count = sum_rows(index, gradient, total, _row_of(n_rows), rows)
        self.by_row.append((name, rows[:count], total[:count], True))

    def distinct_rows(self, name: str, rows: Ints, gradient: NDArray) -> None:
        """Add gradients of distinct rows of a table, or of elements of a vector.

        Args:
            name: The name of the table or vector.
            rows: int32[n], the distinct rows or elements.
            gradient: float32[n, dim] or float32[n].
        """
        self.by_row.append((name, rows, gradient, False))

    def _whole(self, name: str) -> NDArray:
        """Return the gradient of an array; a pending product is computed and stored."""
        gradient = self.by_name[name]
        if isinstance(gradient, tuple):
            left, right = gradient
            gradient = self.by_name[name] = left.T @ right
        return gradient

    def norm(self) -> float:
        """Return the L2 norm of all gradients, taken as one vector."""
        arrays = [self._whole(name) for name in self.by_name]
        arrays += [gradient for _, _, gradient, _ in self.by_row]
        flat = [np.ascontiguousarray(array).reshape(-1) for array in arrays]
        return math.sqrt(sum(float(vector @ vector) for vector in flat))


class WeightedGradients(Gradients):
    """Adds the gradients of one cost to the gradients of a weighted sum of costs."""

    def __init__(
        self, gradients: Gradients, weight: float, names: Mapping[str, str]
    ) -> None:
        """Prepare to add to `gradients`.

        Args:
            gradients: The Gradients of the sum of costs.
            weight: The weight of this cost, by which its gradients are multiplied.
            names: The name in `gradients` of each parameter of this cost's network. For
                `rows`, a table that is not in `names` keeps its name.
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
