"""Networks as they begin, with the paper's initialisation."""

import numpy as np

from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.window import WindowNetwork
from senna_py.tagger_training.inputs import IMPOSSIBLE, constraints

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
        if name in features.spelled_tables:
            tables.append(features.spelled_tables[name])
            continue
        n_keys, dim = len(features.vocabularies[name]), config.features[name]
        tables.append(rng.uniform(-0.5, 0.5, (n_keys, dim)).astype(np.float32))
    n_input = config.network.window * sum(table.shape[1] for table in tables)
    arguments = config.network, tables, features.padding(), n_input, len(keys), rng
    if config.network.approach == "window":
        network = _window_network(*arguments)
    else:
        network = _sentence_network(*arguments, config.kind == "roles")
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


def _sentence_network(settings, tables, padding, n_input, n_tags, rng, has_predicates):
    n_conv, n_hidden, dim = settings.conv, settings.hidden, settings.distance
    n_distances, n_distance_input = 2 * settings.reach + 1, settings.window * dim
    kinds = ("verb", "word") if has_predicates else ("word",)
    distances = {k: rng.uniform(-0.5, 0.5, (n_distances, dim)).astype(np.float32) for k in kinds}
    n_in = n_input + len(kinds) * n_distance_input
    word_weight = _uniform(rng, n_in, n_input, n_conv)
    weights = {kind: _uniform(rng, n_in, n_distance_input, n_conv) for kind in kinds}
    direct = ()
    if settings.direct:
        direct = [_uniform(rng, len(kinds) * n_input, n_input, n_hidden) for _ in kinds]
    if settings.direct and has_predicates:
        direct.append(np.zeros((n_distances, n_hidden), np.float32))
    return SentenceNetwork(
        settings.window, tables, padding, distances.get("verb"), distances["word"], word_weight,
        weights.get("verb"), weights["word"], np.zeros(n_conv, np.float32),
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
