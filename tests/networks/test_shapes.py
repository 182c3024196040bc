import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.networks.base import MOST_TAGS
from tests.helpers.random_networks import (
    dilated_network,
    sentence_network,
    tree_network,
    window_network,
)

MAKE = {"window": window_network, "sentence": sentence_network, "tree": tree_network,
        "dilated": dilated_network}  # fmt: skip


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
        (sentence_network, {"word_weight": 18, "conv_bias": 18, "verb_distance_weight": 18,
                            "word_distance_weight": 18, "hidden": 12, "output": 5}),
        (dilated_network, {"input": 6, "block1_weight": 24, "block1_bias": 24, "block2_weight": 40,
                           "block2_bias": 40, "hidden": 8, "predicate_weight": 8, "word_factor": 8,
                           "predicate_factor": 8, "output": 5}),
    ],
)  # fmt: skip
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
    assert "go together" in problem(window, initial=None)
    assert problem(window, padding=np.array([0, 4, 0], np.int32)) == (
        "padding index 4 of tables/1, which has 4 keys"
    )
    assert problem(window, padding=np.array([-1, 0, 0], np.int32)).startswith("padding index -1")
    assert "shape [99]" in problem(window, tables=[window.tables[0][:, 0], *window.tables[1:]])
    many = MOST_TAGS + 1
    assert "32,768 labels" in problem(
        window, output_weight=np.zeros((6, many)), output_bias=np.zeros(many),
        initial=None, transition=None,
    )  # fmt: skip
    assert "7 tree labels" in problem(
        tree, output_weight=tree.output_weight[:, :7], output_bias=tree.output_bias[:7],
        initial=tree.initial[:7], transition=tree.transition[:7, :7],
    )  # fmt: skip
    short = [*tree.tables[:-1], tree.tables[-1][:5]]
    padding = np.zeros(4, np.int32)
    assert "9 tree labels, their table has 5" in problem(tree, tables=short, padding=padding)


def test_what_else_is_wrong_with_dilated_networks():
    network = dilated_network(np.random.default_rng(0))
    assert "go together" in problem(network, word_factor=None)
    assert "hidden_weight is missing" in problem(network, hidden_weight=None, hidden_bias=None)
    assert "a window of 2 words" in problem(network, block1_weight=np.zeros((16, 16)))
    assert "8 distances" in problem(network, distances=np.zeros((8, 5)))
    many = MOST_TAGS + 1
    assert "labels" in problem(
        network, output_weight=np.zeros((5, many)), output_bias=np.zeros(many),
        initial=None, transition=None,
    )  # fmt: skip


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
    assert "go together" in problem(roles, verb_distances=None)
    assert "go together" in problem(roles, verb_distance_weight=None)
    sentence_network(rng, predicates=False).check()
    assert "final: shape [3], 3 in place of 4" in problem(roles, final=np.zeros(3))
    for network in (window_network(rng), window_network(rng, sentence_level=False)):
        network.check()
