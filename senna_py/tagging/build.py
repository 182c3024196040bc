"""New networks of taggers, and how much memory they take to train, told before it begins."""

from copy import copy

import numpy as np

from senna_py.io.memory import check_memory, training_bytes
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.linear import initial_uniform
from senna_py.networks.registry import network_class
from senna_py.tagging.inputs import constraints
from senna_py.training.optimizers import OPTIMIZERS

__all__ = [
    "IOBES", "check_training", "check_vectors", "constrain", "new_network", "random_vectors",
]  # fmt: skip

IOBES = ("segments", "roles")  # kinds of labels
# Arrays that are not multiplied with what each word has.
_NOT_OF_WORDS = ("distances", "positions", "steps", "lengths", "tags")


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


def check_vectors(n_words, size):
    """Raise SettingError if there is no room for random vectors; size: network.word_size."""
    check_memory(
        lambda word_size: training_bytes(({"vectors": (n_words, word_size)}, 1)),
        "network.{}", word_size=size,
    )  # fmt: skip


def check_training(config, n_rows, n_tags, n_sentences, n_words):
    """Raise SettingError if the training of a network cannot fit into memory.

    config: a Config; n_rows: pairs of rows and columns of the lookup tables, by the names of the
    features; n_tags: labels; n_sentences, n_words: of the training data. A word of a batch takes 2
    numbers for each row and each column of the layers' matrices; the rest is `training_bytes`.
    """
    network, training = config.network, config.training
    cls, roles = network_class(network.approach), config.kind == "roles"
    slots = OPTIMIZERS[training.optimizer].slots
    numbers = {k: v for k, v in vars(network.own).items() if type(v) is int and v > 0}
    prefix = f"network.{network.approach}"
    values = {f"{prefix}.{name}": value for name, value in numbers.items()}
    values |= {f"features.{name}": size for name, (_, size) in n_rows.items() if name != "word"}
    values |= {"training.batch": training.batch, "training.average": training.average}
    values["labels"] = n_tags

    def plan(**values):
        settings = copy(network.own)  # whatever the numbers, odd or not
        vars(settings).update({name: values[f"{prefix}.{name}"] for name in numbers})
        sizes = {name: values.get(f"features.{name}", own) for name, (_, own) in n_rows.items()}
        tables = {name: (n, sizes[name]) for name, (n, _) in n_rows.items()}
        given = {"input": sum(sizes.values()), "tags": values["labels"]}
        shapes = cls.planned_shapes(settings, given, roles)
        average = values["training.average"]
        copies = 2 + slots + min(average, training.epochs or average)
        batch = min(values["training.batch"], n_sentences) * n_words // max(n_sentences, 1)
        header, *_ = cls.plan(settings, roles)
        rows = {array.name: array.shape[0] for array in cls.declare(header)}
        units = sum(
            sum(shape)
            for name, shape in shapes.items()
            if len(shape) == 2 and rows[name] not in _NOT_OF_WORDS
        )
        return training_bytes((tables, 1 + slots), (shapes, copies), batch=2 * batch * units)

    check_memory(plan, **values)
