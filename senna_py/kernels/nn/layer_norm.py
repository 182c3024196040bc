"""Layer normalisation (Ba et al. 2016)."""

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel, kernel, reordering_kernel

__all__ = ["normalise", "normalise_backward", "normalise_rows"]

_LEAST = 1e-5  # added to variances
_LANES = 64  # partial sums of a row, so that one need not wait for the other


@borrowing_kernel
def _sum(row, mean, square, lanes):
    """Sum of row - mean, or of its square, of which x[k] goes to lane k % _LANES first.

    That is an order of its own, the same for each row, in which sums vectorise.
    """
    lanes[:] = 0
    dim = len(row)
    whole = dim - dim % _LANES
    for k in range(0, whole, _LANES):
        for j in range(_LANES):
            difference = row[k + j] - mean
            lanes[j] += difference * difference if square else difference
    for k in range(whole, dim):
        difference = row[k] - mean
        lanes[k - whole] += difference * difference if square else difference
    for j in range(16):
        lanes[j] = (lanes[j] + lanes[j + 16]) + (lanes[j + 32] + lanes[j + 48])
    for j in range(4):
        lanes[j] = (lanes[j] + lanes[j + 4]) + (lanes[j + 8] + lanes[j + 12])
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


@borrowing_kernel
def _moments(row, lanes):
    """Mean of a row, and 1 / sqrt(variance + 1e-5); lanes: of _LANES, scratch."""
    dim = np.float32(len(row))
    mean = _sum(row, np.float32(0), False, lanes) / dim
    square = _sum(row, mean, True, lanes) / dim
    return mean, np.float32(1) / np.sqrt(square + np.float32(_LEAST))


@kernel
def normalise_rows(x, gain, shift, out):
    """Compute only `out` of `normalise`."""
    lanes = np.empty(_LANES, x.dtype)
    for t in range(len(x)):
        row, to = x[t], out[t]
        mean, scale = _moments(row, lanes)
        for d in range(len(row)):
            to[d] = ((row[d] - mean) * scale) * gain[d] + shift[d]


@kernel
def normalise(x, gain, shift, out, normal, scale):
    """Compute out = gain * normal + shift, with normal = (x - mean) * scale for each row.

    scale = 1 / sqrt(variance + 1e-5). x, out, normal: float32[n, dim]; gain, shift: float32[dim];
    scale: float32[n].
    """
    lanes = np.empty(_LANES, x.dtype)
    for t in range(len(x)):
        row, to, plain = x[t], out[t], normal[t]
        mean, scale[t] = _moments(row, lanes)
        for d in range(len(row)):
            plain[d] = (row[d] - mean) * scale[t]
            to[d] = plain[d] * gain[d] + shift[d]


@reordering_kernel
def normalise_backward(d_out, normal, scale, gain, d_x, d_gain, d_shift):
    """Gradients of `normalise`, of d_out: float32[n, dim].

    d_x: float32[n, dim] and d_gain, d_shift: float32[dim], which are added to.
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
