"""Scalar products and sums of two rows, for other kernels."""

import numpy as np

from senna_py.kernels.runtime.jit import reordering_kernel


@reordering_kernel
def dot(x, y):
    """Scalar product of two rows: float32."""
    total = np.float32(0)
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@reordering_kernel
def add_scaled(total, factor, x):
    """Add factor * x to a row."""
    for i in range(len(x)):
        total[i] += factor * x[i]
