"""Networks with random weights, and calls of networks with arrays."""

import numpy as np

from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.pairs import PAIR_ARRAYS
from senna_py.layers.passes import TrainingPass
from senna_py.networks.arcs import ArcNetwork
from senna_py.networks.batch import WordBatch
from senna_py.networks.chart import ChartNetwork
from senna_py.networks.dilated import DilatedNetwork
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.trunk import Trunk
from senna_py.networks.window import WindowNetwork
from tests.helpers.finite_differences import check_directions
from tests.helpers.random_arrays import normal


def _layers(rng, n_in, n_hidden, n_out):
    """Weights and biases of two layers, by their names.

    HardTanh between them should not clip much, and words should differ in their scores:
    else many paths are equally good, and which one wins is left to rounding.
    """
    hidden = (
        np.float32(0.05) * normal(rng, n_in, n_hidden),
        np.float32(0.3) * normal(rng, n_hidden),
    )
    arrays = *hidden, 4 * normal(rng, n_hidden, n_out), normal(rng, n_out)
    names = "hidden_weight", "hidden_bias", "output_weight", "output_bias"
    return dict(zip(names, arrays, strict=True))


def _scores(rng, n):
    return {"initial": normal(rng, n), "transition": normal(rng, n, n)}


def _distances(rng, reach, dim):
    """Rows for distances, large enough to matter beside the largest of many words."""
    return 3 * normal(rng, 2 * reach + 1, dim)


def _tables(rng, keys, dims):
    tables = [normal(rng, n, dim) for n, dim in zip(keys, dims, strict=True)]
    return tables, np.array([rng.integers(n) for n in keys], np.int32)


def window_network(
    rng,
    window=3,
    keys=(99, 4, 5),
    dims=(3, 1, 2),
    n_hidden=6,
    n_tags=5,
    sentence_level=True,
):
    """WindowNetwork with `keys` keys and `dims` numbers a key in its lookup tables."""
    tables, padding = _tables(rng, keys, dims)
    return WindowNetwork(
        tables,
        padding,
        window=window,
        **_layers(rng, window * sum(dims), n_hidden, n_tags),
        **(_scores(rng, n_tags) if sentence_level else {}),
    )


def sentence_network(
    rng,
    window=3,
    keys=(99, 4, 5),
    dims=(3, 1, 2),
    distance_dims=(2, 3),
    reach=4,
    n_conv=12,
    n_hidden=5,
    n_tags=4,
    predicates=True,
):
    """SentenceNetwork with distances of -reach to reach."""
    tables, padding = _tables(rng, keys, dims)
    verbs, words = (_distances(rng, reach, dim) for dim in distance_dims)
    network = SentenceNetwork(
        tables,
        padding,
        window=window,
        verb_distances=verbs,
        word_distances=words,
        word_weight=normal(rng, window * sum(dims), n_conv),
        verb_distance_weight=normal(rng, window * distance_dims[0], n_conv),
        word_distance_weight=normal(rng, window * distance_dims[1], n_conv),
        conv_bias=normal(rng, n_conv),
        **_layers(rng, n_conv, n_hidden, n_tags),
        **_scores(rng, n_tags),
    )
    if not predicates:
        network.verb_distances = network.verb_distance_weight = None
    return network


def tree_network(
    rng,
    keys=(99, 4, 5),
    dims=(3, 1, 2, 2),
    reach=3,
    n_conv=12,
    n_hidden=5,
    n_types=2,
    n_extra=0,
):
    """TreeNetwork for `n_types` constituent types; `n_extra` keys follow the tree
    labels.
    """
    n_labels = 1 + 4 * n_types
    tables, padding = _tables(rng, (*keys, n_labels + n_extra), dims)
    return TreeNetwork(
        tables,
        padding,
        word_weight=normal(rng, sum(dims), n_conv),
        word_bias=normal(rng, n_conv),
        position_bias=_distances(rng, reach, n_conv),
        **_layers(rng, n_conv, n_hidden, n_labels),
        **_scores(rng, n_labels),
    )


