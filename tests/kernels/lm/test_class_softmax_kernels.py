import numpy as np

from senna_py.kernels.lm.class_softmax import (
    class_gradients,
    class_log_probabilities,
    class_slopes,
    exp_within,
)

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
    class_slopes(features, weight, bias, STARTS, word_class, row, at, slopes, log_p, d_features)
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
    count = class_gradients(features, STARTS, word_class, order, at, slopes, rows, gradient, d_rows)
    assert count == 6 and rows.tolist() == [0, 1, 3, 4, 5, 6]
    np.testing.assert_allclose(gradient, d_weight[rows], atol=1e-5)
    np.testing.assert_allclose(d_rows, d_bias[rows], atol=1e-6)


def test_softmax_within_each_class():
    scores = np.random.default_rng(1).normal(0, 30, (4, 7)).astype(np.float32)
    expected = [np.concatenate([softmax(part) for part in np.split(row, STARTS[1:-1])])
                for row in scores.astype(float)]  # fmt: skip
    exp_within(scores, STARTS)
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-7)
