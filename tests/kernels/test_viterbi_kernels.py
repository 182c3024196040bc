from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.viterbi import largest_sums, viterbi


def wide(array, width=16):
    """The array with columns that must not matter."""
    filled = np.full((*array.shape[:-1], width), 99, np.float32)
    filled[..., : array.shape[-1]] = array
    return filled

pytestmark = pytest.mark.usefixtures("each_way")


def decode(emission, starts, initial, transition, cuts=(), final=None):
    """Tags of a batch whose tokens are given in blocks that end at `cuts`."""
    longest = int(np.diff(starts).max())
    score = np.full((longest, 16), np.nan, np.float32)
    tags = np.full(len(emission), -1, np.int32)
    bounds = [0, *sorted(cuts), len(emission)]
    final = np.zeros_like(initial) if final is None else final
    incoming = np.ascontiguousarray(transition.T)
    for a, b in pairwise(bounds):
        viterbi(
            wide(emission[a:b]), a, starts, wide(initial), wide(transition), incoming, final,
            score, tags,
        )  # fmt: skip
    return tags


def brute_force(emission, initial, transition, final):
    """Best of all tag sequences; of equal ones that with the lowest tags, compared from the end."""

    def score(path):
        steps = pairwise(path)
        return (
            initial[path[0]]
            + final[path[-1]]
            + sum(transition[step] for step in steps)
            + sum(emission[t, tag] for t, tag in enumerate(path))
        )

    paths = list(product(range(len(initial)), repeat=len(emission)))
    best = max(map(score, paths))
    return min((path for path in paths if score(path) == best), key=lambda path: path[::-1])


def integers(rng, *shape):
    """Few and whole numbers: sums are exact, and ties are common."""
    return rng.integers(-2, 3, shape).astype(np.float32)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.integers(1, 3), st.integers(0, 9999))
def test_best_of_all_sequences(lengths, n_tags, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission = integers(rng, starts[-1], n_tags)
    initial, transition = integers(rng, n_tags), integers(rng, n_tags, n_tags)
    for final in (integers(rng, n_tags), np.zeros(n_tags, np.float32)):
        expected = []
        for a, b in pairwise(starts):
            expected += brute_force(emission[a:b], initial, transition, final)
        found = decode(emission, starts, initial, transition, final=final)
        assert found.tolist() == expected
    assert decode(emission, starts, initial, transition).tolist() == expected


def test_ties_go_to_the_lowest_tag():
    nothing = np.zeros((6, 3), np.float32)
    starts = np.array([0, 4, 6], np.int32)
    tags = decode(nothing, starts, nothing[0], np.zeros((3, 3), np.float32))
    assert tags.tolist() == [0] * 6


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 9999), st.data())
def test_blocks_do_not_matter(lengths, seed, data):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission, initial, transition = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((starts[-1], 4), 4, (4, 4))
    )
    cuts = data.draw(st.sets(st.integers(0, int(starts[-1]))))
    whole = decode(emission, starts, initial, transition)
    assert decode(emission, starts, initial, transition, cuts).tolist() == whole.tolist()


@given(st.integers(0, 9999))
def test_scores_that_are_no_numbers_still_give_tags(seed):
    rng = np.random.default_rng(seed)
    values = np.array([np.nan, np.inf, -np.inf, 0, 1, 3e38, -3e38], np.float32)
    starts = np.array([0, 7, 8, 12], np.int32)
    emission, initial, transition = (rng.choice(values, shape) for shape in ((12, 3), 3, (3, 3)))
    tags = decode(emission, starts, initial, transition)
    assert ((tags >= 0) & (tags < 3)).all()


@given(st.integers(1, 20), st.integers(0, 9999))
def test_largest_sums(n_tags, seed):
    rng = np.random.default_rng(seed)
    score, transition = (
        rng.standard_normal(shape).astype(np.float32) for shape in (n_tags, (n_tags, 32))
    )
    out = np.empty(32, np.float32)
    largest_sums(score, transition, n_tags, out)
    assert np.array_equal(out, (score[:, None] + transition).max(axis=0))
