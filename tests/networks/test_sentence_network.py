import functools
import operator
from itertools import pairwise

import numpy as np
import pytest

from senna_py.layers.blocks import BLOCK
from tests.helpers.naive_networks import tag_roles, tag_words
from tests.helpers.random_networks import random_batch, sentence_network
from tests.helpers.run_networks import tag

LENGTHS = [3, BLOCK + 4, 1, 9, 30, 1, 60]
SIZES = [{}, {"n_conv": 20, "n_hidden": 19, "n_tags": 100}]  # the second is computed in tiles


def random_predicates(rng, starts, most=3):
    """Sentences and tokens of up to `most` predicates of each sentence, but one of the second."""
    sentence, predicate = [], []
    for s, (a, b) in enumerate(pairwise(starts.tolist())):
        count = 1 if s == 1 else min(b - a, int(rng.integers(most + 1)))
        predicate += sorted(rng.choice(np.arange(a, b), count, replace=False).tolist())
        sentence += [s] * count
    return np.array(sentence, np.int32), np.array(predicate, np.int32)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("window", "reach"), [(1, 4), (3, 1), (3, 10), (5, 40), (3, BLOCK + 50)])
def test_roles_are_those_of_the_obvious_loops(window, reach, sizes):
    rng = np.random.default_rng(reach + len(sizes))
    net = sentence_network(rng, window, reach=reach, **sizes)
    net.final = rng.standard_normal(len(net.initial)).astype(np.float32)
    features, starts = random_batch(rng, LENGTHS)
    sentence, predicate = random_predicates(rng, starts)
    tags, begin = tag(net, features, starts, sentence, predicate)
    expected = []
    for s, v in zip(sentence, predicate, strict=True):
        a, b = starts[s], starts[s + 1]
        expected.append(tag_roles(net, features[a:b], v - a))
    assert begin.tolist() == np.cumsum([0, *map(len, expected)]).tolist()
    assert tags.tolist() == functools.reduce(operator.iadd, expected, [])


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("window", "reach"), [(1, 4), (3, 1), (5, 40), (3, BLOCK + 50)])
def test_words_are_those_of_the_obvious_loops_and_of_no_batch(window, reach, sizes):
    rng = np.random.default_rng(reach + len(sizes))
    net = sentence_network(rng, window, reach=reach, predicates=False, **sizes)
    features, starts = random_batch(rng, LENGTHS)
    tags = tag(net, features, starts)
    for a, b in pairwise(starts):
        assert tags[a:b].tolist() == tag_words(net, features[a:b])
        alone = tag(net, features[a:b], np.array([0, b - a], np.int32))
        assert alone.tolist() == tags[a:b].tolist()


def test_a_sentence_does_not_depend_on_its_batch():
    rng = np.random.default_rng(6)
    net = sentence_network(rng)
    features, starts = random_batch(rng, LENGTHS)
    sentence, predicate = random_predicates(rng, starts, 20)
    tags, begin = tag(net, features, starts, sentence, predicate)
    for p, (s, v) in enumerate(zip(sentence, predicate, strict=True)):
        a, b = starts[s], starts[s + 1]
        alone, alone_begin = tag(net,
            features[a:b], np.array([0, b - a], np.int32), np.zeros(1, np.int32),
            np.array([v - a], np.int32),
        )  # fmt: skip
        assert alone_begin.tolist() == [0, b - a]
        assert alone.tolist() == tags[begin[p] : begin[p + 1]].tolist()


def test_no_word():
    rng = np.random.default_rng(3)
    net = sentence_network(rng, predicates=False)
    assert tag(net, *random_batch(rng, [])).tolist() == []


def test_no_predicate():
    rng = np.random.default_rng(7)
    net = sentence_network(rng)
    nothing = np.empty(0, np.int32)
    for lengths in ([], [3, 4]):
        tags, begin = tag(net, *random_batch(rng, lengths), nothing, nothing)
        assert tags.tolist() == []
        assert begin.tolist() == [0]


def test_weights_that_are_no_numbers_still_give_tags():
    rng = np.random.default_rng(8)
    values = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38], np.float32)
    features, starts = random_batch(rng, [8, 5])
    sentence, predicate = np.array([0, 1], np.int32), np.array([2, 9], np.int32)
    for _ in range(30):
        net = sentence_network(rng)
        for weights in (net.word_weight, net.output_weight, net.transition):
            weights.flat[rng.integers(weights.size)] = rng.choice(values)
        tags, _ = tag(net, features, starts, sentence, predicate)
        assert ((tags >= 0) & (tags < 4)).all()
