from itertools import pairwise

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.tasks import find_task
from senna_py.labels.tree_keys import Constituents
from senna_py.labels.trees import Leaf, build_tree
from senna_py.layers.activations import Dropout
from senna_py.layers.likelihood import span_cost
from senna_py.layers.passes import TrainingPass
from senna_py.networks.chart import LEAST, ChartNetwork, ChartSettings
from senna_py.networks.initialization import new_network
from senna_py.tagging.targets.trees import TreeTargets
from tests.helpers.naive_int8 import rounded_columns, rounded_rows
from tests.helpers.random_networks import (
    batch_of,
    chart_network,
    random_batch,
    states_of,
)
from tests.helpers.tree_layers import phrases_of

BRACKETS = ["", *(text for kind in "ABC" for text in (f"({kind}", "", "", f"({kind}"))]


def naive_scores(net, states, rounded=False):
    """Score of each span of a sentence and those of its labels, by first word and end.

    rounded: whether the states, and the weights that they are multiplied with, have 8
    bits.
    """
    change_states, change = (
        (rounded_rows, rounded_columns) if rounded else (np.asarray,) * 2
    )
    spans, tops = {}, {}
    weight, bias = net.output_weight.astype(float), net.output_bias.astype(float)
    names = "hidden_weight", "predicate_weight", "word_factor", "predicate_factor"
    first_part, last_part, first_factor, last_factor = (
        change_states(states).astype(float) @ change(getattr(net, name))
        for name in names
    )
    for i in range(len(states)):
        for j in range(i, len(states)):
            unit = first_part[i] + last_part[j] + net.hidden_bias
            unit += net.distances[min(j - i, len(net.distances) - 1)]
            unit += first_factor[i] * last_factor[j]
            scores = np.maximum(unit, 0) @ weight + bias
            spans[i, j + 1], tops[i, j + 1] = scores[0], scores[1:]
    return spans, tops


def naive_shares(net, states):
    """Probabilities of the labels of each span of a sentence in use, by first word and
    end.
    """
    spans, tops = naive_scores(net, states, rounded=True)
    found = {}
    for span, score in spans.items():
        share = np.exp(tops[span] - tops[span].max())
        found[span] = share / (share.sum() * (1 + np.exp(-score)))
    return found


def naive_spans(net, states):
    """Labels of the spans of the best tree, as tagging finds it, by first word and
    end.
    """
    shares, best = naive_shares(net, states), {}
    gain = {span: share.max() - LEAST for span, share in shares.items()}
    for size in range(1, len(states) + 1):
        for i in range(len(states) - size + 1):
            j = i + size
            parts = [best[i, k][0] + best[k, j][0] for k in range(i + 1, j)]
            below = []
            if parts:
                k = i + 1 + int(np.argmax(parts))
                below = best[i, k][1] + best[k, j][1]
            own = [(i, j)] if gain[i, j] > 0 else []
            best[i, j] = max(parts, default=0) + max(gain[i, j], 0), own + below
    chosen = {*best[0, len(states)][1], (0, len(states))}
    return {span: int(shares[span].argmax()) for span in chosen}


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("bias", [-6, -2, 3])
def test_trees_are_those_of_the_obvious_loops(bias, plain):
    rng = np.random.default_rng(8)
    net = chart_network(rng, n_types=3)
    net.output_weight[:, 0] *= np.float32(0.5)
    net.output_bias[0] = bias
    lengths = [1, 7, 0, 20, 2, 3, 1, 12, 40]
    features, starts = random_batch(rng, lengths)
    with fixed_kernels(plain):
        layer = net.annotate(batch_of(features, starts), find_task("psg"), BRACKETS)
        states = states_of(net, features, starts).astype(float)
    for (_, *phrases), (a, b) in zip(
        phrases_of(layer, starts), pairwise(starts), strict=True
    ):
        # An S of no words.
        expected = naive_spans(net, states[a:b]) if b > a else {(0, 0): -1}
        assert len(phrases) == len(expected)
        assert {(i, j): "ABC".find(label) for label, i, j in phrases} == expected


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_weights_that_are_no_numbers_still_give_trees(value):
    names = "input_weight", "norm_gain", "hidden_weight", "distances", "output_weight"
    lengths = [8, 0, 5, 1]
    for name in (*names, "output_bias"):
        net = chart_network(np.random.default_rng(1), n_types=3)
        array = getattr(net, name)
        for place in (0, slice(1, None)):  # of one unit, then of all
            array[..., place] = value
            features, starts = random_batch(np.random.default_rng(4), lengths)
            words, task = batch_of(features, starts), find_task("psg")
            layer = net.annotate(words, task, BRACKETS)
            net.likely(words, task, BRACKETS)
            for n, phrases in zip(lengths, phrases_of(layer, starts), strict=True):
                leaves = [Leaf("a", "X")] * n
                assert n == 0 or build_tree(leaves, phrases).phrases == phrases


