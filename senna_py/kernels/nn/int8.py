"""Products of inputs and weights that are rounded to 8-bit integers, each times a
scale.

Weights have a scale for each column, inputs one for each row, or window of rows. Sums
of the integers are exact, and what is done with them is rounded as it stands here, so
all processors give the same bits. There are several ways to compute them, see
`int8_tile`; callers need not ask.
"""

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.int8_tile import WAYS, multiply_tile, ways_of_processor
from senna_py.kernels.llvm.matrix_tile import (
    MATRIX_ROWS,
    begin_matrix_tiles,
    end_matrix_tiles,
)
from senna_py.kernels.llvm.tile import has_wide_tiles
from senna_py.kernels.runtime.jit import (
    borrowing_kernel,
    kernel,
    runs_fallbacks,
    uncontracted_kernel,
)

MOST = 127  # of 8-bit integers, with either sign
BLOCK = (
    3 * MATRIX_ROWS
)  # rows whose products stay in the cache; a multiple of ROWS, too
_ROWS, _BITS, _OFFSETS = zip(
    *((way.rows, way.bits, way.offset) for way in WAYS), strict=True
)
_INPUTS, _OUTPUTS = 4 * LANES, 2 * LANES  # come in multiples of these
LEAST = np.float32(1e-30)  # of what rows are divided by
_BITS_OF_LEAST = LEAST.view(np.uint32)
WHOLE = np.float32(
    3 << 22
)  # above it, float32 has whole numbers, which are its last bits


def ways_here():
    """Numbers of WAYS that there are for this thread, the fastest last; -1 for
    fallbacks.
    """
    return [-1] if runs_fallbacks() else ways_of_processor()


