"""Gradients that a backward pass has collected, as whole arrays."""

import numpy as np


def whole_gradients(gradients, parameters):
    """An array for each parameter, by name: zero where no gradient was given."""
    out = {name: np.zeros_like(array) for name, array in parameters.items()}
    for name, gradient in gradients.by_name.items():
        out[name] += gradient[0].T @ gradient[1] if isinstance(gradient, tuple) else gradient
    for name, rows, gradient, _ in gradients.by_row:
        out[name][rows] += gradient
    return out
