"""Compiled loops over tiles: a row's bits are those it has alone, and no tile leaves its arrays.

Numba's bounds checks do not see what `kernels.llvm.tile` reads and writes. Here, arrays lie between
margins: what is read there spoils every result, and what is written there is found afterwards.
"""

import numpy as np
import pytest

from senna_py.kernels.decoding.chart import spans_above
from senna_py.kernels.llvm.bfloat16 import BLOCK, linear_of_words, ways_here
from senna_py.kernels.llvm.bfloat16_rounding import round_neighbors, round_numbers, round_pairs
from senna_py.kernels.llvm.bfloat16_words import pack_weight, round_rows
from senna_py.kernels.llvm.tile import FIRSTS, LANES, ROWS, WORDS, fill_tile, fill_tile_with_maxima
from senna_py.kernels.nn.gated import add_gated_units
from senna_py.kernels.nn.linear import convolve, linear, linear_of_rows, panels_of
from senna_py.kernels.nn.max_over_time import max_over_predicates, max_over_sentences
from senna_py.kernels.runtime.jit import kernel, plain_way
from tests.helpers.naive_bfloat16 import rounded

MARGIN = 64 * LANES  # elements before and behind: more than an index that is wrong by a few rows
UNTOUCHED = np.float32(-7777)


@pytest.fixture(autouse=True)
def compiled():
    """The twins of kernels have no tiles: BLAS adds in an order that depends on the batch."""
    with plain_way(False):
        yield


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def between(array, margin):
    """A copy of an array that lies in memory between two margins of that value."""
    block = np.full(array.size + 2 * MARGIN, margin, array.dtype)
    inner = block[MARGIN:-MARGIN].reshape(array.shape)
    inner[...] = array
    return inner


def results(*shape):
    """An array for results that lies between margins, all of it UNTOUCHED."""
    return between(np.full(shape, UNTOUCHED), UNTOUCHED)


def assert_margins_untouched(out):
    block = out
    while block.base is not None:
        block = block.base
    assert len(block) == out.size + 2 * MARGIN
    assert (block[:MARGIN] == UNTOUCHED).all(), "written before the array"
    assert (block[-MARGIN:] == UNTOUCHED).all(), "written behind the array"


def whole_linear(x, weight, bias):
    out = np.full((len(x), len(bias)), np.nan, np.float32)
    linear(x, weight, bias, out)
    return out


def whole_convolve(x, first, weight, bias):
    out = np.full((len(first), len(bias)), np.nan, np.float32)
    convolve(x, np.asarray(first, np.int32), weight, bias, out)
    return out


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (6, 5), (50, 33), (99, 70), (101, 300)])
def test_a_row_does_not_depend_on_its_batch(n_in, n_out):
    rng = np.random.default_rng(n_out)
    x, weight, bias = normal(rng, 211, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    whole = whole_linear(x, weight, bias)
    for size in (1, 2, 3, 4, 5, 7, 97, 101):
        parts = [whole_linear(x[a : a + size], weight, bias) for a in range(0, len(x), size)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 16), (50, 33), (101, 300)])
