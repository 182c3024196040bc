"""The mean of parameters at the ends of the last epochs."""

from collections import deque

import numpy as np

from senna_py.layers.lookup import table_name

__all__ = ["Average"]


class Average:
    """Parameters in training as they were at the ends of the last epochs.

    Of the lookup tables only those rows are kept that training can change.
    """

    def __init__(self, parameters, rows, count):
        """Take parameters by name, and how many epochs are averaged.

        rows: {name: int[n], the rows of a table that may change}.
        """
        self._parameters, self._rows = parameters, rows
        self._ends = deque(maxlen=count)  # dicts of arrays, the oldest first

    def add(self):
        """Remember the parameters as they are now, at the end of an epoch."""
        self._ends.append({
            name: array[self._rows[name]] if name in self._rows else array.copy()
            for name, array in self._parameters.items()
        })  # fmt: skip

    def network(self, network):
        """The network, whose parameters these are, with their means in place of them.

        Tables that are fixed are not copied.
        """
        if len(self._ends) < 2:
            return network
        means = {name: self._mean(name) for name in self._parameters}
        for name, rows in self._rows.items():
            table = self._parameters[name].copy()
            table[rows] = means[name]
            means[name] = table
        tables = [means.pop(table_name(f), t) for f, t in enumerate(network.tables)]
        return network.with_arrays(tables, means)

    def _mean(self, name):
        total = self._ends[0][name].copy()
        for end in list(self._ends)[1:]:
            total += end[name]
        total /= np.float32(len(self._ends))
        return total

    def arrays(self):
        """What a checkpoint has to keep: a dict of name to array."""
        return {f"{i} {name}": a for i, end in enumerate(self._ends) for name, a in end.items()}

    def restore(self, arrays):
        """Go on from what `arrays` gave."""
        ends = {}
        for key, array in arrays.items():
            i, _, name = key.partition(" ")
            ends.setdefault(int(i), {})[name] = array
        self._ends.clear()
        self._ends.extend(ends[i] for i in sorted(ends))
