"""Sums of rows that stay in vector registers, and the larger of two numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import LANES, Tile, generated

if TYPE_CHECKING:
    from typing import Any

_SUMS = 4 * LANES  # enough sums that additions do not wait for each other


def _sum_of_row(square: bool, tile: Tile, row: Any, mean: Any) -> Any:
    builder, n, number = tile.builder, row.nitems, row.nitems.type
    wide, ranges = Tile(tile.context, builder, lanes=_SUMS), tile.tools.for_range_slice
    sums, rest = tile.results([wide.vector([0.0] * _SUMS), mean.type(0.0)])

    def add(value: Any, less: Any, total: Any) -> None:
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
"""Sums over a row (intrinsics): sum_of_differences(row, mean) and sum_of_squares(row, mean).

They return the sum of row - mean, and the sum of its squares. On all processors, element k is
added to sum k % 64 of 64 sums, which are then added in a fixed order. The last elements that
do not fill all 64 sums are added one by one.
"""


@generated("float32(float32, float32)")
def larger(tile: Tile, a: Any, b: Any) -> Any:
    """Return the larger of two numbers (an intrinsic).

    If a number is NaN, the result is not defined; in practice it is either of the two.
    Without its flags, LLVM compiles `x[j] = larger(y, x[j])` to masked stores, which
    take twenty cycles each on some processors (Zen 2).
    """
    return tile.larger(a, b)
