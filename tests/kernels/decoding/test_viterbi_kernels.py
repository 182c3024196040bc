import itertools
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.constrained import mend
from senna_py.kernels.decoding.viterbi import likely_sources, make_room, viterbi
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.constraints import Automaton
from senna_py.layers.blocks import widen
from senna_py.layers.constrained import tables_of
from senna_py.layers.decoder import steps_of
from tests.helpers.all_paths import paths_of
from tests.helpers.random_arrays import integers


def wide(array, width=16, value=99):
    """The array with columns of a value, which must not matter where that is 99."""
    filled = np.full((*array.shape[:-1], width), value, np.float32)
    filled[..., : array.shape[-1]] = array
    return filled


pytestmark = pytest.mark.usefixtures("each_way")


def decode(emission, starts, initial, transition, cuts=(), final=None):
    """Tags of a batch whose tokens are given in blocks that end at `cuts`."""
    longest, width = int(np.diff(starts).max()), -(-len(initial) // 16) * 16
    score = np.full((longest, width), np.nan, np.float32)
    tags = np.full(len(emission), -1, np.int32)
    bounds = [0, *sorted(cuts), len(emission)]
    final = np.zeros_like(initial) if final is None else final
    incoming, final = wide(transition.T, width, -np.inf), wide(final, width, -np.inf)
    for a, b in pairwise(bounds):
        viterbi(
            wide(emission[a:b], width),
            a,
            starts,
            wide(initial, width),
            steps_of(transition),
            incoming,
            final,
            score,
            tags,
        )
    return tags


def brute_force(emission, initial, transition, final):
    """Best of all tag sequences; of equal ones that with the lowest tags, compared from
    the end.
    """
    paths, scores = paths_of(emission, initial, transition)
    scores += final[paths[:, -1]]
    return min(paths[scores == scores.max(), ::-1].tolist())[::-1]


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.integers(1, 3),
    st.integers(0, 9999),
)
def test_best_of_all_sequences(lengths, n_tags, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission = integers(rng, starts[-1], n_tags, most=2)
    initial, transition = (
        integers(rng, n_tags, most=2),
        integers(rng, n_tags, n_tags, most=2),
    )
    for final in (integers(rng, n_tags, most=2), np.zeros(n_tags, np.float32)):
        expected = []
        for a, b in pairwise(starts):
            expected += brute_force(emission[a:b], initial, transition, final)
        found = decode(emission, starts, initial, transition, final=final)
        assert found.tolist() == expected
    assert decode(emission, starts, initial, transition).tolist() == expected


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 9999), st.data()
)
def test_blocks_do_not_matter(lengths, seed, data):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission, initial, transition = (
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((starts[-1], 4), 4, (4, 4))
    )
    cuts = data.draw(st.sets(st.integers(0, int(starts[-1]))))
    whole = decode(emission, starts, initial, transition)
    assert (
        decode(emission, starts, initial, transition, cuts).tolist() == whole.tolist()
    )


@given(st.integers(0, 9999))
def test_scores_that_are_no_numbers_still_give_tags(seed):
    rng = np.random.default_rng(seed)
    values = np.array([np.nan, np.inf, -np.inf, 0, 1, 3e38, -3e38], np.float32)
    starts = np.array([0, 7, 8, 12], np.int32)
    for n in (3, 100):
        emission, initial, transition = (
            rng.choice(values, shape) for shape in ((12, n), n, (n, n))
        )
        tags = decode(emission, starts, initial, transition)
        assert ((tags >= 0) & (tags < n)).all()