def test_tiles_give_the_bits_of_single_rows(n_in, n_out):
    rng = np.random.default_rng(n_out)
    x, weight, bias = normal(rng, 40, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    single = np.concatenate([whole_linear(x[k : k + 1], weight, bias) for k in range(40)])
    for n in (6, 7, 11, 12, 95, 97, 200):
        rows, out = rng.integers(40, size=n), np.full((n, n_out), np.nan, np.float32)
        linear_of_rows(x, rows, weight, panels_of(weight), bias, out)
        assert out.tobytes() == single[rows].tobytes()


def test_layers_that_do_not_fit_are_refused():
    x, weight, bias = (
        np.ones((9, 4), np.float32),
        np.ones((4, 20), np.float32),
        np.ones(20, np.float32),
    )
    rows, panels = np.arange(9), panels_of(weight)
    for panels_given, out in ((panels[1:], np.ones((9, 20))), (panels, np.ones((9, 19)))):
        with pytest.raises(ValueError, match="do not fit"):
            linear_of_rows(x, rows, weight, panels_given, bias, out.astype(np.float32))


@pytest.mark.parametrize(("window", "dim", "n_out"), [(1, 3, 2), (5, 7, 33), (5, 20, 300)])
def test_a_window_does_not_depend_on_its_batch(window, dim, n_out):
    rng = np.random.default_rng(n_out)
    x, first = normal(rng, 30, dim), np.arange(30 - window + 1)
    weight, bias = normal(rng, window * dim, n_out), normal(rng, n_out)
    whole = whole_convolve(x, first, weight, bias)
    order = rng.permutation(first)
    assert whole_convolve(x, order, weight, bias).tobytes() == whole[order].tobytes()
    for f in first:
        alone = whole_convolve(x[f : f + window].copy(), [0], weight, bias)
        assert alone[0].tobytes() == whole[f].tobytes()


@pytest.mark.parametrize("n", [6, 7, 11, 12, 95, 96, 97, 103])
@pytest.mark.parametrize(("n_in", "n_out"), [(1, 16), (5, 17), (7, 31), (3, 32), (20, 50)])
def test_a_layer_stays_inside_its_arrays(n, n_in, n_out):
    rng = np.random.default_rng(n)
    x, weight, bias = normal(rng, 40, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    rows, out = rng.integers(40, size=n), results(n, n_out)
    rows[:2] = 0, 39  # beside the margins
    linear_of_rows(
        between(x, np.nan), between(rows, -1), between(weight, np.nan),
        between(panels_of(weight), np.nan), between(bias, np.nan), out,
    )  # fmt: skip
    assert np.allclose(out, bias + x[rows].astype(float) @ weight, rtol=1e-4, atol=1e-4)
    assert_margins_untouched(out)


NO_NUMBERS = np.uint32(0x7FFF7FFF)  # of bfloat16, two; of float32, one


def packed_between(weight, bias, dim, way):
    """What `pack_weight` makes, between margins."""
    panels, _, _, sums = pack_weight(weight, bias, dim, way)
    return between(panels, NO_NUMBERS), between(bias, np.nan), way, results(*sums.shape)


@pytest.mark.parametrize("n", [1, 6, 40, 97])
@pytest.mark.parametrize("dim", [8, 16, 24, 40])
def test_gated_units_stay_inside_their_arrays(n, dim):
    rng = np.random.default_rng(n)
    x, weight, bias = normal(rng, n, dim), normal(rng, 3 * dim, 2 * dim), normal(rng, 2 * dim)
    for way in ways_here():
        words, packed = round_rows(x, way), packed_between(weight, bias, dim, way)
        words[n:] = NO_NUMBERS  # all that is read of rows that are not there
        starts, out = np.array([0, n], np.int32), results(n, dim)
        given = between(x, np.nan), between(words, NO_NUMBERS), starts, 2, 3
        add_gated_units(*given, packed, out)
        assert np.isfinite(out).all()
        assert_margins_untouched(out)
        assert_margins_untouched(packed[3])


@pytest.mark.parametrize("n", [1, 31, 33, 97])
@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (32, 32), (40, 50)])
def test_a_rounded_layer_stays_inside_its_arrays(n, n_in, n_out):
    rng = np.random.default_rng(n)
    x, weight, bias = normal(rng, n, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    for way in ways_here():
        words = round_rows(between(x, np.nan), way)
        packed = packed_between(between(weight, np.nan), bias, n_in, way)
        assert len(words) == n + BLOCK
        words[n:] = NO_NUMBERS
        out = results(n, n_out)
        linear_of_words(between(words, NO_NUMBERS), n, packed, out)
        assert np.isfinite(out).all()
        assert_margins_untouched(out)
        assert_margins_untouched(packed[3])


@kernel
def _round_between(x, out):
    for k in range(0, len(x), 2 * LANES):
        round_numbers(x, k, out, k)
        round_pairs(x, k, k + LANES, out, k + LANES)
        round_neighbors(x, k, out, k + 2 * LANES)


def test_rounding_stays_inside_its_arrays():
    x, out = normal(np.random.default_rng(0), 2 * LANES), results(3 * LANES)
    _round_between(between(x, np.nan), out.view(np.uint32))
    assert_margins_untouched(out)
    bits, words = rounded(x).view(np.uint32), out.view(np.uint32).reshape(3, LANES)
    low, high = np.uint32(16), np.uint32(0xFFFF0000)
    assert np.array_equal(words[0], bits[:LANES])
    assert np.array_equal(words[1], bits[:LANES] >> low | bits[LANES:] & high)
    assert np.array_equal(words[2], bits[1::2] >> low | bits[::2] & high)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 16, 17, 33])