def pack(numbers, scale, bias, way=None):
    """Make the `weight` of kernels: laid out once for many batches of rows.

    numbers: int8[n_in, n_out], at least -127; scale: float32[n_out], of each column;
    bias: float32[n_out]. way: of WAYS, the fastest here if None; kernels must run as
    they do now.
    """
    way = ways_here()[-1] if way is None else way
    n_in, n_out = numbers.shape
    if way < 0:
        exact = np.float32 if n_in * MOST**2 < 1 << 24 else np.float64
        return numbers.astype(exact), np.empty(0, np.int32), scale, bias, way
    room = np.zeros(
        (-(-n_in // _INPUTS) * _INPUTS, -(-n_out // _OUTPUTS) * _OUTPUTS), np.int8
    )
    room[:n_in, :n_out] = numbers
    bits, offset = WAYS[way].bits, WAYS[way].offset
    in_words = room.astype(f"int{bits}").reshape(
        -1, 32 // bits, room.shape[1] // LANES, LANES
    )
    panels = _aligned(in_words.size * bits // 32)
    panels[:] = (
        np.ascontiguousarray(in_words.transpose(2, 0, 3, 1)).view(np.int32).reshape(-1)
    )
    return panels, -offset * room.sum(axis=0, dtype=np.int32), scale, bias, way


@kernel
def _aligned(n):
    """Uninitialized int32[n] that begins where vectors do: reading across costs
    twice.
    """
    raw = np.empty(n + LANES, np.int32)
    first = -(raw.ctypes.data // 4) % LANES
    return raw[first : first + n]


@borrowing_kernel
def _largest(row):
    """Bits of the largest absolute value of float32[n]: in the order of values, NaN
    above all.
    """
    largest = np.uint32(0)
    for d in range(len(row)):
        bits = np.uint32(np.float32(row[d]).view(np.uint32) & np.uint32(0x7FFFFFFF))
        largest = bits if bits > largest else largest
    return largest


@uncontracted_kernel
def _round_row(row, factor, whole, out):
    """Round numbers times a factor to integers, to even; whole: WHOLE and what is to be
    added.
    """
    for d in range(len(row)):
        out[d] = np.float32(row[d] * factor + whole).view(np.int32)


@kernel
def _round_windows(x, largest, starts, first, end, dilation, size, offset, out, scales):
    """Round the windows of a block of rows, each with a scale by the largest number in
    it.

    out: int8 or int16[BLOCK, at least size * dim], with offset; scales: float32[BLOCK];
    largest: uint32[n], of the rows; the others are as of `multiply_windows`.
    """
    dim = x.shape[1]
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, end):
        while starts[s + 1] <= t:
            s += 1
        begin, window = t - size // 2 * dilation, out[t - first]
        bits = np.uint32(_BITS_OF_LEAST)
        for j in range(size):
            row = begin + j * dilation
            if starts[s] <= row < starts[s + 1] and largest[row] > bits:
                bits = largest[row]
        most = np.uint32(bits).view(np.float32)
        factor = np.float32(MOST) / most
        scales[t - first] = most / np.float32(MOST)
        for j in range(size):
            row = begin + j * dilation
            to = window[j * dim : (j + 1) * dim]
            if starts[s] <= row < starts[s + 1]:
                _round_row(x[row], factor, WHOLE + np.float32(offset), to)
            else:
                to[:] = offset


@kernel
def room_for_windows(x, size, weight):
    """Scratch of `multiply_windows`."""
    n, dim = x.shape
    panels, correction, _, bias, way = weight
    n_out = len(correction)
    width = len(panels) // n_out
    filled = width * (32 // _BITS[way]) - size * dim
    if n_out < len(bias) or len(panels) != n_out * width or not 0 <= filled < _INPUTS:
        raise ValueError("sizes of a layer do not fit")
    largest = np.empty(n, np.uint32)
    for t in range(n):
        largest[t] = _largest(x[t])
    words, sums = _aligned(BLOCK * width), _aligned(BLOCK * n_out)
    scales = np.empty(BLOCK, np.float32)
    return largest, words.reshape(BLOCK, width), sums.reshape(BLOCK, n_out), scales


@kernel
def multiply_windows(x, starts, first, end, dilation, size, weight, room):
    """Multiply the windows of a block of rows of x by a weight, but for scales and
    bias.

    x: float32[n, dim]; starts: int32[n_sentences + 1], of sentences, beyond which
    windows are zero;
    first, end: of the block, at most BLOCK rows; dilation: steps between the rows of a
    window;
    size: how many these are; weight: see `pack`; room: see `room_for_windows`. Returns
    what `scale_row` takes: int32[BLOCK, n_out] and float32[BLOCK].
    """
    panels, _, _, _, way = weight
    largest, words, sums, scales = room
    given = x, largest, starts, first, end, dilation, size, np.int64(_OFFSETS[way])
    if _BITS[way] == 8:
        _round_windows(*given, words.view(np.int8), scales)
    else:
        _round_windows(*given, words.view(np.int16), scales)
    width, n_out = words.shape[1], sums.shape[1]
    flat, out = words.reshape(-1), sums.reshape(-1)
    if _ROWS[way] == MATRIX_ROWS:
        begin_matrix_tiles()
    for column in range(0, n_out, 2 * LANES if has_wide_tiles() else LANES):
        for t in range(0, end - first, _ROWS[way]):
            multiply_tile(
                way,
                flat,
                t * width,
                width,
                panels,
                column * width,
                out,
                t * n_out + column,
                n_out,
            )
    if _ROWS[way] == MATRIX_ROWS:
        end_matrix_tiles()
    return sums, scales


@uncontracted_kernel
def scale_row(sums, row, weight, out):
    """Compute the outputs of a row, float32[n_out], of its int32 sums and its scale."""
    _, correction, scale, bias, _ = weight
    for j in range(len(out)):
        out[j] = (
            np.float32(np.int32(sums[j] + correction[j])) * row * scale[j] + bias[j]
        )


@kernel
def linear_of_int8(x, weight, out):
    """Linear layer: out = bias + x @ weight.

    x: float32[n, n_in]; weight: see `pack`; out: float32[n, n_out]. All are contiguous.
    """
    n = len(x)
    if out.shape != (n, len(weight[3])):
        raise ValueError("sizes of a layer do not fit")
    starts, room = np.array([0, n], np.int32), room_for_windows(x, 1, weight)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        sums, scales = multiply_windows(x, starts, first, end, 1, 1, weight, room)
        for t in range(first, end):
            scale_row(sums[t - first], scales[t - first], weight, out[t])
