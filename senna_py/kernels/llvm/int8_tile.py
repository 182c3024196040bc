"""Inner loops over tiles of products of 8-bit integers, whose sums in 32 bits are exact.

So it does not matter in which order, and by which instructions, a processor adds them. An element
of an array is a word of 32 bits, int32: four numbers of 8 bits, or two of 16.
"""

from typing import NamedTuple

from senna_py.kernels.llvm.matrix_tile import MATRIX_ROWS, multiply_matrices
from senna_py.kernels.llvm.tile import LANES, ROWS, WIDE, Tile, constant, expect, has_features
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = ["MATRICES", "WAYS", "multiply_tile", "ways_of_processor"]


class Way(NamedTuple):
    """Instructions that multiply and add."""

    name: str
    features: tuple  # of the processors that have them, as LLVM calls these
    bits: int = 8  # of a number
    offset: int = 0  # added to inputs where these must not be negative
    function: str = ""  # of LLVM, for vectors of so many `lanes`, which takes words or numbers
    lanes: int = LANES
    takes: int = 32
    adds: bool = True  # whether it adds to sums, its first argument
    rows: int = ROWS  # of a tile


_SDOT, _PMADDWD = "llvm.aarch64.neon.sdot.v4i32.v16i8", "llvm.x86.avx2.pmadd.wd"
_WIDE_PMADDWD, _VPDPBUSD = "llvm.x86.avx512.pmaddw.d.512", "llvm.x86.avx512.vpdpbusd"
WAYS = (
    Way("16 bits", (), bits=16),  # what LLVM finds
    Way("SDOT", ("dotprod",), function=_SDOT, lanes=4, takes=8),
    Way("AVX2", ("avx2",), bits=16, function=_PMADDWD, lanes=8, takes=16, adds=False),
    Way("AVX-512 BW", ("avx512bw",), bits=16, function=_WIDE_PMADDWD, takes=16, adds=False),
    Way("AVX-VNNI", ("avxvnni",), offset=128, function=f"{_VPDPBUSD}.256", lanes=8),
    Way("AVX-512 VNNI", ("avx512vnni",), offset=128, function=f"{_VPDPBUSD}.512"),
    Way("AMX", ("amx-int8", "avx512vnni"), offset=128, rows=MATRIX_ROWS),
)
"""The ways there are, of which the last that a processor has is the fastest.

AMX needs the system's permission, too, see `may_use_matrix_tiles`.
"""
MATRICES = len(WAYS) - 1


class _Int8Tile(Tile):
    """Vectors of LANES words."""

    def __init__(self, way, *arguments):
        """way: a Way; the others as of Tile."""
        from llvmlite import ir  # noqa: PLC0415

        super().__init__(*arguments)
        self._ir, self._way, self.rows = ir, way, way.rows
        self.vector = self.integers(32, LANES)
        self.nothing = ir.Constant(self.vector, ir.Undefined)

    def integers(self, bits, n):
        """The type of vectors of integers."""
        return self._ir.VectorType(self._ir.IntType(bits), n)

    def _pick(self, places, a, b=None):
        places = self._ir.Constant(self.integers(32, len(places)), list(places))
        return self.builder.shuffle_vector(a, b or a, places)

    def sum_with_product(self, total, a, b):
        """The sums with the products of all numbers of the words of a and b."""
        if self._way.function:
            if self._way.adds:
                return self._called(total, a, b)
            return self.builder.add(total, self._called(a, b))
        narrow, wide = (self.integers(bits, 2 * LANES) for bits in (16, 32))
        a, b = (self.builder.sext(self.builder.bitcast(v, narrow), wide) for v in (a, b))
        products = self.builder.mul(a, b)
        even, odd = (self._pick(range(k, 2 * LANES, 2), products) for k in (0, 1))
        return self.builder.add(total, self.builder.add(even, odd))

    def _called(self, *vectors):
        way = self._way
        kind = self.integers(32, way.lanes)
        taken = self.integers(way.takes, way.lanes * 32 // way.takes)
        signature = self._ir.FunctionType(kind, [kind, taken, taken][-len(vectors) :])
        call = self.tools.get_or_insert_function(self.builder.module, signature, way.function)
        made = []
        for k in range(0, LANES, way.lanes):
            parts = [self._pick(range(k, k + way.lanes), vector) for vector in vectors]
            parts[-2:] = [self.builder.bitcast(part, taken) for part in parts[-2:]]
            made.append(self.builder.call(call, parts))
        while len(made) > 1:
            both = range(2 * made[0].type.count)
            made = [self._pick(both, *two) for two in zip(made[::2], made[1::2], strict=True)]
        return made[0]


def _multiply_vectors(tile, n_panels, x_begin, width, p_begin, o_begin, o_width):
    steps = [width.type(r) for r in range(tile.rows)]
    inputs = [tile.at(1, tile.plus(x_begin, width, r)) for r in steps]
    columns = [width.type(p * LANES) for p in range(n_panels)]
    outputs = [tile.plus(tile.builder.add(o_begin, c), o_width, r) for r in steps for c in columns]
    sums = tile.results([tile.vector([0] * LANES)] * len(outputs))
    with tile.tools.for_range(tile.builder, width) as loop:
        tile.multiply(loop.index, inputs, 4, p_begin, width, sums)
    tile.store(sums, [tile.at(6, output) for output in outputs])


def _multiply_tile():
    from numba.types import int32, intp, void  # noqa: PLC0415

    def multiply_tile(context, way, x, x_begin, width, panels, p_begin, out, o_begin, o_width):
        expect(int32, x, panels, out)

        def generate(context, builder, signature, arguments):
            number, _, x_begin, width, _, p_begin, _, o_begin, o_width = arguments
            places = x_begin, width, p_begin, o_begin, o_width
            for k, each in enumerate(WAYS):
                if not has_features(context, *each.features):
                    continue
                with builder.if_then(builder.icmp_signed("==", number, number.type(k))):
                    given = context, builder, signature, arguments
                    if k == MATRICES:
                        multiply_matrices(Tile(*given), *places)
                    else:
                        n_panels = 2 if has_features(context, WIDE) else 1
                        _multiply_vectors(_Int8Tile(each, *given), n_panels, *places)
            return context.get_dummy_value()

        return void(intp, x, intp, intp, panels, intp, out, intp, intp), generate

    return multiply_tile


multiply_tile = Intrinsic(_multiply_tile)
"""For kernels: multiply_tile(way, x, x_begin, width, panels, p_begin, out, o_begin, o_width).

WAYS[way].rows rows by LANES of outputs, or twice as many where `has_wide_tiles`: out[o_begin + r *
o_width + j] = the sum over k < width of the products of the numbers of x[x_begin + r * width + k]
and panels[p_begin + k * LANES + j]; for j from LANES on, of the next panel, which begins width *
LANES words after the first. For AMX, width is a multiple of LANES. Arrays are int32 and of one
dimension; where they end is not checked. Does nothing if the processor does not have this way.
"""


def _bits_of_ways(context):
    return sum(1 << k for k, way in enumerate(WAYS) if has_features(context, *way.features))


ways_of_processor = constant(_bits_of_ways)
"""For kernels: ways_of_processor(), the sum of 2 ** k for each WAYS[k]: a constant of the code."""
