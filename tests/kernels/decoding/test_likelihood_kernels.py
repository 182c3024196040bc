import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.likelihood import sentence_likelihood, word_likelihood

IMPOSSIBLE = -10_000.0


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def log_add(values):
    """Logarithm of a sum of exponentials."""
    largest = max(values)
    return largest + np.log(sum(np.exp(v - largest) for v in values))


def all_paths(emission, starts, initial, transition, gold):
    """Cost and its gradients by enumeration of all tag paths, in double precision."""
    n_tags = emission.shape[1]
    cost, gradients = 0.0, [np.zeros(np.shape(a)) for a in (emission, initial, transition)]
    for a, b in itertools.pairwise(starts):
        if a == b:
            continue
        paths = list(itertools.product(range(n_tags), repeat=b - a))
        scores = [
            float(initial[path[0]])
            + sum(float(emission[a + t, tag]) for t, tag in enumerate(path))
            + sum(float(transition[step]) for step in itertools.pairwise(path))
            for path in paths
        ]
        log_z = log_add(scores)
        right = tuple(gold[a:b].tolist())
        cost += log_z - scores[paths.index(right)]
        for path, score in [*zip(paths, scores, strict=True), (right, None)]:
            weight = -1.0 if score is None else np.exp(score - log_z)
            gradients[1][path[0]] += weight
            for t, tag in enumerate(path):
                gradients[0][a + t, tag] += weight
            for step in itertools.pairwise(path):
                gradients[2][step] += weight
    return cost, gradients


def kernel(emission, starts, initial, transition, gold):
    out = [np.full_like(array, np.nan) for array in (emission, initial, transition)]
    cost = sentence_likelihood(emission, starts, initial, transition, gold, *out)
    return cost, out


def check(problem, tolerance=1e-5):
    cost, gradients = kernel(*problem)
    expected_cost, expected = all_paths(*problem)
    assert cost == pytest.approx(expected_cost, rel=tolerance, abs=tolerance)
    for found, wanted in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)


def problem(rng, lengths, n_tags, scale=1.0):
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission = np.float32(scale) * normal(rng, starts[-1], n_tags)
    gold = rng.integers(n_tags, size=starts[-1]).astype(np.int32)
    return [emission, starts, normal(rng, n_tags), normal(rng, n_tags, n_tags), gold]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(1, 3), st.integers(0, 999))
def test_all_paths(lengths, n_tags, seed):
    check(problem(np.random.default_rng(seed), lengths, n_tags))


@given(st.integers(0, 999))
def test_impossible_transitions(seed):
    rng = np.random.default_rng(seed)
    emission, starts, initial, transition, _ = problem(rng, [4, 1, 3], 3)
    transition[rng.random((3, 3)) < 0.4] = IMPOSSIBLE
    transition[0] = normal(rng, 3)  # some path is always possible
    transition[:, 0] = normal(rng, 3)
    initial[1:] = IMPOSSIBLE
    gold = np.zeros(8, np.int32)
    check([emission, starts, initial, transition, gold])
    gradients = kernel(emission, starts, initial, transition, gold)[1]
    assert (gradients[2][transition == IMPOSSIBLE] == 0).all()
    assert (gradients[1][1:] == 0).all()


@pytest.mark.parametrize("scale", [30, 1000, 1e6])
def test_scores_beyond_the_range_of_exp(scale):
    for seed in range(20):
        given = problem(np.random.default_rng(seed), [3, 1, 4], 3, scale)
        check(given, tolerance=max(1e-5, 1e-5 * scale))
        assert all(np.isfinite(gradient).all() for gradient in kernel(*given)[1])


def test_the_best_tag_of_a_word_cannot_be_reached():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        emission, starts, initial, transition, _ = problem(rng, [4], 3)
        transition[:, 2] = initial[2] = IMPOSSIBLE
        emission[1:, 2] += np.float32(2000)
        check([emission, starts, initial, transition, np.array([0, 1, 1, 0], np.int32)], 1e-3)


def test_large_transitions():
    given = problem(np.random.default_rng(1), [5, 2], 3)
    given[3] *= np.float32(100)
    check(given, tolerance=1e-3)


def test_costs_of_sentences_add_up():
    rng = np.random.default_rng(2)
    emission, starts, *scores, gold = problem(rng, [30, 1, 0, 12], 5)
    whole, (d_emission, d_initial, d_transition) = kernel(emission, starts, *scores, gold)
    cost, total = 0.0, [0, 0]
    for a, b in itertools.pairwise(starts):
        alone = kernel(emission[a:b], np.array([0, b - a], np.int32), *scores, gold[a:b])
        cost += alone[0]
        np.testing.assert_array_equal(alone[1][0], d_emission[a:b])
        total = [x + y for x, y in zip(total, alone[1][1:], strict=True)]
    assert whole == pytest.approx(cost)
    np.testing.assert_allclose(total[0], d_initial, atol=1e-5)
    np.testing.assert_allclose(total[1], d_transition, atol=1e-4)


@given(st.integers(0, 9), st.integers(1, 4), st.sampled_from([1, 50, 1e5]), st.integers(0, 999))
def test_word_likelihood(n, n_tags, scale, seed):
    rng = np.random.default_rng(seed)
    emission = np.float32(scale) * normal(rng, n, n_tags)
    gold = rng.integers(n_tags, size=n).astype(np.int32)
    gradient = np.full_like(emission, np.nan)
    cost = word_likelihood(emission, gold, gradient)
    wide = emission.astype(float)
    wide -= wide.max(axis=1, keepdims=True)
    log_z = np.log(np.exp(wide).sum(axis=1, keepdims=True))
    expected = np.exp(wide - log_z) - np.eye(n_tags)[gold]
    rows = np.arange(n)
    assert cost == pytest.approx((log_z[:, 0] - wide[rows, gold]).sum(), rel=1e-5, abs=1e-4)
    np.testing.assert_allclose(gradient, expected, atol=1e-5)
