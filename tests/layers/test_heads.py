"""The heads for dependencies and for constituents, and their gradients."""

import math

import numpy as np
import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.activations import Dropout
from senna_py.layers.arcs import ArcHead, Relations
from senna_py.layers.biaffine import Biaffine, score_blocks
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.likelihood import head_cost
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PairParts
from senna_py.layers.protocol import Layer
from senna_py.layers.spans import SpanHead, spans_of
from tests.helpers.finite_differences import check_layer, slope_of

STARTS = np.array([0, 3, 3, 4, 9], np.int32)
# Of each word in its sentence; the root is -1.
HEAD = np.array([1, -1, 1, -1, 4, 0, 0, -1, 3], np.int32)
N_WORDS, N_UNITS, RANK, N_RELATIONS = 9, 4, 3, 5


def biaffine(rng, dtype=float):
    shapes = (N_UNITS, N_UNITS), (N_UNITS,), (5, N_UNITS)
    return Biaffine(*(rng.normal(size=shape).astype(dtype) for shape in shapes))


def arc_head(rng, dtype=float):
    def linear(name, n_in, n_out):
        arrays = (
            rng.normal(size=shape).astype(dtype) for shape in ((n_in, n_out), n_out)
        )
        return Linear(name, *arrays, blas, Int8Weight)

    relations = Relations(
        linear("dependent", N_UNITS, RANK),
        linear("head", N_UNITS, RANK),
        linear("output", RANK, N_RELATIONS),
        rng.normal(size=(5, RANK)).astype(dtype),
    )
    root = rng.normal(size=N_UNITS).astype(dtype)
    return ArcHead(root, biaffine(rng, dtype), relations)


def span_head(rng, dtype=float):
    shapes = (3, N_UNITS), (N_UNITS, 1 + 2), (1 + 2,)
    return SpanHead(*(rng.normal(size=shape).astype(dtype) for shape in shapes))


class Flat(Layer):
    """A layer whose outputs, or those named, are put in a row, as `check_layer` takes."""

    def __init__(self, layer, *names):
        self._layer, self._names = layer, names

    def parameters(self):
        return self._layer.parameters()

    def forward(self, *given):
        out, trace = self._layer.forward(*given)
        arrays = [getattr(out, name) for name in self._names]
        shapes = [array.shape for array in arrays]
        return np.concatenate([array.ravel() for array in arrays]), (shapes, trace)

    def backward(self, d_out, trace, gradients):
        shapes, trace = trace
        ends = np.cumsum([math.prod(shape) for shape in shapes])[:-1]
        parts = np.split(d_out, ends)
        d_parts = [
            part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)
        ]
        return self._layer.backward(d_parts, trace, gradients)


def test_gradients_of_the_biaffine_layer():
    rng = np.random.default_rng(1)
    units = [rng.normal(size=(n, N_UNITS)) for n in (N_WORDS, N_WORDS + 1)]
    check_layer(biaffine(rng), units, STARTS)


def test_biaffine_scores_are_those_of_the_formula():
    rng = np.random.default_rng(2)
    layer = biaffine(rng)
    dependents, heads = (rng.normal(size=(n, N_UNITS)) for n in (N_WORDS, N_WORDS + 1))
    scores, _ = layer.forward(dependents, heads, STARTS)
    for (a, b), block in score_blocks(scores, STARTS):
        for i in range(b - a):
            for j in range(-1, b - a):
                head = heads[a + j] if j >= 0 else heads[-1]
                key = head @ layer.weight
                if j >= 0:
                    key = key + layer.distances[2 + int(np.clip(j - i, -2, 2))]
                expected = dependents[a + i] @ key + head @ layer.bias
                assert block[i, j + 1] == pytest.approx(expected)


def test_scores_of_relations_are_those_of_the_formula():
    rng = np.random.default_rng(8)
    arrays = [rng.normal(size=(N_UNITS, RANK)) for _ in range(2)]
    output, near = rng.normal(size=(RANK, N_RELATIONS)), rng.normal(size=(5, RANK))
    dependent, head_side, last = (
        Linear(name, weight, np.zeros(weight.shape[1]), blas)
        for name, weight in zip(
            ("dependent", "head", "output"), [*arrays, output], strict=True
        )
    )
    layer = Relations(dependent, head_side, last, near)
    dependents, heads = (rng.normal(size=(n, N_UNITS)) for n in (N_WORDS, N_WORDS + 1))
    chosen = np.array([3, -1, 0, 2, -1, 6, 5, 0, -1])  # among all words
    scores, _ = layer.forward(dependents, heads, chosen)
    for i, j in enumerate(chosen.tolist()):
        distance = 0 if j < 0 else int(np.clip(j - i, -2, 2))  # The root has none.
        units = (dependents[i] @ arrays[0]) * (heads[j] @ arrays[1])
        np.testing.assert_allclose(scores[i], (units + near[2 + distance]) @ output)


def test_relations_are_scored_with_the_heads_of_their_sentences():
    rng = np.random.default_rng(10)
    layer = arc_head(rng)
    units = rng.normal(size=(N_WORDS, 2 * N_UNITS))
    whole, _ = layer.forward(units, STARTS, HEAD)
    for begin, end in ((0, 3), (3, 4), (4, 9)):
        head, starts = HEAD[begin:end], np.array([0, end - begin], np.int32)
        alone, _ = layer.forward(units[begin:end], starts, head)
        np.testing.assert_allclose(whole.relations[begin:end], alone.relations)
        # A word whose head is the first one is scored otherwise than a root.
        for i in np.flatnonzero(head == 0).tolist():
            of_root, _ = layer.forward(
                units[begin:end], starts, np.where(np.arange(len(head)) == i, -1, head)
            )
            assert not np.allclose(of_root.relations[i], alone.relations[i])


