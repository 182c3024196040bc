"""Matrix products with inputs and weights quantized to 8-bit integers.

Weights have a scale for each column, and inputs have one for each row or window of
rows. Sums of the integers are exact. All other operations are rounded in the order in
which they are written here, so the result has the same bits on all processors. The sums
are computed by one of the implementations in `int8_tile`; callers need not know which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.int8_tile import WAYS, multiply_tile, ways_of_processor
from senna_py.kernels.llvm.matrix_tile import (
    MATRIX_ROWS,
    begin_matrix_tiles,
    end_matrix_tiles,
)
from senna_py.kernels.llvm.tile import has_wide_tiles
from senna_py.kernels.llvm.turned_tile import (
    COLUMNS,
    SIDE,
    multiply_turned,
    turn_rows,
)
from senna_py.kernels.llvm.turned_tile import ROWS as TURNED_ROWS
from senna_py.kernels.nn.limited_sums import LimitedWeight, limit_sums
from senna_py.kernels.runtime.jit import Kernel, borrowing_kernel, kernel
from senna_py.kernels.runtime.switch import runs_fallbacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints

MOST = 127  # the largest absolute value of the integers
# The number of rows whose products stay in the cache, a multiple of the rows of tiles.
BLOCK = 3 * MATRIX_ROWS
_ROWS, _BITS, _OFFSETS, _IS_TURNED = zip(
    *((way.rows, way.bits, way.offset, way.turned) for way in WAYS), strict=True
)
# The implementation for weights that are packed by `pack_rows`. Turned ones would take
# too long to pack; integers of 16 bits stand before them in WAYS.
_OF_ROWS = tuple(k - way.turned for k, way in enumerate(WAYS))
_INPUTS, _OUTPUTS = 4 * LANES, 2 * LANES  # the sizes of weights are padded to multiples
LEAST = np.float32(1e-30)  # the smallest number by which rows are divided
_BITS_OF_LEAST = LEAST.view(np.uint32)
# Around this number, all float32 are integers, whose value is in their last bits.
WHOLE = np.float32(3 << 22)


def _borrowing_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a `borrowing_kernel` that rounds products before they are added."""
    return Kernel(function, set(), _nrt=False)


def ways_here() -> list[int]:
    """Return the indices in WAYS that this thread can use, with the fastest one last.

    If this thread runs fallbacks, the result is [-1].
    """
    return [-1] if runs_fallbacks() else ways_of_processor()


def exact_dtype(n_in: int) -> type[np.floating[Any]]:
    """Return the dtype in which sums of `n_in` products of integers are exact."""
    return np.float32 if n_in * MOST**2 < 1 << 24 else np.float64


