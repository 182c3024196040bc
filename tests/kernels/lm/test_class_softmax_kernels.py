import numpy as np
import pytest

from senna_py.kernels.lm.class_softmax import (
    class_gradients,
    class_log_probabilities,
    class_slopes,
    exp_within,
)
from senna_py.kernels.lm.energy import energy_gradients, energy_scores
from senna_py.kernels.lm.nplm import contexts

STARTS = np.array([0, 2, 3, 7], np.int64)


def softmax(scores):
    p = np.exp(scores - scores.max())
    return p / p.sum()


def test_slopes_and_gradients_are_those_of_plain_numpy():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(5, 3)).astype(np.float32)
    weight = rng.normal(size=(7, 3)).astype(np.float32)
    bias = rng.normal(size=7).astype(np.float32)
    row = np.array([6, 0, 2, 3, 1])
    word_class = np.array([2, 0, 1, 2, 0])
    at = np.concatenate([[0], np.cumsum(np.diff(STARTS)[word_class])])
    slopes, log_p = np.empty(at[-1], np.float32), np.empty(5)
    d_features = np.ones((5, 3), np.float32)
    class_slopes(
        features, weight, bias, STARTS, word_class, row, at, slopes, log_p, d_features
    )
    alone = np.empty(5)
    class_log_probabilities(
        features, weight, bias, STARTS, word_class, row, np.empty(4, np.float32), alone
    )
    assert alone.tolist() == log_p.tolist()
    d_weight, d_bias = np.zeros((7, 3)), np.zeros(7)
    for i in range(5):
        own = slice(STARTS[word_class[i]], STARTS[word_class[i] + 1])
        p = softmax(bias[own] + weight[own] @ features[i])
        slope = p - (np.arange(7)[own] == row[i])
        np.testing.assert_allclose(slopes[at[i] : at[i + 1]], slope, atol=1e-6)
        np.testing.assert_allclose(log_p[i], np.log(p[row[i] - own.start]), atol=1e-5)
        np.testing.assert_allclose(d_features[i], 1 + slope @ weight[own], atol=1e-5)
        d_weight[own] += slope[:, None] * features[i]
        d_bias[own] += slope
    order = np.array([1, 4, 0, 3])  # without class 1
    rows, gradient = np.empty(6, np.int32), np.empty((6, 3), np.float32)
    d_rows = np.empty(6, np.float32)
    count = class_gradients(
        features, STARTS, word_class, order, at, slopes, rows, gradient, d_rows
    )
    assert count == 6 and rows.tolist() == [0, 1, 3, 4, 5, 6]
    np.testing.assert_allclose(gradient, d_weight[rows], atol=1e-5)
    np.testing.assert_allclose(d_rows, d_bias[rows], atol=1e-6)


def test_softmax_within_each_class():
    scores = np.random.default_rng(1).normal(0, 30, (4, 7)).astype(np.float32)
    expected = [
        np.concatenate([softmax(part) for part in np.split(row, STARTS[1:-1])])
        for row in scores.astype(float)
    ]
    exp_within(scores, STARTS)
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-7)


@pytest.fixture(params=[3, 700])
def arrays(request):
    rng = np.random.default_rng(0)
    n, hidden, n_words = 2, 4, request.param
    shift = rng.normal(0, 3, (n, hidden)).astype(np.float32)
    word_part = rng.normal(0, 3, (hidden, n_words)).astype(np.float32)
    weight = rng.normal(size=(hidden, n_words)).astype(np.float32)
    return shift, word_part, weight, rng.normal(size=n_words).astype(np.float32)


def test_scores_are_those_of_plain_numpy(arrays):
    shift, word_part, weight, bias = arrays
    scores = np.empty((2, len(bias)), np.float32)
    energy_scores(*arrays, scores)
    units = np.tanh(shift[:, :, None].astype(float) + word_part)
    np.testing.assert_allclose(scores, bias + (units * weight).sum(1), atol=5e-6)


def test_gradients_are_added_as_in_plain_numpy(arrays):
    shift, word_part, weight, bias = arrays
    slopes = np.random.default_rng(1).normal(size=(2, len(bias))).astype(np.float32)
    found = [np.ones_like(array) for array in (shift, word_part, weight)]
    energy_gradients(shift, word_part, weight, slopes, *found)
    units = np.tanh(shift[:, :, None].astype(float) + word_part)
    through = slopes[:, None] * weight * (1 - units**2)
    expected = through.sum(2), through.sum(0), (slopes[:, None] * units).sum(0)
    for array, sums in zip(found, expected, strict=True):
        np.testing.assert_allclose(array, 1 + sums, rtol=1e-4, atol=1e-4)


BEGIN, PADDING = 1, 9


def naive_context(stream, position, width, begin):
    out, inside = [], True
    for t in range(position - 1, position - 1 - width, -1):
        inside = inside and t >= 0
        out.append(stream[t] if inside else PADDING)
        inside = inside and stream[t] != begin
    return out


@pytest.mark.parametrize("begin", [BEGIN, -1])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_contexts_end_where_the_stream_begins(begin, width):
    stream = np.array([1, 3, 4, 5, 2, 1, 6, 2, 1, 7], np.int32)
    positions = np.array([9, 0, 4, 6, 7], np.int64)
    out = np.empty((len(positions), width), np.int32)
    contexts(stream, positions, np.int64(begin), np.int64(PADDING), out)
    expected = [naive_context(stream, p, width, begin) for p in positions]
    np.testing.assert_array_equal(out, expected)
