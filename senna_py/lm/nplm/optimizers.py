"""Steps of training: the learning rate, weight decay, and how gradients change parameters."""

import numpy as np

from senna_py.kernels import updates

__all__ = ["OPTIMIZERS", "Optimizer"]

OPTIMIZERS = {"sgd": 0, "adagrad": 1, "adam": 2}  # by the arrays that are kept beside a parameter
# AdaGrad's sums of squares begin with 1, so that the first, small gradients of a rare word are not
# blown up to steps as large as any.
_START = {"adagrad": 1.0, "adam": 0.0}
_BLOCK = 512  # rows that are updated together: they and their gradient stay in the cache


class Optimizer:
    """Plain gradient steps, AdaGrad or Adam, on the sum of the gradients of a minibatch.

    The rate of the example number t is rate / (1 + decrease t). Weight decay adds decay times the
    value to the gradient of each weight, for every example (section 3.2), but only of the rows at
    hand where a step is told of distinct rows; names that end in `_bias` are no weights (section 2,
    footnote 3).
    """

    def __init__(self, kind="sgd", rate=1e-3, decrease=1e-8, decay=0.0):
        """Take the name of the kind, one of OPTIMIZERS, and the rates."""
        self.kind, self.rate, self.decrease, self.decay = kind, rate, decrease, decay
        self.n_steps = 0
        self._states = {}

    def rate_at(self, example):
        """Learning rate of example number `example`, counted over all epochs; may be an array."""
        return self.rate / (1 + self.decrease * example)

    def step(self, example, n_examples):
        """What changes parameters for a minibatch of `n_examples` from number `example` on."""
        self.n_steps += 1
        rate = self.rate_at(example)
        if self.kind == "adam":
            rate *= np.sqrt(1 - 0.999**self.n_steps) / (1 - 0.9**self.n_steps)
        return _Step(self, rate, self.decay * n_examples)

    def state(self, name, like):
        """Arrays that are kept beside the parameter `name`, of the shape of `like`."""
        if name not in self._states:
            slots = range(OPTIMIZERS[self.kind])
            self._states[name] = [np.full_like(like, _START[self.kind]) for _ in slots]
        return self._states[name]

    def arrays(self):
        """What a checkpoint has to keep beside the parameters: dict of name to array."""
        return {f"{name}.{i}": a for name, kept in self._states.items() for i, a in enumerate(kept)}

    def restore(self, arrays, n_steps):
        """Take what `arrays` and `n_steps` were."""
        self.n_steps, self._states = n_steps, {}
        for name in sorted(arrays):
            self._states.setdefault(name.rpartition(".")[0], []).append(arrays[name])


class _Step:
    """Changes parameters in place, against gradients of the cost, at one rate."""

    def __init__(self, optimizer, rate, decay):
        self._optimizer, self._rate, self._decay = optimizer, rate, decay

    def dense(self, name, array, gradient):
        """Change an array, all of it. gradient: of its shape."""
        state = self._optimizer.state(name, array)
        arrays = [a.reshape(-1) for a in (array, self._decayed(name, array, gradient), *state)]
        _DENSE[self._optimizer.kind](*arrays, self._rate)

    def product(self, name, array, left, right):
        """Change a matrix whose gradient is left.T @ right, some rows at a time."""
        state = self._optimizer.state(name, array)
        for first in range(0, len(array), _BLOCK):
            rows = slice(first, first + _BLOCK)
            gradient = self._decayed(name, array[rows], left[:, rows].T @ right)
            arrays = [a.reshape(-1) for a in (array[rows], gradient, *(a[rows] for a in state))]
            _DENSE[self._optimizer.kind](*arrays, self._rate)

    def rows(self, name, table, index, gradient):
        """Change rows of a table. index: int32[n], gradient: [n, dim], of rows in any order.

        Weights of all rows decay.
        """
        total, rows = np.empty_like(gradient), np.empty_like(index)
        row_of = np.full(len(table), -1, np.int32)
        count = updates.sum_rows(index, gradient, total, row_of, rows)
        if self._decay:
            whole = np.zeros_like(table)
            whole[rows[:count]] = total[:count]
            self.dense(name, table, whole)
        else:
            self.distinct_rows(name, table, rows[:count], total[:count])

    def distinct_rows(self, name, table, rows, gradient):
        """Change rows of a table or elements of a vector, each once; no other row decays."""
        gradient = self._decayed(name, table[rows], gradient) if self._decay else gradient
        arrays = [table, gradient, *self._optimizer.state(name, table)]
        table, gradient, *state = (a[:, None] if a.ndim == 1 else a for a in arrays)
        _ROWS[self._optimizer.kind](table, rows, gradient, *state, self._rate)

    def _decayed(self, name, array, gradient):
        """The gradient, which may be changed, with that of weight decay."""
        if self._decay and not name.endswith("_bias"):
            gradient += array.dtype.type(self._decay) * array
        return gradient


_DENSE = {"sgd": updates.sgd, "adagrad": updates.adagrad, "adam": updates.adam}
_ROWS = {"sgd": updates.sgd_rows, "adagrad": updates.adagrad_rows, "adam": updates.adam_rows}
