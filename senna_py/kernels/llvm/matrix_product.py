"""Products of matrices by tiles that stay in vector registers, whatever BLAS NumPy has.

Each sum is added up in the order of its terms, so it has the same bits whatever rows and columns
are computed beside it, on every processor that can multiply and add in one step.
"""

from functools import partial

import numpy as np

from senna_py.kernels.llvm.tile import LANES, Tile, expect, has_wide_tiles
from senna_py.kernels.runtime.jit import Intrinsic, kernel

__all__ = ["WIDTH", "multiply_columns", "multiply_packed", "pack_columns"]

WIDTH = 2 * LANES  # columns of a panel
# 10 x 32 sums take 20 of the 32 registers of 512 bits; 5 x 16 take 10 of the 16 of 256 bits.
_WIDE, _NARROW = 10, 5
_DEPTH = 704  # terms added at once, whose panel of weights stays in the cache
_HEIGHT = 2000  # rows of a transposed matrix that are copied at once


def _tile_of_product(n_rows, n_lanes, fresh):
    from numba.types import float32, intp, void  # noqa: PLC0415

    def tile_of_product(context, x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step):
        expect(float32, x, panel, out)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, x_begin, x_step, n, _, p_begin, _, o_begin, o_step = arguments
            rows = [n.type(r) for r in range(n_rows)]
            columns = [n.type(c) for c in range(0, n_lanes, LANES)]
            inputs = [tile.at(0, tile.plus(x_begin, r, x_step)) for r in rows]
            begins = [tile.plus(o_begin, r, o_step) for r in rows]
            outputs = [tile.at(6, builder.add(row, c)) for row in begins for c in columns]
            nothing = tile.vector([0.0] * LANES)
            sums = tile.results([nothing if fresh else tile.load(place) for place in outputs])
            with tile.tools.for_range(builder, n) as loop:
                first = tile.plus(p_begin, loop.index, n.type(WIDTH))
                weights = [tile.load(tile.at(4, builder.add(first, c))) for c in columns]
                for r, row in enumerate(inputs):
                    value = tile.repeat(builder.gep(row, [loop.index]))
                    for k, weight in enumerate(weights):
                        tile.add_product(value, weight, sums[r * len(columns) + k])
            return tile.store(sums, outputs)

        return void(x, intp, intp, intp, panel, intp, out, intp, intp), generate

    return tile_of_product


# fill_...(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step): a tile of out = x @ panel;
# add_... adds to it. Row r begins at x[x_begin + r * x_step] and out[o_begin + r * o_step], and has
# n terms; arrays are float32 and of one dimension, and where they end is not checked.
_fill_wide, _add_wide, _fill_row, _add_row, _fill_narrow, _add_narrow, _fill_half, _add_half = (
    Intrinsic(partial(_tile_of_product, n_rows, n_lanes, fresh))
    for n_rows, n_lanes in ((_WIDE, WIDTH), (1, WIDTH), (_NARROW, LANES), (1, LANES))
    for fresh in (True, False)
)


def _turn_square():
    from numba.types import float32, intp, void  # noqa: PLC0415

    def turn_square(context, x, x_begin, x_step, out, o_begin, o_step):
        expect(float32, x, out)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, x_begin, x_step, _, o_begin, o_step = arguments
            numbers = [x_begin.type(r) for r in range(LANES)]
            rows = [tile.load(tile.at(0, tile.plus(x_begin, r, x_step))) for r in numbers]
            for half in (8, 4, 2, 1):  # swap blocks of that size beside the diagonal
                for r in (r for r in range(LANES) if not r & half):
                    upper, lower = rows[r], rows[r + half]
                    rows[r], rows[r + half] = (
                        tile.shuffle(upper, lower, [_swapped(c, half, k) for c in range(LANES)])
                        for k in (0, half)
                    )
            for r, row in zip(numbers, rows, strict=True):
                tile.store_vector(row, tile.at(3, tile.plus(o_begin, r, o_step)))
            return context.get_dummy_value()

        return void(x, intp, intp, out, intp, intp), generate

    return turn_square


def _swapped(column, half, taken):
    """Where column c of a new row comes from: of the upper row, or, beyond LANES, of the lower."""
    from_lower = LANES if column & half else 0
    return from_lower + (column & ~half) + taken


# turn_square(x, x_begin, x_step, out, o_begin, o_step): LANES rows of LANES, transposed.
_turn_16 = Intrinsic(_turn_square)


def _copy_row():
    from numba.types import float32, intp, void  # noqa: PLC0415

    def copy_row(context, x, x_begin, out, o_begin):
        expect(float32, x, out)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, x_begin, _, o_begin = arguments
            for column in (x_begin.type(c) for c in range(0, WIDTH, LANES)):
                row = tile.load(tile.at(0, builder.add(x_begin, column)))
                tile.store_vector(row, tile.at(2, builder.add(o_begin, column)))
            return context.get_dummy_value()

        return void(x, intp, out, intp), generate

    return copy_row


# copy_row(x, x_begin, out, o_begin): WIDTH elements.
_copy_32 = Intrinsic(_copy_row)


@kernel
def _rows_of_tile():
    return _WIDE if has_wide_tiles() else _NARROW


