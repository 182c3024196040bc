from itertools import pairwise

import numpy as np
import pytest

from senna_py.layers.blocks import BLOCK
from tests.helpers.naive_networks import tree_levels
from tests.helpers.random_networks import random_batch, tree_network
from tests.helpers.run_networks import tag

SIZES = [{}, {"n_conv": 20, "n_hidden": 19}]  # the second is computed in tiles


def levels_of(trees, s, length):
    """Levels of labels of sentence s of a batch."""
    labels = trees.labels[trees.rows[s] : trees.rows[s + 1]]
    return labels.reshape(trees.begin[s + 1] - trees.begin[s], length).tolist()


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("reach", "n_types"), [(1, 1), (3, 2), (3, 3), (50, 2)])
def test_trees_are_those_of_the_obvious_loops(reach, n_types, sizes):
    rng = np.random.default_rng(6 + 2 * len(sizes))
    net = tree_network(rng, reach=reach, n_types=n_types, n_extra=2, **sizes)
    net.output_bias[0] -= 2  # for deeper trees
    lengths = [1, 7, 30, 2, 2, 1, 15, 1, 5, 60, 3, 4]
    features, starts = random_batch(rng, lengths)
    trees = tag(net, features, starts)
    assert trees.rows[0] == trees.begin[0] == 0
    depths = []
    for s, (a, b) in enumerate(pairwise(starts)):
        levels, segments = tree_levels(net, features[a:b])
        assert levels_of(trees, s, b - a) == levels
        assert trees.whole[s] == ((0, b - a) in segments)
        depths.append(len(levels))
    assert max(depths) > 2


@pytest.mark.slow
def test_a_sentence_longer_than_a_block():
    rng = np.random.default_rng(5)
    net = tree_network(rng)
    features, starts = random_batch(rng, [4, BLOCK + 4, 2])
    trees = tag(net, features, starts)
    levels, segments = tree_levels(net, features[4:-2])
    assert levels_of(trees, 1, BLOCK + 4) == levels
    assert trees.whole[1] == ((0, BLOCK + 4) in segments)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_sentence_does_not_depend_on_its_batch(sizes):
    rng = np.random.default_rng(6)
    net = tree_network(rng, **sizes)
    lengths = [1, 40, 3, BLOCK + 4, 1, 12, 2]
    features, starts = random_batch(rng, lengths)
    trees = tag(net, features, starts)
    for s, (a, b) in enumerate(pairwise(starts)):
        alone = tag(net, features[a:b], np.array([0, b - a], np.int32))
        assert levels_of(alone, 0, b - a) == levels_of(trees, s, b - a)
        assert alone.whole[0] == trees.whole[s]


def test_a_sentence_may_have_no_constituent():
    rng = np.random.default_rng(7)
    net = tree_network(rng)
    net.output_bias[0] = 1000
    trees = tag(net, *random_batch(rng, [3, 1]))
    assert trees.begin.tolist() == trees.rows.tolist() == [0, 0, 0]
    assert trees.labels.tolist() == []
    assert trees.whole.tolist() == [False, False]


def test_one_constituent_over_the_sentence_ends_the_tree():
    rng = np.random.default_rng(8)
    net = tree_network(rng, n_types=1)
    net.output_weight[:] = net.initial[:] = net.transition[:] = 0
    net.output_bias[:] = [0, 5, 6, 5, 1]
    trees = tag(net, *random_batch(rng, [4, 2, 1]))
    assert trees.labels.tolist() == [1, 2, 2, 3, 1, 3, 4]
    assert trees.begin.tolist() == [0, 1, 2, 3]
    assert trees.rows.tolist() == [0, 4, 6, 7]
    assert trees.whole.tolist() == [True, True, True]


def test_no_sentence():
    rng = np.random.default_rng(9)
    trees = tag(tree_network(rng), *random_batch(rng, []))
    assert (len(trees.labels), len(trees.whole), trees.begin.tolist()) == (0, 0, [0])


def test_weights_that_are_no_numbers_still_give_trees():
    rng = np.random.default_rng(10)
    values = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38], np.float32)
    for _ in range(30):
        net = tree_network(rng)
        for weights in (net.word_weight, net.output_weight, net.transition, net.position_bias):
            weights.flat[rng.integers(weights.size)] = rng.choice(values)
        trees = tag(net, *random_batch(rng, [8, 5, 1]))
        assert ((trees.labels >= 0) & (trees.labels < 9)).all()
