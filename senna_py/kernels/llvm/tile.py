"""Inner loops over tiles of arrays that stay in vector registers.

Numba leaves registers to LLVM, which keeps sums that are elements of arrays in memory. So these
loops are written in LLVM's own terms; what goes around them is in `linear` and `max_over_time`.
"""

from functools import partial

from senna_py.kernels.runtime.jit import Intrinsic

__all__ = [
    "FIRSTS", "LANES", "ROWS", "WIDE", "WORDS", "Tile", "constant", "expect", "fill_tile",
    "fill_tile_with_maxima", "fill_wide_tile", "has_features", "has_wide_tiles", "score_span_tile",
]  # fmt: skip

LANES = 16  # float32 of the widest vectors; LLVM cuts these into what the processor has
# 6 x 16 sums take 12 of the 16 registers of 256 bits that x86 has: weights and inputs have room.
# There are 32 of 512 bits, so that 6 x 32 sums fit, see `has_wide_tiles`: where a processor begins
# two multiply-adds a cycle, six vectors of sums would have to wait for each other.
ROWS = 6  # of a layer
WORDS = 6  # of which maxima are taken
FIRSTS = 4  # words where spans begin


def expect(dtype, *arrays):
    """Raise TypingError unless arrays are of one dimension, contiguous and of that type."""
    from numba.core.errors import TypingError  # noqa: PLC0415
    from numba.types import Array  # noqa: PLC0415

    for array in arrays:
        if not isinstance(array, Array) or (array.dtype, array.ndim, array.layout) != (
            dtype,
            1,
            "C",
        ):
            raise TypingError(f"{array}: expected a contiguous vector of {dtype}")


class Tile:
    """Helpers of the loops: vectors of LANES at places of arrays, and results in registers."""

    def __init__(self, context, builder, signature, arguments):
        """Wrap the arguments that Numba gives a function that generates code."""
        from llvmlite import ir  # noqa: PLC0415
        from numba.core import cgutils  # noqa: PLC0415

        self._context, self._signature, self._arguments = context, signature, arguments
        self.builder, self.tools = builder, cgutils
        self.vector = ir.VectorType(ir.FloatType(), LANES)
        self.nothing, lane = ir.Constant(self.vector, ir.Undefined), ir.IntType(32)
        self._first, self._all_first = lane(0), ir.Constant(ir.VectorType(lane, LANES), [0] * LANES)

    def at(self, k, position):
        """Address of an element of the k-th argument."""
        kind, array = self._signature.args[k], self._arguments[k]
        data = self._context.make_array(kind)(self._context, self.builder, array).data
        return self.builder.gep(data, [position])

    def size(self, k):
        """Number of elements of the k-th argument."""
        make = self._context.make_array(self._signature.args[k])
        return make(self._context, self.builder, self._arguments[k]).nitems

    def plus(self, position, n, step):
        """The position n steps further."""
        return self.builder.add(position, self.builder.mul(n, step))

    def _vector_at(self, address):
        return self.builder.bitcast(address, self.vector.as_pointer())

    def load(self, address):
        """LANES elements that may begin anywhere."""
        return self.builder.load(self._vector_at(address), align=4)

    def repeat(self, address):
        """One element, LANES times."""
        return self.repeat_value(self.builder.load(address))

    def repeat_value(self, value):
        """A float32, LANES times."""
        value = self.builder.insert_element(self.nothing, value, self._first)
        return self.builder.shuffle_vector(value, value, self._all_first)

    def results(self, values):
        """Places for results that begin with these values; LLVM will keep them in registers."""
        return [self.tools.alloca_once_value(self.builder, value) for value in values]

    def multiply(self, i, inputs, k, begin, height, sums):
        """Add to the sums of each row its i-th input times row i of the k-th argument's panels.

        inputs: addresses where the rows of inputs begin; begin: of the first panel; height: rows
        of a panel, after which the next one begins; sums: see `results`, of each row those of all
        panels.
        """
        n_panels = len(sums) // len(inputs)
        steps = [self.plus(i, height, i.type(p)) for p in range(n_panels)]
        places = [self.at(k, self.plus(begin, step, i.type(LANES))) for step in steps]
        weights = [self.load(place) for place in places]
        for r, row in enumerate(inputs):
            value = self.repeat(self.builder.gep(row, [i]))
            for panel, total in zip(weights, sums[r * n_panels :], strict=False):
                self.add_product(value, panel, total)

    def add_product(self, a, b, total):
        """Add a * b to a result."""
        added = self.sum_with_product(self.builder.load(total), a, b)
        self.builder.store(added, total)

    def sum_with_product(self, total, a, b):
        """Vector total + a * b, rounded once where the processor can."""
        product = self.builder.fmul(a, b, flags=("contract",))
        return self.builder.fadd(total, product, flags=("contract",))

    def store_vector(self, value, address):
        """Write LANES elements that may begin anywhere."""
        self.builder.store(value, self._vector_at(address), align=4)

    def store(self, results, addresses):
        """Write results where they belong; returns what a void function does."""
        for result, address in zip(results, addresses, strict=True):
            self.store_vector(self.builder.load(result), address)
        return self._context.get_dummy_value()


