"""Sums and maxima of rows that stay in vector registers, see `tile`."""

from functools import partial

from senna_py.kernels.llvm.instructions import LANES, generated
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = ["larger", "largest_sum", "sum_of_differences", "sum_of_squares"]

_VECTORS = 4  # of sums, so that one addition need not wait for the other


def _of_four(combine, values):
    a, b, c, d = values
    return combine(combine(a, b), combine(c, d))


def _of_lanes(tile, combine, vector):
    """Combine the elements of a vector: those whose numbers are equal modulo 4, then these."""
    parts = (tile.pick(range(k, k + 4), vector) for k in range(0, LANES, 4))
    four, index = _of_four(combine, parts), tile.ir.IntType(32)
    return _of_four(combine, (tile.builder.extract_element(four, index(k)) for k in range(4)))


def _sum_of_row(square, tile, row, mean):
    builder, n, ranges = tile.builder, row.size, tile.tools.for_range_slice
    minus = tile.repeat_value(mean)
    sums = tile.results([tile.vector([0.0] * LANES)] * _VECTORS)
    rest = tile.results([mean.type(0.0)])

    def add(value, less, total):
        value = builder.fsub(value, less)
        if square:
            tile.add_product(value, value, total)
        else:
            builder.store(builder.fadd(builder.load(total), value), total)

    step = n.type(_VECTORS * LANES)
    whole = builder.sub(n, builder.urem(n, step))
    with ranges(builder, n.type(0), whole, step, n.type) as (k, _):
        for v, total in enumerate(sums):
            add(tile.load(row.at(builder.add(k, n.type(v * LANES)))), minus, total)
    with ranges(builder, whole, n, n.type(1), n.type) as (k, _):
        add(builder.load(row.at(k)), mean, *rest)
    total = _of_four(builder.fadd, map(builder.load, sums))
    return builder.fadd(_of_lanes(tile, builder.fadd, total), builder.load(*rest))


sum_of_differences, sum_of_squares = (
    generated("float32(float32[::1], float32)")(partial(_sum_of_row, square))
    for square in (False, True)
)
"""For kernels: sum_of_differences(row, mean), the sum of row - mean, and the sum of its squares.

Element k goes to sum k % 64 of 64, which are then added in pairs, whatever the processor; those
that do not fill all 64 are added one by one.
"""


@generated("float32(float32[::1], float32[::1])")
def largest_sum(tile, a, b):
    """For kernels: the largest element of a[:n] + b, or -inf.

    a: at least n; b: n, a multiple of 16. Sums that are no numbers do not count.
    """
    builder, n = tile.builder, b.size
    (largest,) = tile.results([tile.vector([float("-inf")] * LANES)])

    def raised(value, other):
        return builder.select(builder.fcmp_ordered(">", value, other), value, other)

    ranges = tile.tools.for_range_slice
    with ranges(builder, n.type(0), n, n.type(LANES), n.type) as (k, _):
        value = builder.fadd(tile.load(a.at(k)), tile.load(b.at(k)))
        builder.store(raised(value, builder.load(largest)), largest)
    return _of_lanes(tile, raised, builder.load(largest))


def _larger():
    from numba.core.errors import TypingError  # noqa: PLC0415

    flags = "nnan", "nsz"

    def larger(context, a, b):
        if a != b:
            raise TypingError(f"larger of {a} and {b}")

        def generate(context, builder, signature, pair):
            return builder.select(builder.fcmp_ordered(">", *pair, flags=flags), *pair, flags=flags)

        return a(a, b), generate

    return larger


larger = Intrinsic(_larger)
"""For kernels: larger(a, b), the larger of two floating-point numbers of one type.

Any number if one is NaN. Without the flags that say so, LLVM writes `x[j] = larger(y, x[j])` by
masked stores, which take some processors (Zen 2) twenty cycles each.
"""
