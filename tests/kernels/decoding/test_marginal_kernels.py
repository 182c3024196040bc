import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.marginals import marginals, path_marginals
from tests.helpers.all_paths import IMPOSSIBLE, paths_of, random_scores, spans_of_words

pytestmark = pytest.mark.usefixtures("each_way")


def shares_of_paths(emission, starts, initial, transition):
    """For each sentence its begin and end, all paths and their shares, in double
    precision.
    """
    for a, b in spans_of_words(starts):
        paths, scores = paths_of(emission[a:b], initial, transition)
        yield a, b, paths, np.exp(scores - np.logaddexp.reduce(scores))


def all_paths(emission, *scores):
    """Shares of tags by enumeration of all paths."""
    found = np.zeros(emission.shape)
    for a, b, paths, shares in shares_of_paths(emission, *scores):
        np.add.at(found[a:b], (np.arange(b - a), paths), shares[:, None])
    return found


def random_problem(seed, *sizes):
    return random_scores(np.random.default_rng(seed), *sizes)


def check(problem, tolerance=1e-5):
    out = np.full_like(problem[0], np.nan)
    marginals(*problem, out)
    np.testing.assert_allclose(out, all_paths(*problem), atol=tolerance)


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_all_paths(lengths, n_tags, seed):
    check(random_problem(seed, lengths, n_tags))


@pytest.mark.parametrize("scale", [30, 1000])
def test_scores_beyond_the_range_of_exp(scale):
    for seed in range(5):
        check(random_problem(seed, [3, 1, 4], 3, scale), 1e-3)


def test_impossible_transitions():
    emission, starts, initial, transition = random_problem(0, [4, 2], 3)
    initial[2] = transition[0, 1] = transition[2, 2] = IMPOSSIBLE
    check((emission, starts, initial, transition))


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_shares_of_one_path(lengths, n_tags, seed):
    problem = random_problem(seed, lengths, n_tags)
    rng = np.random.default_rng(seed)
    tags = rng.integers(n_tags, size=len(problem[0])).astype(np.int32)
    single, pair = (np.full(len(tags), np.nan, np.float32) for _ in range(2))
    path_marginals(*problem, tags, single, pair)
    shares = all_paths(*problem)[np.arange(len(tags)), tags]
    np.testing.assert_allclose(single, shares, atol=1e-5)
    np.testing.assert_allclose(pair, shares_of_pairs(*problem, tags=tags), atol=1e-5)


def shares_of_pairs(*problem, tags):
    """Shares of the tags of each word and of the word before it, the first one's
    alone.
    """
    found = []
    for a, b, paths, shares in shares_of_paths(*problem):
        same = paths == tags[a:b]
        found += [
            shares[same[:, t] & same[:, max(t - 1, 0)]].sum() for t in range(b - a)
        ]
    return found


def test_shares_of_an_impossible_path():
    emission, starts, initial, transition = random_problem(0, [4], 3)
    transition[0, 1] = IMPOSSIBLE
    single, pair = (np.full(4, np.nan, np.float32) for _ in range(2))
    path_marginals(
        emission,
        starts,
        initial,
        transition,
        np.array([2, 0, 1, 1], np.int32),
        single,
        pair,
    )
    assert pair[2] == 0
    assert (single > 0).all()
