"""What networks share is computed once, and their tags are the same as if each did it alone."""

import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients, Weighted
from senna_py.networks.batch import WordBatch
from senna_py.networks.trunk import Trunk
from tests.helpers.finite_differences import whole_gradients
from tests.helpers.random_networks import (
    chart_network,
    dilated_network,
    random_batch,
    sentence_network,
    tree_network,
    window_network,
)

LENGTHS = [7, 1, 0, 30, 2, 150, 5]


def groups():
    """Networks of different heads on the tables and the trunk of the first, by a name."""
    rng = np.random.default_rng(5)
    dilated = dilated_network(rng, n_hidden=7, predicates=False)
    dilated.hidden_weight = dilated.hidden_bias = None
    dilated.output_weight = rng.standard_normal((8, 4)).astype(np.float32)
    made = {
        "window": [window_network(rng, n_tags=n) for n in (5, 3)],
        "word level": [window_network(rng, n_tags=n, sentence_level=False) for n in (2, 40)],
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
    """A network of the first block of another, with a layer norm and a head of its own."""
    rng = np.random.default_rng(8)
    arrays = dilated_network(rng, dilations=(1,), kernels=(3,), predicates=False).arrays()
    return type(network)(network.tables, network.padding, dilations=[1], **arrays).share(network)


def all_found(network, features, starts, cache=None, states=None):
    """What a network finds, as a list of arrays; of words also how likely tags are."""
    words = WordBatch(features, starts, states=states)
    if network.labels == "roles":
        words = WordBatch(features, starts).of_predicates(np.arange(0, len(features), 9))
        words.states = states
    found = network.tag(words, cache)
    if network.labels == "trees":
        return list(found[:-1])
    return [
        found.labels,
        found.begin,
        *(f(words, cache) for f in (network.scores, network.posteriors)),
    ]


@pytest.mark.parametrize("lengths", [LENGTHS, [3], [], [0]])
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", groups())
def test_the_same_tags_with_states_of_another_network(kind, plain, lengths):
    networks = groups()[kind]
    trunk = Trunk(dict(enumerate(networks)))
    if plain:
        lengths = [min(n, 40) for n in lengths]
    features, starts = random_batch(np.random.default_rng(1), lengths)
    with by_fallbacks(plain):
        states = trunk.states(WordBatch(features, starts), trunk.deepest.cache(20))
        if kind != "branches":  # whose states differ
            depths = {network.depth for network in networks}
            assert len({id(array) for array in states.values()}) <= len(depths)
        before = {number: array.copy() for number, array in states.items()}
        for number, network in enumerate(networks):
            assert all(network.common_depth(other) for other in networks)
            assert states[number].dtype == np.float32
            alone = all_found(network, features, starts, cache=network.cache(20))
            together = all_found(network, features, starts, states=states[number])
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
        network.hidden_weight = network.hidden_bias = None  # nothing below the head but tables
        assert not network.common_depth(network)


def test_layers_are_made_once_for_a_cache_and_each_way_of_kernels():
    network = dilated_network(np.random.default_rng(0), predicates=False)
    cache, other = network.cache(9), network.cache(9)
    with by_fallbacks():
        plain = network.used_layers(cache)
        assert network.used_layers(cache) is plain
    with by_fallbacks(False):
        compiled = network.used_layers(cache)
        assert compiled is not plain
        assert network.used_layers(cache) is compiled
        assert network.used_layers(other) is not compiled
        assert network.used_layers(None) is not network.used_layers(None)


def test_gradients_of_a_trunk_with_branches():
    networks = dict(enumerate(groups()["branches"]))
    features, starts = random_batch(np.random.default_rng(1), LENGTHS)
    rng = np.random.default_rng(2)
    d_states = {n: rng.standard_normal((len(features), 8)).astype(np.float32) for n in networks}

    def gradients(names):
        """Of the sum of states times d_states, of some networks in one trunk, by array."""
        given, own = Gradients(), {n: networks[n].parameters() for n in names}
        names_of = {n: {name: id(array) for name, array in own[n].items()} for n in names}
        run, states = Trunk({n: networks[n] for n in names}).train(
            WordBatch(features, starts), (Dropout(rng, 0.0), Dropout(rng, 0.0))
        )
        assert states.keys() == set(names)
        run.down(
            {n: d_states[n] for n in names}, {n: Weighted(given, 1.0, names_of[n]) for n in names}
        )
        arrays = {id(a): a for each in own.values() for a in each.values()}
        return whole_gradients(given, arrays)

    together, alone = gradients([*networks]), [gradients([n]) for n in networks]
    assert {*together} == set().union(*alone)
    for key, gradient in together.items():
        total = sum(found[key] for found in alone if key in found)
        np.testing.assert_allclose(gradient, total, rtol=1e-3, atol=1e-4)
