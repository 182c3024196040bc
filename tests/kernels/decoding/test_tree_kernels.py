from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.decoding.tree import decode_levels, score_words
from senna_py.layers.blocks import PackedLinear
from senna_py.networks.tree import kind_columns, lay_out_moves
from tests.helpers.random_arrays import integers

pytestmark = pytest.mark.usefixtures("each_way")


def spans_of(labels):
    """Segments (begin, end) of a sequence of labels; None if it is not BIES-valid."""
    found, begin, kind = [], None, None
    for t, label in enumerate(labels):
        constituent, place = divmod(label - 1, 4)  # O has no constituent
        if label == 0 or place in (0, 3):
            if begin is not None:
                return None
            if label and place == 0:
                begin, kind = t, constituent
            elif label:
                found.append((t, t + 1))
        else:
            if begin is None or constituent != kind:
                return None
            if place == 2:
                found.append((begin, t + 1))
                begin = None
    return None if begin is not None else found


@cache
def valid_paths(n_labels, length):
    """BIES-valid sequences of labels, each with its segments."""
    paths = product(range(n_labels), repeat=length)
    return [(path, new) for path in paths if (new := spans_of(path)) is not None]


def respects(new, old):
    """Whether every new segment contains each old one and is longer, or does not touch
    it.
    """
    return all(
        b <= c or d <= a or (a <= c and d <= b and b - a > d - c)
        for a, b in new
        for c, d in old
    )


def unit_labels(labels, units):
    """Labels of units (words, or old segments) in place of words: B, I, E or S as a
    whole.
    """
    found = []
    for a, b in units:
        label = labels[a]
        if b - a > 1 and label % 4 == 2 and labels[b - 1] % 4 == 3:
            label = labels[b - 1]
        found.append(label)
    return found


def brute_force(emission, initial, transition, units, old):
    """Best labels; of equal ones those whose units have the lowest labels from the end
    on.
    """

    def score(path):
        steps = pairwise(path)
        return (
            initial[path[0]]
            + sum(transition[step] for step in steps)
            + sum(emission[t, label] for t, label in enumerate(path))
        )

    valid = valid_paths(len(initial), len(emission))
    paths = [path for path, new in valid if respects(new, old)]
    scores = [score(path) for path in paths]
    best = max(scores)
    ties = [path for path, value in zip(paths, scores, strict=True) if value == best]
    return list(min(ties, key=lambda path: unit_labels(path, units)[::-1]))


def outermost(span):
    """Units (begin, end) that `span` stands for, and those that are segments."""
    units, t = [], 0
    while t < len(span):
        units.append((t, t + max(int(span[t]), 1)))
        t = units[-1][1]
    return units, [(a, b) for a, b in units if span[a] > 0]


def random_span(rng, length):
    """Segments below a sentence, as decode_levels keeps them."""
    span = np.zeros(length, np.int32)
    t = 0
    while t < length:
        size = min(int(rng.integers(1, 5)), length - t)
        if rng.random() < 0.6:
            span[t] = size
            # What it contains: not looked at.
            span[t + 1 : t + size] = rng.integers(0, 2, size - 1)
        t += size
    return span


def decode(emission, starts, initial, transition, span, latest):
    n = len(starts) - 1
    labels = np.full(len(emission), -1, np.int32)
    found, whole = np.zeros(n, bool), np.zeros(n, bool)
    columns, n_columns = kind_columns(len(initial))
    by_kind = np.full((len(emission), n_columns), np.nan, np.float32)
    by_kind[:, columns] = emission
    moves = lay_out_moves(initial, transition)
    decode_levels(by_kind, starts, moves, span, latest, labels, found, whole)
    return labels, found, whole


