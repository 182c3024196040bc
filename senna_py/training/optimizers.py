"""Optimizers, which update the parameters of taggers and language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn import updates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

# The number of rows that are updated together, so that they and their gradient fit into
# the cache of a core.
_BLOCK = 512


class _Optimizer:
    """The base class of optimizers, which update parameters in place.

    Attributes:
        slots: The number of state arrays for each parameter.
        dense: The kernel that updates all elements of an array.
        by_rows: The kernel that updates some rows of a table.
        parameters: The parameters by name.
        n_steps: The number of steps so far.
    """

    slots: ClassVar[int] = 0
    dense: ClassVar[Callable[..., Any]]
    by_rows: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        parameters: Mapping[str, NDArray],
        fan_in: Mapping[str, int] | None,
        decay: float = 0.0,
        start: float = 0.0,
    ) -> None:
        """Prepare to update parameters.

        Args:
            parameters: The arrays by name, float32[...], which are updated in place.
            fan_in: The fan-in of each parameter, by which Sgd divides the learning
                rate, or None to leave the rate unchanged.
            decay: The weight decay: for every example, decay times the weight is added
                to its gradient (Bengio et al. 2003, section 3.2). Arrays whose names
                end in `_bias` do not decay.
            start: The initial value of the state arrays.
        """
        self.parameters, self.fan_in, self.decay = parameters, fan_in, decay
        self.n_steps = 0
        self._states = {
            name: [np.full_like(array, start) for _ in range(self.slots)]
            for name, array in parameters.items()
        }

    def step(self, gradients: Gradients, rate: float, n_examples: int = 1) -> None:
        """Update all parameters that have a gradient.

        Args:
            gradients: The gradients, summed over the examples.
            rate: The learning rate.
            n_examples: The number of examples.
        """
        self.n_steps += 1
        decay = self.decay * n_examples
        for name, gradient in gradients.by_name.items():
            if isinstance(gradient, tuple):
                left, right = gradient  # the gradient is left.T @ right
                for first in range(0, len(self.parameters[name]), _BLOCK):
                    block = slice(first, first + _BLOCK)
                    self._change(name, block, left[:, block].T @ right, rate, decay)
            else:
                self._change(name, slice(None), gradient, rate, decay)
        for name, rows, gradient, others_are_zero in gradients.by_row:
            if decay and others_are_zero:
                whole = np.zeros_like(self.parameters[name])
                whole[rows] = gradient
                self._change(name, slice(None), whole, rate, decay)
            else:
                self._change_rows(name, rows, gradient, rate, decay)

    def _change(
        self, name: str, rows: slice, gradient: NDArray, rate: float, decay: float
    ) -> None:
        """Update a slice of an array."""
        array = self.parameters[name]
        state = [slot[rows] for slot in self._states[name]]
        gradient = _add_decay(name, array[rows], gradient, decay)
        flat = [np.ascontiguousarray(a).reshape(-1) for a in (gradient, *state)]
        self.dense(array[rows].reshape(-1), *flat, np.float32(self._rate(name, rate)))

    def _change_rows(
        self, name: str, rows: NDArray, gradient: NDArray, rate: float, decay: float
    ) -> None:
        """Update distinct rows of a table, or distinct elements of a vector."""
        table = self.parameters[name]
        if decay:
            gradient = _add_decay(name, table[rows], gradient, decay)
        arrays = table, gradient, *self._states[name]
        table, gradient, *state = (a[:, None] if a.ndim == 1 else a for a in arrays)
        self.by_rows(table, rows, gradient, *state, np.float32(self._rate(name, rate)))

    def _rate(self, name: str, rate: float) -> float:
        return rate

    def arrays(self) -> dict[str, NDArray]:
        """Return the state arrays by name; a resumed run restores them in place."""
        return {
            f"{name}.{i}": array
            for name, slots in self._states.items()
            for i, array in enumerate(slots)
        }


def _add_decay(name: str, array: NDArray, gradient: NDArray, decay: float) -> NDArray:
    """Add weight decay to the gradient in place, and return the gradient."""
    if decay and not name.endswith("_bias"):
        gradient += array.dtype.type(decay) * array
    return gradient


class Sgd(_Optimizer):
    """Stochastic gradient descent: x -= rate / fan_in * gradient.

    The rate is divided by the fan-in as in Collobert et al. (2011, Remark 7), unless
    `fan_in` is None.
    """

    dense, by_rows = staticmethod(updates.sgd), staticmethod(updates.sgd_rows)

    def _rate(self, name: str, rate: float) -> float:
        return rate if self.fan_in is None else rate / self.fan_in[name]


class AdaGrad(_Optimizer):
    """AdaGrad, which scales steps by all past squared gradients (Duchi et al. 2011)."""

    slots = 1
    dense, by_rows = staticmethod(updates.adagrad), staticmethod(updates.adagrad_rows)


class Adam(_Optimizer):
    """Adam, which scales steps by moments of the gradients (Kingma and Ba 2015).

    Without weight decay, a row of a table, with its moments, is updated only in steps
    in which it has a gradient.
    """

    slots = 2
    dense, by_rows = staticmethod(updates.adam), staticmethod(updates.adam_rows)

    def _rate(self, name: str, rate: float) -> float:
        n = self.n_steps
        return rate * np.sqrt(1 - 0.999**n) / (1 - 0.9**n)


OPTIMIZERS: dict[str, type[_Optimizer]] = {"sgd": Sgd, "adagrad": AdaGrad, "adam": Adam}
