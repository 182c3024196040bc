"""What networks give of a batch, of each sentence alone, and together with others that
share.
"""

from itertools import pairwise

import numpy as np
import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.activations import Dropout
from senna_py.layers.blocks import BLOCK
from senna_py.layers.gradients import Gradients, WeightedGradients
from senna_py.networks.batch import WordBatch
from senna_py.networks.trunk import Trunk
from tests.helpers.finite_differences import whole_gradients
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
    "roles in tiles": lambda rng: sentence_network(
        rng, reach=BLOCK + 50, n_tags=100, **TILES
    ),
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
    """A WordBatch, for networks for roles with predicates: none, one or several in a
    sentence.
    """
    words = WordBatch(features, starts)
    roles = network.labels == "roles"
    return (
        words.of_predicates(np.flatnonzero(features[:, 0] % 29 == 3))
        if roles
        else words
    )


def found(network, words, scored=False):
    """Arrays of what a network finds, in the order of the sentences; scored: with its
    scores.
    """
    if network.labels == "trees":
        begin, end, label, level = network.decode(words)
        sentence = np.searchsorted(words.starts, begin, side="right") - 1
        order = np.lexsort((level, end, begin))
        first = words.starts[sentence]
        columns = label, begin - first, end - first, level
        counts = np.bincount(sentence, minlength=len(words.starts) - 1)
        return [*(column[order] for column in columns), counts]
    decoded = network.decode(words, scored=True)
    if network.labels == "arcs":
        return [decoded.label, decoded.head, decoded.score]
    scores = [network.scores(words)] if scored else []
    return [decoded.tags, np.diff(words.begin), *scores]


@pytest.mark.parametrize("kind", OF_WORDS)
def test_tagging_sees_the_scores_of_training(kind):
    rng = np.random.default_rng(6)
    network = OF_WORDS[kind](rng)
    words = batch_for(network, *random_batch(rng, LENGTHS))
    given = (
        words.features,
        words.starts,
        (Dropout(rng, 0.0),) * 2,
        words.sentence,
        words.predicate,
    )
    expected, _ = forward(network, *given)
    scores = network.scores(words)
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-3)
    if network.initial is None:
        assert np.array_equal(network.decode(words).tags, scores.argmax(axis=1))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", MAKE)
def test_a_sentence_does_not_depend_on_its_batch(kind, plain):
    rng = np.random.default_rng(1)
    network = MAKE[kind](rng)
    features, starts = random_batch(rng, [1, 7, 40] if plain else LENGTHS)
    with fixed_kernels(plain):
        # BLAS, by which NumPy fallbacks multiply, rounds by the number of rows.
        together = found(network, batch_for(network, features, starts), not plain)
        batches = (
            batch_for(network, features[a:b], np.array([0, b - a], np.int32))
            for a, b in pairwise(starts)
        )
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
    with fixed_kernels(plain=True):
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
        decoded = network.decode(batch_for(network, features, starts))
        labels = decoded.tags if hasattr(decoded, "tags") else decoded.label
        assert ((labels >= 0) & (labels < network.n_labels)).all()


@pytest.mark.parametrize("sentence_level", [False, True])
def test_equal_scores_give_the_lowest_tag(sentence_level):
    rng = np.random.default_rng(7)
    network = window(rng, 3, sentence_level=sentence_level)
    for name in (
        "output_weight",
        "output_bias",
        *["initial", "transition"] * sentence_level,
    ):
        getattr(network, name)[:] = 0
    assert not network.decode(WordBatch(*random_batch(rng, [5, 2]))).tags.any()


FEW_LENGTHS = [7, 1, 0, 30, 2, 150, 5]


def groups():
    """Networks of different heads on the tables and the trunk of the first, by a
    name.
    """
    rng = np.random.default_rng(5)
    dilated = dilated_network(rng, n_hidden=7, predicates=False)
    dilated.hidden_weight = dilated.hidden_bias = None
    dilated.output_weight = rng.standard_normal((8, 4)).astype(np.float32)
    made = {
        "window": [window_network(rng, n_tags=n) for n in (5, 3)],
        "word level": [
            window_network(rng, n_tags=n, sentence_level=False) for n in (2, 40)
        ],
        "sentence": [
            sentence_network(rng, predicates=False),
            sentence_network(rng, n_hidden=9, n_tags=6, predicates=False),
            sentence_network(rng),
        ],
        "dilated": [dilated, dilated_network(rng), chart_network(rng)],
    }
    found = {
        name: [first, *(each.share(first) for each in others)]
        for name, (first, *others) in made.items()
    }
    one, two = found["dilated"][:2]
    own = dilated_network(rng, dilations=(1, 2), predicates=False).arrays()
    above = {name: own[name] for name in own if name.startswith(("block2", "norm"))}
    apart = [each.changed(**above, dilations=[1, 2]) for each in (one, two)]
    return found | {"branches": [one, apart[0], two, apart[1], _first_block_alone(one)]}