@kernel
def _tile(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step, whole, fresh):
    """Columns of a panel, for as many rows as the registers hold if `whole`, else for one row."""
    if has_wide_tiles():
        if whole and fresh:
            _fill_wide(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step)
        elif whole:
            _add_wide(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step)
        elif fresh:
            _fill_row(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step)
        else:
            _add_row(x, x_begin, x_step, n, panel, p_begin, out, o_begin, o_step)
        return
    for half in range(0, WIDTH, LANES):
        p, o = p_begin + half, o_begin + half
        if whole and fresh:
            _fill_narrow(x, x_begin, x_step, n, panel, p, out, o, o_step)
        elif whole:
            _add_narrow(x, x_begin, x_step, n, panel, p, out, o, o_step)
        elif fresh:
            _fill_half(x, x_begin, x_step, n, panel, p, out, o, o_step)
        else:
            _add_half(x, x_begin, x_step, n, panel, p, out, o, o_step)


@kernel
def _turn(x, begin, x_step, height, width, out, o_begin, o_step):
    """out[o_begin + j * o_step + i] = x[begin + i * x_step + j] for i < height and j < width."""
    for i in range(0, height, LANES):
        for j in range(0, width, LANES):
            if i + LANES <= height and j + LANES <= width:
                at, to = begin + i * x_step + j, o_begin + j * o_step + i
                _turn_16(x, at, x_step, out, to, o_step)
                continue
            for k in range(i, min(i + LANES, height)):
                for m in range(j, min(j + LANES, width)):
                    out[o_begin + m * o_step + k] = x[begin + k * x_step + m]


@kernel
def _pack(b, turned, begin, depth, column, panel, p_begin):
    """Copy WIDTH columns of b, of its rows from `begin` on, into a panel; what it lacks is zero."""
    n = min(WIDTH, (b.shape[0] if turned else b.shape[1]) - column)
    if n < WIDTH:
        panel[p_begin : p_begin + depth * WIDTH] = 0
    flat, step = b.reshape(-1), b.shape[1]
    if turned:
        _turn(flat, column * step + begin, step, n, depth, panel, p_begin, WIDTH)
        return
    for k in range(depth):
        source, target = (begin + k) * step + column, p_begin + k * WIDTH
        if n < WIDTH:
            for j in range(n):
                panel[target + j] = flat[source + j]
        else:
            _copy_32(flat, source, panel, target)


@kernel
def _multiply_panel(x, x_begin, x_step, n_rows, depth, panel, p_begin, fresh, out, first, column,
                    rest):  # fmt: skip
    """Fill or add to some rows of out, in the columns of a panel, the last of which it may lack.

    rest: float32[_WIDE * WIDTH], scratch.
    """
    flat, n, height = out.reshape(-1), out.shape[1], _rows_of_tile()
    t = 0
    while t < n_rows:
        whole = t + height <= n_rows
        at, to = x_begin + t * x_step, (first + t) * n + column
        if column + WIDTH <= n:
            _tile(x, at, x_step, depth, panel, p_begin, flat, to, n, whole, fresh)
        else:
            _tile(x, at, x_step, depth, panel, p_begin, rest, 0, WIDTH, whole, True)
            for r in range(height if whole else 1):
                for j in range(n - column):
                    before = np.float32(0) if fresh else flat[to + r * n + j]
                    flat[to + r * n + j] = before + rest[r * WIDTH + j]
        t += height if whole else 1


@kernel
def multiply_columns(a, turn_a, b, turn_b, out, first, last):
    """Columns `first` to `last`, multiples of WIDTH or the end, of out = a @ b.

    turn_a, turn_b: whether that matrix is given transposed; a, b, out: float32, contiguous. Several
    threads may fill columns of one product.
    """
    m, n_terms = out.shape[0], b.shape[1] if turn_b else b.shape[0]
    panel, rest = np.empty(_DEPTH * WIDTH, np.float32), np.empty(_WIDE * WIDTH, np.float32)
    turned = np.empty(min(m, _HEIGHT) * min(n_terms, _DEPTH) if turn_a else 0, np.float32)
    flat = a.reshape(-1)
    for row in range(0, m, _HEIGHT):
        n_rows = min(_HEIGHT, m - row)
        for begin in range(0, n_terms, _DEPTH):
            depth = min(_DEPTH, n_terms - begin)
            if turn_a:
                _turn(flat, begin * m + row, m, depth, n_rows, turned, 0, depth)
            for column in range(first, last, WIDTH):
                _pack(b, turn_b, begin, depth, column, panel, 0)
                if turn_a:
                    _multiply_panel(turned, 0, depth, n_rows, depth, panel, 0, begin == 0, out, row,
                                    column, rest)  # fmt: skip
                else:
                    _multiply_panel(flat, row * n_terms + begin, n_terms, n_rows, depth, panel, 0,
                                    begin == 0, out, row, column, rest)  # fmt: skip


@kernel
def pack_columns(b, turn_b, panels):
    """Copy b into panels, for `multiply_packed`: float32[n_panels * n_terms * WIDTH]."""
    n, n_terms = (b.shape[0], b.shape[1]) if turn_b else (b.shape[1], b.shape[0])
    for column in range(0, n, WIDTH):
        _pack(b, turn_b, 0, n_terms, column, panels, column * n_terms)


@kernel
def multiply_packed(a, panels, out, first, last):
    """`multiply_columns` with panels that were made before, for products of few rows."""
    rest, flat, n_terms = np.empty(_WIDE * WIDTH, np.float32), a.reshape(-1), a.shape[1]
    for column in range(first, last, WIDTH):
        _multiply_panel(flat, 0, n_terms, len(a), n_terms, panels, column * n_terms, True, out, 0,
                        column, rest)  # fmt: skip
