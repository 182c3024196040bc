"""How much memory the training of language models and word vectors takes, told before it begins.

As docs/language-models.md says: for each number of the model itself, its gradient and what the
optimizer keeps; what a batch makes of each of its words; and the largest array once more in double
precision, as it is drawn. Each function raises SettingError, which names an option, if that is more
than the memory of the machine.
"""

import math
from dataclasses import replace

from senna_py.io.memory import check_memory
from senna_py.training.optimizers import OPTIMIZERS

__all__ = ["check_clustering", "check_lstm", "check_nplm", "check_ranking", "check_skipgram"]

_NUMBER = 4  # bytes
_TRACES = 3  # numbers that a batch keeps of a unit: its value, its slope or mask, its gradient


def _bytes(sizes, copies, of_batch=0):
    """Bytes of arrays of some sizes, so many of each, and of the numbers of a batch."""
    return _NUMBER * (copies * sum(sizes) + of_batch + 2 * max(sizes))


def _sizes(shapes):
    return [*map(math.prod, shapes.values())]


def _given(values, **names):
    """Values of options by the names of settings, of those options that are set."""
    return {setting: values[option] for setting, option in names.items() if option in values}


def check_nplm(settings, n_words, n_classes):
    """See the module; settings: NplmSettings; n_classes: 0 without classes."""
    shape, copies = settings.shape, 2 + OPTIMIZERS[settings.optimizer].slots
    values = {
        "--dim": shape.dim, "--hidden": shape.hidden, "--order": shape.order,
        "--batch": settings.batch, "--size": n_words,
    }  # fmt: skip
    if settings.samples:
        values["--samples"] = settings.samples

    def plan(values):
        made = replace(
            shape, order=max(values["--order"], 2), **_given(values, dim="--dim", hidden="--hidden")
        )
        n = values["--size"]
        scores = n_classes + n // n_classes if n_classes else values.get("--samples", n)
        units = made.n_inputs + made.n_features + scores
        sizes = _sizes(made.arrays(n, n_classes))
        return _bytes(sizes, copies, _TRACES * values["--batch"] * units)

    check_memory(plan, values)


def check_lstm(settings, sizes):
    """See the module; settings: LstmSettings; sizes: as of lstm.build.Parts."""
    shape, (n_words, *others) = settings.shape, sizes
    values = {
        "--hidden": shape.hidden, "--batch": settings.batch, "--steps": settings.steps,
        "--size": n_words,
    }  # fmt: skip
    if shape.input != "char":
        values["--dim"] = shape.dim

    def plan(values):
        made = replace(shape, **_given(values, hidden="--hidden", dim="--dim"))
        n, words = values["--size"], values["--batch"] * values["--steps"]
        units = made.n_features + 5 * made.layers * made.hidden  # four gates and the state
        units += n if made.output == "softmax" else 2 * math.isqrt(n)
        return _bytes(_sizes(made.arrays(n, *others)), 2, _TRACES * words * units)

    check_memory(plan, values)


def check_ranking(settings):
    """See the module; settings: RankingSettings."""
    values = {
        "--dim": settings.dim, "--hidden": settings.hidden, "--window": settings.window,
        "--threads": settings.threads, "--stages": settings.stages[-1][0],
    }  # fmt: skip

    def plan(values):
        vectors = values["--stages"] * values["--dim"]
        layers = values["--window"] * values["--dim"] * values["--hidden"]
        # Each thread has the gradient, and the windows of four pairs.
        of_threads = values["--threads"] * (2 * layers + 10 * values["--window"] * values["--dim"])
        return _bytes([vectors, layers], 1, of_threads)

    check_memory(plan, values)


def check_skipgram(settings, n_words):
    """See the module; settings: SkipGramSettings."""
    values = {"--dim": settings.dim, "--window": settings.window, "--size": n_words}

    def plan(values):
        vectors = values["--size"] * values["--dim"]
        return _bytes([vectors, 2 * values["--window"] * vectors], 1)

    check_memory(plan, values)


def check_clustering(n_classes):
    """See the module: counts of pairs of classes, twice, and what each merger would lose."""
    check_memory(lambda values: 16 * (values["--classes"] + 1) ** 2, {"--classes": n_classes})
