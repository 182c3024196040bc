"""Products of inputs and weights that are rounded to bfloat16: float32 with 8 bits of precision.

There are three ways to compute them, of which a processor has the first or more. All give the same
bits, see `bfloat16_tile`, except for sums below the smallest normal number, 1.2e-38, which only the
first keeps.
"""

import numpy as np

from senna_py.kernels.llvm.bfloat16_rounding import round_neighbors, round_numbers, round_pairs
from senna_py.kernels.llvm.bfloat16_tile import (
    STEP,
    add_float_tile,
    add_pair_tile,
    add_wide_float_tile,
    add_wide_pair_tile,
    has_fast_pair_products,
    has_pair_products,
)
from senna_py.kernels.llvm.matrix_tile import (
    MATRIX_ROWS,
    add_matrix_tiles,
    begin_matrix_tiles,
    end_matrix_tiles,
    has_matrix_tiles,
)
from senna_py.kernels.llvm.tile import LANES, ROWS, has_wide_tiles
from senna_py.kernels.runtime.jit import kernel

__all__ = [
    "BLOCK", "MATRICES", "NUMBERS", "PAIRS", "ROOM", "STEP", "add_products",
    "add_products_of_matrices", "aligned_words", "begin_matrices", "compiled_ways", "end_matrices",
    "linear_of_words", "pack_weight", "padded", "round_rows", "words_of",
]  # fmt: skip

NUMBERS, PAIRS, MATRICES = 0, 1, 2
"""The ways: tiles of float32, of pairs of bfloat16 (AVX512_BF16), and matrix tiles (AMX)."""

BLOCK = 3 * MATRIX_ROWS  # rows whose products stay in the cache; a multiple of ROWS, too
ROOM = BLOCK + 1  # rows of scratch: the last takes what only fills up a tile


@kernel
def compiled_ways():
    """Whether the processor has PAIRS, whether these are fast, and whether it has MATRICES."""
    return has_pair_products(), has_fast_pair_products(), has_matrix_tiles()


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
    """Uninitialised uint32[n] that begins where vectors do: reading across costs twice."""
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

    x: float32[n, dim], contiguous. The last BLOCK rows are not initialised.
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
def pack_weight(weight, dim, way):
    """Round weights, in panels of LANES columns, an even number of them.

    weight: float32[size * dim, n_out], contiguous, of `size` rows of dim inputs, each of which is
    filled up with zeros to whole steps. Returns uint32[n_panels * height * LANES], where height =
    size * words_of(dim, way).
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
    return panels


@kernel
def add_products(x, rows, targets, n, panels, begin, height, way, sums):
    """Add the products of some rows to sums, by NUMBERS or PAIRS.

    x: words of rows, uint32[n_rows, width]; rows, targets: int64[n filled up to a multiple of
    ROWS]; panels: see `pack_weight`, their weights from word `begin` of their height on; sums:
    float32[n_sums, a multiple of STEP]: what x[rows[t]] gives is added to sums[targets[t]].
    """
    width, n_out = x.shape[1], sums.shape[1]
    flat, out = x.ravel(), sums.reshape(-1)
    steps = width // (STEP if way == NUMBERS else LANES)
    wide = has_wide_tiles()
    for column in range(0, n_out, 2 * LANES if wide else LANES):
        p = column * height + begin * LANES
        for t in range(0, n, ROWS):
            if way == PAIRS:
                if wide:
                    add_wide_pair_tile(
                        flat, width, rows, t, panels, p, height, steps, out, n_out, targets, column
                    )
                else:
                    add_pair_tile(
                        flat, width, rows, t, panels, p, height, steps, out, n_out, targets, column
                    )
            elif wide:
                add_wide_float_tile(
                    flat, width, rows, t, panels, p, height, steps, out, n_out, targets, column
                )
            else:
                add_float_tile(
                    flat, width, rows, t, panels, p, height, steps, out, n_out, targets, column
                )


@kernel
def begin_matrices(way):
    """Before `add_products_of_matrices`, if that is the way."""
    if way == MATRICES:
        begin_matrix_tiles()


@kernel
def end_matrices(way):
    """After `add_products_of_matrices`, if that is the way."""
    if way == MATRICES:
        end_matrix_tiles()


@kernel
def add_products_of_matrices(x, first, n, panels, sums):
    """Add the products of n rows from `first` on to sums[:n], by MATRICES.

    x: words of rows, uint32[n_rows, height of the panels], where BLOCK rows follow the first; sums:
    float32[BLOCK or more, a multiple of STEP], of which all rows change.
    """
    height, n_out = x.shape[1], sums.shape[1]
    flat, out = x.ravel(), sums.reshape(-1)
    for column in range(0, n_out, 2 * LANES):
        for t in range(0, n, MATRIX_ROWS):
            add_matrix_tiles(
                flat, (first + t) * height, height, panels, column * height, height,
                height // LANES, out, t * n_out + column, n_out,
            )  # fmt: skip


@kernel
def linear_of_words(x, n, panels, bias, way, sums, out):
    """Linear layer: out = bias + x @ weight.

    x: words of n rows, see `round_rows`; panels: see `pack_weight`; bias: float32[n_out]; sums:
    float32[ROOM, padded(n_out)], scratch; out: float32[n, n_out]. All are contiguous.
    """
    height, n_out = x.shape[1], len(bias)
    if (
        sums.shape != (ROOM, padded(n_out))
        or len(panels) != padded(n_out) * height
        or out.shape != (n, n_out)
        or len(x) < n + BLOCK
    ):
        raise ValueError("sizes of a layer do not fit")
    targets = np.arange(BLOCK)
    begin_matrices(way)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        for t in range(m):
            sums[t, :n_out] = bias
        if way == MATRICES:
            add_products_of_matrices(x, first, m, panels, sums)
        else:
            add_products(x, targets + first, targets, m, panels, 0, height, way, sums)
        for t in range(m):
            out[first + t] = sums[t, :n_out]
    end_matrices(way)
