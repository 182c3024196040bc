"""Inner loops over tiles of products of bfloat16 numbers, which are summed in float32.

Such a product is exact in float32. Its inputs come in steps of STEP, and all loops add in the order
of the matrix tiles of x86, see `matrix_tile`: the products of the first half of a step, one after
the other from zero, each sum rounded once; likewise those of the second half; then both sums, and
what comes out to the sums of the steps before.

An element of an array is a word of 32 bits, uint32. It holds two bfloat16 numbers, or a float32.
"""

from functools import partial

from senna_py.kernels.llvm.tile import (
    LANES,
    ROWS,
    Tile,
    constant_of_features,
    expect,
    has_features,
)
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = [
    "STEP", "add_float_tile", "add_pair_tile", "add_wide_float_tile", "add_wide_pair_tile",
    "has_fast_pair_products", "has_pair_products",
]  # fmt: skip

STEP = 2 * LANES  # inputs
_TOGETHER = ROWS // 2  # rows, of which the sums of both halves of a step fit the registers
_PAIRS = "avx512bf16"


class _FloatTile(Tile):
    """Inputs and weights are float32, rounded before."""

    words = STEP  # of a step

    def repeat(self, address):
        """One number, LANES times."""
        from llvmlite import ir  # noqa: PLC0415

        return self.repeat_value(self.builder.bitcast(self.builder.load(address), ir.FloatType()))


class _PairTile(_FloatTile):
    """Inputs and weights are pairs of bfloat16, of which the second one is added first."""

    words = STEP // 2

    def sum_with_product(self, total, a, b):
        """The sum with both products."""
        from llvmlite import ir  # noqa: PLC0415

        # LLVM 16 and later have a type for pairs, and bring this older form into theirs.
        pairs = ir.VectorType(ir.IntType(32), LANES)
        kind = ir.FunctionType(self.vector, [self.vector, pairs, pairs])
        name = "llvm.x86.avx512bf16.dpbf16ps.512"
        multiply = self.tools.get_or_insert_function(self.builder.module, kind, name)
        a, b = (self.builder.bitcast(vector, pairs) for vector in (a, b))
        return self.builder.call(multiply, [total, a, b])


def _add_tile(tile_class, n_panels):
    from numba.types import float32, int64, intp, uint32, void  # noqa: PLC0415

    def add_tile(context, x, width, rows, t, panel, p_begin, height, steps, out, o_width, targets,
                 column):  # fmt: skip
        expect(uint32, x, panel)
        expect(float32, out)
        expect(int64, rows, targets)

        def generate(context, builder, signature, arguments):
            if tile_class is _PairTile and not has_features(context, _PAIRS):
                return context.get_dummy_value()
            tile = tile_class(context, builder, signature, arguments)
            _, width, _, t, _, p_begin, height, n_steps, _, o_width, _, column = arguments
            half = width.type(tile.words // 2)
            rows = [builder.add(t, width.type(r)) for r in range(ROWS)]
            inputs = [tile.at(0, builder.mul(width, builder.load(tile.at(2, r)))) for r in rows]
            begins = [tile.plus(column, builder.load(tile.at(10, r)), o_width) for r in rows]
            columns = [width.type(p * LANES) for p in range(n_panels)]
            outputs = [tile.at(8, builder.add(row, c)) for row in begins for c in columns]
            zeros = [tile.vector([0.0] * LANES)] * (_TOGETHER * n_panels)
            with tile.tools.for_range(builder, n_steps) as loop:
                begin = builder.mul(loop.index, width.type(tile.words))
                panel = tile.plus(p_begin, begin, width.type(LANES))
                places = [builder.gep(row, [begin]) for row in inputs]
                for r in range(0, ROWS, _TOGETHER):
                    sums = tile.results(zeros), tile.results(zeros)
                    with tile.tools.for_range(builder, half) as inner:
                        for k, totals in enumerate(sums):
                            i = tile.plus(inner.index, half, width.type(k))
                            tile.multiply(i, places[r : r + _TOGETHER], 4, panel, height, totals)
                    for a, b, output in zip(*sums, outputs[r * n_panels :], strict=False):
                        both = builder.fadd(builder.load(a), builder.load(b))
                        tile.store_vector(builder.fadd(tile.load(output), both), output)
            return context.get_dummy_value()

        return void(
            x, intp, rows, intp, panel, intp, intp, intp, out, intp, targets, intp
        ), generate  # fmt: skip

    return add_tile


add_float_tile, add_wide_float_tile = (
    Intrinsic(partial(_add_tile, _FloatTile, n_panels)) for n_panels in (1, 2)
)
"""For kernels: add_float_tile(x, width, rows, t, panel, p_begin, height, steps, out, o_width,
targets, column).

ROWS rows by LANES, so many steps, in the order of this module: to out[targets[t + r] * o_width +
column + j] is added the sum over k of x[rows[t + r] * width + k] * panel[p_begin + k * LANES + j].
x and panel: words, uint32; out: float32; rows, targets: int64; all of one dimension. A target that
stands in a tile twice has what is left at last. Where arrays end is not checked.

add_wide_float_tile does it for the 2 * LANES columns of this panel and the next one, which begins
`height` rows after it.
"""

add_pair_tile, add_wide_pair_tile = (
    Intrinsic(partial(_add_tile, _PairTile, n_panels)) for n_panels in (1, 2)
)
"""For kernels: the same where x and the panels are words of pairs, if `has_pair_products`; else
they do nothing."""

has_pair_products = constant_of_features(_PAIRS)
"""For kernels: has_pair_products(), whether the processor has them: a constant of the code."""

has_fast_pair_products = constant_of_features(_PAIRS, "sse4a")
"""For kernels: has_fast_pair_products(), whether they are faster than those of float32, which they
are on AMD's processors, the only ones with SSE4a, and are not on Intel's (research/notes.md)."""
