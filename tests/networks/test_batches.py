"""What all networks give of a batch: scores of training, of each sentence alone, by any weights."""

from itertools import pairwise

import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.activations import Dropout
from senna_py.layers.blocks import BLOCK
from senna_py.networks.batch import WordBatch
from tests.helpers.random_networks import (
    arc_network,
    chart_network,
    dilated_network,
    forward,
    random_batch,
    sentence_network,
    tree_network,
    window_network,
)

LENGTHS = [3, BLOCK + 44, 1, BLOCK, 40, 2 * BLOCK + 3, 2]
TILES = {"n_conv": 20, "n_hidden": 19}  # sizes that are computed in tiles


def window(rng, size, linear=False, **more):
    """A window network, without a hidden layer or with one."""
    network = window_network(rng, size, **more)
    if linear:
        network.hidden_weight = network.hidden_bias = None
        network.output_weight = rng.standard_normal((6 * size, 5)).astype(np.float32)
    return network


OF_WORDS = {
    "window": lambda rng: window(rng, 3),
    "window of one word": lambda rng: window(rng, 1, sentence_level=False),
    "wide window": lambda rng: window(rng, 9),
    "linear": lambda rng: window(rng, 5, linear=True),
    "linear, word level": lambda rng: window(rng, 1, linear=True, sentence_level=False),
    "sentence": lambda rng: sentence_network(rng, reach=1, predicates=False),
    "sentence in tiles": lambda rng: sentence_network(
        rng, 5, reach=40, n_tags=100, predicates=False, **TILES
    ),
    "roles": lambda rng: sentence_network(rng, 1),
    "roles in tiles": lambda rng: sentence_network(rng, reach=BLOCK + 50, n_tags=100, **TILES),
}
MAKE = OF_WORDS | {
    "dilated": lambda rng: dilated_network(rng, width=21, predicates=False),
    "dilated in tiles": lambda rng: dilated_network(rng, width=24, predicates=False),
    "dilated roles": lambda rng: dilated_network(rng, width=21),
    "dilated roles in tiles": lambda rng: dilated_network(rng, width=24),
    "tree": tree_network,
    "tree in tiles": lambda rng: tree_network(rng, **TILES),
    "chart": lambda rng: chart_network(rng, width=21, n_hidden=19),
    "arcs": arc_network,
}


def batch_for(network, features, starts):
    """A WordBatch, for networks for roles with predicates: none, one or several in a sentence."""
    words = WordBatch(features, starts)
    roles = network.labels == "roles"
    return words.of_predicates(np.flatnonzero(features[:, 0] % 29 == 3)) if roles else words


def found(network, words, scored=False):
    """Arrays of what a network finds, in the order of the sentences; scored: with its scores."""
    answer = network.tag(words, scored=True)
    others = [getattr(answer, name, None) for name in ("head", "whole", "probabilities")]
    if scored and network.labels in ("words", "roles"):
        others.append(network.scores(words))
    return [answer.labels, np.diff(answer.begin), *(each for each in others if each is not None)]


@pytest.mark.parametrize("kind", OF_WORDS)
def test_tagging_sees_the_scores_of_training(kind):
    rng = np.random.default_rng(6)
    network = OF_WORDS[kind](rng)
    words = batch_for(network, *random_batch(rng, LENGTHS))
    given = words.features, words.starts, (Dropout(rng, 0.0),) * 2, words.sentence, words.predicate
    expected, _ = forward(network, *given)
    scores = network.scores(words)
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-3)
    if network.initial is None:
        assert np.array_equal(network.tag(words).labels, scores.argmax(axis=1))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", MAKE)
def test_a_sentence_does_not_depend_on_its_batch(kind, plain):
    rng = np.random.default_rng(1)
    network = MAKE[kind](rng)
    features, starts = random_batch(rng, [1, 7, 40] if plain else LENGTHS)
    with by_fallbacks(plain):
        # BLAS, by which NumPy fallbacks multiply, rounds by the number of rows.
        together = found(network, batch_for(network, features, starts), not plain)
        batches = (batch_for(network, features[a:b], np.array([0, b - a], np.int32))
                   for a, b in pairwise(starts))  # fmt: skip
        alone = [found(network, batch, not plain) for batch in batches]
    for whole, *parts in zip(together, *alone, strict=True):
        assert np.array_equal(whole, np.concatenate(parts))
    assert len({*together[0].tolist()}) > 1


@pytest.mark.parametrize("kind", MAKE)
def test_fallbacks_find_the_same(kind):
    """As plain Python and NumPy, which know nothing of tiles."""
    rng = np.random.default_rng(2)
    network = MAKE[kind](rng)
    words = batch_for(network, *random_batch(rng, [1, 7, 40, 2, 19]))
    expected = found(network, words)
    with by_fallbacks():
        for one, other in zip(found(network, words), expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", MAKE)
def test_no_sentence_and_no_predicate(kind):
    rng = np.random.default_rng(7)
    network = MAKE[kind](rng)
    assert not any(map(len, found(network, batch_for(network, *random_batch(rng, [])))))
    if network.labels == "roles":
        words = WordBatch(*random_batch(rng, [3, 4])).of_predicates(np.array([], int))
        assert not any(map(len, found(network, words)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -3e38])
@pytest.mark.parametrize("kind", MAKE)
def test_weights_that_are_no_numbers_still_give_labels(kind, value):
    rng = np.random.default_rng(8)
    features, starts = random_batch(rng, [8, 5, 1])
    for name in MAKE[kind](rng).arrays():
        network = MAKE[kind](rng)
        weights = getattr(network, name)
        weights.flat[rng.integers(weights.size)] = value
        labels = network.tag(batch_for(network, features, starts)).labels
        assert ((labels >= 0) & (labels < network.n_labels)).all()


@pytest.mark.parametrize("sentence_level", [False, True])
def test_equal_scores_give_the_lowest_tag(sentence_level):
    rng = np.random.default_rng(7)
    network = window(rng, 3, sentence_level=sentence_level)
    for name in ("output_weight", "output_bias", *["initial", "transition"] * sentence_level):
        getattr(network, name)[:] = 0
    assert not network.tag(WordBatch(*random_batch(rng, [5, 2]))).labels.any()
