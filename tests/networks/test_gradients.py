"""Gradients of whole networks against finite differences, with both criteria."""

import numpy as np
import pytest

from senna_py.labels.tree_keys import Constituents
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import likelihood_of
from senna_py.tagging.kinds.arcs import ArcTargets
from senna_py.tagging.kinds.trees import TreeTargets
from tests.helpers.finite_differences import slope_along
from tests.helpers.random_networks import (
    arc_network,
    chart_network,
    dilated_network,
    random_batch,
    sentence_network,
    sentences_of,
    window_network,
)
from tests.helpers.run_networks import batch_of, forward
from tests.helpers.whole_gradients import whole_gradients

STEPS = (1e-3, 3e-4, 1e-4)
PREDICATES = (0, 4, 7, 9, 19, 21)


def _check(network, run, starts, gold, rng):
    """Compare the gradient with the change of the cost along random directions of each array."""
    likelihood, starts = likelihood_of(network), starts.astype(np.int64)

    def cost():
        return likelihood.forward(run()[0], gold, starts)[0]

    scores, trace = run()
    gradients = Gradients()
    d_scores = likelihood.backward(likelihood.forward(scores, gold, starts)[1], gradients)
    trace.backward(d_scores, gradients)
    _check_gradients(network, gradients, cost, rng)


def _check_labels(network, lengths, predicates, dropout, rng):
    """The same for random labels: of words, or of the roles of predicates at given words."""
    features, starts = random_batch(rng, lengths)
    row_starts, given = starts, ()
    if predicates is not None:
        sentence = sentences_of(predicates, starts)
        row_starts = np.append(0, np.cumsum(np.diff(starts)[sentence]))
        given = sentence, np.array(predicates, np.int32)
    gold = rng.integers(4, size=row_starts[-1]).astype(np.int32)

    def run():
        return forward(network, features, starts, dropouts(dropout), *given)

    _check(network, run, row_starts, gold, rng)


def check_cost(network, features, starts, targets, dropout, rng):
    """The same for a network with a cost of its own, of which each word has a row."""

    def run():
        return network.cost(batch_of(features, starts), targets, dropouts(dropout))

    cost, n_rows, trace = run()
    assert n_rows == len(features) and cost > 0
    gradients = Gradients()
    network.cost_backward(trace, gradients)
    _check_gradients(network, gradients, lambda: run()[0], rng)


def _check_gradients(network, gradients, cost, rng):
    """Compare collected gradients with the change of cost() along random directions."""
    arrays = network.parameters()
    assert network.fan_in().keys() >= arrays.keys()
    assert {*gradients.by_name, *(name for name, *_ in gradients.by_row)} == set(arrays)
    expected = whole_gradients(gradients, arrays)
    for name, array in arrays.items():
        assert expected[name].shape == array.shape
        # Short steps: HardTanh and maxima have kinks, which the shorter one mostly misses.
        direction = rng.standard_normal(array.shape).astype(np.float32)
        direction /= np.linalg.norm(direction)
        slopes = [slope_along(cost, array, direction, step) for step in STEPS]
        gradient = (expected[name] * direction).sum()
        error = min(abs(slope - gradient) for slope in slopes)
        assert error < 0.02 * abs(gradient) + 0.02, (name, gradient, slopes)


def dropouts(share):
    """The same units are left out each time."""
    rng = np.random.default_rng(5)
    return Dropout(rng, share), Dropout(rng, share)


def _smooth(network):
    """Scale a network so that scores are small and costs curve little within a step."""
    network.output_weight *= np.float32(0.2)
    return network


@pytest.mark.parametrize("dropout", [0, 0.3])
@pytest.mark.parametrize("sentence_level", [False, True])
@pytest.mark.parametrize("linear", [False, True])
def test_window_network(sentence_level, linear, dropout):
    rng = np.random.default_rng(3)
    network = _smooth(window_network(rng, sentence_level=sentence_level, n_hidden=8))
    if linear:
        network.hidden_weight = network.hidden_bias = None
        n_in = network.window * sum(table.shape[1] for table in network.tables)
        network.output_weight = rng.normal(0, 0.1, (n_in, 5)).astype(np.float32)
    features, starts = random_batch(rng, [7, 1, 12, 3])
    gold = rng.integers(5, size=starts[-1]).astype(np.int32)

    def run():
        return forward(network, features, starts, dropouts(dropout))

    _check(network, run, starts, gold, rng)