def pack(
    numbers: NDArray[np.int8],
    scale: Floats,
    bias: Floats,
    way: int | None = None,
    size: int = 1,
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Convert a quantized weight to the layout that the kernels expect.

    Args:
        numbers: int8[n_in, n_out], the weight, with values of at least -127.
        scale: float32[n_out], the scale of each column.
        bias: float32[n_out].
        way: The index of an implementation in WAYS, -1 for fallbacks, or None for the
            fastest one that this thread can use.
        size: The number of rows of a window, if inputs are windows.

    Returns:
        The panels of the weight, int32; the correction for the offset of inputs, int32;
        the scale; the bias; the index of the implementation; and, for a turned one,
        the results of `_steps` and `_sums_outside`, int32. For fallbacks, the weight is
        a matrix of floats and the index is -1. Compiled kernels cannot use the result
        of fallbacks, nor fallbacks the result of compiled kernels.
    """
    way, none = ways_here()[-1] if way is None else way, np.empty(0, np.int32)
    (n_in, n_out), steps, begins = numbers.shape, none, none
    if way < 0:
        return numbers.astype(exact_dtype(n_in)), none, scale, bias, way, steps, begins
    room = np.zeros(
        (-(-n_in // _INPUTS) * _INPUTS, -(-n_out // _OUTPUTS) * _OUTPUTS), np.int8
    )
    room[:n_in, :n_out] = numbers
    bits, correction = WAYS[way].bits, room.sum(axis=0, dtype=np.int32)
    correction *= -WAYS[way].offset
    # Kernels are compiled again for arrays that cannot be written.
    scale, bias = np.require(scale, None, "W"), np.require(bias, None, "W")
    if WAYS[way].turned:
        # Parts are the rows of a window of which tiles can leave out those at the ends.
        is_whole = n_in == len(room) and n_in % (4 * size) == 0
        n_parts = size if size % 2 == 1 and is_whole else 1
        limited = limit_sums(room, n_parts)
        words, steps = limited.panels, _steps(limited, len(room) // 4, n_parts)
        begins = _sums_outside(room, n_parts, WAYS[way].offset)
    else:
        in_words = room.astype(f"int{bits}").reshape(
            -1, 32 // bits, room.shape[1] // LANES, LANES
        )
        words = np.ascontiguousarray(in_words.transpose(2, 0, 3, 1)).view(np.int32)
    panels = _aligned(words.size)
    panels[:] = words.reshape(-1)
    return panels, correction, scale, bias, way, steps, begins


def _steps(limited: LimitedWeight, n_words: int, n_parts: int) -> Ints:
    """Return one array for `_multiply_turned`.

    Args:
        limited: The weight.
        n_words: The number of words of a row.
        n_parts: The number of parts of a row.

    Returns:
        int32[n]: both numbers; where each part of each tile begins, and the last one
        ends, in this array; and the places of all words.
    """
    first = len(limited.starts) + 2  # The first part begins there in the result.
    parts = [n_words, n_parts], limited.starts + first, limited.places
    return np.concatenate(parts, dtype=np.int32)


def _sums_outside(numbers: NDArray[np.int8], size: int, offset: int) -> Ints:
    """Return the sums of products with zeros at one end of a window, or at both.

    Args:
        numbers: int8[size * dim, n_out], a weight.
        size: The number of rows of a window.
        offset: The number that is added to inputs.

    Returns:
        int32[4 * n_out], the sums for each kind in `_order_windows`. If inputs are not
        windows, they are int32[n_out], the zeros for the first kind.
    """
    if size == 1:
        return np.zeros(numbers.shape[1], np.int32)
    rows = numbers.reshape(size, -1, numbers.shape[1])
    first, last = (rows[k].sum(axis=0, dtype=np.int32) * offset for k in (0, -1))
    return np.concatenate([0 * first, first, last, first + last])


@kernel
def _aligned(n: int) -> Ints:
    """Return an uninitialized int32[n] whose address is aligned to vectors.

    The alignment makes products twice as fast.
    """
    raw = np.empty(n + LANES, np.int32)
    first = -(raw.ctypes.data // 4) % LANES
    return raw[first : first + n]


@borrowing_kernel
def largest_of_row(row: Floats) -> np.uint32:
    """Return the bits of the largest absolute value in a row: float32[n].

    The bits of floats that are not negative have the order of their values, with NaN
    last.
    """
    largest = np.uint32(0)
    for d in range(len(row)):
        bits = np.uint32(np.float32(row[d]).view(np.uint32) & np.uint32(0x7FFFFFFF))
        largest = bits if bits > largest else largest
    return largest


@_borrowing_kernel
def _round_row(
    row: Floats, factor: np.float32, whole: np.float32, out: NDArray[np.integer[Any]]
) -> None:
    """Multiply a row by a factor and round it to integers, half to even.

    Args:
        row: float32[n].
        factor: The number to multiply by.
        whole: WHOLE plus an offset that is added to the integers.
        out: int8[n] or int16[n].
    """
    for d in range(len(row)):
        out[d] = np.float32(row[d] * factor + whole).view(np.int32)


@kernel
def pack_rows(
    rows: Floats, bias: Floats, way: int
) -> tuple[Ints, Ints, Floats, Floats, int, Ints, Ints]:
    """Quantize rows and lay them out as the columns of a weight.

    Args:
        rows: float32[n, dim], the transposed weight. Each row gets its own scale.
        bias: float32[n].
        way: The index of an implementation in WAYS that is not turned.

    Returns:
        The arguments of the kernels, like the result of `pack`.
    """
    n, dim = rows.shape
    per_word, n_out = 32 // _BITS[way], -(-n // _OUTPUTS) * _OUTPUTS
    width = -(-dim // _INPUTS) * _INPUTS // per_word
    panels, words = _aligned(n_out * width), _aligned(width)
    correction, scale = np.zeros(n_out, np.int32), np.empty(n, np.float32)
    panels[n // LANES * LANES * width :] = 0
    words[:] = 0
    for j in range(n):
        bits = max(largest_of_row(rows[j]), np.uint32(_BITS_OF_LEAST))
        most = np.uint32(bits).view(np.float32)
        scale[j] = most / np.float32(MOST)
        factor, total = np.float32(MOST) / most, np.int32(0)
        if _BITS[way] == 8:
            numbers = words.view(np.int8)
            _round_row(rows[j], factor, WHOLE, numbers[:dim])
            for d in range(dim):
                total += numbers[d]
        else:
            _round_row(rows[j], factor, WHOLE, words.view(np.int16)[:dim])
        correction[j] = -_OFFSETS[way] * total
        first = j // LANES * LANES * width + j % LANES
        for k in range(width):
            panels[first + k * LANES] = words[k]
    none = np.empty(0, np.int32)
    return panels, correction, scale, bias, way, none, none


@kernel
def _round_windows(
    x: Floats,
    largest: NDArray[np.uint32],
    mask: int,
    starts: Ints,
    first: int,
    end: int,
    dilation: int,
    size: int,
    offset: int,
    place: Ints,
    out: NDArray[np.integer],
    scales: Floats,
) -> None:
    """Quantize the windows of a block of rows, each with a scale of its own.

    The largest absolute value in a window becomes MOST.

    Args:
        x, largest, mask, starts, first, end, dilation, size: See `multiply_windows`.
        offset: A number that is added to the integers.
        place: int32[BLOCK], the places of the windows in `out`.
        out: int8 or int16[BLOCK, at least size * dim], which is written.
        scales: float32[BLOCK], which receives the scale of each window.
    """
    dim = x.shape[1]
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, end):
        while starts[s + 1] <= t:
            s += 1
        at = place[t - first]
        begin, window = t - size // 2 * dilation, out[at]
        bits = np.uint32(_BITS_OF_LEAST)
        for j in range(size):
            row = begin + j * dilation
            if starts[s] <= row < starts[s + 1] and largest[row & mask] > bits:
                bits = largest[row & mask]
        most = np.uint32(bits).view(np.float32)
        factor = np.float32(MOST) / most
        scales[at] = most / np.float32(MOST)
        for j in range(size):
            row = begin + j * dilation
            to = window[j * dim : (j + 1) * dim]
            if starts[s] <= row < starts[s + 1]:
                _round_row(x[row & mask], factor, WHOLE + np.float32(offset), to)
            else:
                to[:] = offset


@kernel
def _order_windows(
    starts: Ints,
    first: int,
    end: int,
    dilation: int,
    size: int,
    place: Ints,
    outside: Ints,
) -> None:
    """Order the windows of a block of rows by which ends are outside the sentence.

    So most tiles can leave out the products of zeros.

    Args:
        starts, first, end, dilation, size: See `multiply_windows`.
        place: int32[BLOCK], which receives the place of each window.
        outside: int32[BLOCK / TURNED_ROWS], which receives 1, 2, both or 0 for each
            tile, if the first or the last rows of all its windows are outside.
    """
    kinds, reach = np.empty(BLOCK, np.int32), size // 2 * dilation
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, end):
        while starts[s + 1] <= t:
            s += 1
        kinds[t - first] = (t - reach < starts[s]) + 2 * (t + reach >= starts[s + 1])
    outside[:] = 3
    n = 0
    for kind in (0, 2, 3, 1):  # neighbors have one end in common
        for t in range(end - first):
            if kinds[t] == kind:
                outside[n // TURNED_ROWS] &= kind
                place[t] = n
                n += 1


@kernel
def room_for_windows(
    dim: int, size: int, weight: tuple[Any, ...]
) -> tuple[Any, Any, Any, Any, Any]:
    """Return the scratch arrays for `multiply_windows`.

    Args:
        dim: The number of inputs of a row.
        size, weight: See `multiply_windows`.

    Returns:
        Uninitialized arrays for the quantized windows, int32[BLOCK, width], their sums,
        int32[BLOCK, n_out], and their scales, float32[BLOCK]; and those of
        `_order_windows`.
    """
    words, sums, scales = room_for_rows(size * dim, weight)
    place = np.arange(BLOCK).astype(np.int32)
    outside = np.zeros(BLOCK // TURNED_ROWS, np.int32)
    return words, sums, scales, place, outside


@kernel
def room_for_rows(dim: int, weight: tuple[Any, ...]) -> tuple[Ints, Ints, Floats]:
    """Return the scratch arrays for the product of a block of rows and a weight.

    Args:
        dim: The number of inputs of a row.
        weight: The result of `pack`.

    Returns:
        Uninitialized arrays for the quantized rows, int32[BLOCK, width]; for their sums,
        int32[BLOCK, n_out]; and for their scales, float32[BLOCK].
    """
    panels, correction, _, _, way, steps, _ = weight
    n_out = len(correction)
    width = len(panels) // n_out
    if _IS_TURNED[way]:
        width = np.int64(steps[0]) if len(steps) > 2 else np.int64(0)
    _check_size(width, weight)
    if not 0 <= width * (32 // _BITS[way]) - dim < _INPUTS:
        raise ValueError("sizes of a layer do not fit")
    words, sums = _aligned(BLOCK * width), _aligned(BLOCK * n_out)
    scales = np.empty(BLOCK, np.float32)
    return words.reshape(BLOCK, width), sums.reshape(BLOCK, n_out), scales


@kernel
def _check_size(width: int, weight: tuple[Any, ...]) -> None:
    """Raise a ValueError if a weight is not for rows of `width` words."""
    panels, correction, _, bias, way, steps, begins = weight
    n_out, n_words = len(correction), len(correction) * width
    fits = n_out >= len(bias)
    if _IS_TURNED[way]:
        first = 3 + n_out // COLUMNS * (steps[1] if len(steps) > 2 else np.int32(0))
        fits = fits and 3 < first < len(steps)
        fits = fits and len(begins) >= (n_out if steps[1] == 1 else 4 * n_out)
        fits = fits and steps[0] == width and steps[first - 1] == len(steps)
        n_words = (len(steps) - first) * COLUMNS
    if not fits or len(panels) != n_words:
        raise ValueError("sizes of a layer do not fit")


@kernel
def _multiply_turned(
    flat: Ints,
    first: int,
    n: int,
    width: int,
    panels: Ints,
    steps: Ints,
    out: Ints,
    n_out: int,
    outside: Ints,
    begins: Ints,
) -> None:
    """Multiply rows of integers by a weight, as `multiply_words`, by `multiply_turned`.

    Args:
        flat: int32[n_rows * width], the integers of rows.
        first, n: See `multiply_words`.
        width: The number of words of a row.
        panels, steps: From `pack`.
        out: int32[BLOCK * n_out], which is written.
        n_out: The number of columns.
        outside, begins: See `_order_windows` and `_sums_outside`.
    """
    turned = _aligned(BLOCK * width)
    for t in range(0, n, SIDE):
        turn_rows(flat, (first + t) * width, width, turned, t * width)
    n_parts = steps[1]
    # The first word of the panels is at the first place, behind the starts.
    begin = -(3 + n_out // COLUMNS * n_parts) * COLUMNS
    # The rows of a tile stay in the first cache, and the weight in the second.
    for t in range(0, n, TURNED_ROWS):
        kind = outside[t // TURNED_ROWS]
        for column in range(0, n_out, COLUMNS):
            part = 2 + column // COLUMNS * n_parts
            multiply_turned(
                turned,
                t * width,
                width,
                panels,
                begin,
                steps,
                np.int64(steps[part + kind % 2]),
                np.int64(steps[part + n_parts - kind // 2]),
                begins,
                kind * n_out + column,
                out,
                t * n_out + column,
                n_out,
            )


@kernel
def multiply_words(
    words: Ints, first: int, n: int, weight: tuple[Any, ...], sums: Ints
) -> None:
    """Multiply rows of integers by a weight.

    Args:
        words: int32[n_rows, width], the integers of rows. Whole tiles are read, so
            there must be memory for one more tile.
        first: The index of the first row.
        n: The number of rows, at most BLOCK.
        weight: The result of `pack`.
        sums: int32[BLOCK, n_out], which is written.
    """
    panels, _, _, _, way, steps, begins = weight
    width, n_out = words.shape[1], sums.shape[1]
    flat, out = words.reshape(-1), sums.reshape(-1)
    if _IS_TURNED[way]:
        outside = np.zeros(BLOCK // TURNED_ROWS, np.int32)
        given = flat, first, n, width, panels, steps, out, n_out
        _multiply_turned(*given, outside, begins)
        return
    if _ROWS[way] == MATRIX_ROWS:
        begin_matrix_tiles()
    for column in range(0, n_out, 2 * LANES if has_wide_tiles() else LANES):
        for t in range(0, n, _ROWS[way]):
            multiply_tile(
                way,
                flat,
                (first + t) * width,
                width,
                panels,
                column * width,
                out,
                t * n_out + column,
                n_out,
            )
    if _ROWS[way] == MATRIX_ROWS:
        end_matrix_tiles()


@kernel
def multiply_windows(
    x: Floats,
    largest: NDArray[np.uint32],
    mask: int,
    starts: Ints,
    first: int,
    end: int,
    dilation: int,
    size: int,
    weight: tuple[Any, ...],
    room: tuple[Any, ...],
) -> tuple[Ints, Floats, Any]:
    """Multiply the windows of a block of rows by a weight, without scales and bias.

    Args:
        x: float32[n_rows, dim]. Row t of the text is x[t & mask], so `x` may hold only
            the rows that the windows of the block contain.
        largest: uint32[n_rows], the bits of the largest absolute value of each row of
            `x`, from `largest_of_row`.
        mask: -1 if `x` holds all rows, otherwise n_rows - 1, where n_rows is a power of
            two.
        starts: int32[n_sentences + 1]; windows are zero outside the sentence.
        first, end: The range of rows of the block, at most BLOCK.
        dilation: The distance between rows of a window.
        size: The number of rows of a window.
        weight: The result of `pack`.
        room: The result of `room_for_windows`.

    Returns:
        Arguments for `scale_row`: the sums, int32[BLOCK, n_out], and the scales of
        windows, float32[BLOCK]; and the place of each window in both, int32[BLOCK].
    """
    panels, _, _, _, way, steps, begins = weight
    words, sums, scales, place, outside = room
    width, zero = words.shape[1], np.int64(0)
    leaves_out = (
        _IS_TURNED[way]
        and size > 1
        and steps[1] == size
        and 4 * width == size * x.shape[1]
    )
    if leaves_out:
        _order_windows(starts, first, end, dilation, size, place, outside)
    offset = np.int64(_OFFSETS[way])
    given = x, largest, mask, starts, first, end, dilation, size, offset
    if _BITS[way] == 8:
        _round_windows(*given, place, words.view(np.int8), scales)
    else:
        _round_windows(*given, place, words.view(np.int16), scales)
    if leaves_out:
        flat, out, n_out = words.reshape(-1), sums.reshape(-1), sums.shape[1]
        arrays = flat, zero, end - first, width, panels, steps, out, n_out
        _multiply_turned(*arrays, outside, begins)
    else:
        multiply_words(words, zero, end - first, weight, sums)
    return sums, scales, place


@_borrowing_kernel
def scale_row(
    sums: Ints, row: np.float32, weight: tuple[Any, ...], out: Floats
) -> None:
    """Compute the outputs of a row from its sums and its scale.

    Args:
        sums: int32[at least n_out], from `multiply_windows`.
        row: The scale of the row.
        weight: The result of `pack`.
        out: float32[n_out], which is written.
    """
    _, correction, scale, bias, _, _, _ = weight
    for j in range(len(out)):
        out[j] = (
            np.float32(np.int32(sums[j] + correction[j])) * row * scale[j] + bias[j]
        )


@_borrowing_kernel
def scale_rows(
    sums: Ints,
    scales: Floats,
    weight: tuple[Any, ...],
    out: Floats,
    first: int,
    end: int,
) -> None:
    """Compute the outputs of a block of rows from their sums and their scales.

    Args:
        sums: int32[BLOCK, at least n_out].
        scales: float32[at least end - first], the scales of the rows.
        weight: The result of `pack`.
        out: float32[n, n_out], in which the rows of the block are written.
        first, end: The range of these rows.
    """
    for t in range(first, end):
        scale_row(sums[t - first], scales[t - first], weight, out[t])


@kernel
def linear_of_int8(x: Floats, weight: tuple[Any, ...], out: Floats) -> None:
    """Compute a linear layer with a quantized weight: out = bias + x @ weight.

    All arrays are contiguous.

    Args:
        x: float32[n, n_in], whose rows are quantized.
        weight: The result of `pack`.
        out: float32[n, n_out], which is written.
    """
    n = len(x)
    if out.shape != (n, len(weight[3])):
        raise ValueError("sizes of a layer do not fit")
    starts, room = np.array([0, n], np.int32), room_for_windows(x.shape[1], 1, weight)
    largest = np.empty(n, np.uint32)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        for t in range(first, end):
            largest[t] = largest_of_row(x[t])
        sums, scales, _ = multiply_windows(
            x, largest, np.int64(-1), starts, first, end, 1, 1, weight, room
        )
        scale_rows(sums, scales, weight, out, first, end)


def words_of_row(dim: int, way: int) -> int:
    """Return the number of words of a row for `round_to_words`, which has `dim` numbers."""
    return -(-dim // _INPUTS) * _INPUTS * _BITS[way] // 32


@_borrowing_kernel
def round_row(row: Floats, largest: np.uint32, way: int, words: Ints) -> np.float32:
    """Quantize a row, as the input of `multiply_words`, and return its scale.

    Args:
        row: float32[dim].
        largest: The bits of the largest absolute value in the row.
        way: The index of an implementation in WAYS.
        words: int32[at least `words_of_row`], which receives the integers.
    """
    most = np.uint32(max(largest, np.uint32(_BITS_OF_LEAST))).view(np.float32)
    factor, offset = np.float32(MOST) / most, np.float32(_OFFSETS[way])
    if _BITS[way] == 8:
        _round_row(row, factor, WHOLE + offset, words.view(np.int8)[: len(row)])
    else:
        _round_row(row, factor, WHOLE + offset, words.view(np.int16)[: len(row)])
    return most / np.float32(MOST)


@kernel
def round_to_words(
    x: Floats, column: int, dim: int, way: int, words: Ints, scales: Floats
) -> None:
    """Quantize rows, as the input of `linear_of_words`.

    Args:
        x: float32[n, at least column + dim].
        column: The first column that is quantized.
        dim: The number of columns.
        way: The index of an implementation in WAYS.
        words: int32[n, width], which receives the integers, with the number of words
            that `words_of_row` returns. In fallbacks, it is float32[n, dim].
        scales: float32[n], which receives the scale of each row.
    """
    n, room = len(x), words.shape[1] * (32 // _BITS[way])
    if len(words) != n or len(scales) != n or not 0 <= dim <= room:
        raise ValueError("sizes of rows do not fit")
    for t in range(n):
        row = x[t, column : column + dim]
        if len(row) != dim:
            raise ValueError("sizes of rows do not fit")
        scales[t] = round_row(row, largest_of_row(row), way, words[t])


@kernel
def words_for_rows(words: Ints, dim: int, way: int) -> tuple[Ints, int]:
    """Convert quantized rows for a product with a weight from `pack_rows`.

    Args:
        words: int32[n, width], the result of `round_to_words`.
        dim: The number of integers of a row.
        way: The index of an implementation in WAYS.

    Returns:
        The rows, with memory for BLOCK more behind them, and the index of the
        implementation for `pack_rows`. Both are the given ones, unless `way` is turned.
    """
    by, n = _OF_ROWS[way], len(words)
    if by == way:
        return words, by
    width = words.shape[1] * _BITS[by] // _BITS[way]
    room = _aligned((n + BLOCK) * width).reshape(n + BLOCK, width)
    given, out = words.view(np.uint8), room.view(np.int16)
    for t in range(n):
        for d in range(dim):
            out[t, d] = np.int16(given[t, d]) - np.int16(_OFFSETS[way])
    return room[:n], by


@kernel
def linear_of_words(
    words: Ints, scales: Floats, weight: tuple[Any, ...], out: Floats
) -> None:
    """Compute a linear layer like `linear_of_int8`, for rows that are quantized already.

    Args:
        words: int32[n, width], the result of `round_to_words`. Rows of a whole tile are
            read behind the last one, so there must be memory for BLOCK more.
        scales: float32[n], the scales of the rows.
        weight: The result of `pack`.
        out: float32[n, n_out], which is written.
    """
    n, width = words.shape
    n_out = len(weight[1])
    _check_size(width, weight)
    if out.shape != (n, len(weight[3])) or len(scales) != n:
        raise ValueError("sizes of a layer do not fit")
    sums = _aligned(BLOCK * n_out).reshape(BLOCK, n_out)
    for first in range(0, n, BLOCK):
        end = min(first + BLOCK, n)
        multiply_words(words, first, end - first, weight, sums)
        scale_rows(sums, scales[first:end], weight, out, first, end)
