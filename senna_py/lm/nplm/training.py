"""Training of the neural language model: examples one by one or in minibatches,
threads.
"""

import math

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.class_files import read_word_classes
from senna_py.kernels.lm.nplm import Layers, train_examples
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.protocol import check_new
from senna_py.lm.nplm.build import network_of, new_network
from senna_py.lm.nplm.energy import ImportanceSampling
from senna_py.lm.nplm.model import NeuralModel, Unseen, context_rows
from senna_py.lm.nplm.settings import NplmShape
from senna_py.lm.perplexity_training import PerplexityTraining, digest
from senna_py.lm.word_list import UNKNOWN
from senna_py.text.characters import fold_words
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import inverse_rate

_PIECE = 64  # examples that a thread trains one by one before it asks for more
_VALIDATION = 256


class NplmTraining(PerplexityTraining):
    """A neural language model in training; an epoch has the examples in an order of its
    own.
    """

    block_arrays = "output_weight", "output_bias"

    def __init__(self, streams, settings, word_class=None, group=ALONE):
        """Set up a run on Streams with NplmSettings; raises SennaError for a text
        without words.

        word_class: int32[n_words], instead of classes by frequency; group: of processes
        that share the output units (see `process_group`), each of which has an
        NplmTraining.
        """
        super().__init__(streams, settings)
        self.group, self.patience, self.threads = (
            group,
            settings.patience,
            settings.threads,
        )
        self._examples = np.flatnonzero(streams.train != self.word_list.begin)
        if not len(self._examples):
            raise SennaError("there is no text to train on")
        predicted = streams.train[self._examples]
        self._counts = np.bincount(predicted, minlength=len(self.word_list))
        self._order = None  # of the examples, in the present epoch
        self._word_class = self._classes(word_class)
        unseen = np.flatnonzero(self._counts == 0).astype(np.int32)
        unseen = unseen[unseen != self.word_list.begin]
        # The share by Good and Turing: that of words that occur once.
        share = (self._counts == 1).sum() / len(self._examples)
        self._unseen = Unseen(unseen, min(share, 0.5), len(self._counts))
        if group.size > 1:
            self._check_group()
        n_classes = 0 if self._word_class is None else int(self._word_class.max()) + 1
        n_words = len(self.word_list)
        scores = (settings.batch, settings.samples or n_classes or n_words)
        check_new([*settings.arrays(n_words, n_classes).values(), scores])
        self.network = new_network(
            settings, self._counts, self.rng(0), self._word_class, group
        )
        self._sampling = None
        if settings.samples:
            self._sampling = ImportanceSampling(
                self.network, self._counts, settings.samples
            )
        # AdaGrad's sums of squares begin with 1, so that the first, small gradients of
        # a rare word are not blown up to steps as large as any.
        start, parameters = (
            float(settings.optimizer == "adagrad"),
            self.network.parameters(),
        )
        optimizer = OPTIMIZERS[settings.optimizer]
        self.optimizer = optimizer(parameters, None, settings.decay, start)

    def _classes(self, given):
        n_words, n = len(self.word_list), self._settings.classes
        if self._settings.output != "classes":
            return None
        if given is not None:
            return given
        if n is None:
            n = round(math.sqrt(n_words))
        if n > n_words:
            raise UsageError(f"{n:,} classes for {n_words:,} words")
        return classes_by_frequency(self._counts, n)

    def _check_group(self):
        if self._settings.output != "softmax":
            raise UsageError(
                "processes share the output units of a softmax over all words only"
            )
        if self._settings.threads > 1 or self._settings.one_by_one:
            raise UsageError(
                "processes that share output units take one thread and --batch above 1"
            )
        if block_of(self.group.size - 1, self.group.size, len(self.word_list))[1] < 1:
            raise UsageError(
                f"{self.group.size} processes for {len(self.word_list)} words"
            )

    def start_from(self, words, vectors):
        """Begin with given vectors where a word of the vocabulary has one; returns how
        many have.

        words: list of str; vectors: float32[n, settings.dim]. A word that is not among
        `words` takes the vector of its form in dictionaries (lower case, numbers as 0).
        """
        row = {word: i for i, word in enumerate(words)}
        own = self.word_list.words
        rows = [
            row.get(w, row.get(form))
            for w, form in zip(own, fold_words(own), strict=True)
        ]
        rows[self.word_list.unknown] = row.get(UNKNOWN, row.get("UNKNOWN"))
        found = [
            (index, given) for index, given in enumerate(rows) if given is not None
        ]
        for index, given in found:
            self.network.vectors[index] = vectors[given]
        return len(found)

    def data(self):
        classes = (
            {} if self._word_class is None else {"classes": digest(self._word_class)}
        )
        return super().data() | classes

    @property
    def _batch(self):
        return _PIECE if self._settings.one_by_one else self._settings.batch

    def n_batches(self):
        return -(-len(self._examples) // self._batch)

    def begin_epoch(self):
        self._order = self.rng(1, self.progress.epoch).permutation(self._examples)

    def train(self, number, worker):
        """Train on a batch; one kernel does it if examples are trained one by one."""
        s, parameters = self._settings, self.network.parameters()
        if not s.one_by_one:
            return super().train(number, worker)
        context, target = self._examples_of(number)
        layers = Layers(*(parameters[name] for name in Layers._fields))
        example = self._first_example(number) + np.arange(len(target))
        rates = inverse_rate(s.rate, s.decrease, example)
        if s.decay:
            parameters["vectors"] *= np.float32(
                np.prod(np.maximum(1 - rates * s.decay, 0))
            )
        log_p = train_examples(
            layers,
            s.direct,
            context,
            target.astype(np.int64),
            rates.astype(np.float32),
            np.float32(s.decay),
        )
        return -log_p, len(target)

    def _examples_of(self, number):
        """Contexts and targets of a batch: int32[n, order - 1], int32[n]."""
        at = number * self._batch
        positions = self._order[at : at + self._batch]
        text, order = self.streams.train, self._settings.order
        return context_rows(text, positions, order, self.word_list), text[positions]

    def _first_example(self, number):
        """Number of the first example of a batch, counted over all epochs."""
        return self.progress.epoch * len(self._examples) + number * self._batch

    def forward(self, number):
        context, target = self._examples_of(number)
        rng = self.rng(2, self.progress.epoch, number * self._batch)
        dropout = Dropout(rng, self._settings.dropout)
        if self._sampling is None:
            log_p, trace = self.network.forward(context, target, dropout)
        else:
            words = self._sampling.draw(self.rng(3, self.progress.epoch, number))
            log_p, trace = self._sampling.forward(context, target, dropout, words)
        return -log_p.sum(), len(target), trace

    def backward(self, trace):
        if self._sampling is None:
            return super().backward(trace)
        gradients = Gradients()
        self._sampling.backward(trace, gradients)
        return gradients

    def step(self, gradients, number):
        s, first = self._settings, self._first_example(number)
        n = min(s.batch, len(self._examples) - number * s.batch)
        self.optimizer.step(gradients, inverse_rate(s.rate, s.decrease, first), n)

    def evaluate(self, workers):
        """Perplexity of the validation text, which gives unseen words their
        probability.
        """
        stream = self.streams.valid
        positions = np.flatnonzero(stream != self.word_list.begin)
        if not len(positions):
            return None

        def score(first):
            part = positions[first : first + _VALIDATION]
            context = context_rows(stream, part, self._settings.order, self.word_list)
            return self.network.log_probabilities(context, stream[part])

        parts = workers.map(score, range(0, len(positions), _VALIDATION))
        log_p, target = np.concatenate(list(parts)), stream[positions]
        self._unseen.learn(log_p, target)
        return float(np.exp(min(-self._unseen.smooth(log_p, target).mean(), 700)))

    def model(self):
        """The network as it is, as a NeuralModel; of a group of processes, all must
        call this.
        """
        arrays = {
            name: self.group.gather(array) if name in self.block_arrays else array
            for name, array in self.network.parameters().items()
        }
        shape = self._settings.subset(NplmShape)
        network = network_of(shape, arrays, self._word_class)
        info = self.info(len(self.streams.train), NplmShape)
        return NeuralModel(shape, network, self._unseen, self.word_list, info)

    def arrays(self):
        return self.network.parameters() | self.optimizer.arrays()

    def state(self):
        return {"unseen_share": float(self._unseen.share)}

    def restore_state(self, state):
        self._unseen.share = state["unseen_share"]
        self.optimizer.n_steps = self.progress.steps


def classes_by_frequency(counts, n_classes):
    """Class of each word: int32[n_words], of about equal parts of the sum of
    sqrt(count).

    counts: int64[n_words]. The square root keeps the classes of rare words from being
    too large and those of frequent words from being too many (Mikolov et al. 2011 in
    RNNLM).
    """
    order = np.argsort(-counts, kind="stable")
    share = np.cumsum(np.sqrt(counts[order] + 0.5))
    steps = np.minimum((share / share[-1] * n_classes).astype(np.int32), n_classes - 1)
    classes = np.empty(len(counts), np.int32)
    classes[order] = np.unique(steps, return_inverse=True)[1]
    return classes


def classes_of_file(path, word_list):
    """Class of each word from a file of `senna-py vectors cluster`: int32[n_words].

    If the file lacks `<unk>` or a mark, each becomes a class of its own; all other
    words that it lacks share one class. Words outside the list are ignored. Raises
    SennaError.
    """
    number, names = {}, np.full(len(word_list), -1, np.int32)
    for name, word, _ in read_word_classes(path):
        place = word_list.index.get(word.encode("utf-8", "surrogateescape"))
        if place is not None:
            names[place] = number.setdefault(name, len(number))
    if not number:
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    for special in {word_list.unknown, word_list.begin, word_list.end} - {-1}:
        if names[special] < 0:
            names[special] = len(number) + special
    return np.unique(names, return_inverse=True)[1].astype(np.int32)
