"""Products of inputs and weights that are rounded to bfloat16: float32 with 8 bits of precision.

There are three ways to compute them, of which a processor has the first or more. All give the same
bits, see `bfloat16_tile`, except for sums below the smallest normal number, 1.2e-38, which only the
first keeps. `pack` chooses the fastest way that there is here; callers need not ask.
"""

import functools

import numpy as np

from senna_py.kernels.llvm.bfloat16_tile import (
    STEP,
    add_float_tile,
    add_pair_tile,
    add_wide_float_tile,
    add_wide_pair_tile,
    has_fast_pair_products,
    has_pair_products,
)
from senna_py.kernels.llvm.bfloat16_words import (
    BLOCK,
    MATRICES,
    NUMBERS,
    PAIRS,
    ROOM,
    aligned_words,
    pack_weight,
    padded,
    round_rows,
    words_of,
)
from senna_py.kernels.llvm.matrix_tile import (
    MATRIX_ROWS,
    add_matrix_tiles,
    begin_matrix_tiles,
    end_matrix_tiles,
    has_matrix_tiles,
    may_use_matrix_tiles,
)
from senna_py.kernels.llvm.tile import LANES, ROWS, has_wide_tiles
from senna_py.kernels.runtime.jit import kernel

__all__ = [
    "BLOCK", "add_window_products", "begin_products", "end_products", "linear_of_words", "pack",
    "room_for_windows", "ways_here", "words_of_rows",
]  # fmt: skip


@kernel
def _processor_has():
    """Return whether the processor has PAIRS, whether these are fast, and if it has MATRICES."""
    return has_pair_products(), has_fast_pair_products(), has_matrix_tiles()


@functools.cache
def _ways(pairs, fast, matrices):
    ways = [NUMBERS, PAIRS] if fast else [PAIRS, NUMBERS]
    if not pairs:
        ways.remove(PAIRS)
    return [*ways, MATRICES] if matrices and may_use_matrix_tiles() else ways


def ways_here():
    """The ways that there are for this process, the fastest last; fallbacks have NUMBERS."""
    return _ways(*_processor_has())


def pack(weight, bias, dim):
    """Make the `weight` of kernels: rounded and laid out once for many batches of rows.

    weight: float32[size * dim, n_out]; bias: float32[n_out], which is not rounded. Returns a tuple
    with scratch, so it is for one thread, and for the way that its kernels run now.
    """
    return pack_weight(np.ascontiguousarray(weight), bias, dim, ways_here()[-1])


def words_of_rows(x, weight):
    """Words of rows x: float32[n, dim], rounded for the products with a weight; see `pack`."""
    return round_rows(np.ascontiguousarray(x), weight[2])


@kernel
def begin_products(weight):
    """Before products with a weight; see `pack`."""
    if weight[2] == MATRICES:
        begin_matrix_tiles()


@kernel
def end_products(weight):
    """After products with a weight."""
    if weight[2] == MATRICES:
        end_matrix_tiles()


@kernel
def _add_products(x, rows, targets, n, panels, begin, height, way, sums):
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
def _add_products_of_matrices(x, first, n, panels, sums):
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
def _fill_rows(n, row, out):
    """Let n rows of out begin with a row."""
    for t in range(n):
        for j in range(len(row)):
            out[t, j] = row[j]


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
            inside = starts[s] <= row < starts[s + 1]
            for d in range(width):
                window[begin + d] = words[row, d] if inside else 0


@kernel
def linear_of_words(x, n, weight, out):
    """Linear layer: out = bias + x @ weight.

    x: words of n rows, see `words_of_rows`; weight: see `pack`; out: float32[n, n_out]. All are
    contiguous.
    """
    panels, bias, way, sums = weight
    height, n_out = x.shape[1], len(bias)
    if (
        sums.shape != (ROOM, padded(n_out))
        or len(panels) != padded(n_out) * height
        or out.shape != (n, n_out)
        or len(x) < n + BLOCK
    ):
        raise ValueError("sizes of a layer do not fit")
    targets = np.arange(BLOCK)
    begin_products(weight)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        _fill_rows(m, bias, sums)
        if way == MATRICES:
            _add_products_of_matrices(x, first, m, panels, sums)
        else:
            _add_products(x, targets + first, targets, m, panels, 0, height, way, sums)
        for t in range(m):
            for j in range(n_out):
                out[first + t, j] = sums[t, j]
    end_products(weight)


@kernel
def room_for_windows(words, n, dim, size, weight):
    """Scratch of `add_window_products`, for windows of `size` rows of dim numbers.

    words: of n rows or more.
    """
    panels, bias, way, sums = weight
    width = words_of(dim, way)
    height = size * width
    if (
        sums.shape != (ROOM, padded(len(bias)))
        or len(panels) != sums.shape[1] * height
        or words.shape[1] != width
        or len(words) < n
    ):
        raise ValueError("sizes of a block do not fit")
    room = BLOCK if way == MATRICES else 0
    windows = aligned_words(room * height).reshape(room, height)
    return np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), windows


@kernel
def add_window_products(words, starts, first, end, dilation, size, weight, room):
    """Put bias + w @ weight of the windows w of a block of words into the scratch of `weight`.

    words: see `words_of_rows`; starts: int32[n_sentences + 1]; first, end: of the block, at most
    BLOCK words; dilation: steps between the words of a window; size: how many these are, of which
    those beyond the sentence are zero; weight: see `pack`; room: see `room_for_windows`. The sums
    of word `first` + t are weight[3][t, :n_out].
    """
    panels, bias, way, sums = weight
    rows, targets, windows = room
    width = words.shape[1]
    _fill_rows(end - first, bias, sums)
    if way == MATRICES:
        _copy_windows(words, starts, first, end, dilation, windows)
        _add_products_of_matrices(windows, 0, end - first, panels, sums)
        return
    for j in range(size):
        shift = (j - size // 2) * dilation
        n = _shifted_rows(starts, first, end, shift, rows, targets)
        _add_products(words, rows, targets, n, panels, j * width, size * width, way, sums)