@settings(max_examples=60)
@given(
    st.one_of(
        st.tuples(st.just(5), st.lists(st.integers(1, 6), min_size=1, max_size=3)),
        st.tuples(st.just(9), st.lists(st.integers(1, 4), min_size=1, max_size=3)),
    ),
    st.booleans(),
    st.integers(0, 9999),
)
def test_best_of_all_valid_sequences(sizes, ties, seed):
    n_labels, lengths = sizes
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    most = 3 if ties else 10_000
    emission, initial, transition = (
        integers(rng, *shape, most=most)
        for shape in ((starts[-1], n_labels), (n_labels,), (n_labels, n_labels))
    )
    span = np.concatenate([random_span(rng, length) for length in lengths])
    latest = rng.integers(n_labels, size=starts[-1]).astype(np.int32)
    new_span, new_latest = span.copy(), latest.copy()
    labels, found, whole = decode(
        emission, starts, initial, transition, new_span, new_latest
    )
    for s, (a, b) in enumerate(pairwise(starts)):
        units, old = outermost(span[a:b])
        expected = brute_force(emission[a:b], initial, transition, units, old)
        assert labels[a:b].tolist() == expected
        new = spans_of(expected)
        kept = [(c, d) for c, d in old if all(d <= e or f <= c for e, f in new)]
        assert outermost(new_span[a:b])[1] == sorted(new + kept)
        assert found[s] == bool(new)
        assert whole[s] == ((0, b - a) in new + kept)
        assert new_latest[a:b].tolist() == [
            label or before
            for label, before in zip(expected, latest[a:b].tolist(), strict=True)
        ]


def allowed_kinds(units, old):
    """For each word the kinds of labels, of B, I, E and S, that its place in its unit
    allows.
    """
    kinds = []
    for a, b in units:
        if b - a > 1:
            kinds += ["BI", *["I"] * (b - a - 2), "IE"]
        else:
            kinds.append("BIE" if (a, b) in old else "BIES")
    return kinds


@given(st.lists(st.integers(1, 30), max_size=6), st.integers(1, 3), st.integers(0, 999))
def test_what_the_place_of_a_word_allows_is_scored(lengths, n_types, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths, dtype=np.int32)).astype(np.int32)
    span = np.zeros(starts[-1], np.int32)
    for a, b in pairwise(starts):
        span[a:b] = random_span(rng, b - a)
    n_labels = 1 + 4 * n_types
    columns, n_columns = kind_columns(n_labels)
    pooled, weight = (
        integers(rng, starts[-1], 3, most=1),
        integers(rng, 19, n_columns, most=9),
    )
    bias, hidden_layer = (
        integers(rng, n_columns, most=9),
        (integers(rng, 3, 19, most=1), integers(rng, 19, most=1)),
    )
    b, i, e, s = zip(np.split(weight, 4, axis=1), np.split(bias, 4), strict=True)
    layers = []
    for parts in ([b, i, e, s], [b, i, e], [b, i], [i], [i, e]):
        weights, biases = zip(*parts, strict=True)
        layers.append(PackedLinear(np.hstack(weights), np.hstack(biases)).arrays)
    rooms = tuple(np.full((7, width), np.nan, np.float32) for width in (19, n_columns))
    emission = np.full((starts[-1], n_columns), np.nan, np.float32)
    score_words(
        pooled,
        span,
        starts,
        PackedLinear(*hidden_layer).arrays,
        tuple(layers),
        rooms,
        emission,
    )
    hidden = np.clip(pooled @ hidden_layer[0] + hidden_layer[1], -1, 1)
    expected = hidden @ weight + bias
    for a, b in pairwise(starts):
        kinds = allowed_kinds(*outermost(span[a:b]))
        for t, allowed in zip(range(a, b), kinds, strict=True):
            labels = [
                0,
                *(k for k in range(1, n_labels) if "BIES"[(k - 1) % 4] in allowed),
            ]
            assert np.array_equal(
                emission[t, columns[labels]], expected[t, columns[labels]]
            )


@given(st.integers(0, 9999))
def test_scores_that_are_no_numbers_still_give_trees(seed):
    rng = np.random.default_rng(seed)
    values = np.array([np.nan, np.inf, -np.inf, 0, 1, 3e38, -3e38], np.float32)
    starts = np.array([0, 7, 8, 12], np.int32)
    span, latest = np.zeros(12, np.int32), np.zeros(12, np.int32)
    found = np.ones(3, bool)
    levels = 0
    while found.any():
        levels += 1
        # Each but the last leaves fewer units or fewer free words.
        assert levels <= 2 * 7 + 1
        emission, initial, transition = (
            rng.choice(values, shape) for shape in ((12, 9), 9, (9, 9))
        )
        before = span.copy()
        labels, found, _whole = decode(
            emission, starts, initial, transition, span, latest
        )
        for s, (a, b) in enumerate(pairwise(starts)):
            assert ((labels[a:b] >= 0) & (labels[a:b] < 9)).all()
            new = spans_of(labels[a:b].tolist())
            assert new is not None
            assert respects(new, outermost(before[a:b])[1])
            assert found[s] == bool(new)
            assert outermost(span[a:b])[0][-1][1] == b - a
