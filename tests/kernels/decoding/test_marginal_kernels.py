import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.marginals import marginals, path_marginals

IMPOSSIBLE = -10_000.0
pytestmark = pytest.mark.usefixtures("each_way")


def all_paths(emission, starts, initial, transition):
    """Shares of tags by enumeration of all paths, in double precision."""
    found = np.zeros(emission.shape)
    for a, b in itertools.pairwise(starts):
        if a == b:
            continue
        paths = list(itertools.product(range(emission.shape[1]), repeat=int(b - a)))
        scores = np.array([
            float(initial[path[0]])
            + sum(float(emission[a + t, tag]) for t, tag in enumerate(path))
            + sum(float(transition[step]) for step in itertools.pairwise(path))
            for path in paths
        ])  # fmt: skip
        weights = np.exp(scores - scores.max())
        for path, weight in zip(paths, weights / weights.sum(), strict=True):
            found[range(a, b), path] += weight
    return found


def random_problem(seed, lengths, n_tags, scale=1.0):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission = scale * rng.standard_normal((starts[-1], n_tags))
    initial, transition = rng.standard_normal(n_tags), rng.standard_normal((n_tags, n_tags))
    arrays = (array.astype(np.float32) for array in (emission, initial, transition))
    return next(arrays), starts, *arrays


def check(problem, tolerance=1e-5):
    out = np.full_like(problem[0], np.nan)
    marginals(*problem, out)
    np.testing.assert_allclose(out, all_paths(*problem), atol=tolerance)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(1, 3), st.integers(0, 99))
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


def random_path(emission, seed):
    return (
        np.random.default_rng(seed).integers(0, emission.shape[1], len(emission)).astype(np.int32)
    )


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.integers(1, 3), st.integers(0, 99))
def test_shares_of_one_path(lengths, n_tags, seed):
    problem = random_problem(seed, lengths, n_tags)
    tags = random_path(problem[0], seed)
    single, pair = (np.full(len(tags), np.nan, np.float32) for _ in range(2))
    path_marginals(*problem, tags, single, pair)
    shares = all_paths(*problem)[np.arange(len(tags)), tags]
    np.testing.assert_allclose(single, shares, atol=1e-5)
    np.testing.assert_allclose(pair, shares_of_pairs(*problem, tags), atol=1e-5)


def shares_of_pairs(emission, starts, initial, transition, tags):
    """The same by forbidding, at two words at once, all other tags."""
    found = np.zeros(len(tags))
    for a, b in itertools.pairwise(starts):
        for t in range(a, b):
            ways = []
            for fixed in (False, True):
                rows = emission[a:b].astype(float)
                if fixed:
                    for k in range(max(t - 1, a), t + 1):
                        rows[k - a, np.arange(len(initial)) != tags[k]] = -np.inf
                paths = itertools.product(range(len(initial)), repeat=int(b - a))
                ways.append(sum(
                    np.exp(
                        initial[path[0]]
                        + sum(rows[k, tag] for k, tag in enumerate(path))
                        + sum(transition[step] for step in itertools.pairwise(path))
                    )
                    for path in paths
                ))  # fmt: skip
            found[t] = ways[1] / ways[0]
    return found


def test_shares_of_an_impossible_path():
    emission, starts, initial, transition = random_problem(0, [4], 3)
    transition[0, 1] = IMPOSSIBLE
    single, pair = (np.full(4, np.nan, np.float32) for _ in range(2))
    path_marginals(
        emission, starts, initial, transition, np.array([2, 0, 1, 1], np.int32), single, pair
    )
    assert pair[2] == 0
    assert (single > 0).all()
