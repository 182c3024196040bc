"""Training of the neural language model, on single examples or on minibatches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.class_files import read_word_classes
from senna_py.kernels.lm.nplm import Layers, train_examples
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.protocol import check_new
from senna_py.lm.nplm.build import network_of, new_network
from senna_py.lm.nplm.energy import EnergyNetwork, ImportanceSampling
from senna_py.lm.nplm.model import NeuralModel, Unseen, context_rows
from senna_py.lm.nplm.settings import NplmShape
from senna_py.lm.perplexity_training import PerplexityTraining, digest
from senna_py.lm.word_list import UNKNOWN
from senna_py.text.characters import fold_words
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import inverse_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.nplm.settings import NplmSettings
    from senna_py.lm.text.streams import Streams
    from senna_py.lm.word_list import WordList
    from senna_py.training.trainable import Workers

_PIECE = 64  # the number of examples in a batch if a kernel trains on single examples
_VALIDATION = 256  # the number of examples that are scored at a time


class NplmTraining(PerplexityTraining):
    """A neural language model in training; examples are shuffled in each epoch."""

    block_arrays = "output_weight", "output_bias"

    def __init__(
        self,
        streams: Streams,
        settings: NplmSettings,
        word_class: NDArray[np.int32] | None = None,
        group: Any = ALONE,
    ) -> None:
        """Prepare a run.

        Args:
            streams: The training and the validation text.
            settings: The settings.
            word_class: int32[n_words], the class of each word, for a softmax over
                classes, or None for classes by frequency.
            group: The group of processes over which the output units are split (see
                `process_group`). Each process has its own NplmTraining.

        Raises:
            SennaError: If the training text is empty, or if the network does not fit
                into memory.
            UsageError: If the settings do not allow so many classes or processes.
        """
        super().__init__(streams, settings)
        self.group = group
        self.patience = settings.patience
        self.threads = settings.threads
        self._examples = np.flatnonzero(streams.train != self.word_list.begin)
        if not len(self._examples):
            raise SennaError("there is no text to train on")
        predicted = streams.train[self._examples]
        self._counts = np.bincount(predicted, minlength=len(self.word_list))
        self._order = self._examples  # in the order of the current epoch
        self._word_class = self._classes(word_class)
        unseen = np.flatnonzero(self._counts == 0).astype(np.int32)
        unseen = unseen[unseen != self.word_list.begin]
        # The Good-Turing estimate: the proportion of words that occur once.
        share = (self._counts == 1).sum() / len(self._examples)
        self._unseen = Unseen(unseen, min(share, 0.5), len(self._counts))
        if group.size > 1:
            self._check_group()
        n_classes = 0 if self._word_class is None else int(self._word_class.max()) + 1
        n_words = len(self.word_list)
        scores = (settings.batch, settings.samples or n_classes or n_words)
        check_new([*settings.arrays(n_words, n_classes).values(), scores])
        self.network = network = new_network(
            settings, self._counts, self.rng(0), self._word_class, group
        )
        self._sampling: ImportanceSampling | None = None
        if settings.samples:
            assert isinstance(network, EnergyNetwork), "only this one is sampled"
            self._sampling = ImportanceSampling(network, self._counts, settings.samples)
        # AdaGrad's sums of squares start at 1. Otherwise the first, small gradients of a
        # rare word would result in large steps.
        start = 1.0 if settings.optimizer == "adagrad" else 0.0
        optimizer = OPTIMIZERS[settings.optimizer]
        parameters = network.parameters()
        self.optimizer = optimizer(parameters, None, settings.decay, start)

    def _classes(
        self, word_class: NDArray[np.int32] | None
    ) -> NDArray[np.int32] | None:
        """Return the class of each word, int32[n_words], or None without classes.

        By default, classes depend on the frequencies of words.

        Raises:
            UsageError: If there would be more classes than words.
        """
        n_words, n = len(self.word_list), self._settings.classes
        if self._settings.output != "classes":
            return None
        if word_class is not None:
            return word_class
        if n is None:
            n = round(math.sqrt(n_words))
        if n > n_words:
            raise UsageError(f"{n:,} classes for {n_words:,} words")
        return classes_by_frequency(self._counts, n)

    def _check_group(self) -> None:
        """Raise UsageError if the settings do not allow this number of processes."""
        if self._settings.output != "softmax":
            raise UsageError(
                "processes can only share the output units of a full softmax"
            )
        if self._settings.threads > 1 or self._settings.one_by_one:
            raise UsageError(
                "processes that share output units take one thread and --batch above 1"
            )
        if block_of(self.group.size - 1, self.group.size, len(self.word_list))[1] < 1:
            raise UsageError(
                f"{self.group.size} processes for {len(self.word_list)} words"
            )

    def start_from(self, words: Sequence[str], vectors: NDArray[np.float32]) -> int:
        """Initialize word vectors from a table.

        A word that is not in the table gets the vector of its look-up form (lower case,
        numbers as 0) or, if it is `<unk>`, the vector of `UNKNOWN`. If the table lacks
        that, too, the vector of the word does not change.

        Args:
            words: The words of the table.
            vectors: float32[n, settings.dim], the vector of each word.

        Returns:
            The number of words that got a vector from the table.
        """
        row_of_word = {word: i for i, word in enumerate(words)}
        known = self.word_list.words
        rows = [
            row_of_word.get(word, row_of_word.get(form))
            for word, form in zip(known, fold_words(known), strict=True)
        ]
        unknown = row_of_word.get(UNKNOWN, row_of_word.get("UNKNOWN"))
        rows[self.word_list.unknown] = unknown
        n_set = 0
        for index, row in enumerate(rows):
            if row is not None:
                self.network.vectors[index] = vectors[row]
                n_set += 1
        return n_set

    def data(self) -> dict[str, Any]:
        data = super().data()
        if self._word_class is not None:
            data["classes"] = digest(self._word_class)
        return data

    @property
    def _batch(self) -> int:
        return _PIECE if self._settings.one_by_one else self._settings.batch

    def n_batches(self) -> int:
        return -(-len(self._examples) // self._batch)

    def begin_epoch(self) -> None:
        self._order = self.rng(1, self.progress.epoch).permutation(self._examples)

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on a batch, with a kernel if the settings are `one_by_one`."""
        settings, parameters = self._settings, self.network.parameters()
        if not settings.one_by_one:
            return super().train(number, worker)
        context, target = self._examples_of(number)
        layers = Layers(*(parameters[name] for name in Layers._fields))
        example = self._first_example(number) + np.arange(len(target))
        rates = inverse_rate(settings.rate, settings.decrease, example)
        if settings.decay:
            factors = np.maximum(1 - rates * settings.decay, 0)
            parameters["vectors"] *= np.float32(np.prod(factors))
        log_p = train_examples(
            layers,
            settings.direct,
            context,
            target.astype(np.int64),
            rates.astype(np.float32),
            np.float32(settings.decay),
        )
        return -log_p, len(target)

    def _examples_of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the contexts and the targets of a batch.

        They are int32[n, order - 1] and int32[n].
        """
        at = number * self._batch
        positions = self._order[at : at + self._batch]
        text, order = self.streams.train, self._settings.order
        return context_rows(text, positions, order, self.word_list), text[positions]

    def _first_example(self, number: int) -> int:
        """Return the index of a batch's first example, counted over all epochs."""
        return self.progress.epoch * len(self._examples) + number * self._batch

    def forward(self, number: int) -> tuple[float, int, Any]:
        context, target = self._examples_of(number)
        rng = self.rng(2, self.progress.epoch, number * self._batch)
        dropout = Dropout(rng, self._settings.dropout)
        if self._sampling is None:
            log_p, trace = self.network.forward(context, target, dropout)
        else:
            words = self._sampling.draw(self.rng(3, self.progress.epoch, number))
            log_p, trace = self._sampling.forward(context, target, dropout, words)
        return -log_p.sum(), len(target), trace

    def backward(self, trace: Any) -> Gradients:
        if self._sampling is None:
            return super().backward(trace)
        gradients = Gradients()
        self._sampling.backward(trace, gradients)
        return gradients

    def step(self, gradients: Gradients, number: int) -> None:
        settings = self._settings
        first = self._first_example(number)
        n = min(settings.batch, len(self._examples) - number * settings.batch)
        rate = inverse_rate(settings.rate, settings.decrease, first)
        self.optimizer.step(gradients, rate, n)

    def evaluate(self, workers: Workers) -> float | None:
        """Return the perplexity of the validation text, or None if it is empty.

        The probability of unseen words is first estimated from this text.
        """
        stream = self.streams.valid
        positions = np.flatnonzero(stream != self.word_list.begin)
        if not len(positions):
            return None

        def score(first: int) -> NDArray[np.float64]:
            part = positions[first : first + _VALIDATION]
            context = context_rows(stream, part, self._settings.order, self.word_list)
            return self.network.log_probabilities(context, stream[part])

        parts = workers.map(score, range(0, len(positions), _VALIDATION))
        log_p, target = np.concatenate(list(parts)), stream[positions]
        self._unseen.learn(log_p, target)
        return float(np.exp(min(-self._unseen.smooth(log_p, target).mean(), 700)))

    def model(self) -> NeuralModel:
        """Return the network in training as a language model.

        All processes of a group must call this method together.
        """
        arrays = {
            name: self.group.gather(array) if name in self.block_arrays else array
            for name, array in self.network.parameters().items()
        }
        shape = self._settings.subset(NplmShape)
        network = network_of(shape, arrays, self._word_class)
        info = self.info(len(self.streams.train), NplmShape)
        return NeuralModel(shape, network, self._unseen, self.word_list, info)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.network.parameters() | self.optimizer.arrays()

    def state(self) -> dict[str, Any]:
        return {"unseen_share": float(self._unseen.share)}

    def restore_state(self, state: dict[str, Any]) -> None:
        self._unseen.share = state["unseen_share"]
        self.optimizer.n_steps = self.progress.steps


