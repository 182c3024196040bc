"""Memory that the training of language models and word vectors takes, told before it begins.

Each function raises SettingError, which names an option, if `io.memory.training_bytes` of what it
will make are more than the memory of the machine.
"""

import math
from dataclasses import replace

from senna_py.io.memory import check_memory, training_bytes
from senna_py.training.optimizers import OPTIMIZERS

__all__ = ["check_clustering", "check_lstm", "check_nplm", "check_ranking", "check_skipgram"]

_TRACES = 3  # numbers that a batch keeps of a unit: its value, its slope or mask, its gradient
_OPTION = "--{}"


def check_nplm(settings, n_words, n_classes):
    """Check the memory of NplmSettings; n_classes: 0 without classes."""
    shape, copies = settings.shape, 2 + OPTIMIZERS[settings.optimizer].slots

    def plan(dim, hidden, order, batch, size, samples=0):
        made = replace(shape, dim=dim, hidden=hidden, order=max(order, 2))
        scores = n_classes + size // n_classes if n_classes else samples or size
        units = made.n_inputs + made.n_features + scores
        return training_bytes((made.arrays(size, n_classes), copies), batch=_TRACES * batch * units)

    drawn = {"samples": settings.samples} if settings.samples else {}
    check_memory(plan, _OPTION, dim=shape.dim, hidden=shape.hidden, order=shape.order,
                 batch=settings.batch, size=n_words, **drawn)  # fmt: skip


def check_lstm(settings, sizes):
    """Check the memory of LstmSettings; sizes: as of Lexicon."""
    shape, (n_words, *others) = settings.shape, sizes

    def plan(hidden, batch, steps, size, dim=shape.dim):
        made = replace(shape, hidden=hidden, dim=dim)
        units = made.n_features + 5 * made.layers * made.hidden  # four gates and the state
        units += size if made.output == "softmax" else 2 * math.isqrt(size)
        return training_bytes(
            (made.arrays(size, *others), 2), batch=_TRACES * batch * steps * units
        )

    of_words = {} if shape.input == "char" else {"dim": shape.dim}
    check_memory(plan, _OPTION, hidden=shape.hidden, batch=settings.batch, steps=settings.steps,
                 size=n_words, **of_words)  # fmt: skip


def check_ranking(settings):
    """Check the memory of RankingSettings."""

    def plan(dim, hidden, window, threads, stages):
        shapes = {"vectors": (stages, dim), "layers": (window, dim, hidden)}
        # Each thread has the gradient, and the windows of four pairs.
        of_thread = 2 * window * dim * hidden + 10 * window * dim
        return training_bytes((shapes, 1), batch=threads * of_thread)

    s = settings
    check_memory(plan, _OPTION, dim=s.dim, hidden=s.hidden, window=s.window, threads=s.threads,
                 stages=s.stages[-1][0])  # fmt: skip


def check_skipgram(settings, n_words):
    """Check the memory of SkipGramSettings."""

    def plan(dim, context, size):
        return training_bytes(({"vectors": (size, dim), "outputs": (2 * context, size, dim)}, 1))

    check_memory(plan, _OPTION, dim=settings.dim, context=settings.context, size=n_words)


def check_clustering(n_classes):
    """Check the memory of counts of pairs of classes, twice, and of what each merger would lose."""
    check_memory(lambda clusters: 16 * (clusters + 1) ** 2, _OPTION, clusters=n_classes)
