"""Gradients of a piece of text, collected so that their norm is known before they are applied."""

import math

import numpy as np

from senna_py.kernels.updates import sgd, sgd_rows, sum_rows

__all__ = ["Gradients"]


class Gradients:
    """Gradients of parameters by name: whole arrays, or some rows of a table.

    An output layer is given this in place of an optimizer's step (see `layers.softmax`).
    """

    def __init__(self):
        """Begin without any."""
        self._whole, self._rows = {}, []

    def add(self, name, gradient):
        """Take the gradient of a whole array; a second one of the same array is added."""
        if name in self._whole:
            gradient = self._whole[name] + gradient
        self._whole[name] = gradient

    def dense(self, name, array, gradient):
        """Take the gradient of the parameter `array`."""
        self.add(name, gradient)

    def product(self, name, array, left, right):
        """Take the gradient left.T @ right."""
        self.add(name, left.T @ right)

    def rows(self, name, n_rows, index, gradient):
        """Take gradients of rows of a table of n_rows, in any order: int32[n], float32[n, dim]."""
        total, rows = np.empty_like(gradient), np.empty_like(index)
        count = sum_rows(index, gradient, total, np.full(n_rows, -1, np.int32), rows)
        self.distinct_rows(name, None, rows[:count], total[:count])

    def distinct_rows(self, name, table, rows, gradient):
        """Take gradients of rows of a table or elements of a vector, each of which comes once."""
        self._rows.append((name, rows, gradient))

    def norm(self):
        """Length of all gradients as one vector."""
        arrays = [*self._whole.values(), *(gradient for _, _, gradient in self._rows)]
        flat = [np.ascontiguousarray(array).reshape(-1) for array in arrays]
        return math.sqrt(sum(float(vector @ vector) for vector in flat))

    def apply(self, parameters, rate):
        """Change parameters, a dict of name to array, by -rate times their gradients."""
        for name, gradient in self._whole.items():
            sgd(parameters[name].reshape(-1), np.ascontiguousarray(gradient).reshape(-1), rate)
        for name, rows, gradient in self._rows:
            width = math.prod(gradient.shape[1:])  # 1 for a vector
            table = parameters[name].reshape(-1, width)
            sgd_rows(table, rows, gradient.reshape(-1, width), rate)

    def to_dict(self, parameters):
        """Gradients as whole arrays, zero where none was given."""
        out = {name: np.zeros_like(array) for name, array in parameters.items()}
        for name, gradient in self._whole.items():
            out[name] += gradient
        for name, rows, gradient in self._rows:
            out[name][rows] += gradient
        return out
