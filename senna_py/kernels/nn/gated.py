"""Gated linear units over dilated windows of words, for tagging: the product and its gate."""

import numpy as np

from senna_py.kernels.llvm.bfloat16 import (
    BLOCK,
    MATRICES,
    ROOM,
    add_products,
    add_products_of_matrices,
    aligned_words,
    begin_matrices,
    end_matrices,
    padded,
    words_of,
)
from senna_py.kernels.llvm.tile import ROWS
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

__all__ = ["add_gated_units"]

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

    starts: int32[n_sentences + 1]; first, end: of the block; rows, targets: int64[BLOCK], receive
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
        rows[k], targets[k] = rows[n - 1], BLOCK
    return n


@kernel
def _copy_windows(words, starts, first, end, dilation, windows):
    """Put the words of the windows of a block side by side, zeros for rows beyond the sentence.

    words: uint32[n_rows, width]; windows: uint32[BLOCK or more, size * width]; the others are as of
    `_shifted_rows`.
    """
    width = words.shape[1]
    size = windows.shape[1] // width
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, end):
        while starts[s + 1] <= t:
            s += 1
        window = windows[t - first]
        for j in range(size):
            row, begin = t + (j - size // 2) * dilation, j * width
            if starts[s] <= row < starts[s + 1]:
                window[begin : begin + width] = words[row]
            else:
                window[begin : begin + width] = 0


@kernel
def add_gated_units(x, words, starts, dilation, size, panels, bias, way, both, out):
    """Compute out = x + (A w + a) * sigmoid(B w + b), for windows w of normalised rows.

    See `layers.gated_convolution`; rows beyond a sentence are zero.

    x, out: float32[n, dim]; words: those of the normalised rows, see `bfloat16.round_rows`; starts:
    int32[n_sentences + 1]; size: words of a window; panels: of the weight float32[size * dim, 2 *
    dim], of A beside B, see `bfloat16.pack_weight`; bias: float32[2 * dim]; way: of the products;
    both: float32[ROOM, padded(2 * dim)], scratch. All are contiguous.
    """
    n, dim = x.shape
    width = words_of(dim, way)
    height = size * width
    if (
        both.shape != (ROOM, padded(2 * dim))
        or len(panels) != both.shape[1] * height
        or words.shape[1] != width
        or len(words) < n
        or len(bias) != 2 * dim
    ):
        raise ValueError("sizes of a block do not fit")
    rows, targets = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    room = BLOCK if way == MATRICES else 0
    windows = aligned_words(room * height).reshape(room, height)
    begin_matrices(way)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        for t in range(end - first):
            both[t, : 2 * dim] = bias
        if way == MATRICES:
            _copy_windows(words, starts, first, end, dilation, windows)
            add_products_of_matrices(windows, 0, end - first, panels, both)
        else:
            for j in range(size):
                shift = (j - size // 2) * dilation
                m = _shifted_rows(starts, first, end, shift, rows, targets)
                add_products(words, rows, targets, m, panels, j * width, height, way, both)
        for t in range(first, end):
            _add_gated(x[t], both[t - first, : 2 * dim], out[t])
    end_matrices(way)