def _fill_tile(n_panels):
    from numba.types import float32, int64, intp, void  # noqa: PLC0415

    def fill_tile(context, x, n, rows, t, panel, p_begin, bias, b_begin, out, o_begin, width):
        expect(float32, x, panel, bias, out)
        expect(int64, rows)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, n, _, t, _, p_begin, _, b_begin, _, o_begin, width = arguments
            steps = [n.type(r) for r in range(ROWS)]
            index = [builder.load(tile.at(2, builder.add(t, r))) for r in steps]
            inputs = [tile.at(0, builder.mul(n, row)) for row in index]
            columns = [n.type(p * LANES) for p in range(n_panels)]
            biases = [tile.load(tile.at(6, builder.add(b_begin, column))) for column in columns]
            begins = [tile.plus(o_begin, r, width) for r in steps]
            sums = tile.results(biases * ROWS)
            with tile.tools.for_range(builder, n) as loop:
                tile.multiply(loop.index, inputs, 4, p_begin, n, sums)
            outputs = [tile.at(8, builder.add(row, c)) for row in begins for c in columns]
            return tile.store(sums, outputs)

        return void(x, intp, rows, intp, panel, intp, bias, intp, out, intp, intp), generate

    return fill_tile


fill_tile, fill_wide_tile = (Intrinsic(partial(_fill_tile, n_panels)) for n_panels in (1, 2))
"""For kernels: fill_tile(x, n, rows, t, panel, p_begin, bias, b_begin, out, o_begin, width).

ROWS rows of LANES of the `width` outputs of a layer of n inputs: out[o_begin + r * width + j] =
bias[b_begin + j] + the sum over k, in this order, of x[rows[t + r] * n + k] * panel[p_begin + k *
LANES + j]. Arrays are float32 and of one dimension, rows int64; where they end is not checked.

fill_wide_tile does it for the 2 * LANES columns of this panel and the next one.
"""


WIDE = "avx512f"  # the feature of processors for which wide tiles are


def has_features(context, *features):
    """Return whether the target processor has all of these features; names as LLVM has them."""
    found = context.codegen().magic_tuple()[2].split(",")
    return all(f"+{feature}" in found for feature in features)


def constant(value_of):
    """The Intrinsic, for kernels, of a function without arguments: int64 value_of(context)."""

    def make():
        from numba.types import intp  # noqa: PLC0415

        def function(context):
            def generate(context, builder, signature, arguments):
                return context.get_constant(intp, int(value_of(context)))

            return intp(), generate

        return function

    return Intrinsic(make)


has_wide_tiles = constant(lambda context: has_features(context, WIDE))
"""For kernels: has_wide_tiles(), whether wide tiles fit into registers: a constant of the code."""


