"""Softmax over words that came and drawn ones, against plain NumPy and finite differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.layers.gradients import Gradients
from senna_py.layers.sampled_softmax import SampledSoftmax
from senna_py.lm.word_sampler import WordSampler
from tests.helpers.finite_differences import slope_of
from tests.helpers.whole_gradients import whole_gradients


def new_layer(n_words=7, n_features=5, seed=0):
    rng = np.random.default_rng(seed)
    return SampledSoftmax(rng.normal(size=(n_words, n_features)), rng.normal(size=n_words))


def plain(layer, features, target, drawn, log_expected):
    """Log P of each target, by loops."""
    found = []
    for x, t in zip(features, target, strict=True):
        score = layer.weight @ x + layer.bias - log_expected
        total = np.exp(score[t]) + sum(np.exp(score[d]) for d in drawn)
        found.append(score[t] - np.log(total))
    return np.array(found)


@given(st.integers(0, 1000), st.integers(0, 4), st.integers(1, 20))
def test_it_is_what_its_docstring_says(seed, n, n_drawn):
    rng, layer = np.random.default_rng(seed), new_layer(seed=seed)
    features, target = rng.normal(size=(n, 5)), rng.integers(0, 7, n).astype(np.int32)
    drawn, log_expected = rng.integers(0, 7, n_drawn).astype(np.int32), rng.normal(size=7)
    found, _ = layer.forward(features, target, drawn, log_expected)
    expected = plain(layer, features, target, drawn, log_expected)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_gradients():
    rng, layer = np.random.default_rng(1), new_layer()
    given = np.array([3, 0, 3], np.int32), np.array([1, 3, 5, 1], np.int32), rng.normal(size=7)
    features, gradients = rng.normal(size=(3, 5)), Gradients()

    def cost():
        return -layer.forward(features, *given)[0].sum()

    d_features = layer.backward(layer.forward(features, *given)[1], gradients)
    np.testing.assert_allclose(d_features, slope_of(cost, features), atol=1e-7)
    flat = {"output_weight": layer.weight, "output_bias": layer.bias[:, None]}
    for name, found in whole_gradients(gradients, flat).items():
        np.testing.assert_allclose(found, slope_of(cost, flat[name]), atol=1e-7, err_msg=name)


def test_scores_of_all_words():
    layer, features = new_layer(), np.random.default_rng(2).normal(size=(3, 5))
    np.testing.assert_allclose(layer.scores(features), features @ layer.weight.T + layer.bias)


def test_learned_scores_are_those_of_the_whole_softmax():
    """Without the correction, words that are drawn often would be scored too low."""
    share = np.array([0.6, 0.25, 0.1, 0.05])
    layer = SampledSoftmax(np.zeros((4, 1), np.float32), np.zeros(4, np.float32))
    sampler, rng = WordSampler((1000 * share).astype(np.int64), 0.75), np.random.default_rng(3)
    for step in range(3000):
        target, gradients = rng.choice(4, 20, p=share).astype(np.int32), Gradients()
        features = np.zeros((20, 1), np.float32)
        drawn = sampler.draw(8, rng)
        _, trace = layer.forward(features, target, drawn, sampler.log_expected(8))
        layer.backward(trace, gradients)
        d_bias = whole_gradients(gradients, {"output_weight": layer.weight,
                                             "output_bias": layer.bias[:, None]})  # fmt: skip
        layer.bias -= (0.05 if step < 2000 else 0.005) * d_bias["output_bias"][:, 0]
    found = np.exp(layer.bias) / np.exp(layer.bias).sum()
    np.testing.assert_allclose(found, share, atol=0.03)


def test_words_are_drawn_by_their_counts():
    sampler = WordSampler(np.array([16, 0, 1, 81]), 0.5)
    assert np.exp(sampler.log_expected(30)) == pytest.approx([8, 2, 2, 18], rel=1e-5)
    drawn = sampler.draw(30_000, np.random.default_rng(0))
    assert drawn.dtype == np.int32
    assert np.bincount(drawn) / 1000 == pytest.approx([8, 2, 2, 18], rel=0.1)
