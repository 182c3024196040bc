"""Rounding of vectors of float32 to bfloat16, the float32 numbers whose last 16 bits are 0.

Written in LLVM's terms, as `tile` is, because Numba's own loops over bits are slower. Words are
uint32.
"""

from senna_py.kernels.llvm.tile import LANES, Tile, expect
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = ["round_neighbors", "round_numbers", "round_pairs"]


class _Rounding(Tile):
    """Vectors of float32, rounded to the upper halves of words."""

    def rounded(self, address):
        """Load LANES numbers and round them to bfloat16, to even; below 1.2e-38 they become 0."""
        from llvmlite import ir  # noqa: PLC0415

        builder, words = self.builder, ir.VectorType(ir.IntType(32), LANES)

        def repeated(n):
            return ir.Constant(words, [n] * LANES)

        bits = builder.bitcast(self.load(address), words)
        last = builder.and_(builder.lshr(bits, repeated(16)), repeated(1))
        found = builder.add(bits, builder.add(last, repeated(0x7FFF)))
        size = builder.and_(bits, repeated(0x7FFFFFFF))
        no_number = builder.icmp_unsigned(">", size, repeated(0x7F800000))
        found = builder.select(no_number, builder.or_(bits, repeated(0x400000)), found)
        exponent = builder.and_(found, repeated(0x7F800000))
        tiny = builder.icmp_unsigned("==", exponent, repeated(0))
        kept = builder.select(tiny, repeated(0x80000000), repeated(0xFFFF0000))
        return builder.and_(found, kept)

    def pairs(self, low, high):
        """Words of two numbers each, as `rounded` gives them."""
        from llvmlite import ir  # noqa: PLC0415

        return self.builder.or_(self.builder.lshr(low, ir.Constant(low.type, [16] * LANES)), high)

    def neighbors(self, first, second):
        """Each second number from the first on, and from the second on, of 2 * LANES numbers."""
        from llvmlite import ir  # noqa: PLC0415

        lanes = ir.VectorType(ir.IntType(32), LANES)
        places = [ir.Constant(lanes, list(range(k, 2 * LANES, 2))) for k in (0, 1)]
        return [self.builder.shuffle_vector(first, second, each) for each in places]

    def write(self, words, address):
        """Store words; returns what a void function does."""
        self.store_vector(self.builder.bitcast(words, self.vector), address)
        return self._context.get_dummy_value()


def _round_numbers():
    from numba.types import float32, intp, uint32, void  # noqa: PLC0415

    def round_numbers(context, x, begin, out, o_begin):
        expect(float32, x)
        expect(uint32, out)

        def generate(context, builder, signature, arguments):
            tile = _Rounding(context, builder, signature, arguments)
            _, begin, _, o_begin = arguments
            return tile.write(tile.rounded(tile.at(0, begin)), tile.at(2, o_begin))

        return void(x, intp, out, intp), generate

    return round_numbers


def _round_pairs():
    from numba.types import float32, intp, uint32, void  # noqa: PLC0415

    def round_pairs(context, x, low, high, out, o_begin):
        expect(float32, x)
        expect(uint32, out)

        def generate(context, builder, signature, arguments):
            tile = _Rounding(context, builder, signature, arguments)
            _, low, high, _, o_begin = arguments
            low, high = (tile.rounded(tile.at(0, begin)) for begin in (low, high))
            return tile.write(tile.pairs(low, high), tile.at(3, o_begin))

        return void(x, intp, intp, out, intp), generate

    return round_pairs


def _round_neighbors():
    from numba.types import float32, intp, uint32, void  # noqa: PLC0415

    def round_neighbors(context, x, begin, out, o_begin):
        expect(float32, x)
        expect(uint32, out)

        def generate(context, builder, signature, arguments):
            tile = _Rounding(context, builder, signature, arguments)
            _, begin, _, o_begin = arguments
            begins = begin, builder.add(begin, begin.type(LANES))
            halves = [tile.rounded(tile.at(0, place)) for place in begins]
            high, low = tile.neighbors(*halves)
            return tile.write(tile.pairs(low, high), tile.at(2, o_begin))

        return void(x, intp, out, intp), generate

    return round_neighbors


round_numbers, round_pairs, round_neighbors = (
    Intrinsic(make) for make in (_round_numbers, _round_pairs, _round_neighbors)
)
"""For kernels: LANES words of float32 numbers rounded to bfloat16, to even. What is below 1.2e-38
becomes 0, as it would be in products of pairs, and what is no number stays none.

round_numbers(x, begin, out, o_begin): each still a float32.
round_pairs(x, low, high, out, o_begin): those from `low` on in the lower halves of words, those
from `high` on in the upper ones.
round_neighbors(x, begin, out, o_begin): of each two of 2 * LANES the first in the upper half.
Where the arrays end is not checked.
"""
