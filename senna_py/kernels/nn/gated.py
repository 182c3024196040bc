"""Gated linear units over dilated windows of words, for tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.int8 import (
    BLOCK,
    largest_of_row,
    multiply_windows,
    room_for_windows,
    scale_row,
)
from senna_py.kernels.nn.layer_norm import normalize_row
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats, Ints

# The smallest and the largest number whose exponential is a normal float32.
LEAST, LARGEST = (
    np.float32(-87),
    np.float32(88),
)
LOG2_E = np.float32(1.44269504)
# ln 2 in two parts. The first part has few bits, so that its multiples are exact.
LN2, LN2_REST = np.float32(0.693359375), np.float32(-2.12194440e-4)
POLYNOMIAL = tuple(
    map(
        np.float32,
        (
            1.9875691500e-4,
            1.3981999507e-3,
            8.3334519073e-3,
            4.1665795894e-2,
            1.6666665459e-1,
            5.0000001201e-1,
        ),
    )
)


@borrowing_kernel
def _exp(x: np.float32) -> np.float32:
    """Return e ** x in float32, with a relative error of about 1e-7.

    The method is from expf in Cephes. Unlike Numba's function, this one vectorizes. x
    is clipped to [-87, 88].
    """
    x = x if x > LEAST else LEAST
    x = x if x < LARGEST else LARGEST
    power = np.floor(x * LOG2_E + np.float32(0.5))
    x = (x - power * LN2) - power * LN2_REST
    y = POLYNOMIAL[0]
    for coefficient in POLYNOMIAL[1:]:
        y = y * x + coefficient
    y = (y * (x * x) + x) + np.float32(1)
    scale = np.uint32(np.int32(power) + np.int32(127)) << np.uint32(23)
    return y * np.uint32(scale).view(np.float32)


@borrowing_kernel
def _add_gated(x: Floats, both: Floats, out: Floats) -> None:
    """Compute out = x + a * sigmoid(b) for one row.

    Args:
        x, out: float32[n].
        both: float32[2 n], a and b concatenated.
    """
    n = len(out)
    straight, gate = both[:n], both[n:]
    for d in range(n):
        out[d] = x[d] + straight[d] / (np.float32(1) + _exp(-gate[d]))


@kernel
def add_gated_units(
    x: Floats,
    gain: Floats,
    shift: Floats,
    starts: Ints,
    dilation: int,
    size: int,
    weight: tuple[Any, ...],
    out: Floats,
) -> None:
    """Compute out = x + (A w + a) * sigmoid(B w + b) for the window w of each token.

    Windows contain normalized rows, with zeros outside the sentence; see
    `layers.gated_convolution`. All arrays are contiguous. A block of rows is
    normalized, rounded, multiplied and added while it is in the cache.

    Args:
        x: float32[n, dim], the input of the block.
        gain, shift: float32[dim], for the layer normalization of the rows.
        starts: int32[n_sentences + 1], where each sentence begins.
        dilation: The distance between the words of a window.
        size: The number of words of a window.
        weight: The result of `int8.pack` for int8[size * dim, 2 * dim], A and B side by
            side, and for windows of this size.
        out: float32[n, dim], which is written.
    """
    n, dim = x.shape
    fits = len(gain) == dim and len(shift) == dim and out.shape == x.shape
    if not fits or len(weight[3]) != 2 * dim:
        raise ValueError("sizes of a block do not fit")
    reach, rows = size // 2 * dilation, 1
    while rows < min(n, BLOCK + 2 * reach):
        rows *= 2
    # Row t is normalized into row t % rows, where no window needs the old row any more.
    normal, largest = np.empty((rows, dim), np.float32), np.empty(rows, np.uint32)
    both, mask, ready = np.empty(2 * dim, np.float32), rows - 1, 0
    room = room_for_windows(dim, size, weight)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        for t in range(ready, min(end + reach, n)):
            normalize_row(x[t], gain, shift, normal[t & mask])
            largest[t & mask] = largest_of_row(normal[t & mask])
        ready = min(end + reach, n)
        sums, scales, place = multiply_windows(
            normal, largest, mask, starts, first, end, dilation, size, weight, room
        )
        for t in range(first, end):
            at = place[t - first]
            scale_row(sums[at], scales[at], weight, both)
            _add_gated(x[t], both, out[t])
