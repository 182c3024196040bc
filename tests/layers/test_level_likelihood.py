"""The cost of a level against all its labellings, one by one."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.decoding.tree import decode_levels
from senna_py.layers.gradients import Gradients
from senna_py.layers.level_likelihood import LevelLikelihood
from senna_py.networks.tree import kind_columns, lay_out_moves
from tests.helpers.whole_gradients import whole_gradients


def segments(labels):
    """(begin, end) of each constituent, None if labels are not valid."""
    found, begin = [], None
    for t, label in enumerate(labels):
        kind = "SBIE"[label % 4] if label else "O"
        inside = begin is not None
        if inside != (kind in "IE"):
            return None
        if inside and (label - 1) // 4 != (labels[t - 1] - 1) // 4:
            return None
        if kind == "B":
            begin = t
        elif kind == "E":
            found.append((begin, t + 1))
            begin = None
        elif kind == "S":
            found.append((t, t + 1))
    return None if begin is not None else found


def allowed(n_labels, span):
    """All labellings of a sentence that decoding may give, in its state."""
    old, t = [], 0
    while t < len(span):
        if span[t]:
            old.append((t, t + span[t]))
        t += max(span[t], 1)
    for labels in product(range(n_labels), repeat=len(span)):
        new = segments(labels)
        if new is not None and all(
            b <= c or d <= a or (a <= c and d <= b and b - a > d - c)
            for a, b in new for c, d in old
        ):  # fmt: skip
            yield labels


def path_score(labels, scores, initial, transition):
    return (
        initial[labels[0]]
        + sum(transition[step] for step in pairwise(labels))
        + sum(scores[t, label] for t, label in enumerate(labels))
    )


def brute_force(scores, gold, starts, span, initial, transition):
    """Cost and the gradients of scores, initial and transition, in double precision."""
    arrays = [np.asarray(a, float) for a in (scores, initial, transition)]
    scores, initial, transition = arrays
    cost, d_scores, d_initial, d_transition = 0.0, *(np.zeros_like(a) for a in arrays)
    for a, b in pairwise(starts):
        if a == b:
            continue
        own = scores[a:b]
        paths = list(allowed(len(initial), span[a:b]))
        totals = np.array([path_score(path, own, initial, transition) for path in paths])
        largest = totals.max()
        log_z = largest + np.log(np.exp(totals - largest).sum())
        cost += log_z - path_score(gold[a:b].tolist(), own, initial, transition)
        shares = np.exp(totals - log_z)
        for path, share in [*zip(paths, shares, strict=True), (gold[a:b].tolist(), -1.0)]:
            d_initial[path[0]] += share
            for t, label in enumerate(path):
                d_scores[a + t, label] += share
            for step in pairwise(path):
                d_transition[step] += share
    return cost, d_scores, d_initial, d_transition


def random_span(rng, length):
    """Outermost constituents of a sentence, at random, with one left over from within."""
    span, t = np.zeros(length, np.int32), 0
    while t < length:
        n = int(rng.integers(1, length - t + 1))
        if rng.random() < 0.6:
            span[t] = n
            if n > 2:
                span[t + 1] = 1
            t += n
        else:
            t += 1
    return span


def random_level(rng, lengths, n_types, spread):
    n_labels, starts = 1 + 4 * n_types, np.append(0, np.cumsum(lengths)).astype(np.int32)
    scores = (spread * rng.standard_normal((starts[-1], n_labels))).astype(np.float32)
    span = np.concatenate([random_span(rng, n) for n in lengths]).astype(np.int32)
    gold = [label for a, b in pairwise(starts) if a < b
            for label in rng.choice(list(allowed(n_labels, span[a:b])))]  # fmt: skip
    initial = rng.standard_normal(n_labels).astype(np.float32)
    transition = rng.standard_normal((n_labels, n_labels)).astype(np.float32)
    return scores, np.array(gold, np.int32), starts, span, initial, transition


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([([4, 1, 0, 3], 1), ([6], 1), ([3, 2], 2), ([4], 2), ([2, 1], 3)]),
    st.sampled_from([0.3, 3, 300]),
    st.integers(0, 9999),
)
def test_cost_and_gradients_are_those_of_all_paths(sizes, spread, seed):
    scores, gold, starts, span, initial, transition = random_level(
        np.random.default_rng(seed), *sizes, spread
    )
    layer, gradients = LevelLikelihood(initial, transition), Gradients()
    cost, trace = layer.forward(scores, gold, starts, span)
    d_scores = layer.backward(trace, gradients)
    found = whole_gradients(gradients, layer.parameters())
    expected = brute_force(scores, gold, starts, span, initial, transition)
    assert cost == pytest.approx(expected[0], rel=1e-5, abs=1e-4)
    for array, wanted in zip((d_scores, *found.values()), expected[1:], strict=True):
        np.testing.assert_allclose(array, wanted, atol=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_decoded_is_what_has_the_largest_share(seed):
    """Where the scores leave no doubt, the cost of what decoding gives is nothing."""
    rng = np.random.default_rng(seed)
    starts, n_labels = np.array([0, 9, 10, 40, 42], np.int32), 1 + 4 * 5
    span = np.concatenate([random_span(rng, n) for n in np.diff(starts)])
    scores = (3000 * rng.standard_normal((42, n_labels))).astype(np.float32)
    transition = rng.standard_normal((n_labels, n_labels)).astype(np.float32)
    initial, columns = transition[0].copy(), kind_columns(n_labels)
    emission = np.zeros((42, columns[1]), np.float32)
    emission[:, columns[0]] = scores
    labels, latest = np.empty(42, np.int32), np.zeros(42, np.int32)
    found = np.empty(4, bool), np.empty(4, bool)
    moves = lay_out_moves(initial, transition)
    decode_levels(emission, starts, moves, span.copy(), latest, labels, *found)
    cost, _ = LevelLikelihood(initial, transition).forward(scores, labels, starts, span)
    assert -1e-2 < cost < 1
