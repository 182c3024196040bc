import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.likelihood import sentence_likelihood, word_likelihood
from senna_py.kernels.decoding.soft_likelihood import (
    soft_sentence_likelihood,
    soft_word_likelihood,
)
from tests.helpers.all_paths import IMPOSSIBLE, paths_of, random_scores, spans_of_words
from tests.helpers.finite_differences import slope_of


def random_targets(rng, n, n_tags):
    """Shares of some tags, others being 0."""
    shares = rng.random((n, n_tags)) * (rng.random((n, n_tags)) < 0.6)
    shares[np.arange(n), rng.integers(n_tags, size=n)] += 0.1
    return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)


def random_problem(rng, lengths, n_tags):
    emission, starts, *others = random_scores(rng, lengths, n_tags)
    target, weight = random_targets(rng, starts[-1], n_tags), rng.random(len(lengths))
    return (emission, *others), starts, target, weight.astype(np.float32)


def reference(arrays, starts, target, weight):
    """Cost by enumeration of all paths, each with its share."""
    emission, initial, transition = arrays
    cost, logs = 0.0, np.log(np.maximum(target.astype(float), 1e-9))
    begin, step = (
        np.where(array > IMPOSSIBLE, 0, -np.inf) for array in (initial, transition)
    )
    for (a, b), w in zip(
        spans_of_words(starts), weight[np.diff(starts) > 0], strict=True
    ):
        scores = paths_of(emission[a:b], initial, transition)[1]
        shares = paths_of(logs[a:b], begin, step)[1]
        q = np.exp(shares - np.logaddexp.reduce(shares))
        cost += w * (np.logaddexp.reduce(scores) - q[q > 0] @ scores[q > 0])
    return cost


def run(arrays, starts, target, weight):
    out = [np.full_like(array, np.nan) for array in arrays]
    emission, initial, transition = arrays
    cost = soft_sentence_likelihood(
        emission,
        starts.astype(np.int64),
        initial,
        transition,
        target,
        weight,
        IMPOSSIBLE,
        *out,
    )
    return cost, out


def check(problem):
    cost, gradients = run(*problem)
    arrays, *given = problem
    wide = [array.astype(float) for array in arrays]
    assert cost == pytest.approx(reference(wide, *given), rel=1e-5, abs=1e-5)
    for found, array in zip(gradients, wide, strict=True):
        possible = array > IMPOSSIBLE
        expected = slope_of(lambda: reference(wide, *given), array)
        np.testing.assert_allclose(found[possible], expected[possible], atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_all_paths(seed):
    check(random_problem(np.random.default_rng(seed), [3, 0, 1, 4], 3))


def test_pairs_that_are_impossible_leave_their_share_to_others():
    rng = np.random.default_rng(5)
    arrays, *given = random_problem(rng, [4, 2], 3)
    arrays[2][0, 1] = arrays[2][2, 2] = IMPOSSIBLE
    check((arrays, *given))
    assert abs(run(arrays, *given)[0]) < 100


def test_tags_that_cannot_follow_each_other():
    arrays, starts, target, weight = random_problem(np.random.default_rng(6), [2], 2)
    arrays[2][0, 1] = IMPOSSIBLE
    target[:] = np.eye(2, dtype=np.float32)
    check((arrays, starts, target, weight))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.integers(0, 999))
def test_no_scores_make_the_cost_negative(lengths, seed):
    """Or training would go on to them for ever."""
    rng = np.random.default_rng(seed)
    arrays, *given = random_problem(rng, lengths, 3)
    impossible = rng.random((3, 3)) < 0.4
    np.fill_diagonal(impossible, False)
    arrays[2][:] = np.where(impossible, IMPOSSIBLE, 30 * arrays[2])
    assert run(arrays, *given)[0] > -1e-3


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.integers(1, 5),
    st.integers(0, 999),
)
def test_hard_labels_cost_the_same(lengths, n_tags, seed):
    rng = np.random.default_rng(seed)
    arrays, starts, *_ = random_problem(rng, lengths, n_tags)
    gold = rng.integers(n_tags, size=starts[-1]).astype(np.int32)
    target, ones = (
        np.eye(n_tags, dtype=np.float32)[gold],
        np.ones(len(lengths), np.float32),
    )
    cost, found = run(arrays, starts, target, ones)
    expected = [np.empty_like(array) for array in arrays]
    emission, initial, transition = arrays
    starts = starts.astype(np.int64)
    hard = sentence_likelihood(emission, starts, initial, transition, gold, *expected)
    assert cost == pytest.approx(hard, rel=1e-6, abs=1e-4)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@given(
    st.integers(0, 9),
    st.integers(1, 5),
    st.sampled_from([1, 50, 1e5]),
    st.integers(0, 999),
)
def test_words(n, n_tags, scale, seed):
    rng = np.random.default_rng(seed)
    emission = (scale * rng.standard_normal((n, n_tags))).astype(np.float32)
    target = random_targets(rng, n, n_tags)
    weight, found = (
        rng.random(n).astype(np.float32),
        np.full((n, n_tags), np.nan, np.float32),
    )
    cost = soft_word_likelihood(emission, target, weight, found)
    wide = emission.astype(float) - emission.max(axis=1, initial=-np.inf, keepdims=True)
    log_p = wide - np.log(np.exp(wide).sum(axis=1, keepdims=True))
    assert cost == pytest.approx(
        -(weight[:, None] * target * log_p).sum(), rel=1e-4, abs=1e-4
    )
    expected = weight[:, None] * (np.exp(log_p) - target)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    gold = rng.integers(n_tags, size=n).astype(np.int32)
    target, ones = np.eye(n_tags, dtype=np.float32)[gold], np.ones(n, np.float32)
    pair = np.empty_like(emission), np.empty_like(emission)
    cost = soft_word_likelihood(emission, target, ones, pair[0])
    assert cost == pytest.approx(
        word_likelihood(emission, gold, pair[1]), rel=1e-5, abs=1e-4
    )
    np.testing.assert_allclose(*pair, atol=1e-6)