@pytest.mark.parametrize("soft", [False, True])
def test_cost_is_that_of_the_obvious_loops(soft):
    """Soft constituents have shares of their spans, one of which has two; sentences
    weights.
    """
    rng = np.random.default_rng(2)
    net = chart_network(rng)
    features, starts = random_batch(rng, [4, 2])
    gold = {(0, 0, 4): {1: 1.0}, (0, 1, 3): {2: 1.0}, (1, 1, 2): {0: 1.0}}
    share, weights = None, [1, 1]
    if soft:
        gold = {
            (0, 0, 4): {1: 0.5, 0: 0.25},
            (0, 1, 3): {2: 1.0},
            (1, 1, 2): {0: 0.125},
        }
        share, weights = np.array([0.5, 0.25, 1, 0.125], np.float32), [0.5, 2]
    rows = [(i, j, label) for (_, i, j), labels in gold.items() for label in labels]
    begin, end, label = np.array(rows, np.int32).T.copy()
    trees = Constituents(
        np.array([0, len(rows) - 1, len(rows)]), begin, end, label, share
    )
    none = Dropout(rng, 0.0), Dropout(rng, 0.0)
    words = batch_of(features, starts)
    targets = TreeTargets(trees, np.array(weights, np.float32) if soft else None)
    cost, _, _ = net.cost(words, targets, none)
    states, expected = (
        net.states(TrainingPass(none), net.layers(), words).astype(float),
        0,
    )
    for s, (a, b) in enumerate(pairwise(starts)):
        spans, tops = naive_scores(net, states[a:b])
        for (i, j), score in spans.items():
            p, labels = 1 / (1 + np.exp(-score)), gold.get((s, i, j), {})
            own = (1 - sum(labels.values())) * np.log(1 - p)
            for found, q in labels.items():
                own += q * np.log(
                    p * np.exp(tops[i, j][found]) / np.exp(tops[i, j]).sum()
                )
            expected -= weights[s] * own
    assert cost == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("plain", [False, True])
def test_likely_labels_are_those_of_the_obvious_loops(plain):
    net = chart_network(np.random.default_rng(9))
    net.output_weight *= np.float32(0.3)
    features, starts = random_batch(np.random.default_rng(3), [5, 0, 1, 12, 30])
    with fixed_kernels(plain):
        words, task = batch_of(features, starts), find_task("psg")
        found = net.likely(words, task, BRACKETS)
        states = states_of(net, features, starts).astype(float)
    expected = {
        (i + a, j + a, label): p
        for a, b in pairwise(starts)
        for (i, j), share in naive_shares(net, states[a:b]).items()
        for label, p in enumerate(share)
    }
    columns = found.begin, found.end, found.label
    keys = list(zip(*(array.tolist() for array in columns), strict=True))
    assert len({*keys}) == len(keys) and [key[:2] for key in keys] == sorted(
        k[:2] for k in keys
    )
    np.testing.assert_allclose(found.score, [expected[key] for key in keys], atol=0.02)
    whole = {(int(a), int(b)) for a, b in pairwise(starts)}
    left = [
        share
        for key, share in expected.items()
        if key not in keys and key[:2] not in whole
    ]
    assert keys and max(left) < 0.02
    assert not len(net.likely(batch_of(features[:0], starts[:1]), task, BRACKETS))


def test_likelihood_of_far_scores_is_finite():
    scores = np.array([1e4, -1e4, 0], np.float32)
    cost, slopes = span_cost(scores, np.array([1]))
    assert cost == pytest.approx(2e4 + np.log(2))
    np.testing.assert_allclose(slopes, [1, -1, 0.5], atol=1e-6)


def test_a_new_network():
    settings = ChartSettings(width=8, hidden=6, reach=9, dilations=[1, 2])
    rng = np.random.default_rng(0)
    tables = [rng.standard_normal((9, 4)).astype(np.float32)]
    net = new_network(
        ChartNetwork, settings, tables, np.zeros(1, np.int32), {"tags": 13}, rng
    )
    net.check()
    assert (net.n_labels, net.labels, net.distances.shape) == (13, "trees", (10, 6))
    with pytest.raises(UsageError, match="hidden: expected 1 at least, found 0"):
        ChartSettings(hidden=0)


def test_what_is_wrong_with_networks():
    net = chart_network(np.random.default_rng(0))
    for changes, problem in (
        ({"hidden_weight": None}, "hidden_weight is missing"),
        ({"distances": None}, "distances is missing"),
        (
            {
                "output_weight": net.output_weight[:, :1],
                "output_bias": net.output_bias[:1],
            },
            "1 labels; there are 2 to 32,767",
        ),
    ):
        with pytest.raises(SennaError, match=problem):
            net.changed(**changes).check()