def test_spans_stay_inside_their_arrays(n):
    rng = np.random.default_rng(n)
    firsts, seconds, weight = normal(rng, n, 10), normal(rng, n, 10), normal(rng, 5)
    lengths = np.full((5, FIRSTS - 1 + n + LANES), np.nan, np.float32)
    lengths[:, FIRSTS - 1 : FIRSTS - 1 + n] = normal(rng, 5, n)
    given = [between(array, np.nan) for array in (firsts, seconds, lengths, weight)]
    room = n * (n + 1) // 2
    begin, end = np.empty(room, np.int32), np.empty(room, np.int32)
    score, starts = results(room), np.array([0, n], np.int32)
    numbers = np.float32(0), np.float32(-np.inf)
    assert spans_above(*given, *numbers, starts, begin, end, score) == (room, 1)
    assert np.isfinite(score).all()
    assert_margins_untouched(score)


def greatest(x, bias):
    """Definition of max over time, over all pairs of positions."""
    n, m = len(x), len(bias) // 2
    distance = np.clip(np.arange(n) - np.arange(n)[:, None], -m, m) + m
    return (x + bias[distance]).max(axis=1)


@pytest.mark.parametrize("n", [1, 5, 6, 7, 11, 12, 13, 40])
@pytest.mark.parametrize("m", [0, 1, 4, 7, 12, 30])
@pytest.mark.parametrize("width", [16, 19, 32])
def test_maxima_stay_inside_their_sentence(n, m, width):
    rng = np.random.default_rng(n + m)
    x, bias = normal(rng, n, width), normal(rng, 2 * m + 1, width)
    neighbor = np.full((9, width), np.inf, np.float32)  # what is read of it is the maximum
    words = between(np.concatenate([neighbor, x, neighbor]), np.inf)
    starts, margined = np.array([0, 9, 9 + n, 18 + n], np.int32), between(bias, np.inf)
    out = results(n + 18, width)
    max_over_sentences(words, starts, margined, out)
    assert np.array_equal(out[9:-9], greatest(x, bias))
    assert_margins_untouched(out)

    out = results(n, width)
    sentence, predicate = np.array([1], np.int32), np.array([9 + n // 2], np.int32)
    flat = between(np.zeros_like(bias), np.inf)
    max_over_predicates(words, starts, sentence, predicate, flat, margined, out)
    assert np.array_equal(out, greatest(x, bias))
    assert_margins_untouched(out)


@kernel
def _one_tile(x, rows, panel, bias, out, t, o_begin):
    fill_tile(x, 3, rows, t, panel, 0, bias, 0, out, o_begin, LANES)


@kernel
def _one_tile_of_maxima(x, bias, out, n, b_begin):
    fill_tile_with_maxima(x, 0, n, bias, b_begin, out, 0, LANES)


def test_a_tile_outside_its_arrays_is_found():
    rng = np.random.default_rng(0)
    x, panel, bias = normal(rng, ROWS * 3), normal(rng, 3 * LANES), normal(rng, LANES)
    given = [between(x, np.nan), between(np.arange(ROWS), -1), *(
        between(array, np.nan) for array in (panel, bias)
    )]  # fmt: skip
    expected = bias + x.reshape(ROWS, 3).astype(float) @ panel.reshape(3, LANES)
    for t, begin, right, inside in ((0, 0, True, True), (1, 0, False, True), (0, 1, False, False)):
        out = results(ROWS * LANES)
        _one_tile(*given, out, t, begin)
        assert np.allclose(out.reshape(ROWS, LANES), expected, atol=1e-4) == right
        if inside:
            assert_margins_untouched(out)
        else:
            with pytest.raises(AssertionError, match="written behind"):
                assert_margins_untouched(out)


def test_maxima_outside_their_arrays_are_found():
    rng = np.random.default_rng(0)
    n = 4
    x, bias = normal(rng, n * LANES), normal(rng, (n + WORDS - 1) * LANES)
    rows, table = x.reshape(n, LANES), bias.reshape(-1, LANES)
    at = np.arange(n) - np.arange(WORDS)[:, None] + WORDS - 1
    expected = (rows + table[at]).max(axis=1)
    for steps, begin, right in ((n, WORDS - 1, True), (n + 1, WORDS - 1, False), (n, 0, False)):
        out = results(WORDS * LANES)
        given = between(x, np.inf), between(bias, np.inf)
        _one_tile_of_maxima(*given, out, steps, begin * LANES)
        assert np.array_equal(out.reshape(WORDS, LANES), expected) == right
        assert_margins_untouched(out)
