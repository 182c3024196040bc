"""Gradients of whole networks against finite differences, with both criteria."""

import numpy as np
import pytest

from senna_py.labels.tree_keys import Constituents
from senna_py.tagging.kinds.arcs import ArcTargets
from senna_py.tagging.kinds.trees import TreeTargets
from senna_py.tagging.kinds.words import TagTargets
from tests.helpers.random_networks import (
    arc_network,
    batch_of,
    chart_network,
    check_cost,
    dilated_network,
    random_batch,
    sentence_network,
    window_network,
)

PREDICATES = (0, 4, 7, 9, 19, 21)


def _check_labels(network, lengths, predicates, dropout, rng):
    """`check_cost` of random labels: of words, or of the roles of predicates at given words."""
    words = batch_of(*random_batch(rng, lengths))
    if predicates is not None:
        words = words.of_predicates(np.array(predicates))
    gold = rng.integers(network.n_labels, size=words.begin[-1]).astype(np.int32)
    check_cost(network, words, TagTargets(words.begin, gold), dropout, rng)


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
    _check_labels(network, [7, 1, 12, 3], None, dropout, rng)


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
    words = batch_of(*random_batch(rng, [6, 1, 0, 3]))
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
    check_cost(network, words, targets, dropout, rng)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("dropout", [0, 0.3])
def test_arc_network(dropout, soft):
    """Soft arcs have shares, and sentences have weights."""
    rng = np.random.default_rng(4)
    network = _smooth(arc_network(rng))
    words = batch_of(*random_batch(rng, [6, 1, 0, 3]))
    head = np.array([1, -1, 1, 2, 5, 3, -1, 2, 0, -1], np.int32)
    label = rng.integers(4, size=10).astype(np.int32)
    targets = ArcTargets(words.begin, head, label)
    if soft:
        share = rng.random(10).astype(np.float32)
        weight = np.array([0.5, 2, 1, 3], np.float32)
        targets = ArcTargets(words.begin, head, label, share, weight)
    check_cost(network, words, targets, dropout, rng)
