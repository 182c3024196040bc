"""The mean of a network's parameters at the ends of its last epochs."""

from collections import deque
from dataclasses import replace

import numpy as np

__all__ = ["Average"]


class Average:
    """Parameters of a network in training as they were at the ends of the last epochs.

    Of the lookup tables only those rows are kept that training can change.
    """

    def __init__(self, network, layers, rows, count):
        """Take the network, the names of its layers, and how many epochs are averaged.

        rows: {number of a table: int[n], its rows that may change}, without the fixed tables.
        """
        self._network, self._layers, self._rows = network, layers, rows
        self._ends = deque(maxlen=count)  # dicts of arrays, the oldest first

    def add(self):
        """Remember the parameters as they are now, at the end of an epoch."""
        end = {name: getattr(self._network, name).copy() for name in self._layers}
        for f, rows in self._rows.items():
            end[f"table {f}"] = self._network.tables[f][rows]
        self._ends.append(end)

    def network(self):
        """The network with the mean parameters; tables that are fixed are not copied."""
        if len(self._ends) < 2:
            return self._network
        tables = list(self._network.tables)
        for f, rows in self._rows.items():
            tables[f] = tables[f].copy()
            tables[f][rows] = self._mean(f"table {f}")
        layers = {name: self._mean(name) for name in self._layers}
        return replace(self._network, tables=tables, **layers)

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
        """Take what `arrays` were."""
        ends = {}
        for key, array in arrays.items():
            i, _, name = key.partition(" ")
            ends.setdefault(int(i), {})[name] = array
        self._ends.clear()
        self._ends.extend(ends[i] for i in sorted(ends))
