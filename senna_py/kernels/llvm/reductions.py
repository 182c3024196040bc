"""Sums of rows that stay in vector registers, and the larger of two numbers."""

from functools import partial

from senna_py.kernels.llvm.instructions import LANES, Tile, generated

_SUMS = 4 * LANES  # so that one addition need not wait for the other


def _sum_of_row(square, tile, row, mean):
    builder, n, number = tile.builder, row.nitems, row.nitems.type
    wide, ranges = Tile(tile.context, builder, lanes=_SUMS), tile.tools.for_range_slice
    sums, rest = tile.results([wide.vector([0.0] * _SUMS), mean.type(0.0)])

    def add(value, less, total):
        value = builder.fsub(value, less)
        if square:
            tile.add_product(value, value, total)
        else:
            builder.store(builder.fadd(builder.load(total), value), total)

    whole, less = builder.sub(n, builder.urem(n, number(_SUMS))), wide.repeat(mean)
    with ranges(builder, number(0), whole, number(_SUMS), number) as (k, _):
        add(wide.load(row, k), less, sums)
    with ranges(builder, whole, n, number(1), number) as (k, _):
        add(builder.load(tile.at(row, k)), mean, rest)
    total = builder.load(sums)
    for k in (LANES, 4, 1):
        a, b, c, d = (tile.pick(range(j, j + k), total) for j in range(0, 4 * k, k))
        total = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
    return builder.fadd(
        builder.extract_element(total, tile.ir.IntType(32)(0)), builder.load(rest)
    )


sum_of_differences, sum_of_squares = (
    generated("float32(float32[::1], float32)")(partial(_sum_of_row, square))
    for square in (False, True)
)
"""For kernels: sum_of_differences(row, mean), the sum of row - mean, and the sum of its squares.

Element k goes to sum k % 64 of 64, which are then added in pairs, whatever the processor; those
that do not fill all 64 are added one by one.
"""


@generated("float32(float32, float32)")
def larger(tile, a, b):
    """For kernels: the larger of two numbers, any if one is NaN.

    Without the flags that say so, LLVM writes `x[j] = larger(y, x[j])` by masked
    stores, which take some processors (Zen 2) twenty cycles each.
    """
    return tile.larger(a, b)
