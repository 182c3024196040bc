"""New networks of taggers."""

import numpy as np

from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.linear import initial_uniform
from senna_py.networks.registry import network_class
from senna_py.tagging.inputs import constraints

__all__ = ["IOBES", "constrain", "new_network", "random_vectors"]

IOBES = ("segments", "roles")  # kinds of labels


def random_vectors(vectors, rng):
    """Vectors with the shape and the variance of `vectors`: float32[n_words, dim]."""
    return initial_uniform(rng, np.sqrt(3) * float(np.std(vectors)), *vectors.shape)


def new_network(config, vectors, features, keys, rng, initial=None):
    """A new network for a Config.

    vectors: float32[n_words, dim], copied; features: the run's `inputs.Features`; keys: the
    labels; rng: numpy.random.Generator; initial: the InitialNetwork to begin with, or None.
    """
    tables = [np.array(vectors, np.float32)]
    for name in features.names[1:]:
        n_keys, dim = len(features.vocabularies[name]), config.features[name]
        tables.append(initial_uniform(rng, 0.5, n_keys, dim))
    settings, sizes = config.network, {"tags": len(keys)}
    if settings.paths:
        sizes["labels_of_trees"] = features.n_labels_of_trees
    network = network_class(settings.approach).initialise(
        settings.own, tables, features.padding(), sizes, rng, config.kind == "roles",
        settings.criterion == "sentence",
    )  # fmt: skip
    if initial is not None:
        initial.begin(network, features.names, keys)
    if settings.constrained and settings.criterion == "sentence" and config.kind in IOBES:
        constrain(network, keys)
    return network


def constrain(network, keys):
    """Make impossible IOBES sequences improbable beyond any score; see `inputs.constraints`."""
    begins, follows, ends = constraints(keys)
    network.initial[~begins] = IMPOSSIBLE
    network.transition[~follows] = IMPOSSIBLE
    network.final = np.where(ends, np.float32(0), np.float32(IMPOSSIBLE))