def test_scores_that_overflow_still_give_tags():
    starts, n = np.array([0, 3, 4], np.int32), 5
    emission, transition = (
        np.full((4, n), 3e38, np.float32),
        np.ones((n, n), np.float32),
    )
    tags = decode(emission, starts, np.zeros(n, np.float32), transition)
    assert ((tags >= 0) & (tags < n)).all()


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.sampled_from([48, 49, 64, 96, 101, 112]),
    st.sampled_from(["ties", "near", "far", "forbidden", "within", "alike"]),
    st.integers(0, 9999),
)
def test_many_tags(lengths, n_tags, kind, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    shapes = (starts[-1], n_tags), (n_tags,), (n_tags, n_tags)
    if kind == "ties":
        emission, initial, transition = (
            integers(rng, *shape, most=2) for shape in shapes
        )
    else:
        emission, initial, transition = (
            rng.standard_normal(shape).astype(np.float32) for shape in shapes
        )
    if kind == "far":
        transition *= np.float32(0.1)
    if kind == "forbidden":
        transition[rng.random(transition.shape) < 0.9 * rng.random(n_tags)] = -10000
    if kind == "within":  # as IOBES has them, but for the last few tags
        within = np.arange(n_tags) % 2 == 1
        transition[:, within] = -10000
        for tag in np.flatnonzero(within)[:-2]:
            transition[rng.choice(n_tags, 2), tag] = rng.standard_normal(2)
        # Forbidden ones may be the best.
        emission *= np.float32(rng.choice([1, 1, 8000]))
    if kind == "alike":
        transition = transition[:, rng.integers(rng.integers(1, n_tags), size=n_tags)]
    found = []
    for plain in (False, True):  # which looks at every source
        with fixed_kernels(plain):
            found.append(
                decode(emission, starts, initial, transition, cuts=[len(emission) // 2])
            )
    assert np.array_equal(*found)


def sources_of(score, extremes, n_sources):
    with fixed_kernels(plain=False):  # plain decoding looks at all sources
        room = make_room(48)
        n = likely_sources(score, extremes, n_sources, room)
    assert n % 8 == 0
    return set(room[1][:n].tolist())


def test_sources_far_below_are_left_out():
    rng = np.random.default_rng(0)
    transition, score = (
        rng.random((40, 40)).astype(np.float32),
        np.zeros(48, np.float32),
    )
    score[[3, 7]] = 1.5
    extremes = steps_of(transition)[6]
    assert sources_of(score, extremes, 40) == {3, 7}
    assert sources_of(score, extremes, 7) == {3}


def accepts(automaton, classes, tags):
    state = 0
    for row_class, tag in zip(classes, tags, strict=True):
        state = automaton.follow[row_class, state, tag] if state >= 0 else -1
    return state >= 0 and automaton.accepting[state]


def random_automaton(rng, n_states, n_tags):
    follow = rng.integers(-1, n_states, (2, n_states, n_tags)).astype(np.int8)
    return Automaton(follow, rng.random(n_states) < 0.7)


@given(
    st.lists(st.integers(0, 5), max_size=4),
    st.integers(1, 4),
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
    st.integers(0, 9999),
)
def test_best_of_all_that_are_accepted(lengths, n_tags, sizes, seed):
    """Of each sequence, under one to three automata."""
    rng = np.random.default_rng(seed)
    begin = np.append(0, np.cumsum(lengths)).astype(np.int32)
    emission = integers(rng, begin[-1], n_tags)
    initial, final = integers(rng, n_tags), integers(rng, n_tags)
    transition = integers(rng, n_tags, n_tags)
    classes = rng.integers(2, size=begin[-1]).astype(np.int8)
    automata = [random_automaton(rng, size, n_tags) for size in sizes]
    tags = rng.integers(n_tags, size=begin[-1]).astype(np.int32)
    before, wide = tags.copy(), np.full((begin[-1] + 1, 16), 99, np.float32)
    wide[:, :n_tags] = np.concatenate([emission, [initial]])
    mend(
        wide[:-1],
        begin,
        classes,
        wide[-1],
        steps_of(transition),
        widen(transition.T, -np.inf),
        widen(final, -np.inf),
        tables_of(automata),
        tags,
    )
    for a, b in itertools.pairwise(begin.tolist()):
        old, new, own = before[a:b].tolist(), tags[a:b].tolist(), classes[a:b]
        if all(accepts(each, own, old) for each in automata):
            assert new == old
            continue

        def score(each, a=a, b=b):
            return (
                initial[each[0]]
                + emission[range(a, b), each].sum()
                + final[each[-1]]
                + sum(transition[i, j] for i, j in itertools.pairwise(each))
            )

        accepted = [
            each
            for each in itertools.product(range(n_tags), repeat=b - a)
            if all(accepts(automaton, own, each) for automaton in automata)
        ]
        if accepted and new:
            # Automata that accepted a result by chance may not have been considered.
            assert all(accepts(automaton, own, new) for automaton in automata)
            assert score(new) == max(map(score, accepted))
