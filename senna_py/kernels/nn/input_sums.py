"""The first layer of networks that see one word at a time, in exact sums of integers.

The numbers in lookup tables and the weights are rounded to integers of at most 16 bits,
so small that the sums of their products are exact in 32 bits. So the sums over some
tables can be computed apart from the sums over the others, and be added in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.int8_tile import WAYS, multiply_tile
from senna_py.kernels.llvm.tile import ROWS, has_wide_tiles
from senna_py.kernels.nn.int8 import ways_here
from senna_py.kernels.runtime.jit import kernel, uncontracted_kernel

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints

BLOCK = 8 * ROWS  # the number of rows whose products stay in the cache
# Around this number, all float32 are integers, whose value is in their last bits.
_WHOLE = np.float32(3 << 22)


def pack_for_sums(numbers: NDArray[np.int16]) -> tuple[Any, ...]:
    """Convert a weight of integers, int16[n_in, n_out], to the layout for `input_sums`.

    Returns:
        The panels of the weight, int32; the number of columns with padding; and the
        index in WAYS of the instructions that this thread uses. For fallbacks, the
        weight is float64[n_in, n_out] and the index is -1.
    """
    way = [way for way in ways_here() if way < 0 or WAYS[way].bits == 16][-1]
    (n_in, n_out), pair = numbers.shape, 2
    if way < 0:
        return numbers.astype(np.float64), n_out, way
    padded = -(-n_out // (2 * LANES)) * 2 * LANES
    room = np.zeros((-(-n_in // pair) * pair, padded), np.int16)
    room[:n_in, :n_out] = numbers
    in_words = room.reshape(-1, pair, padded // LANES, LANES)
    panels = np.ascontiguousarray(in_words.transpose(2, 0, 3, 1))
    return panels.view(np.int32).reshape(-1), padded, way


def scratch_widths(weight: tuple[Any, ...]) -> tuple[int, int]:
    """Return the numbers of columns of `words` and `products` in `input_sums`."""
    panels, padded, way = weight
    return (0, 0) if way < 0 else (len(panels) // padded, padded)


@uncontracted_kernel
def _round_row(row: Floats, factor: np.float32, out: NDArray[np.int16]) -> None:
    """Multiply a row, float32[n], by a factor, and round it to integers, half to even.

    `out` is int16[at least n].
    """
    for d in range(len(row)):
        out[d] = np.float32(row[d] * factor + _WHOLE).view(np.int32)


@kernel
def input_sums(
    x: Floats,
    factor: np.float32,
    weight: tuple[Any, ...],
    words: Ints,
    products: Ints,
    out: Ints,
) -> None:
    """Multiply rows, rounded to integers, by a weight of integers.

    Args:
        x: float32[n, n_in].
        factor: The factor by which x is multiplied before it is rounded.
        weight: The result of `pack_for_sums`.
        words, products: int32[BLOCK, ...], aligned scratch for rounded rows and for
            their sums; see `scratch_widths`.
        out: int32[n, n_out], which receives the sums.
    """
    panels, padded, way = weight
    (n, n_in), n_out, width = x.shape, out.shape[1], words.shape[1]
    if (
        len(panels) != padded * width
        or n_in > 2 * width
        or n_out > padded
        or len(out) != n
        or words.shape[0] != BLOCK
        or products.shape != (BLOCK, padded)
    ):
        raise ValueError("sizes of a layer do not fit")
    rows, flat, sums = words.view(np.int16), words.reshape(-1), products.reshape(-1)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        for t in range(first, end):
            _round_row(x[t], factor, rows[t - first])
        for column in range(0, padded, 2 * LANES if has_wide_tiles() else LANES):
            for t in range(0, end - first, ROWS):
                multiply_tile(
                    way,
                    flat,
                    t * width,
                    width,
                    panels,
                    column * width,
                    sums,
                    t * padded + column,
                    padded,
                )
        for t in range(first, end):
            for j in range(n_out):
                out[t, j] = products[t - first, j]


@uncontracted_kernel
def add_input_sums(
    place: Ints,
    kept: Ints,
    new: Ints,
    index: Ints,
    others: Ints,
    scale: Floats,
    bias: Floats,
    out: Floats,
) -> None:
    """Compute the outputs of words from sums over some of their lookup tables.

    Args:
        place: int32[n], the row of each word: k >= 0 is row k of `kept`, and k < 0 is
            row -1 - k of `new`.
        kept: int32[n_kept, n_out], sums over some tables.
        new: int32[n_new, n_out], sums over the same tables.
        index: int32[n, n_tables], the rows of `others` that are added for each word.
        others: int32[n_rows, n_out], the sums of the rows of other tables.
        scale: float32[n_out], the factor of each sum.
        bias: float32[n_out].
        out: float32[n, n_out], which is written.
    """
    n_out = out.shape[1]
    shared = np.zeros(n_out, np.int32)  # the sum of the rows of `others`
    for t in range(len(place)):
        is_same = t > 0
        for c in range(index.shape[1]):
            is_same = is_same and index[t, c] == index[t - 1, c]
        if not is_same:
            shared[:] = 0
            for c in range(index.shape[1]):
                other = index[t, c]
                for j in range(n_out):
                    shared[j] += others[other, j]
        row = np.int64(place[t])
        if row >= 0:
            for j in range(n_out):
                total = np.int32(kept[row, j] + shared[j])
                out[t, j] = np.float32(total) * scale[j] + bias[j]
        else:
            row = -1 - row
            for j in range(n_out):
                total = np.int32(new[row, j] + shared[j])
                out[t, j] = np.float32(total) * scale[j] + bias[j]
