"""How much memory the training of a tagger takes, told before it begins."""

from dataclasses import replace

from senna_py.io.memory import check_memory, training_bytes
from senna_py.networks.registry import network_class
from senna_py.training.optimizers import OPTIMIZERS

__all__ = ["check_training", "check_vectors"]

# Arrays that are not multiplied with what each word has.
_NOT_OF_WORDS = ("distances", "positions", "steps", "lengths", "tags")


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
    numbers = {k: v for k, v in vars(network).items() if type(v) is int and v > 0}
    values = {f"network.{name}": value for name, value in numbers.items()}
    values |= {f"features.{name}": size for name, (_, size) in n_rows.items() if name != "word"}
    values |= {"training.batch": training.batch, "training.average": training.average}
    values["labels"] = n_tags

    def plan(**values):
        settings = replace(network, **{name: values[f"network.{name}"] for name in numbers})
        sizes = {name: values.get(f"features.{name}", own) for name, (_, own) in n_rows.items()}
        tables = {name: (n, sizes[name]) for name, (n, _) in n_rows.items()}
        given = {"input": sum(sizes.values()), "tags": values["labels"]}
        shapes = cls.planned_shapes(settings, given, roles)
        copies = 2 + slots + min(values["training.average"], training.epochs)
        batch = min(values["training.batch"], n_sentences) * n_words // max(n_sentences, 1)
        units = sum(
            sum(shape) for name, shape in shapes.items()
            if len(shape) == 2 and not _is_other(cls.planned_arrays(settings)[name])
        )  # fmt: skip
        return training_bytes((tables, 1 + slots), (shapes, copies), batch=2 * batch * units)

    check_memory(plan, **values)


def _is_other(shape):
    return any(shape[0] == name for name in _NOT_OF_WORDS)