def classes_by_frequency(
    counts: NDArray[np.int64], n_classes: int
) -> NDArray[np.int32]:
    """Return the class of each word, int32[n_words], by its frequency.

    Classes are chosen so that the sum of sqrt(count) over the words of a class is about
    the same in each class. The square root prevents very large classes of rare words
    and too many classes of frequent words (as in RNNLM, Mikolov et al. 2011).

    Args:
        counts: int64[n_words], the counts of the words.
        n_classes: The maximum number of classes.
    """
    order = np.argsort(-counts, kind="stable")
    share = np.cumsum(np.sqrt(counts[order] + 0.5))
    steps = np.minimum((share / share[-1] * n_classes).astype(np.int32), n_classes - 1)
    classes = np.empty(len(counts), np.int32)
    classes[order] = np.unique(steps, return_inverse=True)[1]
    return classes


def classes_of_file(path: AnyPath, word_list: WordList) -> NDArray[np.int32]:
    """Read the class of each word from a file of `senna-py vectors cluster`.

    If `<unk>` or a sentence mark is not in the file, it becomes a separate class. All
    other words that are not in the file form one class. Words outside the list are
    ignored.

    Args:
        path: The path of the file.
        word_list: The words.

    Returns:
        The class of each word, int32[n_words].

    Raises:
        SennaError: If the file cannot be read, has a malformed line, or contains none
            of the words.
    """
    number: dict[str, int] = {}
    classes = np.full(len(word_list), -1, np.int32)
    for name, word, _ in read_word_classes(path):
        index = word_list.index.get(word.encode("utf-8", "surrogateescape"))
        if index is not None:
            classes[index] = number.setdefault(name, len(number))
    if not number:
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    for special in {word_list.unknown, word_list.begin, word_list.end} - {-1}:
        if classes[special] < 0:
            classes[special] = len(number) + special
    return np.unique(classes, return_inverse=True)[1].astype(np.int32)
