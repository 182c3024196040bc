import numpy as np

from tests.helpers.random_networks import random_batch, tag, tree_network


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