def _first_block_alone(network):
    """A network of the first block of another, with a layer norm and a head of its
    own.
    """
    rng = np.random.default_rng(8)
    arrays = dilated_network(
        rng, dilations=(1,), kernels=(3,), predicates=False
    ).arrays()
    return type(network)(
        network.tables, network.padding, dilations=[1], **arrays
    ).share(network)


def all_found(network, features, starts, cache=None, states=None):
    """What a network finds, as a list of arrays; of words also how likely tags are."""
    words = WordBatch(features, starts, states=states)
    if network.labels == "roles":
        words = WordBatch(features, starts).of_predicates(
            np.arange(0, len(features), 9)
        )
        words.states = states
    found = network.decode(words, cache)
    if network.labels == "trees":
        return list(found)
    return [
        found.tags,
        words.begin,
        *(f(words, cache) for f in (network.scores, network.posteriors)),
    ]


@pytest.mark.parametrize("lengths", [FEW_LENGTHS, [3], [], [0]])
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", groups())
def test_the_same_tags_with_states_of_another_network(kind, plain, lengths):
    networks = groups()[kind]
    trunk = Trunk(dict(enumerate(networks)))
    if plain:
        lengths = [min(n, 40) for n in lengths]
    features, starts = random_batch(np.random.default_rng(1), lengths)
    with fixed_kernels(plain):
        words, cache = WordBatch(features, starts), trunk.deepest.cache(20)
        states = trunk.states(words, cache)
        shared = trunk.shared_states(words, cache)
        if kind != "branches":  # whose states differ
            depths = {network.depth for network in networks}
            assert len({id(array) for array in states.values()}) <= len(depths)
        before = {number: array.copy() for number, array in states.items()}
        for number, network in enumerate(networks):
            assert all(network.common_depth(other) for other in networks)
            assert states[number].dtype == np.float32
            alone = all_found(network, features, starts, cache=network.cache(20))
            together = all_found(network, features, starts, states=shared[number])
            assert len(alone) == len(together)
            for ours, theirs in zip(together, alone, strict=True):
                # BLAS, by which NumPy fallbacks multiply, rounds by where arrays lie.
                np.testing.assert_allclose(ours, theirs, rtol=1e-4 if plain else 0)
        assert all(np.array_equal(states[number], before[number]) for number in states)


def test_networks_that_have_other_states():
    rng = np.random.default_rng(2)
    first, second = groups()["window"]
    assert second.common_depth(first) == 1
    for name in ("hidden_weight", "hidden_bias"):
        other = second.changed(**{name: getattr(second, name).copy()})
        assert not other.common_depth(first)
    tables = [second.tables[0].copy(), *second.tables[1:]]
    assert not second.changed(tables=tables).common_depth(first)
    second.padding = second.padding + 1
    assert not second.common_depth(first)
    one, other, _ = groups()["dilated"]
    one.dilations = [1, 2]
    assert one.common_depth(other) == 1
    for network in (tree_network(rng), window_network(rng)):
        network.hidden_weight = network.hidden_bias = (
            None  # nothing below the head but tables
        )
        assert not network.common_depth(network)


def test_layers_are_made_once_for_a_cache_and_each_way_of_kernels():
    network = dilated_network(np.random.default_rng(0), predicates=False)
    cache, other = network.cache(9), network.cache(9)
    with fixed_kernels(plain=True):
        plain = network.inference_layers(cache)
        assert network.inference_layers(cache) is plain
    with fixed_kernels(plain=False):
        compiled = network.inference_layers(cache)
        assert compiled is not plain
        assert network.inference_layers(cache) is compiled
        assert network.inference_layers(other) is not compiled
        assert network.inference_layers(None) is not network.inference_layers(None)


def test_gradients_of_a_trunk_with_branches():
    networks = dict(enumerate(groups()["branches"]))
    features, starts = random_batch(np.random.default_rng(1), FEW_LENGTHS)
    rng = np.random.default_rng(2)
    d_states = {
        n: rng.standard_normal((len(features), 8)).astype(np.float32) for n in networks
    }

    def gradients(names):
        """Of the sum of states times d_states, of some networks in one trunk, by
        array.
        """
        given, own = Gradients(), {n: networks[n].parameters() for n in names}
        names_of = {
            n: {name: id(array) for name, array in own[n].items()} for n in names
        }
        passes, states = Trunk({n: networks[n] for n in names}).forward(
            WordBatch(features, starts), (Dropout(rng, 0.0), Dropout(rng, 0.0))
        )
        assert states.keys() == set(names)
        passes.backward(
            {n: d_states[n] for n in names},
            {n: WeightedGradients(given, 1.0, names_of[n]) for n in names},
        )
        arrays = {id(a): a for each in own.values() for a in each.values()}
        return whole_gradients(given, arrays)

    together, alone = gradients([*networks]), [gradients([n]) for n in networks]
    assert {*together} == set().union(*alone)
    for key, gradient in together.items():
        total = sum(found[key] for found in alone if key in found)
        np.testing.assert_allclose(gradient, total, rtol=1e-3, atol=1e-4)
