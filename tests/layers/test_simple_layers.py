"""Layers of few lines: linear, activations, dropout, lookup, convolution over time, maxima."""

import numpy as np
import pytest

from senna_py.layers.activations import Dropout, HardTanh, Rectifier, Tanh
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.declarations import initial_uniform, initial_weight
from senna_py.layers.distance import DistanceConvolution
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import WordLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import Lookup
from senna_py.layers.max_over_time import MaxOverTime
from tests.helpers.finite_differences import check_layer, slope_of
from tests.helpers.whole_gradients import whole_gradients

LARGE = {"rtol": 0.02, "atol": 0.02}  # of layers whose kernels are in single precision


def test_linear():
    rng = np.random.default_rng(0)
    layer = Linear("l", rng.normal(size=(4, 3)), rng.normal(size=3), blas)
    check_layer(layer, [rng.normal(size=(5, 4))])


def test_initial_weights():
    for limit, made in (
        (0.2, initial_uniform(np.random.default_rng(0), 0.2, 30, 40)),
        (0.5, initial_weight(np.random.default_rng(0), 12, 30, 40)),
    ):
        assert (made.dtype, made.shape) == (np.float32, (30, 40))
        assert 0.99 * limit < made.max() <= limit and -limit <= made.min() < -0.99 * limit


@pytest.mark.parametrize(
    ("kind", "function"),
    [(HardTanh, lambda x: np.clip(x, -1, 1)), (Tanh, np.tanh), (Rectifier, lambda x: x * (x > 0))],
)
def test_activations(kind, function):
    x = np.random.default_rng(0).normal(0, 1.5, (9, 4)).astype(np.float32)
    out, slope = kind().forward(x.copy())
    np.testing.assert_allclose(out, function(x.astype(float)), atol=1e-6)
    expected = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    np.testing.assert_allclose(kind().backward(np.float32(2), slope), 2 * expected, atol=0.2)


def test_dropout():
    x = np.ones((100, 100), np.float32)
    out, factors = Dropout(np.random.default_rng(0), 0.25).forward(x)
    assert out is x and np.array_equal(out, factors)
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.2 < (out == 0).mean() < 0.3
    d_x = Dropout(None, 0.25).backward(np.full_like(x, 3), factors)
    assert np.array_equal(d_x, 3 * factors)
    assert Dropout(None).forward(x) == (x, None)


def test_lookup():
    rng = np.random.default_rng(0)
    layer = Lookup.numbered([rng.normal(size=(4, 2)), rng.normal(size=(3, 1))])
    index = np.array([[1, 0], [3, 2], [1, 2]], np.int32)
    x, trace = layer.forward(index)
    tables = layer.parameters()
    for row, (i, j) in zip(x, index, strict=True):
        assert row.tolist() == [*tables["tables/0"][i], *tables["tables/1"][j]]
    for fixed in ((), ("tables/1",)):
        gradients = Gradients(fixed)
        layer.backward(np.arange(9.0).reshape(3, 3), trace, gradients)
        found = whole_gradients(gradients, tables)
        assert found["tables/0"].tolist() == [[0, 0], [6, 8], [0, 0], [3, 4]]
        assert found["tables/1"].ravel().tolist() == ([0, 0, 0] if fixed else [2, 0, 13])


def test_convolution_over_time():
    rng = np.random.default_rng(0)
    weight, bias = rng.normal(size=(6, 4)).astype(np.float32), np.ones(4, np.float32)
    x, first = rng.normal(size=(7, 2)).astype(np.float32), np.array([0, 1, 4], np.int32)
    layer = WindowConvolution(("w", "b"), weight, bias)
    out, trace = layer.forward(x, first)
    expected = [x[f : f + 3].ravel() @ weight + bias for f in first]
    np.testing.assert_allclose(out, expected, rtol=1e-5)
    d_out, gradients = rng.normal(size=out.shape).astype(np.float32), Gradients()
    d_x = layer.backward(d_out, trace, gradients)
    found = whole_gradients(gradients, layer.parameters())
    for t, f in enumerate(first):  # the sums that a backward pass of windows must have made
        found["w"] -= np.outer(x[f : f + 3], d_out[t])
        d_x[f : f + 3] -= (weight @ d_out[t]).reshape(3, 2)
    np.testing.assert_allclose(found["w"], 0, atol=1e-5)
    np.testing.assert_allclose(d_x, 0, atol=1e-5)
    np.testing.assert_allclose(found["b"], d_out.sum(0), rtol=1e-5)


def test_distances():
    rng = np.random.default_rng(0)
    table, weight = (rng.normal(size=s).astype(np.float32) for s in ((5, 2), (6, 3)))
    layer = DistanceConvolution("d", table, weight)
    out, trace = layer.forward(9)
    for m, row in enumerate(out, -3):  # a window reaches one beyond the table's 2
        rows = [table[np.clip(m + k, -2, 2) + 2] for k in (-1, 0, 1)]
        np.testing.assert_allclose(row, np.concatenate(rows) @ weight, rtol=1e-5)
    assert len(layer.forward(1)[0]) == 3
    d_out, gradients = rng.normal(size=out.shape).astype(np.float32), Gradients()
    layer.backward(d_out, trace, gradients)
    found = whole_gradients(gradients, layer.parameters())
    for name, array in layer.parameters().items():
        expected = slope_of(lambda: (layer.forward(9)[0] * d_out).sum(dtype=float), array, 0.01)
        np.testing.assert_allclose(found[name], expected, **LARGE)


def test_max_over_time():
    rng = np.random.default_rng(0)
    starts = np.array([0, 3, 5], np.int32)
    batch = starts, np.array([0, 0, 1], np.int32), np.array([0, 2, 3], np.int32)
    words, verb_bias, word_bias = (rng.normal(size=(n, 4)).astype(np.float32) for n in (5, 5, 5))
    out, trace = MaxOverTime().forward((words, verb_bias, word_bias), batch)
    row = 0
    for s, v in zip(*batch[1:], strict=True):
        a, b = starts[s], starts[s + 1]
        for w in range(a, b):
            sums = [words[t] + verb_bias[t - v + 2] + word_bias[t - w + 2] for t in range(a, b)]
            np.testing.assert_allclose(out[row], np.max(sums, axis=0), rtol=1e-5)
            row += 1
    assert row == len(out)
    d_out = rng.normal(size=out.shape).astype(np.float32)
    found = MaxOverTime().backward(d_out, trace)

    def cost():
        made = MaxOverTime().forward((words, verb_bias, word_bias), batch)[0]
        return (made * d_out).sum(dtype=float)

    for d_array, array in zip(found, (words, verb_bias, word_bias), strict=True):
        np.testing.assert_allclose(d_array, slope_of(cost, array, 1e-3), **LARGE)


def test_likelihood_of_words():
    rng = np.random.default_rng(0)
    scores, gold = rng.normal(size=(4, 3)).astype(np.float32), np.array([0, 2, 1, 1], np.int32)
    cost, trace = WordLikelihood().forward(scores, gold, None)
    p = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    assert cost == pytest.approx(-np.log(p[range(4), gold]).sum(), rel=1e-5)
    d_scores = WordLikelihood().backward(trace, Gradients())
    np.testing.assert_allclose(d_scores, p - np.eye(3)[gold], atol=1e-6)
