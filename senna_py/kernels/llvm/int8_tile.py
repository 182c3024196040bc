"""Inner loops over tiles of products of 8-bit integers, whose sums in 32 bits are exact.

So it does not matter in which order, and by which instructions, a processor adds them. An element
of an array is a word of 32 bits, int32: four numbers of 8 bits, or two of 16.
"""

from typing import NamedTuple

from senna_py.kernels.llvm.instructions import LANES, WIDE, Tile, generated, has_features
from senna_py.kernels.llvm.matrix_tile import MATRIX_ROWS, multiply_matrices
from senna_py.kernels.llvm.tile import ROWS

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

    def __init__(self, way, context, builder):
        """way: a Way; the others as of Tile."""
        super().__init__(context, builder)
        self._way, self.rows = way, way.rows
        self.vector = self.integers(32, LANES)
        self.nothing = self.ir.Constant(self.vector, self.ir.Undefined)

    def sum_with_product(self, total, a, b):
        """The sums with the products of all numbers of the words of a and b."""
        if self._way.function:
            if self._way.adds:
                return self._called(total, a, b)
            return self.builder.add(total, self._called(a, b))
        narrow, wide = (self.integers(bits, 2 * LANES) for bits in (16, 32))
        a, b = (self.builder.sext(self.builder.bitcast(v, narrow), wide) for v in (a, b))
        products = self.builder.mul(a, b)
        even, odd = (self.pick(range(k, 2 * LANES, 2), products) for k in (0, 1))
        return self.builder.add(total, self.builder.add(even, odd))

    def _called(self, *vectors):
        way, made = self._way, []
        taken = self.integers(way.takes, way.lanes * 32 // way.takes)
        for k in range(0, LANES, way.lanes):
            parts = [self.pick(range(k, k + way.lanes), vector) for vector in vectors]
            parts[-2:] = [self.builder.bitcast(part, taken) for part in parts[-2:]]
            made.append(self.call(way.function, self.integers(32, way.lanes), *parts))
        while len(made) > 1:
            both = range(2 * made[0].type.count)
            made = [self.pick(both, *two) for two in zip(made[::2], made[1::2], strict=True)]
        return made[0]


def _multiply_vectors(tile, n_panels, x, x_begin, width, panels, p_begin, out, o_begin, o_width):
    steps = [width.type(r) for r in range(tile.rows)]
    inputs = [x.at(tile.plus(x_begin, width, r)) for r in steps]
    columns = [width.type(p * LANES) for p in range(n_panels)]
    outputs = [tile.plus(tile.builder.add(o_begin, c), o_width, r) for r in steps for c in columns]
    sums = tile.results([tile.vector([0] * LANES)] * len(outputs))
    with tile.tools.for_range(tile.builder, width) as loop:
        tile.multiply(loop.index, inputs, panels, p_begin, width, sums)
    tile.store(sums, [out.at(output) for output in outputs])


@generated("void(intp, int32[::1], intp, intp, int32[::1], intp, int32[::1], intp, intp)")
def multiply_tile(tile, way, x, x_begin, width, panels, p_begin, out, o_begin, o_width):
    """For kernels: products of numbers.

    WAYS[way].rows rows by LANES of outputs, or twice as many where `has_wide_tiles`: out[o_begin +
    r * o_width + j] = the sum over k < width of the products of the numbers of x[x_begin + r *
    width + k] and panels[p_begin + k * LANES + j]; for j from LANES on, of the next panel, which
    begins width * LANES words after the first. For AMX, width is a multiple of LANES. Where arrays
    end is not checked. Does nothing if the processor does not have this way.
    """
    given = x, x_begin, width, panels, p_begin, out, o_begin, o_width
    n_panels = 2 if has_features(tile.context, WIDE) else 1
    for k, each in enumerate(WAYS):
        if not has_features(tile.context, *each.features):
            continue
        with tile.builder.if_then(tile.builder.icmp_signed("==", way, way.type(k))):
            if k == MATRICES:
                multiply_matrices(tile, *given)
            else:
                _multiply_vectors(_Int8Tile(each, tile.context, tile.builder), n_panels, *given)


@generated("intp()")
def ways_of_processor(tile):
    """For kernels: the sum of 2 ** k for each WAYS[k] that there is: a constant of the code."""
    return tile.constant(sum(1 << k for k, way in enumerate(WAYS)
                             if has_features(tile.context, *way.features)))  # fmt: skip
