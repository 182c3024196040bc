"""Scalar products and scaled sums of rows, for other kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Reals


@reordering_kernel
def dot(x: Reals, y: Reals) -> float:
    """Return the scalar product of two rows: float32[n]."""
    total = np.float32(0)
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@reordering_kernel
def add_scaled(total: Reals, factor: float, x: Reals) -> None:
    """Add factor * x to `total`, both float32[n]."""
    for i in range(len(x)):
        total[i] += factor * x[i]
