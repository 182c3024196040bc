import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.likelihood import sentence_likelihood
from tests.helpers.all_paths import IMPOSSIBLE, paths_of, random_scores, spans_of_words


def all_paths(emission, starts, initial, transition, gold):
    """Cost and its gradients by enumeration of all tag paths, in double precision."""
    cost, gradients = 0.0, [np.zeros(a.shape) for a in (emission, initial, transition)]
    for a, b in spans_of_words(starts):
        paths, scores = paths_of(emission[a:b], initial, transition)
        right = (paths == gold[a:b]).all(axis=1)
        log_z = np.logaddexp.reduce(scores)
        cost += log_z - scores[right].item()
        shares = np.exp(scores - log_z) - right
        np.add.at(gradients[0][a:b], (np.arange(b - a), paths), shares[:, None])
        np.add.at(gradients[1], paths[:, 0], shares)
        np.add.at(gradients[2], (paths[:, :-1], paths[:, 1:]), shares[:, None])
    return cost, gradients


def kernel(emission, starts, initial, transition, gold):
    out = [np.full_like(array, np.nan) for array in (emission, initial, transition)]
    # As in use: another type would be compiled for itself.
    starts = starts.astype(np.int64)
    cost = sentence_likelihood(emission, starts, initial, transition, gold, *out)
    return cost, out


def check(problem, tolerance=1e-5):
    cost, gradients = kernel(*problem)
    expected_cost, expected = all_paths(*problem)
    assert cost == pytest.approx(expected_cost, rel=tolerance, abs=tolerance)
    for found, wanted in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)


def problem(rng, lengths, n_tags, scale=1.0):
    scores = random_scores(rng, lengths, n_tags, scale)
    return [*scores, rng.integers(n_tags, size=len(scores[0])).astype(np.int32)]


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(0, 999),
)
def test_all_paths(lengths, n_tags, seed):
    check(problem(np.random.default_rng(seed), lengths, n_tags))


@given(st.integers(0, 999))
def test_impossible_transitions(seed):
    rng = np.random.default_rng(seed)
    emission, starts, initial, transition, _ = problem(rng, [4, 1, 3], 3)
    transition[rng.random((3, 3)) < 0.4] = IMPOSSIBLE
    transition[0] = rng.standard_normal(3)  # some path is always possible
    transition[:, 0] = rng.standard_normal(3)
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
        check(
            [emission, starts, initial, transition, np.array([0, 1, 1, 0], np.int32)],
            1e-3,
        )
