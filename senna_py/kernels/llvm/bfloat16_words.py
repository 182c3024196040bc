"""Rows and weights as the products of `bfloat16` take them: rounded, in words of 32 bits.

A word holds a float32 or two bfloat16 numbers, by the way of the products.
"""

import numpy as np

from senna_py.kernels.llvm.bfloat16_rounding import round_neighbors, round_numbers, round_pairs
from senna_py.kernels.llvm.bfloat16_tile import STEP
from senna_py.kernels.llvm.matrix_tile import MATRIX_ROWS
from senna_py.kernels.llvm.tile import LANES
from senna_py.kernels.runtime.jit import kernel

__all__ = [
    "BLOCK", "MATRICES", "NUMBERS", "PAIRS", "ROOM", "aligned_words", "pack_weight", "padded",
    "round_rows", "words_of",
]  # fmt: skip

NUMBERS, PAIRS, MATRICES = 0, 1, 2
"""The ways: tiles of float32, of pairs of bfloat16 (AVX512_BF16), and matrix tiles (AMX)."""

BLOCK = 3 * MATRIX_ROWS  # rows whose products stay in the cache; a multiple of ROWS, too
ROOM = BLOCK + 1  # rows of scratch: the last takes what only fills up a tile


@kernel
def padded(n):
    """n inputs or outputs, up to a whole number of STEP."""
    return -(-n // STEP) * STEP


@kernel
def words_of(n, way):
    """Words of n inputs, in whole steps."""
    return padded(n) if way == NUMBERS else padded(n) // 2


@kernel
def aligned_words(n):
    """Uninitialized uint32[n] that begins where vectors do: reading across costs twice."""
    raw = np.empty(n + LANES, np.uint32)
    first = -(raw.ctypes.data // 4) % LANES
    return raw[first : first + n]


@kernel
def _filled_up(x, dim, own):
    """Numbers of x: float32[n, m], with zeros behind each dim rows, up to `own`, and all columns.

    Returns float32[n / dim * own * padded(m)]; those of x itself if there is nothing to fill up.
    """
    n, m = x.shape
    if own == dim and padded(m) == m:
        return x.ravel()
    out = np.zeros((n // dim * own, padded(m)), np.float32)
    for t in range(n):
        out[t // dim * own + t % dim, :m] = x[t]
    return out.ravel()


@kernel
def round_rows(x, way):
    """Round rows for a way of products: uint32[n + BLOCK, words_of(dim, way)].

    x: float32[n, dim], contiguous. The last BLOCK rows are not initialized.
    """
    n, dim = x.shape
    width, own = words_of(dim, way), padded(dim)
    out = aligned_words((n + BLOCK) * width)
    numbers = _filled_up(x, 1, 1)
    for k in range(0, n * own, STEP):
        if way == NUMBERS:
            round_numbers(numbers, k, out, k)
            round_numbers(numbers, k + LANES, out, k + LANES)
        elif way == PAIRS:
            round_neighbors(numbers, k, out, k // 2)
        else:
            round_pairs(numbers, k, k + LANES, out, k // 2)
    return out.reshape(n + BLOCK, width)


@kernel
def pack_weight(weight, bias, dim, way):
    """Round weights, in panels of LANES columns, an even number of them.

    weight: float32[size * dim, n_out], contiguous, of `size` rows of dim inputs, each of which is
    filled up with zeros to whole steps; bias: float32[n_out]. Returns panels: uint32[n_panels *
    height * LANES], where height = size * words_of(dim, way), bias and way as they are, and scratch
    for sums: float32[ROOM, padded(n_out)].
    """
    if len(weight) % dim:
        raise ValueError("sizes of a weight do not fit")
    n_out = padded(weight.shape[1])
    numbers = _filled_up(weight, dim, padded(dim))
    n_in = len(weight) // dim * padded(dim)
    panels = aligned_words(n_in * n_out if way == NUMBERS else n_in // 2 * n_out)
    at = 0
    for column in range(0, n_out, LANES):
        for k in range(0, n_in, STEP):
            for i in range(STEP if way == NUMBERS else LANES):
                # The processor adds the product of a word's upper half first; matrix tiles add
                # those of all lower halves, and then of the upper ones.
                if way == NUMBERS:
                    round_numbers(numbers, (k + i) * n_out + column, panels, at)
                elif way == PAIRS:
                    first = (k + 2 * i) * n_out + column
                    round_pairs(numbers, first + n_out, first, panels, at)
                else:
                    first = (k + i) * n_out + column
                    round_pairs(numbers, first, first + LANES * n_out, panels, at)
                at += LANES
    sums = aligned_words(ROOM * n_out).view(np.float32).reshape(ROOM, n_out)
    return panels, bias, way, sums
