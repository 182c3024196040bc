"""Gated linear units over dilated windows of words, for tagging: the product and its gate."""

import numpy as np

from senna_py.kernels.cold_start.jit import borrowing_kernel, kernel
from senna_py.kernels.linear import affine
from senna_py.kernels.tile import LANES, ROWS, add_tile, add_wide_tile, has_wide_tiles

__all__ = ["ROOM", "add_gated_units"]

_BLOCK = 16 * ROWS  # rows whose products stay in the cache until they are gated
ROOM = _BLOCK + 1  # rows of scratch: the last takes what only fills up a tile

_LEAST, _LARGEST = np.float32(-87), np.float32(88)  # whose exponentials are normal numbers
_LOG2_E = np.float32(1.44269504)
# ln 2 in two parts, the first with few digits, so that multiples of it are exact.
_LN2, _LN2_REST = np.float32(0.693359375), np.float32(-2.12194440e-4)


@borrowing_kernel
def _exp(x):
    """e ** x: float32, to about 1e-7 of itself; by the polynomial of Cephes (Moshier), expf.

    Numba's own calls the system's library for each number; this one vectorises.
    """
    x = x if x > _LEAST else _LEAST
    x = x if x < _LARGEST else _LARGEST
    power = np.floor(x * _LOG2_E + np.float32(0.5))
    x = (x - power * _LN2) - power * _LN2_REST
    y = np.float32(1.9875691500e-4) * x + np.float32(1.3981999507e-3)
    y = y * x + np.float32(8.3334519073e-3)
    y = y * x + np.float32(4.1665795894e-2)
    y = y * x + np.float32(1.6666665459e-1)
    y = y * x + np.float32(5.0000001201e-1)
    y = (y * (x * x) + x) + np.float32(1)
    scale = np.uint32(np.int32(power) + np.int32(127)) << np.uint32(23)
    return y * np.uint32(scale).view(np.float32)


@borrowing_kernel
def _add_gated(x, both, out):
    """Compute out = x + a * sigmoid(b) of one row: float32[n]; both: a beside b, float32[2 n]."""
    n = len(out)
    straight, gate = both[:n], both[n:]
    for d in range(n):
        out[d] = x[d] + straight[d] / (np.float32(1) + _exp(-gate[d]))


@kernel
def _shifted_rows(starts, first, end, shift, rows, targets):
    """Rows that are `shift` words behind those of a block and in the same sentence.

    starts: int32[n_sentences + 1]; first, end: of the block; rows, targets: int64[_BLOCK], receive
    them and the rows of the block, counted from 0, filled up to a multiple of ROWS by some row and
    the last of the scratch. Returns how many there are, without what fills up.
    """
    n = 0
    s = np.searchsorted(starts, first, side="right") - 1
    while s < len(starts) - 1 and starts[s] < end:
        a, b = np.int64(starts[s]), np.int64(starts[s + 1])
        for t in range(max(first, a, a - shift), min(end, b, b - shift)):
            rows[n], targets[n] = t + shift, t - first
            n += 1
        s += 1
    for k in range(n, -(-n // ROWS) * ROWS):
        rows[k], targets[k] = rows[n - 1], _BLOCK
    return n


@kernel
def _add_products(x, rows, targets, n, weight, panels, begin, both):
    """Add x[rows[t]] @ weight[begin : begin + dim] to both[targets[t]] for each t < n."""
    dim, width = x.shape[1], both.shape[1]
    flat = x.ravel()
    if len(panels) != weight.size:  # there are none, or the last two of them overlap
        affine(flat, rows[:n] * dim, weight[begin : begin + dim], both, targets[:n])
        return
    sums = both.reshape(-1)
    height, column = len(weight), 0
    while column < width:
        panel = column * height + begin * LANES
        wide = has_wide_tiles() and column + 2 * LANES <= width
        for t in range(0, n, ROWS):
            if wide:
                add_wide_tile(
                    flat, dim, rows, t, panels, panel, height, sums, width, targets, column
                )
            else:
                add_tile(flat, dim, rows, t, panels, panel, height, sums, width, targets, column)
        column += 2 * LANES if wide else LANES


@kernel
def add_gated_units(x, normal, starts, dilation, weight, panels, bias, both, out):
    """Compute out = x + (A w + a) * sigmoid(B w + b), for windows w of rows of `normal`.

    See `layers.gated_convolution`; rows beyond a sentence are zero, so nothing is added for them.

    x, normal, out: float32[n, dim]; starts: int32[n_sentences + 1]; weight: float32[size * dim,
    2 * dim] and bias: float32[2 * dim], of A beside B; panels: of the weight, see
    `linear.panels_of`, or empty; both: float32[ROOM, 2 * dim], scratch. All are contiguous.
    """
    n, dim = x.shape
    size = len(weight) // dim
    if both.shape != (ROOM, 2 * dim) or weight.shape != (size * dim, 2 * dim):
        raise ValueError("sizes of a block do not fit")
    rows, targets = np.empty(_BLOCK, np.int64), np.empty(_BLOCK, np.int64)
    for first in range(0, n, _BLOCK):
        end = min(first + _BLOCK, n)
        both[:] = bias
        for j in range(size):
            shift = (j - size // 2) * dilation
            m = _shifted_rows(starts, first, end, shift, rows, targets)
            _add_products(normal, rows, targets, m, weight, panels, j * dim, both)
        for t in range(first, end):
            _add_gated(x[t], both[t - first], out[t])
