import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.marginals import marginals

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
