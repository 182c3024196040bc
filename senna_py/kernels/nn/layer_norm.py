"""Layer normalization (Ba et al. 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.reductions import sum_of_differences, sum_of_squares
from senna_py.kernels.runtime.jit import (
    borrowing_kernel,
    kernel,
    reordering_kernel,
)

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Reals

_LEAST = 1e-5  # a constant that is added to variances


@borrowing_kernel
def normalize_row(row: Floats, gain: Floats, shift: Floats, out: Floats) -> None:
    """Compute layer normalization of one row for tagging: out = gain * normal + shift.

    See `normalize` for the equations.

    Args:
        row: float32[dim].
        gain, shift: float32[dim].
        out: float32[dim], which is written.
    """
    dim = np.float32(len(row))
    mean = sum_of_differences(row, np.float32(0)) / dim
    variance = sum_of_squares(row, mean) / dim
    scale = np.float32(1) / np.sqrt(variance + np.float32(_LEAST))
    for d in range(len(row)):
        out[d] = ((row[d] - mean) * scale) * gain[d] + shift[d]


@kernel
def normalize_rows(x: Floats, gain: Floats, shift: Floats, out: Floats) -> None:
    """Compute layer normalization for tagging: out = gain * normal + shift.

    The result of a row does not depend on other rows. See `normalize` for the
    equations.

    Args:
        x: float32[n, dim].
        gain, shift: float32[dim].
        out: float32[n, dim], which is written.
    """
    for t in range(len(x)):
        normalize_row(x[t], gain, shift, out[t])


@reordering_kernel
def normalize(
    x: Reals, gain: Reals, shift: Reals, out: Reals, normal: Reals, scale: Reals
) -> None:
    """Compute layer normalization for training: out = gain * normal + shift.

    For each row, normal = (x - mean) * scale, and scale = 1 / sqrt(variance + 1e-5).
    Sums may be computed in any order. All arrays may also be float64.

    Args:
        x: float32[n, dim].
        gain, shift: float32[dim].
        out, normal: float32[n, dim], which are written.
        scale: float32[n], which is written.
    """
    n, dim = x.shape
    for t in range(n):
        total, squares = np.float32(0), np.float32(0)
        for d in range(dim):
            total += x[t, d]
        mean = total / np.float32(dim)
        for d in range(dim):
            squares += (x[t, d] - mean) * (x[t, d] - mean)
        scale[t] = np.float32(1) / np.sqrt(
            squares / np.float32(dim) + np.float32(_LEAST)
        )
        for d in range(dim):
            normal[t, d] = (x[t, d] - mean) * scale[t]
            out[t, d] = normal[t, d] * gain[d] + shift[d]


@reordering_kernel
def normalize_backward(
    d_out: Reals,
    normal: Reals,
    scale: Reals,
    gain: Reals,
    d_x: Reals,
    d_gain: Reals,
    d_shift: Reals,
) -> None:
    """Add the gradients of `normalize` to d_x, d_gain and d_shift.

    Args:
        d_out: float32[n, dim], d(cost)/d(out).
        normal, scale: float32[n, dim] and float32[n], from `normalize`.
        gain: float32[dim].
        d_x: float32[n, dim].
        d_gain, d_shift: float32[dim].
    """
    n, dim = d_out.shape
    for t in range(n):
        total, along = np.float32(0), np.float32(0)
        for d in range(dim):
            slope = d_out[t, d] * gain[d]
            total += slope
            along += slope * normal[t, d]
            d_gain[d] += d_out[t, d] * normal[t, d]
            d_shift[d] += d_out[t, d]
        total /= np.float32(dim)
        along /= np.float32(dim)
        for d in range(dim):
            slope = d_out[t, d] * gain[d]
            d_x[t, d] += scale[t] * (slope - total - normal[t, d] * along)