def test_gradients_of_the_head_for_dependencies():
    rng = np.random.default_rng(3)
    units = rng.normal(size=(N_WORDS, 2 * N_UNITS))
    check_layer(Flat(arc_head(rng), "arcs", "relations"), [units], STARTS, HEAD)


@pytest.mark.parametrize("plain", [False, True])
def test_the_head_for_dependencies_is_nearly_the_same_in_tagging(plain):
    rng = np.random.default_rng(4)
    layer = arc_head(rng, np.float32)
    units = rng.normal(size=(N_WORDS, 2 * N_UNITS)).astype(np.float32)
    expected, _ = layer.forward(units, STARTS, HEAD)
    with fixed_kernels(plain):
        scores = layer.outputs(units, STARTS, HEAD)
        best = layer.outputs(units, STARTS)
    # Tagging rounds the factors of all products to 8 bits.
    np.testing.assert_allclose(scores.arcs, expected.arcs, atol=0.3)
    np.testing.assert_allclose(scores.relations, expected.relations, atol=0.3)
    for (a, b), block in score_blocks(best.arcs, STARTS):
        roots = best.head[a:b] == -1
        assert roots.sum() == (b > a)
        assert np.isneginf(np.diagonal(block, 1)).all()


def test_gradients_of_the_head_for_constituents():
    rng = np.random.default_rng(5)
    layer, n_spans = span_head(rng), len(spans_of(STARTS, 3)[0])
    assert n_spans == 6 + 1 + 15
    parts = [rng.normal(size=(N_WORDS, 2 * N_UNITS)) for _ in range(2)]

    class OfParts(Flat):
        """The layer of the two parts apart."""

        def forward(self, first, second, *given):
            return super().forward([first, second], *given)

        def backward(self, *given):
            return tuple(super().backward(*given))

    chosen = np.array([0, 6, 6, 21])
    given = STARTS, Dropout(None), -math.inf, chosen
    check_layer(OfParts(layer, "score", "labels"), parts, *given)


@pytest.mark.parametrize("plain", [False, True])
def test_the_head_for_constituents_is_the_same_in_tagging(plain):
    rng = np.random.default_rng(6)
    layer = span_head(rng, np.float32)
    parts = [
        rng.normal(size=(N_WORDS, 2 * N_UNITS)).astype(np.float32) for _ in range(2)
    ]
    every = np.arange(len(spans_of(STARTS, 3)[0]))
    expected, _ = layer.forward(parts, STARTS, Dropout(None), -math.inf, every)
    with fixed_kernels(plain):
        scores = layer.outputs(parts, STARTS, None, -math.inf)
        likely = layer.outputs(parts, STARTS, None, 0.5)
    assert np.array_equal(scores.begin, expected.begin)
    assert np.array_equal(scores.end, expected.end)
    # Units and weights are rounded, for labels to 8 bits.
    np.testing.assert_allclose(scores.score, expected.score, atol=0.02)
    np.testing.assert_allclose(scores.labels, expected.labels, atol=0.1)
    whole = {(0, 3), (3, 4), (4, 9)}
    spans = zip(scores.begin.tolist(), scores.end.tolist(), strict=True)
    kept = [
        span
        for span, score in zip(spans, scores.score.tolist(), strict=True)
        if score >= 0.5 or span in whole
    ]
    assert [*zip(likely.begin.tolist(), likely.end.tolist(), strict=True)] == kept
    assert 0 < len(kept) < len(every)


@pytest.mark.parametrize("predicate", [None, np.array([1, 1, 4], np.int32)])
def test_gradients_of_the_parts_of_pairs(predicate):
    rng = np.random.default_rng(9)
    names = "hidden_weight", "predicate_weight", "word_factor", "predicate_factor"
    arrays = {name: rng.normal(size=(3, N_UNITS)) for name in names}
    layer = PairParts(arrays | {"hidden_bias": rng.normal(size=N_UNITS)})

    class Joined(Layer):
        """The layer with both of its outputs in one array."""

        def parameters(self):
            return layer.parameters()

        def forward(self, states, *given):
            parts, trace = layer.forward(states, *given)
            return np.concatenate(parts), (len(parts[0]), trace)

        def backward(self, d_out, trace, gradients):
            n, trace = trace
            return layer.backward([d_out[:n], d_out[n:]], trace, gradients)

    check_layer(Joined(), [rng.normal(size=(N_WORDS, 3))], predicate)


def test_the_cost_of_heads_and_its_gradient():
    rng = np.random.default_rng(7)
    scores = rng.normal(size=3 * 4 + 1 * 2 + 5 * 6).astype(np.float32)
    share = rng.random(N_WORDS).astype(np.float32)
    cost, d_scores = head_cost(scores, STARTS, HEAD, share)
    expected = 0.0
    for (a, b), block in score_blocks(scores.astype(float), STARTS):
        for i in range(b - a):
            block[i, i + 1] = -np.inf
            chosen = block[i, HEAD[a + i] + 1]
            expected -= share[a + i] * (chosen - np.logaddexp.reduce(block[i]))
    assert cost == pytest.approx(expected, rel=1e-5)
    slopes = slope_of(lambda: head_cost(scores, STARTS, HEAD, share)[0], scores, 1e-2)
    np.testing.assert_allclose(d_scores, slopes, atol=1e-3)
