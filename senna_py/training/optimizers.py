"""Optimizers: how gradients change the parameters of a network."""

import numpy as np

from senna_py.kernels import updates

__all__ = ["OPTIMIZERS", "AdaGrad", "Adam", "Sgd"]

# Fields whose fan-in is that of another field's rows; what is absent here and is not a weight
# (tables, distances, scores of transitions) is looked up, one row for each input.
_FAN_IN = {
    "hidden_weight": "hidden_weight", "hidden_bias": "hidden_weight",
    "output_weight": "output_weight", "output_bias": "output_weight",
    "word_weight": "word_weight", "conv_bias": "word_weight",
    "verb_distance_weight": "word_weight", "word_distance_weight": "word_weight",
    "direct_word_weight": "hidden_weight", "direct_verb_weight": "hidden_weight",
}  # fmt: skip


class _Optimizer:
    """Changes the arrays of one network in place.

    slots: how many float32 arrays are kept beside each parameter.
    """

    slots = 0

    def __init__(self, network, fixed=()):
        """Take the network, and the numbers of its lookup tables that stay as they are."""
        self.network = network
        self.n_steps = 0
        self._states = {}
        trained = [t for f, t in enumerate(network.tables) if f not in fixed]
        self._row_of = np.full(max(map(len, trained), default=0), -1, np.int32)

    def step(self, gradients, rate):
        """Take a step against `gradients`, a layers.gradients.Gradients; rate: > 0."""
        self.n_steps += 1
        for name, gradient in gradients.layers.items():
            array = getattr(self.network, name)
            self._change(name, array.ravel(), gradient.ravel(), rate)
        for f, part in enumerate(gradients.tables):
            if part is not None:
                self._step_table(f, *part, rate)

    def _step_table(self, f, index, gradient, rate):
        total, rows = np.empty_like(gradient), np.empty_like(index)
        count = updates.sum_rows(index, gradient, total, self._row_of, rows)
        self._change_rows(f, self.network.tables[f], rows[:count], total[:count], rate)

    def _state(self, key, like):
        if key not in self._states:
            self._states[key] = [np.zeros_like(like) for _ in range(self.slots)]
        return self._states[key]

    def arrays(self):
        """What a checkpoint has to keep beside the parameters: dict of name to array."""
        return {
            f"{key}.{i}": array
            for key, slots in self._states.items()
            for i, array in enumerate(slots)
        }

    def restore(self, arrays, n_steps):
        """Take what `arrays` and `n_steps` were."""
        self.n_steps = n_steps
        self._states = {}
        for name, array in arrays.items():
            key, _, _ = name.rpartition(".")
            self._states.setdefault(key, []).append(array.copy())


class Sgd(_Optimizer):
    """Stochastic gradient, each layer's rate divided by its fan-in (section 3.4.3, Remark 7)."""

    def _change(self, name, x, gradient, rate):
        weight = _FAN_IN.get(name)
        fan_in = 1 if weight is None else len(getattr(self.network, weight))
        updates.sgd(x, gradient, rate / fan_in)

    def _change_rows(self, _f, table, rows, gradient, rate):
        updates.sgd_rows(table, rows, gradient, rate)


class AdaGrad(_Optimizer):
    """Rates that fall with the squared gradients seen (Duchi et al. 2011)."""

    slots = 1

    def _change(self, name, x, gradient, rate):
        updates.adagrad(x, gradient, *self._state(name, x), rate)

    def _change_rows(self, f, table, rows, gradient, rate):
        updates.adagrad_rows(table, rows, gradient, *self._state(f"table {f}", table), rate)


class Adam(_Optimizer):
    """Rates by moments of the gradients (Kingma and Ba 2015); rows of tables change when used."""

    slots = 2

    def _corrected(self, rate):
        n = self.n_steps
        return rate * np.sqrt(1 - 0.999**n) / (1 - 0.9**n)

    def _change(self, name, x, gradient, rate):
        updates.adam(x, gradient, *self._state(name, x), self._corrected(rate))

    def _change_rows(self, f, table, rows, gradient, rate):
        state = self._state(f"table {f}", table)
        updates.adam_rows(table, rows, gradient, *state, self._corrected(rate))


OPTIMIZERS = {"sgd": Sgd, "adagrad": AdaGrad, "adam": Adam}
