"""Best tag sequences that an automaton accepts, against all that there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.constrained import best_accepted, find_broken
from senna_py.layers.blocks import widen
from senna_py.layers.decoder import steps_of
from tests.helpers.random_arrays import integers

pytestmark = pytest.mark.usefixtures("each_way")


def accepts(kinds, follow, accepting, tags):
    state = 0
    for kind, tag in zip(kinds, tags, strict=True):
        state = follow[kind, state, tag] if state >= 0 else -1
    return state >= 0 and accepting[state]


@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 3), st.integers(0, 9999))
def test_best_of_all_that_are_accepted(n, n_tags, n_states, seed):
    rng = np.random.default_rng(seed)
    emission, initial, final = (integers(rng, *s) for s in ((n, n_tags), (n_tags,), (n_tags,)))
    transition = integers(rng, n_tags, n_tags)
    kinds = rng.integers(2, size=n).astype(np.int8)
    follow = rng.integers(-1, n_states, (2, n_states, n_tags)).astype(np.int8)
    accepting = rng.random(n_states) < 0.7
    scores = {
        tags: initial[tags[0]] + emission[range(n), tags].sum() + final[tags[-1]]
        + sum(transition[a, b] for a, b in itertools.pairwise(tags))
        for tags in itertools.product(range(n_tags), repeat=n)
        if accepts(kinds, follow, accepting, tags)
    }  # fmt: skip
    wide = np.full((n + 1, 16), 99, np.float32)
    wide[:, :n_tags] = np.concatenate([emission, [initial]])
    tags = np.full(n, -1, np.int32)
    best_accepted(
        wide[:n], wide[-1], steps_of(transition), widen(transition.T, -np.inf),
        widen(final, -np.inf), kinds, follow, accepting, tags,
    )  # fmt: skip
    assert not scores or scores[tuple(tags.tolist())] == max(scores.values())


@given(st.lists(st.integers(0, 5), max_size=4), st.integers(0, 9999))
def test_sequences_that_are_not_accepted(lengths, seed):
    rng = np.random.default_rng(seed)
    begin = np.append(0, np.cumsum(lengths)).astype(np.int32)
    tags = rng.integers(4, size=begin[-1]).astype(np.int32)
    kinds = rng.integers(2, size=begin[-1]).astype(np.int8)
    follow = rng.integers(-1, 3, (2, 2, 3, 4)).astype(np.int8)
    accepting = rng.random((2, 3)) < 0.5
    broken = np.empty((len(lengths), 2), bool)
    find_broken(tags, begin, kinds, follow, accepting, broken)
    for s, (a, b) in enumerate(itertools.pairwise(begin)):
        for k in range(2):
            assert broken[s, k] != accepts(kinds[a:b], follow[k], accepting[k], tags[a:b])
