import numpy as np
import pytest

from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores


@pytest.mark.parametrize("n_words", [1, 7, 512, 1300])
def test_softmax_is_that_of_plain_numpy(n_words):
    rng = np.random.default_rng(n_words)
    scores = rng.normal(0, 8, (5, n_words)).astype(np.float32)
    target = np.array([0, n_words - 1, -1, n_words, n_words // 2])
    largest, total = scores.max(1), np.empty(5)
    expected = np.exp(scores.astype(float) - largest[:, None])
    reached = np.empty(5)
    target_scores(scores, target, reached)
    inside = (target >= 0) & (target < n_words)
    np.testing.assert_array_equal(
        reached, np.where(inside, scores[np.arange(5), target % n_words], 0)
    )
    exp_rows(scores, largest, total)
    np.testing.assert_allclose(scores, expected, rtol=2e-5, atol=1e-37)
    np.testing.assert_allclose(total, expected.sum(1), rtol=1e-6)
    subtract_targets(scores, total, target)
    slopes = expected / expected.sum(1, keepdims=True)
    for i in np.flatnonzero(inside):
        slopes[i, target[i]] -= 1
    np.testing.assert_allclose(scores, slopes, rtol=1e-4, atol=1e-6)


def test_scores_far_below_the_largest_do_not_vanish_or_overflow():
    scores = np.array([[0, -80, -1000, -np.inf]], np.float32)
    total = np.empty(1)
    exp_rows(scores, np.zeros(1, np.float32), total)
    assert scores[0, 0] == 1 and scores[0, 1] == pytest.approx(np.exp(-80), rel=1e-4)
    assert (scores[0, 2:] > 0).all() and (scores[0, 2:] < 1e-37).all() and total[0] == 1