def dilated_network(
    rng,
    keys=(99, 4, 5),
    dims=(3, 1, 2),
    width=8,
    dilations=(1, 3),
    kernels=(3, 5),
    n_hidden=5,
    n_tags=4,
    reach=4,
    predicates=True,
):
    """DilatedNetwork with two blocks of different kernels; for words if not for
    predicates.
    """
    tables, padding = _tables(rng, keys, dims)
    blocks = {}
    for k, kernel in enumerate(kernels, 1):
        blocks |= {
            f"block{k}_gain": 1 + np.float32(0.2) * normal(rng, width),
            f"block{k}_shift": np.float32(0.2) * normal(rng, width),
            f"block{k}_weight": np.float32(0.3)
            * normal(rng, kernel * width, 2 * width),
            f"block{k}_bias": np.float32(0.3) * normal(rng, 2 * width),
        }
    arrays = {
        "hidden_weight": normal(rng, width, n_hidden),
        "hidden_bias": normal(rng, n_hidden),
    }
    pairs = {
        name: np.float32(0.5) * normal(rng, width, n_hidden) for name in PAIR_ARRAYS
    }
    arrays |= {
        "input_weight": normal(rng, sum(dims), width),
        "input_bias": normal(rng, width),
        "norm_gain": 1 + np.float32(0.2) * normal(rng, width),
        "norm_shift": np.float32(0.2) * normal(rng, width),
        "output_weight": 2 * normal(rng, n_hidden, n_tags),
        "output_bias": normal(rng, n_tags),
        **_scores(rng, n_tags),
    }
    if predicates:
        arrays |= pairs | {"distances": normal(rng, 2 * reach + 1, n_hidden)}
    return DilatedNetwork(
        tables, padding, dilations=list(dilations), **blocks, **arrays
    )


def chart_network(rng, n_types=3, n_lengths=4, **sizes):
    """ChartNetwork for `n_types` types of constituents; sizes: of `dilated_network`."""
    network = dilated_network(rng, n_tags=1 + n_types, **sizes)
    arrays = network.arrays()
    del arrays["initial"], arrays["transition"]
    arrays["distances"] = arrays["distances"][:n_lengths].copy()
    return ChartNetwork(network.tables, network.padding, **network.sizes(), **arrays)


def arc_network(rng, n_maps=6, rank=5, n_tags=4, **sizes):
    """ArcNetwork for `n_tags` relations; sizes: of `dilated_network`."""
    network = dilated_network(
        rng, n_hidden=2 * n_maps, n_tags=n_tags, predicates=False, **sizes
    )
    arrays = network.arrays()
    del arrays["initial"], arrays["transition"]
    shapes = {
        "root": (n_maps,),
        "arc_weight": (n_maps, n_maps),
        "arc_bias": (n_maps,),
        "dependent_weight": (n_maps, rank),
        "dependent_bias": (rank,),
        "distances": (7, n_maps),
        "relation_distances": (7, rank),
        "head_weight": (n_maps, rank),
        "head_bias": (rank,),
        "output_weight": (rank, n_tags),
    }
    arrays |= {
        name: np.float32(0.3) * normal(rng, *shape) for name, shape in shapes.items()
    }
    return ArcNetwork(network.tables, network.padding, **network.sizes(), **arrays)


def random_batch(rng, lengths, keys=(99, 4, 5)):
    """Features int32[n_tokens, n_features] and starts of sentences of the given
    lengths.
    """
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    columns = [rng.integers(n, size=starts[-1]) for n in keys]
    return np.stack(columns, axis=1).astype(np.int32), starts


def batch_of(features, starts, sentence=None, predicate=None):
    """A WordBatch."""
    return WordBatch(features, starts, sentence, predicate)


def states_of(network, features, starts):
    """States of the words of a batch in use."""
    states = Trunk({"only": network}).states(batch_of(features, starts))
    return states["only"]


def tag(network, *batch, cache=None):
    """Tags of words; of roles with where they begin; or TreeSpans."""
    words = batch_of(*batch)
    found = network.decode(words, cache)
    if network.labels == "trees":
        return found
    return found.tags if words.predicate is None else (found.tags, words.begin)


def forward(network, features, starts, dropouts, *more):
    """Scores in training, and the pass that made them."""
    run = TrainingPass(dropouts)
    (scores,) = network.forward(
        run, network.layers(), batch_of(features, starts, *more)
    )
    return scores, run


def check_cost(network, words, targets, dropout, rng):
    """Compare the gradients of a network's cost on a WordBatch with slopes of that."""

    def run():  # in which the same units are left out each time
        same = np.random.default_rng(5)
        return network.cost(
            words, targets, (Dropout(same, dropout), Dropout(same, dropout))
        )

    cost, n_rows, trace = run()
    assert n_rows == words.begin[-1] and cost > 0
    gradients, arrays = Gradients(), network.parameters()
    network.cost_backward(trace, gradients)
    assert network.fan_in().keys() >= arrays.keys()
    assert {*gradients.by_name, *(name for name, *_ in gradients.by_row)} == set(arrays)
    check_directions(gradients, arrays, lambda: run()[0], rng)