def _fill_tile_with_maxima():
    from numba.types import float32, intp, void  # noqa: PLC0415

    def fill_tile_with_maxima(context, x, x_begin, n, bias, b_begin, out, o_begin, width):
        expect(float32, x, bias, out)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, x_begin, n, _, b_begin, _, o_begin, width = arguments
            steps = [n.type(w) for w in range(WORDS)]
            lowest = tile.vector([float("-inf")] * LANES)
            maxima = tile.results([lowest] * WORDS)
            with tile.tools.for_range(builder, n) as loop:
                value = tile.load(tile.at(0, tile.plus(x_begin, loop.index, width)))
                for w, largest in zip(steps, maxima, strict=True):
                    at = tile.plus(b_begin, builder.sub(loop.index, w), width)
                    candidate = builder.fadd(value, tile.load(tile.at(3, at)))
                    before = builder.load(largest)
                    larger = builder.fcmp_ordered(">", candidate, before)
                    builder.store(builder.select(larger, candidate, before), largest)
            return tile.store(maxima, [tile.at(5, tile.plus(o_begin, w, width)) for w in steps])

        return void(x, intp, intp, bias, intp, out, intp, intp), generate

    return fill_tile_with_maxima


fill_tile_with_maxima = Intrinsic(_fill_tile_with_maxima)
"""For kernels: fill_tile_with_maxima(x, x_begin, n, bias, b_begin, out, o_begin, width).

WORDS rows, by LANES: out[o_begin + w * width + j] = the maximum over i < n of x[x_begin + i *
width + j] + bias[b_begin + (i - w) * width + j], or -inf if n is 0. Arrays are float32 and of one
dimension; where they end is not checked.
"""


def _score_span_tile():
    from numba.types import float32, int64, intp, void  # noqa: PLC0415

    def score_span_tile(
        context, firsts, rows, seconds, s_begin, s_step, lengths, l_begin, l_step, weight, bias,
        out, o_begin, o_step,
    ):  # fmt: skip
        expect(float32, firsts, seconds, lengths, weight, out)
        expect(int64, rows)

        def generate(context, builder, signature, arguments):
            tile = Tile(context, builder, signature, arguments)
            _, _, _, s_begin, s_step, _, l_begin, l_step, _, bias, _, o_begin, o_step = arguments
            n = tile.size(8)
            steps = [n.type(r) for r in range(FIRSTS)]
            twice = builder.mul(n, n.type(2))
            inputs = [builder.mul(twice, builder.load(tile.at(1, r))) for r in steps]
            scores = tile.results([tile.repeat_value(bias)] * FIRSTS)
            zero = tile.vector([0.0] * LANES)
            with tile.tools.for_range(builder, n) as loop:
                d, behind = loop.index, builder.add(loop.index, n)
                second = tile.load(tile.at(2, tile.plus(s_begin, d, s_step)))
                factor = tile.load(tile.at(2, tile.plus(s_begin, behind, s_step)))
                scale = tile.repeat(tile.at(8, d))
                for r, row, score in zip(steps, inputs, scores, strict=True):
                    length = builder.sub(tile.plus(l_begin, d, l_step), r)
                    unit = builder.fadd(tile.repeat(tile.at(0, builder.add(row, d))), second)
                    unit = builder.fadd(unit, tile.load(tile.at(5, length)))
                    own = tile.repeat(tile.at(0, builder.add(row, behind)))
                    unit = tile.sum_with_product(unit, own, factor)
                    negative = builder.fcmp_ordered("<", unit, zero)
                    tile.add_product(builder.select(negative, zero, unit), scale, score)
            return tile.store(scores, [tile.at(10, tile.plus(o_begin, r, o_step)) for r in steps])

        return void(
            firsts, rows, seconds, intp, intp, lengths, intp, intp, weight, float32,
            out, intp, intp,
        ), generate  # fmt: skip

    return score_span_tile


score_span_tile = Intrinsic(_score_span_tile)
"""For kernels: score_span_tile(firsts, rows, seconds, s_begin, s_step, lengths, l_begin, l_step,
weight, bias, out, o_begin, o_step).

FIRSTS rows by LANES of scores of spans, as `chart.spans_above` has them: out[o_begin + r * o_step
+ j] = bias + the sum over d < n = len(weight) of weight[d] * max(0, u), with u = (firsts[f + d] +
seconds[s_begin + d * s_step + j] + lengths[l_begin + d * l_step + j - r]) + firsts[f + n + d] *
seconds[s_begin + (n + d) * s_step + j] and f = rows[r] * 2 n. Arrays are float32 and of one
dimension, rows int64; where they end is not checked.
"""