@pytest.mark.parametrize("dropout", [0, 0.3])
@pytest.mark.parametrize("sentence_level", [False, True])
@pytest.mark.parametrize("roles", [False, True])
def test_sentence_network(roles, sentence_level, dropout):
    rng = np.random.default_rng(4)
    network = _smooth(sentence_network(rng, predicates=roles))
    if not sentence_level:
        network.initial = network.transition = None
    network.hidden_weight *= np.float32(0.1)
    _check_labels(network, [7, 1, 12, 3], PREDICATES if roles else None, dropout, rng)


@pytest.mark.parametrize("dropout", [0, 0.3])
@pytest.mark.parametrize("sentence_level", [False, True])
@pytest.mark.parametrize("head", ["roles", "hidden", "linear"])
def test_dilated_network(head, sentence_level, dropout):
    rng = np.random.default_rng(4)
    roles = head == "roles"
    network = _smooth(dilated_network(rng, predicates=roles))
    if head == "linear":
        network.hidden_weight = network.hidden_bias = None
        network.output_weight = rng.normal(0, 0.1, (8, 4)).astype(np.float32)
    if not sentence_level:
        network.initial = network.transition = None
    _check_labels(network, [7, 1, 12, 3], PREDICATES if roles else None, dropout, rng)


@pytest.mark.parametrize("roles", [False, True])
@pytest.mark.parametrize("lengths", [[1], [1, 1], [0, 3, 0, 5, 1, 0]])
def test_dilated_network_that_reaches_beyond_its_sentences(lengths, roles):
    rng = np.random.default_rng(7)
    network = _smooth(
        dilated_network(rng, kernels=(9, 3), dilations=(1, 1000), reach=1, predicates=roles)
    )
    predicates = np.arange(0, sum(lengths), 2) if roles else None
    _check_labels(network, lengths, predicates, 0.3, rng)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("dropout", [0, 0.3])
def test_chart_network(dropout, soft):
    """Soft constituents have shares, one span has two labels, and sentences have weights."""
    rng = np.random.default_rng(4)
    network = _smooth(chart_network(rng))
    features, starts = random_batch(rng, [6, 1, 0, 3])
    trees = Constituents(
        np.array([0, 3, 4, 4, 5]), np.array([0, 2, 2, 0, 1], np.int32),
        np.array([6, 6, 3, 1, 3], np.int32), np.array([0, 1, 2, 0, 1], np.int32),
    )  # fmt: skip
    targets = TreeTargets(trees)
    if soft:
        share = np.array([0.9, 0.5, 0.75, 0.125, 1], np.float32)
        trees = trees._replace(end=np.array([6, 6, 6, 1, 3], np.int32), share=share)
        weight = np.array([0.5, 2, 1, 3], np.float32)
        targets = TreeTargets(trees, weight)
    check_cost(network, features, starts, targets, dropout, rng)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("dropout", [0, 0.3])
def test_arc_network(dropout, soft):
    """Soft arcs have shares, and sentences have weights."""
    rng = np.random.default_rng(4)
    network = _smooth(arc_network(rng))
    features, starts = random_batch(rng, [6, 1, 0, 3])
    head = np.array([1, -1, 1, 2, 5, 3, -1, 2, 0, -1], np.int32)
    label = rng.integers(4, size=10).astype(np.int32)
    targets = ArcTargets(starts.astype(np.int64), head, label)
    if soft:
        share = rng.random(10).astype(np.float32)
        weight = np.array([0.5, 2, 1, 3], np.float32)
        targets = ArcTargets(starts.astype(np.int64), head, label, share, weight)
    check_cost(network, features, starts, targets, dropout, rng)
