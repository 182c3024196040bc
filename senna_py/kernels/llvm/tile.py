"""Inner loops over tiles of arrays that stay in vector registers.

Numba leaves registers to LLVM, which keeps sums that are elements of arrays in memory. So these
loops are written in LLVM's own terms, see `instructions`; what goes around them is in `linear`,
`max_over_time` and `chart`.
"""

from functools import partial

from senna_py.kernels.llvm.instructions import LANES, WIDE, generated, has_features

__all__ = [
    "FIRSTS", "ROWS", "WORDS", "fill_tile", "fill_tile_with_maxima", "fill_wide_tile",
    "has_wide_tiles", "score_span_tile",
]  # fmt: skip

# 6 x 16 sums take 12 of the 16 registers of 256 bits that x86 has: weights and inputs have room.
# There are 32 of 512 bits, so that 6 x 32 sums fit, see `has_wide_tiles`: where a processor begins
# two multiply-adds a cycle, six vectors of sums would have to wait for each other.
ROWS = 6  # of a layer
WORDS = 6  # of which maxima are taken
FIRSTS = 4  # words where spans begin


@generated("intp()")
def has_wide_tiles(tile):
    """For kernels: whether wide tiles fit into registers, a constant of the code."""
    return tile.constant(has_features(tile.context, WIDE))


def _fill_tile(n_panels, tile, x, n, rows, t, panel, p_begin, bias, b_begin, out, o_begin, width):
    builder, steps = tile.builder, [n.type(r) for r in range(ROWS)]
    index = [builder.load(rows.at(builder.add(t, r))) for r in steps]
    inputs = [x.at(builder.mul(n, row)) for row in index]
    columns = [n.type(p * LANES) for p in range(n_panels)]
    biases = [tile.load(bias.at(builder.add(b_begin, column))) for column in columns]
    sums = tile.results(biases * ROWS)
    with tile.tools.for_range(builder, n) as loop:
        tile.multiply(loop.index, inputs, panel, p_begin, n, sums)
    begins = [tile.plus(o_begin, r, width) for r in steps]
    tile.store(sums, [out.at(builder.add(row, c)) for row in begins for c in columns])


fill_tile, fill_wide_tile = (
    generated("""void(float32[::1], intp, int64[::1], intp, float32[::1], intp, float32[::1], intp,
                      float32[::1], intp, intp)""")(partial(_fill_tile, n_panels))
    for n_panels in (1, 2)
)
"""For kernels: fill_tile(x, n, rows, t, panel, p_begin, bias, b_begin, out, o_begin, width).

ROWS rows of LANES of the `width` outputs of a layer of n inputs: out[o_begin + r * width + j] =
bias[b_begin + j] + the sum over k, in this order, of x[rows[t + r] * n + k] * panel[p_begin + k *
LANES + j]. Where arrays end is not checked.

fill_wide_tile does it for the 2 * LANES columns of this panel and the next one.
"""


@generated("void(float32[::1], intp, intp, float32[::1], intp, float32[::1], intp, intp)")
def fill_tile_with_maxima(tile, x, x_begin, n, bias, b_begin, out, o_begin, width):
    """For kernels: maxima over rows.

    WORDS rows, by LANES: out[o_begin + w * width + j] = the maximum over i < n of x[x_begin + i *
    width + j] + bias[b_begin + (i - w) * width + j], or -inf if n is 0. Where arrays end is not
    checked.
    """
    builder, steps = tile.builder, [n.type(w) for w in range(WORDS)]
    maxima = tile.results([tile.vector([float("-inf")] * LANES)] * WORDS)
    with tile.tools.for_range(builder, n) as loop:
        value = tile.load(x.at(tile.plus(x_begin, loop.index, width)))
        for w, largest in zip(steps, maxima, strict=True):
            at = tile.plus(b_begin, builder.sub(loop.index, w), width)
            candidate = builder.fadd(value, tile.load(bias.at(at)))
            before = builder.load(largest)
            larger = builder.fcmp_ordered(">", candidate, before)
            builder.store(builder.select(larger, candidate, before), largest)
    tile.store(maxima, [out.at(tile.plus(o_begin, w, width)) for w in steps])


@generated("""void(float32[::1], int64[::1], float32[::1], intp, intp, float32[::1], intp, intp,
                   float32[::1], float32, float32[::1], intp, intp)""")
def score_span_tile(
    tile, firsts, rows, seconds, s_begin, s_step, lengths, l_begin, l_step, weight, bias, out,
    o_begin, o_step,
):  # fmt: skip
    """For kernels: scores of spans.

    FIRSTS rows by LANES, as `chart.spans_above` has them: out[o_begin + r * o_step + j] = bias +
    the sum over d < n = len(weight) of weight[d] * max(0, u), with u = (firsts[f + d] +
    seconds[s_begin + d * s_step + j] + lengths[l_begin + d * l_step + j - r]) + firsts[f + n + d] *
    seconds[s_begin + (n + d) * s_step + j] and f = rows[r] * 2 n. Where arrays end is not checked.
    """
    builder, n = tile.builder, weight.size
    steps, twice = [n.type(r) for r in range(FIRSTS)], builder.mul(n, n.type(2))
    inputs = [builder.mul(twice, builder.load(rows.at(r))) for r in steps]
    scores = tile.results([tile.repeat_value(bias)] * FIRSTS)
    zero = tile.vector([0.0] * LANES)
    with tile.tools.for_range(builder, n) as loop:
        d, behind = loop.index, builder.add(loop.index, n)
        second = tile.load(seconds.at(tile.plus(s_begin, d, s_step)))
        factor = tile.load(seconds.at(tile.plus(s_begin, behind, s_step)))
        scale = tile.repeat(weight.at(d))
        for r, row, score in zip(steps, inputs, scores, strict=True):
            length = builder.sub(tile.plus(l_begin, d, l_step), r)
            unit = builder.fadd(tile.repeat(firsts.at(builder.add(row, d))), second)
            unit = builder.fadd(unit, tile.load(lengths.at(length)))
            own = tile.repeat(firsts.at(builder.add(row, behind)))
            unit = tile.sum_with_product(unit, own, factor)
            negative = builder.fcmp_ordered("<", unit, zero)
            tile.add_product(builder.select(negative, zero, unit), scale, score)
    tile.store(scores, [out.at(tile.plus(o_begin, r, o_step)) for r in steps])
