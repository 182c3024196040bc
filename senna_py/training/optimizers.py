"""Optimizers: how gradients change parameters, for taggers and language models
alike.
"""

import numpy as np

from senna_py.kernels.nn import updates

_BLOCK = (
    512  # rows that are updated together: they and their gradient stay in the cache
)


class _Optimizer:
    """Changes arrays in place, against gradients, with `slots` arrays beside each
    parameter.
    """

    slots = 0

    def __init__(self, parameters, fan_in, decay=0.0, start=0.0):
        """parameters: {name: float32[...]}, changed in place.

        fan_in: {name: inputs of a unit}, which Sgd divides rates by, or None for rates
        as they are; decay: weight decay, which adds decay times the value to the
        gradient of each weight, for every example (Bengio et al. 2003, section 3.2;
        names that end in `_bias` are no weights); start: what the arrays beside the
        parameters begin with.
        """
        self.parameters, self.fan_in, self.decay = parameters, fan_in, decay
        self.n_steps = 0
        self._states = {
            name: [np.full_like(array, start) for _ in range(self.slots)]
            for name, array in parameters.items()
        }

    def step(self, gradients, rate, n_examples=1):
        """Make a step against Gradients; n_examples: how many were summed, for weight
        decay.
        """
        self.n_steps += 1
        decay = self.decay * n_examples
        for name, gradient in gradients.by_name.items():
            if isinstance(gradient, tuple):
                left, right = (
                    gradient  # of the product left.T @ right: some rows at a time
                )
                for first in range(0, len(self.parameters[name]), _BLOCK):
                    rows = slice(first, first + _BLOCK)
                    self._change(name, rows, left[:, rows].T @ right, rate, decay)
            else:
                self._change(name, slice(None), gradient, rate, decay)
        for name, rows, gradient, others_are_zero in gradients.by_row:
            if decay and others_are_zero:
                whole = np.zeros_like(self.parameters[name])
                whole[rows] = gradient
                self._change(name, slice(None), whole, rate, decay)
            else:
                self._change_rows(name, rows, gradient, rate, decay)

    def _change(self, name, part, gradient, rate, decay):
        """Change consecutive rows of an array, or all of it."""
        array = self.parameters[name]
        state = [kept[part] for kept in self._states[name]]
        gradient = _decayed(name, array[part], gradient, decay)
        flat = [np.ascontiguousarray(a).reshape(-1) for a in (gradient, *state)]
        self.dense(array[part].reshape(-1), *flat, np.float32(self._rate(name, rate)))

    def _change_rows(self, name, rows, gradient, rate, decay):
        """Change rows of a table or elements of a vector, each once."""
        table = self.parameters[name]
        gradient = _decayed(name, table[rows], gradient, decay) if decay else gradient
        arrays = table, gradient, *self._states[name]
        table, gradient, *state = (a[:, None] if a.ndim == 1 else a for a in arrays)
        self.by_rows(table, rows, gradient, *state, np.float32(self._rate(name, rate)))

    def _rate(self, name, rate):
        return rate

    def arrays(self):
        """Arrays beside `n_steps` and parameters, by name, which a resumed run fills in
        place.
        """
        return {
            f"{name}.{i}": a
            for name, kept in self._states.items()
            for i, a in enumerate(kept)
        }


def _decayed(name, array, gradient, decay):
    """The gradient, which may be changed, with that of weight decay."""
    if decay and not name.endswith("_bias"):
        gradient += array.dtype.type(decay) * array
    return gradient


class Sgd(_Optimizer):
    """Stochastic gradient: x -= rate / fan_in * gradient (Collobert et al. 2011, Remark
    7).
    """

    dense, by_rows = staticmethod(updates.sgd), staticmethod(updates.sgd_rows)

    def _rate(self, name, rate):
        return rate if self.fan_in is None else rate / self.fan_in[name]


class AdaGrad(_Optimizer):
    """Rates that fall with the squared gradients seen (Duchi et al. 2011)."""

    slots = 1
    dense, by_rows = staticmethod(updates.adagrad), staticmethod(updates.adagrad_rows)


class Adam(_Optimizer):
    """Rates by moments of the gradients (Kingma and Ba 2015); rows of tables change
    when used.
    """

    slots = 2
    dense, by_rows = staticmethod(updates.adam), staticmethod(updates.adam_rows)

    def _rate(self, name, rate):
        n = self.n_steps
        return rate * np.sqrt(1 - 0.999**n) / (1 - 0.9**n)


OPTIMIZERS = {"sgd": Sgd, "adagrad": AdaGrad, "adam": Adam}
