from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.decoding.tree import decode_levels
from senna_py.networks.tree import kind_columns, lay_out_moves
from senna_py.networks.tree_examples import make_examples
from senna_py.networks.trees import Trees
from tests.helpers.random_networks import random_constituents

N_TYPES = 3
N_LABELS = 1 + 4 * N_TYPES


def make(lengths, trees, own=0.0, tag=None, seed=0):
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    return starts, make_examples(starts, trees, own, np.random.default_rng(seed), tag)


def states(examples, sentence):
    """Rows of token, latest, span and gold of each example of a sentence."""
    for k in np.flatnonzero(examples.sentence == sentence):
        a, b = examples.starts[k : k + 2]
        yield tuple(array[a:b] for array in examples[2:])


def decoded_state(labels, span, latest):
    """State after a level that decoding is made to find."""
    columns, n_columns = kind_columns(N_LABELS)
    emission = np.zeros((len(labels), n_columns), np.float32)
    emission[np.arange(len(labels)), columns[labels]] = 100
    moves = lay_out_moves(np.zeros(N_LABELS, np.float32), np.zeros((N_LABELS,) * 2, np.float32))
    span, latest, found = span.copy(), latest.copy(), np.empty_like(labels)
    flags = np.empty(1, bool), np.empty(1, bool)
    decode_levels(
        emission, np.array([0, len(labels)], np.int32), moves, span, latest, found, *flags
    )
    assert found.tolist() == labels.tolist()  # it is allowed
    return span, latest, bool(flags[0][0]), bool(flags[1][0])


def tags_of(trees, sentence, level, length):
    labels = np.zeros(length, np.int32)
    for k in range(*trees.starts[sentence : sentence + 2]):
        if trees.level[k] == level:
            a, b, first = trees.begin[k], trees.end[k], 1 + 4 * trees.label[k]
            longer = [first, *[first + 1] * (b - a - 2), first + 2]
            labels[a:b] = first + 3 if b - a == 1 else longer
    return labels


some_lengths = st.lists(st.integers(0, 9), max_size=6)


@settings(deadline=None)
@given(some_lengths, st.integers(0, 9999))
def test_levels_are_those_of_the_tree_in_the_states_of_decoding(lengths, seed):
    trees = random_constituents(np.random.default_rng(seed), lengths)
    starts, examples = make(lengths, trees)
    for s, (a, b) in enumerate(pairwise(starts)):
        span, latest = np.zeros(b - a, np.int32), np.zeros(b - a, np.int32)
        level, going_on = 0, b > a
        for token, *state, gold in states(examples, s):
            assert going_on
            assert token.tolist() == list(range(a, b))
            assert [array.tolist() for array in state] == [latest.tolist(), span.tolist()]
            assert gold.tolist() == tags_of(trees, s, level, b - a).tolist()
            span, latest, found, whole = decoded_state(gold, span, latest)
            going_on, level = found and not whole, level + 1
        assert not going_on


def own_trees(rng, starts, chosen):
    """Levels of other trees, as if the network had found them."""
    lengths = np.diff(starts)[chosen]
    _, examples = make(lengths, random_constituents(rng, lengths))
    labels, n_levels = [], []
    for s in range(len(lengths)):
        found = [gold for *_, gold in states(examples, s) if gold.any()]
        labels += found
        n_levels.append(len(found))
    rows = np.append(0, np.cumsum(n_levels * lengths))
    labels = np.concatenate([np.empty(0, np.int32), *labels])
    return Trees(labels, rows, np.append(0, np.cumsum(n_levels)), None)


@settings(deadline=None)
@given(some_lengths, st.integers(0, 9999), st.sampled_from([0.5, 1]))
def test_levels_of_the_network_itself(lengths, seed, share):
    rng, kept = np.random.default_rng(seed), {}
    trees = random_constituents(rng, lengths)
    all_starts = np.append(0, np.cumsum(lengths)).astype(np.int32)

    def tag(chosen):
        kept["trees"], kept["chosen"] = own_trees(rng, all_starts, chosen), chosen.tolist()
        return kept["trees"]

    starts, examples = make(lengths, trees, share, tag, seed)
    _, others = make(lengths, trees)
    chosen = kept.get("chosen", [])
    for s, (a, b) in enumerate(pairwise(starts)):
        if s not in chosen:
            for row, other in zip(states(examples, s), states(others, s), strict=True):
                assert [array.tolist() for array in row] == [array.tolist() for array in other]
            continue
        own, i = kept["trees"], chosen.index(s)
        levels = own.labels[own.rows[i] : own.rows[i + 1]].reshape(-1, max(b - a, 1))
        span, latest = np.zeros(b - a, np.int32), np.zeros(b - a, np.int32)
        found = list(states(examples, s))
        for k, (_, *state, gold) in enumerate(found):
            assert [array.tolist() for array in state] == [latest.tolist(), span.tolist()]
            decoded_state(gold, span, latest)
            if k < len(levels):
                span, latest, *_ = decoded_state(levels[k].astype(np.int32), span, latest)
        whole = b > a and span[0] == b - a
        assert len(found) == (0 if a == b else len(levels) + (not whole))


@pytest.mark.parametrize("own", [0.0, 0.5])
def test_no_sentence(own):
    _, examples = make([], random_constituents(np.random.default_rng(0), []), own)
    assert [len(array) for array in examples] == [0, 1, 0, 0, 0, 0]
