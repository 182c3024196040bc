"""Shapes of networks; gradients of whole ones against finite differences, by both
criteria.
"""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.labels.tree_keys import Constituents
from senna_py.networks.checks import MOST_TAGS
from senna_py.tagging.targets.arcs import ArcTargets
from senna_py.tagging.targets.trees import TreeTargets
from senna_py.tagging.targets.words import TagTargets
from tests.helpers.random_networks import (
    arc_network,
    batch_of,
    chart_network,
    check_cost,
    dilated_network,
    random_batch,
    sentence_network,
    tree_network,
    window_network,
)

PREDICATES = (0, 4, 7, 9, 19, 21)


def _check_labels(network, lengths, predicates, dropout, rng):
    """`check_cost` of random labels: of words, or of the roles of predicates at given
    words.
    """
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
        dilated_network(
            rng, kernels=(9, 3), dilations=(1, 1000), reach=1, predicates=roles
        )
    )
    predicates = np.arange(0, sum(lengths), 2) if roles else None
    _check_labels(network, lengths, predicates, 0.3, rng)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("dropout", [0, 0.3])
def test_chart_network(dropout, soft):
    """Soft constituents have shares, one span has two labels, and sentences have
    weights.
    """
    rng = np.random.default_rng(4)
    network = _smooth(chart_network(rng))
    words = batch_of(*random_batch(rng, [6, 1, 0, 3]))
    trees = Constituents(
        np.array([0, 3, 4, 4, 5]),
        np.array([0, 2, 2, 0, 1], np.int32),
        np.array([6, 6, 3, 1, 3], np.int32),
        np.array([0, 1, 2, 0, 1], np.int32),
    )
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


MAKE = {
    "window": window_network,
    "sentence": sentence_network,
    "tree": tree_network,
    "dilated": dilated_network,
}


@pytest.mark.parametrize("kind", MAKE)
def test_every_size_of_every_array_is_checked(kind):
    network = MAKE[kind](np.random.default_rng(0))
    network.check()
    for name, array in {"padding": network.padding, **network.arrays()}.items():
        for axis in range(array.ndim):
            grown = np.repeat(array, 2, axis=axis)
            with pytest.raises(SennaError):
                network.changed(**{name: grown}).check()
            with pytest.raises(SennaError):
                network.changed(**{name: array.take([], axis=axis)}).check()
        with pytest.raises(SennaError, match=name):
            network.changed(**{name: array[None]}).check()


@pytest.mark.parametrize(
    ("make", "others"),
    [
        (window_network, {"hidden": 18, "output": 6}),
        # Of the convolution plain SGD counts the inputs of words alone.
        (
            sentence_network,
            {
                "word_weight": 18,
                "conv_bias": 18,
                "verb_distance_weight": 18,
                "word_distance_weight": 18,
                "hidden": 12,
                "output": 5,
            },
        ),
        (
            dilated_network,
            {
                "input": 6,
                "block1_weight": 24,
                "block1_bias": 24,
                "block2_weight": 40,
                "block2_bias": 40,
                "hidden": 8,
                "predicate_weight": 8,
                "word_factor": 8,
                "predicate_factor": 8,
                "output": 5,
            },
        ),
    ],
)
def test_inputs_of_a_unit_which_are_one_of_all_others(make, others):
    network = make(np.random.default_rng(0))
    expected = {
        name: others.get(name, others.get(name.rpartition("_")[0], 1))
        for name in network.parameters()
    }
    assert network.fan_in() == expected


def problem(network, **changes):
    with pytest.raises(SennaError) as error:
        network.changed(**changes).check()
    return str(error.value)


def test_what_else_is_wrong_with_networks():
    rng = np.random.default_rng(0)
    window, tree = window_network(rng), tree_network(rng)
    assert "window size 4" in problem(window, window=4)
    assert "window size 1,003" in problem(window, window=1003)
    assert "must be given together" in problem(window, initial=None)
    assert problem(window, padding=np.array([0, 4, 0], np.int32)) == (
        "padding index 4 of tables/1, which has 4 keys"
    )
    assert problem(window, padding=np.array([-1, 0, 0], np.int32)).startswith(
        "padding index -1"
    )
    assert "shape [99]" in problem(
        window, tables=[window.tables[0][:, 0], *window.tables[1:]]
    )
    many = MOST_TAGS + 1
    assert "32,768 labels" in problem(
        window,
        output_weight=np.zeros((6, many)),
        output_bias=np.zeros(many),
        initial=None,
        transition=None,
    )
    assert "7 tree labels" in problem(
        tree,
        output_weight=tree.output_weight[:, :7],
        output_bias=tree.output_bias[:7],
        initial=tree.initial[:7],
        transition=tree.transition[:7, :7],
    )
    short = [*tree.tables[:-1], tree.tables[-1][:5]]
    padding = np.zeros(4, np.int32)
    assert "9 tree labels, their table has 5" in problem(
        tree, tables=short, padding=padding
    )


def test_what_else_is_wrong_with_dilated_networks():
    network = dilated_network(np.random.default_rng(0))
    assert "must be given together" in problem(network, word_factor=None)
    assert "hidden_weight is missing" in problem(
        network, hidden_weight=None, hidden_bias=None
    )
    assert "a window of 2 words" in problem(network, block1_weight=np.zeros((16, 16)))
    assert "8 distances" in problem(network, distances=np.zeros((8, 5)))
    many = MOST_TAGS + 1
    assert "labels" in problem(
        network,
        output_weight=np.zeros((5, many)),
        output_bias=np.zeros(many),
        initial=None,
        transition=None,
    )


def test_a_window_network_without_a_hidden_layer():
    network = window_network(np.random.default_rng(0))
    linear = {"hidden_weight": None, "hidden_bias": None}
    assert "output_weight" in problem(network, **linear)
    network.changed(**linear, output_weight=np.zeros((3 * 6, 5), np.float32)).check()


def test_arrays_that_may_be_missing():
    rng = np.random.default_rng(0)
    roles = sentence_network(rng)
    roles.check()
    roles.changed(final=np.zeros(4, np.float32)).check()
    assert "must be given together" in problem(roles, verb_distances=None)
    assert "must be given together" in problem(roles, verb_distance_weight=None)
    sentence_network(rng, predicates=False).check()
    assert "final: shape [3], 3 in place of 4" in problem(roles, final=np.zeros(3))
    for network in (
        window_network(rng),
        window_network(rng, sentence_level=False),
    ):
        network.check()
