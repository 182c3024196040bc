"""Sums and maxima of rows that stay in vector registers, see `tile`."""

from functools import partial

from senna_py.kernels.llvm.tile import LANES, Tile, expect
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = ["larger", "largest_sum", "sum_of_differences", "sum_of_squares"]

_VECTORS = 4  # of sums, so that one addition need not wait for the other


def _of_four(combine, values):
    a, b, c, d = values
    return combine(combine(a, b), combine(c, d))


def _of_lanes(builder, combine, vector):
    """Combine the elements of a vector: those whose numbers are equal modulo 4, then these."""
    from llvmlite import ir  # noqa: PLC0415

    index = ir.IntType(32)
    lanes = [
        ir.Constant(ir.VectorType(index, 4), list(range(k, k + 4))) for k in range(0, LANES, 4)
    ]
    four = _of_four(combine, (builder.shuffle_vector(vector, vector, lane) for lane in lanes))
    return _of_four(combine, (builder.extract_element(four, index(k)) for k in range(4)))


def _sum_of_row(square):
    from numba.types import float32  # noqa: PLC0415

    def sum_of_row(context, row, mean):
        expect(float32, row)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            n, ranges = tile.size(0), tile.tools.for_range_slice
            minus = tile.repeat_value(arguments[1])
            sums = tile.results([tile.vector([0.0] * LANES)] * _VECTORS)
            rest = tile.results([arguments[1].type(0.0)])

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
                    add(tile.load(tile.at(0, builder.add(k, n.type(v * LANES)))), minus, total)
            with ranges(builder, whole, n, n.type(1), n.type) as (k, _):
                add(builder.load(tile.at(0, k)), arguments[1], *rest)
            total = _of_four(builder.fadd, map(builder.load, sums))
            return builder.fadd(_of_lanes(builder, builder.fadd, total), builder.load(*rest))

        return float32(row, float32), generate

    return sum_of_row


sum_of_differences, sum_of_squares = (Intrinsic(partial(_sum_of_row, s)) for s in (False, True))
"""For kernels: sum_of_differences(row, mean), the sum of row - mean, and the sum of its squares.

row: float32[n], contiguous; mean: float32. Element k goes to sum k % 64 of 64, which are then
added in pairs, whatever the processor; those that do not fill all 64 are added one by one.
"""


def _largest_sum():
    from numba.types import float32  # noqa: PLC0415

    def largest_sum(context, a, b):
        expect(float32, a, b)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            n = tile.size(1)
            (largest,) = tile.results([tile.vector([float("-inf")] * LANES)])

            def raised(value, other):
                return builder.select(builder.fcmp_ordered(">", value, other), value, other)

            ranges = tile.tools.for_range_slice
            with ranges(builder, n.type(0), n, n.type(LANES), n.type) as (k, _):
                value = builder.fadd(tile.load(tile.at(0, k)), tile.load(tile.at(1, k)))
                builder.store(raised(value, builder.load(largest)), largest)
            return _of_lanes(builder, raised, builder.load(largest))

        return float32(a, b), generate

    return largest_sum


largest_sum = Intrinsic(_largest_sum)
"""For kernels: largest_sum(a, b), the largest element of a[:n] + b, or -inf.

a: float32[at least n]; b: float32[n], n a multiple of 16; contiguous. Sums that are no numbers do
not count.
"""


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
