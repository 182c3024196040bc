"""The mean of parameters at the ends of the last epochs."""

from collections import deque

import numpy as np

__all__ = ["Average"]


class Average:
    """Parameters as they were at the ends of the last epochs.

    arrays: dict of name to array, which training changes in place; rows: dict of the names of
    lookup tables to int[n], the only rows of them that training can change; count: how many epochs
    are averaged.
    """

    def __init__(
        self, arrays: dict[str, np.ndarray], rows: dict[str, np.ndarray], count: int
    ) -> None:
        """Begin before the first epoch has ended."""
        self._arrays, self._rows, self._count = arrays, rows, count
        self._ends: deque[dict[str, np.ndarray]] = deque(maxlen=count)  # the oldest first

    def add(self) -> None:
        """Remember the parameters as they are now, at the end of an epoch."""
        self._ends.append({
            name: array[self._rows[name]] if name in self._rows else array.copy()
            for name, array in self._arrays.items()
        })  # fmt: skip

    def mean(self) -> dict[str, np.ndarray]:
        """The mean parameters by their names; the parameters themselves after one epoch."""
        if len(self._ends) < 2:
            return dict(self._arrays)
        means = {name: self._mean(name) for name in self._arrays}
        for name, rows in self._rows.items():
            table = self._arrays[name].copy()
            table[rows] = means[name]
            means[name] = table
        return means

    def _mean(self, name):
        total = self._ends[0][name].copy()
        for end in list(self._ends)[1:]:
            total += end[name]
        total /= np.float32(len(self._ends))
        return total

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays that a checkpoint has to keep, by name."""
        return {f"{i} {name}": a for i, end in enumerate(self._ends) for name, a in end.items()}

    def prepare(self, n_epochs: int) -> None:
        """Allocate `arrays` as they are after n_epochs, to be filled in place."""
        self._ends.clear()
        for _ in range(min(n_epochs, self._count)):
            self.add()
