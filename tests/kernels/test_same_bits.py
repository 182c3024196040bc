"""What tagging computes has the same bits compiled and in NumPy, and in any company."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna_py.kernels.decoding.arborescence import (
    best_trees,
    relation_units,
    score_heads,
)
from senna_py.kernels.decoding.chart import most_of_weights, spans_above
from senna_py.kernels.decoding.marginals import marginals, path_marginals
from senna_py.kernels.nn.int8 import pack, ways_here
from senna_py.kernels.nn.layer_norm import normalize_rows
from senna_py.kernels.nn.pairs import score_pairs
from senna_py.kernels.nn.plain.multiply_add import multiply_add
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.constraints import role_automata
from senna_py.layers.blocks import PackedLinear, apply_linear, widen
from senna_py.layers.constrained import Constraints
from senna_py.layers.convolution import WindowConvolution, Windows
from senna_py.layers.decoder import Decoder, Transitions
from senna_py.layers.gated_convolution import GatedBlock
from senna_py.layers.int8 import ByteColumns, Int8Weight, RoundedRows
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PairScores

SEEDS = st.integers(0, 1 << 30)
SIZES = st.sampled_from([1, 2, 15, 16, 17, 33, 64, 96, 130])
STARTS = np.array([0, 5, 5, 6, 23], np.int32)


def numbers(seed, *shape):
    """float32 with few digits in some columns, where sums are often halfway between two
    others.
    """
    rng = np.random.default_rng((seed, *shape))
    found = rng.standard_normal(shape).astype(np.float32) * np.float32(
        rng.choice([0.1, 1, 40])
    )
    few = rng.random(shape[-1:]) < 0.5
    found[..., few] = found[..., few].astype(np.float16)
    return found


def both(make):
    """Check that what a function returns, an array or several, is the same both
    ways.
    """
    with fixed_kernels(plain=False):
        compiled = make()
    with fixed_kernels(plain=True):
        plain = make()
    compiled, plain = (
        [x] if isinstance(x, np.ndarray) else x for x in (compiled, plain)
    )
    for a, b in zip(compiled, plain, strict=True):
        np.testing.assert_array_equal(a, b)


@given(
    *[st.floats(width=32, allow_subnormal=False, allow_nan=False, allow_infinity=False)]
    * 3
)
@example(1.5, 2.0**-24, 1.0)  # beyond halfway by a bit
@example(1.0, 2.0**-24, 1.0)  # halfway
@example(1 + 2.0**-23, 2.0**-24, 1.0)
@example(-(1 + 2.0**-23), 2.0**-24, 1.0)
def test_a_multiply_add_is_rounded_once(a, b, c):
    a, b, c = (np.array([x], np.float32) for x in (a, b, c))
    with np.errstate(over="ignore"):
        (found,) = multiply_add(a, b, c).tolist()
    exact = Fraction(float(a[0])) * Fraction(float(b[0])) + Fraction(float(c[0]))
    if not 2.0**-100 < abs(exact) < 2.0**127:
        return
    assert Fraction(found) == nearest(exact)


def nearest(exact):
    """The float32 next to a number, of two the one whose last bit is 0."""
    scale = Fraction(2) ** 23
    while abs(exact) * scale >= 1 << 24:
        scale /= 2
    while abs(exact) * scale < 1 << 23:
        scale *= 2
    return round(exact * scale) / scale


@given(SEEDS, st.integers(0, 130), SIZES, SIZES)
def test_linear_layers(seed, n, n_in, n_out):
    x, weight, bias = (
        numbers(seed, n, n_in),
        numbers(seed, n_in, n_out),
        numbers(seed, n_out),
    )
    both(lambda: apply_linear(x, weight, bias))
    both(lambda: PackedLinear(weight, bias)(x))
    both(lambda: Int8Weight(weight, bias)(x))


@given(SEEDS, st.integers(128, 300), st.integers(1, 300), st.integers(1, 200))
@settings(max_examples=5)
def test_layers_of_many_rows(seed, n, n_in, n_out):
    x, weight, bias = (
        numbers(seed, n, n_in),
        numbers(seed, n_in, n_out),
        numbers(seed, n_out),
    )
    both(lambda: apply_linear(x, weight, bias))


@given(SEEDS, st.sampled_from([1, 3, 5]), SIZES)
def test_windows_of_words(seed, window, n_out):
    tables = [
        numbers(seed + k, n, d) for k, (n, d) in enumerate([(90, 12), (9, 5), (70, 3)])
    ]
    weight, bias = numbers(seed, window * 20, n_out), numbers(seed, n_out)
    rng = np.random.default_rng(seed)
    index = np.stack([rng.integers(0, len(t), 40) for t in tables], axis=1).astype(
        np.int32
    )
    first = np.arange(0, 41 - window, 2, dtype=np.int32)
    both(
        lambda: Windows(("weight", "bias"), weight, bias, tables).outputs(index, first)
    )
    x = numbers(seed, 40, 20)
    both(lambda: WindowConvolution(("weight", "bias"), weight, bias).outputs(x, first))


@given(SEEDS, SIZES)
def test_layer_norms(seed, dim):
    x, gain, shift = (
        numbers(seed, 23, dim),
        numbers(seed, 1, dim)[0],
        numbers(seed + 1, 1, dim)[0],
    )

    def normalize():
        out = np.empty_like(x)
        normalize_rows(x, gain, shift, out)
        return out

    both(normalize)


@given(SEEDS, st.sampled_from([1, 3, 5]), st.sampled_from([1, 2, 9]), SIZES)
def test_blocks(seed, size, dilation, dim):
    x = numbers(seed, 23, dim)
    gain, shift = numbers(seed + 1, 2, dim)
    weight, bias = numbers(seed, size * dim, 2 * dim), numbers(seed, 2 * dim)
    both(
        lambda: GatedBlock("block", gain, shift, weight, bias, dilation).outputs(
            x, STARTS
        )
    )


@given(
    st.lists(st.floats(-200, 200, width=32, allow_subnormal=False), min_size=1), SEEDS
)
def test_gates(gates, seed):
    gates = np.concatenate([np.array(gates, np.float32), numbers(seed, 900)])
    dim, ones = len(gates), np.ones_like(gates)
    layers = (
        np.zeros((dim, 2 * dim), np.float32),
        np.concatenate([ones, gates]),
    )
    x, starts = np.zeros((1, dim), np.float32), np.array([0, 1], np.int32)
    both(lambda: GatedBlock("block", ones, ones, *layers, 1).outputs(x, starts))


@given(SEEDS, SIZES, SIZES)
def test_pairs(seed, dim, n_out):
    parts = numbers(seed, 9, 2 * dim), numbers(seed, 5, 2 * dim)
    table, rng = numbers(seed, 7, dim), np.random.default_rng(seed)
    pairs = [rng.integers(0, n, 40).astype(np.int32) for n in (9, 5, 7)]
    weight, bias = numbers(seed, dim, n_out), numbers(seed, n_out)

    def score():
        output = Linear("output", weight, bias, blas, Int8Weight)
        return PairScores(table, output).outputs(parts, pairs)

    both(score)


@given(SEEDS, SIZES, SIZES)
def test_pairs_by_all_instructions(seed, dim, n_out):
    parts = numbers(seed, 9, 2 * dim), numbers(seed, 5, 2 * dim)
    table, rng = numbers(seed, 7, dim), np.random.default_rng(seed)
    pairs = [rng.integers(0, n, 50).astype(np.int32) for n in (9, 5, 7)]
    weight, bias = ByteColumns.of(numbers(seed, dim, n_out)), numbers(seed, n_out)
    found = []
    for way in ways_here():
        found.append(np.empty((50, n_out), np.float32))
        packed = pack(weight.numbers, weight.scales, bias, way)
        score_pairs(*parts, table, *pairs, packed, found[-1])
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@pytest.mark.parametrize("scale", [0, 1e-30, 1, 1e12, 1e30])
@given(SEEDS, SIZES)
def test_spans(scale, seed, dim):
    firsts, seconds = numbers(seed, 23, 2 * dim), numbers(seed + 1, 23, 2 * dim)
    firsts[5:], lengths = firsts[5:] * np.float32(scale), numbers(seed, 9, dim)
    most = most_of_weights(dim)
    weight = np.random.default_rng(seed).integers(-most, most, dim, np.int16)

    def find():
        arrays = [np.empty(300, dtype) for dtype in (np.int32, np.int32, np.float32)]
        n = spans_above(
            firsts,
            seconds,
            lengths,
            weight,
            np.float32(1 / most),
            np.float32(0.1),
            np.float32(0),
            STARTS,
            *arrays,
        )
        return [array[:n] for array in arrays]

    both(find)


@given(SEEDS, SIZES, st.sampled_from([1, 3, 30]))
def test_heads(seed, dim, reach):
    dependents, keys = numbers(seed, 23, dim), numbers(seed + 1, 24, dim + 1)
    near, n_words = numbers(seed, 23, 2 * reach + 1), np.diff(STARTS).astype(np.int64)
    begin = np.cumsum(n_words * (n_words + 1))

    def find():
        scores, head = np.empty(begin[-1], np.float32), np.empty(23, np.int32)
        rows = RoundedRows.empty(23, dim)
        rows.round(0, dependents)
        way = ways_here()[-1]
        score_heads(rows.words, rows.scales, keys, near, STARTS, way, scores)
        found = scores.copy()  # trees mark what they change
        best_trees(scores, begin - n_words * (n_words + 1), STARTS, head)
        return found, head

    both(find)


@given(SEEDS, SIZES, st.sampled_from([0, 1, 30]))
def test_units_of_relations(seed, rank, reach):
    dependents, heads = numbers(seed, 23, rank), numbers(seed + 1, 24, rank)
    distances, rng = numbers(seed, 2 * reach + 1, rank), np.random.default_rng(seed)
    words, head = rng.integers(0, 23, 50), rng.integers(-1, 23, 50)

    def find():
        units = np.empty((50, rank), np.float32)
        relation_units(dependents, heads, distances, words, head, units)
        return (units,)

    both(find)


@pytest.mark.parametrize("scale", [1, 300])
@given(SEEDS, st.integers(1, 40))
def test_probabilities_of_tags(scale, seed, n_tags):
    emission = numbers(seed, 23, n_tags) * np.float32(scale)
    initial, transition = numbers(seed + 1, 1, n_tags)[0], numbers(seed, n_tags, n_tags)
    tags = np.random.default_rng(seed).integers(0, n_tags, 23).astype(np.int32)

    def find():
        every, single, pair = np.empty_like(emission), *np.empty((2, 23), np.float32)
        marginals(emission, STARTS, initial, transition, every)
        path_marginals(emission, STARTS, initial, transition, tags, single, pair)
        return every, single, pair

    both(find)


@given(SEEDS, st.lists(st.integers(0, 9), max_size=9))
def test_constrained_tags(seed, lengths):
    labels = [
        "O",
        *(f"{mark}-{role}" for role in ("A0", "C-A0", "R-A0") for mark in "BIES"),
    ]
    begin = np.append(0, np.cumsum(lengths)).astype(np.int32)
    scores = widen(numbers(seed, begin[-1], len(labels)))
    classes = np.random.default_rng(seed).integers(0, 7, begin[-1]).astype(np.int8)
    initial, final = numbers(seed + 1, 2, len(labels))
    transition = numbers(seed, len(labels), len(labels))
    automata = role_automata(labels)
    network = SimpleNamespace(
        output_bias=initial, initial=initial, transition=transition, final=final
    )

    def find():
        decoder = Decoder(
            begin, Transitions(network), None, Constraints(automata), classes
        )
        decoder.add(scores)
        return decoder.tags

    both(find)
