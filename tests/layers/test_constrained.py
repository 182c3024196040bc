"""Tag sequences that keep to constraints, against all that there are."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.constraints import (
    RowClass,
    role_automata,
    segment_automata,
    tag_automata,
)
from senna_py.labels.tag_schemes import segments
from senna_py.layers.constrained import Constraints
from senna_py.layers.decoder import Decoder, Transitions
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import (
    IMPOSSIBLE,
    SentenceLikelihood,
    SoftSentenceLikelihood,
    SoftWordLikelihood,
)
from senna_py.networks.batch import WordBatch
from senna_py.tagging.inputs import constraints
from tests.helpers.finite_differences import slope_of
from tests.helpers.random_networks import dilated_network

(
    OTHER,
    OPENS,
    CLOSES,
    _,
    FAR,
    FAR_FROM_FINITE,
    FAR_NEVER,
    NUMBER,
    COUNT,
    TWO,
    COMMON,
    _,
    _,
) = RowClass


# Each has three constraints: of more, some may be broken.
ROLES = (
    ("O", "B-A0", "E-A0", "S-A0", "S-A1", "S-AM-LOC", "S-C-A0"),
    ("O", "B-A0", "E-A0", "S-A0", "S-AM-LOC", "S-R-A0", "S-R-AM-LOC"),
)
CHUNKS = ("O", "B-NP", "I-NP", "E-NP", "S-NP", "S-VP")
PAIRS = (
    [],
    [(0, 1)],
    [(0, 3)],
    [(1, 3)],
    [(0, 1), (2, 3)],
    [(0, 4), (1, 3)],
    [(1, 4), (2, 3)],
)


def random_scores(seed, keys, lengths, scale=1):
    """Transitions of the IOBES `keys`, scores of sequences, and where each of them
    begins.

    scale: standard deviation of those of transitions.
    """
    rng = np.random.default_rng(seed)
    begins, follows, ends = constraints(list(keys))
    possible = {"initial": begins, "transition": follows, "final": ends}
    network = SimpleNamespace(output_bias=np.zeros(len(keys)))
    for name, each in possible.items():
        values = np.where(each, rng.normal(0, scale, each.shape), IMPOSSIBLE)
        setattr(network, name, values.astype(np.float32))
    begin = np.append(0, np.cumsum(lengths)).astype(np.int32)
    scores = np.zeros((begin[-1], -(-len(keys) // 16) * 16), np.float32)
    scores[:, : len(keys)] = rng.normal(size=(begin[-1], len(keys))) * 2
    return Transitions(network), scores, begin


def is_best(tags, transitions, scores, accepts):
    """Whether `accepts` takes tags, a list, and no better sequence of all, but for
    rounding.
    """
    if not tags:
        return len(scores) == 0
    t, every = (
        transitions,
        np.indices([transitions.n_tags] * len(tags)).reshape(len(tags), -1),
    )
    totals = t.initial[every[0]] + t.final[every[-1]]
    totals += sum(row[own] for row, own in zip(scores, every, strict=True))
    totals += sum(t.incoming[b, a] for a, b in itertools.pairwise(every))
    (own,) = totals[(every == np.array(tags)[:, None]).all(0)]
    better = every.T[totals > own + 1e-4].tolist()
    return accepts(tags) and not any(map(accepts, better))


def are_roles(names):
    found = [kind for kind, *_ in segments(names)]
    return all(
        (role not in ("A0", "A1") or found.count(role) == 1)
        and (role[:2] != "C-" or role[2:] in found[:k])
        and (role[:2] != "R-" or role[2:] in found)
        for k, role in enumerate(found)
    )


def hold_pairs(names, pairs):
    return all(
        (begin <= a < end) == (begin <= b < end)
        for _, begin, end in segments(names)
        for a, b in pairs
    )


def decode(transitions, scores, begin, automata, row_classes=None):
    decoder = Decoder(
        begin, transitions, None, automata and Constraints(automata), row_classes
    )
    decoder.add(scores)
    return decoder.tags.tolist()


@given(
    st.integers(0),
    st.sampled_from(ROLES),
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
)
def test_roles(seed, roles, lengths):
    automata = role_automata(roles)
    assert len(automata) == 3
    transitions, scores, begin = random_scores(seed, roles, lengths)
    found = decode(transitions, scores, begin, automata)
    for a, b in itertools.pairwise(begin.tolist()):
        assert is_best(
            found[a:b],
            transitions,
            scores[a:b],
            lambda tags: are_roles([roles[i] for i in tags]),
        )


@given(st.integers(0), st.sampled_from(PAIRS), st.integers(0, 2))
def test_pairs(seed, pairs, before):
    """They stand in the second of two sentences."""
    transitions, scores, begin = random_scores(seed, CHUNKS, [before, 5])
    kinds = np.zeros(len(scores), np.int8)
    for a, b in pairs:
        kinds[[before + a, before + b]] = OPENS, CLOSES
    found = decode(transitions, scores, begin, segment_automata(CHUNKS), kinds)
    assert is_best(
        found[before:],
        transitions,
        scores[before:],
        lambda tags: hold_pairs([CHUNKS[i] for i in tags], pairs),
    )


# As below.
NEVER = {
    OTHER: (),
    FAR: (1,),
    FAR_FROM_FINITE: (1, 2),
    FAR_NEVER: (1, 2, 3),
}


@given(st.integers(0), st.lists(st.sampled_from([*NEVER]), max_size=4))
def test_negations_and_modals_of_other_verbs(seed, kinds):
    keys = "O", "S-AM-NEG", "S-AM-MOD", "S-AM-LOC"
    transitions, scores, begin = random_scores(seed, keys, [len(kinds)])
    found = decode(
        transitions, scores, begin, role_automata(keys), np.array(kinds, np.int8)
    )
    assert is_best(
        found,
        transitions,
        scores,
        lambda tags: all(
            tag not in NEVER[kind] for tag, kind in zip(tags, kinds, strict=True)
        ),
    )


@given(
    st.integers(0),
    st.lists(
        st.sampled_from(
            [
                OTHER,
                NUMBER,
                COUNT,
                TWO,
                COMMON,
            ]
        ),
        max_size=4,
    ),
)
def test_tags_by_how_words_are_written(seed, kinds):
    keys = "TO", "CD", "PRP$", "NNP", "NNPS", "LS", "VB", "NN"
    transitions, scores, begin = random_scores(seed, keys, [len(kinds)])
    found = decode(
        transitions, scores, begin, tag_automata(keys), np.array(kinds, np.int8)
    )

    def accepts(tags):
        phrase, names = False, [keys[tag] for tag in tags]
        rows = zip(["", *names], names, [*names[1:], ""], kinds, strict=False)
        for before, tag, behind, kind in rows:
            wants = kind == TWO and before in ("NNP", "VB", "NN")
            if kind in (NUMBER, COUNT, TWO) and (
                tag in ("PRP$", "VB") or (tag == "TO" and not wants)
            ):
                return False
            if wants and (
                (tag == "TO" and behind != "VB") or (tag == "CD" and behind == "VB")
            ):
                return False
            if (kind == COUNT and tag == "LS") or (
                kind == COMMON and phrase and "NNP" in tag
            ):
                return False
            phrase = tag in ("PRP$", "CD") or (phrase and tag == "NN")
        return True

    free = decode(transitions, scores, begin, None)
    assert is_best(free, transitions, scores, lambda tags: True)
    if not accepts(free):  # then *2* is as likely *to* as a number
        scores = scores.copy()
        two = np.flatnonzero(np.array(kinds) == TWO)
        scores[two, 0] = np.maximum(scores[two, 0], scores[two, 1])
    assert is_best(found, transitions, scores, accepts)


def test_other_tags_than_the_treebanks_are_free():
    assert not tag_automata(["O", "NNP", "VB", "TO"])
    assert not tag_automata(["NOUN", "PROPN", "NUM"])


def test_of_more_than_three_constraints_three_are_kept():
    keys = ["O", *(f"S-A{k}" for k in range(5))]
    transitions, scores, begin = random_scores(0, keys, [10], scale=0)
    scores[:, 1:] = -1
    scores[:, 0] = 0
    scores[np.arange(10), np.arange(10) % 5 + 1] = 1
    found = np.bincount(
        decode(transitions, scores, begin, role_automata(keys)), minlength=6
    )
    assert sorted(found[1:].tolist()) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("roles", [False, True])
def test_a_network_keeps_to_those_of_its_batch(roles):
    """It computes the scores of a long batch in several blocks."""
    keys = ["O", "S-A0"]
    network = dilated_network(np.random.default_rng(0), n_tags=2, predicates=roles)
    network.output_weight[:], network.output_bias[:] = 0, (0, 1)
    network.initial[:] = network.transition[:] = 0
    starts = np.arange(0, 1600, 5, dtype=np.int32)
    features = np.zeros((starts[-1], len(network.tables)), np.int32)
    batch = WordBatch(features, starts)
    if roles:
        batch = WordBatch(features, starts).of_predicates(starts[:-1])
    batch.constraints = Constraints(role_automata(keys))
    tags = network.decode(batch).tags
    assert (np.add.reduceat(tags, starts[:-1]) == 1).all()


KEYS = ["O", "B-A", "I-A", "E-A", "S-A"]
GOLD = np.array([0, 1, 2, 3, 4], np.int32)
STARTS = np.array([0, 0, 4, 5], np.int64)
OF_SENTENCES = [SentenceLikelihood, SoftSentenceLikelihood]
WEIGHT = np.array([1, 0.5, 2], np.float32)


def targets(rng, n):
    shares = rng.random((n, len(KEYS)))
    return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)


def possible(dtype):
    return [np.where(p, 0, IMPOSSIBLE).astype(dtype) for p in constraints(KEYS)]


def labels_for(layer, rng):
    """What `forward` of a layer takes besides the scores of five words."""
    return (
        (GOLD, STARTS)
        if type(layer) is SentenceLikelihood
        else (targets(rng, 5), WEIGHT, STARTS)
    )


@fixed_kernels(plain=True)  # double precision is nowhere compiled
@pytest.mark.parametrize(
    "kind", [SentenceLikelihood, SoftSentenceLikelihood, SoftWordLikelihood]
)
def test_gradients_by_finite_differences(kind):
    rng = np.random.default_rng(1)
    layer = kind(*possible(float)) if kind in OF_SENTENCES else kind()
    scores, given = rng.normal(size=(5, 5)), labels_for(layer, rng)
    for array in layer.parameters().values():
        array[array == 0] = rng.normal(size=(array == 0).sum())
    gradients = Gradients()
    found = layer.backward(layer.forward(scores, *given)[1], gradients)

    def cost():
        return layer.forward(scores, *given)[0]

    np.testing.assert_allclose(found, slope_of(cost, scores), atol=2e-6)
    for name, array in layer.parameters().items():
        expected = np.where(array > IMPOSSIBLE, slope_of(cost, array), 0)
        np.testing.assert_allclose(gradients.by_name[name], expected, atol=2e-6)


@pytest.mark.parametrize("kind", OF_SENTENCES)
def test_what_is_impossible_costs_nothing(kind):
    """Tags that cannot begin or end a sentence leave their shares to the others."""
    rng, layer = np.random.default_rng(2), kind(*possible(np.float32))
    scores = rng.normal(size=(5, 5)).astype(np.float32)
    cost, trace = layer.forward(scores, *labels_for(layer, rng))
    assert 0 < cost < 50
    gradients = Gradients()
    d_scores = layer.backward(trace, gradients)
    begins, follows, ends = constraints(KEYS)
    assert (d_scores[[0, 4]][:, ~begins] == 0).all() and (
        d_scores[[3, 4]][:, ~ends] == 0
    ).all()
    assert not gradients.by_name["transition"][~follows].any()
