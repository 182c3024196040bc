import functools
import operator
from itertools import pairwise

import numpy as np
import pytest

from senna_py.layers.blocks import BLOCK
from tests.helpers.naive_networks import tag_window
from tests.helpers.random_networks import random_batch, window_network
from tests.helpers.run_networks import tag

LENGTHS = [3, BLOCK + 44, 1, 1, BLOCK, 40, 2 * BLOCK + 3, 2]


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("sentence_level", [True, False])
@pytest.mark.parametrize("window", [1, 3, 5, 9])
def test_tags_are_those_of_the_obvious_loops(window, sentence_level, linear):
    rng = np.random.default_rng(window)
    net = window_network(rng, window, sentence_level=sentence_level)
    if linear:
        net.hidden_weight = net.hidden_bias = None
        net.output_weight = rng.standard_normal((6 * window, 5)).astype(np.float32)
    if sentence_level:
        net.final = rng.standard_normal(5).astype(np.float32)
    features, starts = random_batch(rng, LENGTHS)
    expected = [tag_window(net, features[a:b]) for a, b in pairwise(starts)]
    assert tag(net, features, starts).tolist() == functools.reduce(operator.iadd, expected, [])
    assert len(set(functools.reduce(operator.iadd, expected, []))) > 1


def test_no_sentence():
    rng = np.random.default_rng(7)
    for sentence_level in (True, False):
        net = window_network(rng, sentence_level=sentence_level)
        assert tag(net, *random_batch(rng, [])).tolist() == []


def test_equal_scores_give_the_lowest_tag():
    rng = np.random.default_rng(7)
    for sentence_level in (True, False):
        net = window_network(rng, sentence_level=sentence_level)
        for weights in (net.output_weight, net.output_bias):
            weights[:] = 0
        if sentence_level:
            net.initial[:] = net.transition[:] = 0
        assert tag(net, *random_batch(rng, [5, 2])).tolist() == [0] * 7


def test_weights_that_are_no_numbers_still_give_tags():
    rng = np.random.default_rng(7)
    values = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38], np.float32)
    for sentence_level in (True, False):
        for _ in range(20):
            net = window_network(rng, sentence_level=sentence_level)
            for weights in (net.hidden_weight, net.output_weight, net.output_bias):
                weights.flat[rng.integers(weights.size)] = rng.choice(values)
            tags = tag(net, *random_batch(rng, LENGTHS))
            assert ((tags >= 0) & (tags < 5)).all()
