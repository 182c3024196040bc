"""Networks as they begin, with the paper's initialisation."""

import numpy as np

from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.window import WindowNetwork
from senna_py.training.inputs import IMPOSSIBLE, constraints

__all__ = ["new_network", "random_vectors"]


def _uniform(rng, n_in, *shape):
    """Uniform numbers with the variance 1 / n_in, as fan-in asks for (Remark 7)."""
    bound = np.sqrt(3 / n_in)
    return rng.uniform(-bound, bound, shape).astype(np.float32)


def _layer(rng, n_in, n_out):
    return _uniform(rng, n_in, n_in, n_out), np.zeros(n_out, np.float32)


def random_vectors(vectors, rng):
    """Vectors with the shape and the variance of `vectors`: float32[n_words, dim]."""
    bound = np.sqrt(3) * float(np.std(vectors))
    return rng.uniform(-bound, bound, vectors.shape).astype(np.float32)


def new_network(config, vectors, features, keys, rng):
    """A WindowNetwork or SentenceNetwork for a Config.

    vectors: float32[n_words, dim], copied; features: the run's `inputs.Features`; keys: the
    labels; rng: numpy.random.Generator.
    """
    tables = [np.array(vectors, np.float32)]
    for name in features.names[1:]:
        n_keys, dim = len(features.vocabularies[name]), config.features[name]
        tables.append(rng.uniform(-0.5, 0.5, (n_keys, dim)).astype(np.float32))
    n_input = config.network.window * sum(table.shape[1] for table in tables)
    make = _window_network if config.network.approach == "window" else _sentence_network
    network = make(config.network, tables, features.padding(), n_input, len(keys), rng)
    settings = config.network
    if settings.constrained and settings.criterion == "sentence" and config.kind != "tags":
        _constrain(network, keys)
    return network


def _window_network(settings, tables, padding, n_input, n_tags, rng):
    hidden, n_in = (None, None), n_input
    if settings.hidden:
        hidden, n_in = _layer(rng, n_input, settings.hidden), settings.hidden
    return WindowNetwork(
        settings.window, tables, padding, *hidden, *_layer(rng, n_in, n_tags),
        *_sentence_scores(settings, n_tags),
    )  # fmt: skip


def _sentence_network(settings, tables, padding, n_input, n_tags, rng):
    n_conv, n_hidden, dim = settings.conv, settings.hidden, settings.distance
    n_distances = 2 * settings.reach + 1
    distances = [rng.uniform(-0.5, 0.5, (n_distances, dim)).astype(np.float32) for _ in range(2)]
    n_in = n_input + 2 * settings.window * dim
    blocks = [
        _uniform(rng, n_in, rows, n_conv)
        for rows in (n_input, settings.window * dim, settings.window * dim)
    ]
    direct = ()
    if settings.direct:
        direct = (
            _uniform(rng, 2 * n_input, n_input, n_hidden),
            _uniform(rng, 2 * n_input, n_input, n_hidden),
            np.zeros((n_distances, n_hidden), np.float32),
        )
    return SentenceNetwork(
        settings.window, tables, padding, *distances, *blocks, np.zeros(n_conv, np.float32),
        *_layer(rng, n_conv, n_hidden), *_layer(rng, n_hidden, n_tags),
        *_sentence_scores(settings, n_tags), None, *direct,
    )  # fmt: skip


def _sentence_scores(settings, n_tags):
    if settings.criterion == "word":
        return None, None
    return np.zeros(n_tags, np.float32), np.zeros((n_tags, n_tags), np.float32)


def _constrain(network, keys):
    """Make impossible IOBES sequences improbable beyond any score; see `inputs.constraints`."""
    begins, follows, ends = constraints(keys)
    network.initial[~begins] = IMPOSSIBLE
    network.transition[~follows] = IMPOSSIBLE
    network.final = np.where(ends, np.float32(0), np.float32(IMPOSSIBLE))
