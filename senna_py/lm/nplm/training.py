"""Training of the neural language model: epochs, threads, early stopping, checkpoints."""

import math
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.formats.checkpoint import write_arrays
from senna_py.kernels.nplm import Layers, decay_rows, train_examples
from senna_py.layers.dropout import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.process_group import ALONE, block_of
from senna_py.lm.language_model import FILE_NAME
from senna_py.lm.nplm.build import OUTPUTS, Shape, network_of, new_network
from senna_py.lm.nplm.classes import classes_by_frequency
from senna_py.lm.nplm.model import NeuralModel, context_rows
from senna_py.lm.nplm.unseen import Unseen
from senna_py.lm.run import DIVERGED, EpochRun
from senna_py.lm.word_list import UNKNOWN
from senna_py.text.folding import fold_words
from senna_py.training.optimizers import OPTIMIZERS

__all__ = ["Settings", "Trainer"]

_ROUND = 2.0  # seconds between two looks at the clock and for signals
_PIECE = 64  # examples that a thread trains one by one before it asks for more
_VALIDATION = 256
_BY_BLOCK = ("output_weight", "output_bias")  # of the arrays that processes share


@dataclass
class Settings:
    """What makes a run.

    order, dim, hidden, direct, output, own_weights: see build.Shape; classes: of words, if the
    output is `classes`: a number, or the name of the file that they are from; batch: examples of a
    minibatch, 1 for examples one by one; optimizer: one of OPTIMIZERS; rate, decrease: of the
    learning rate, see `rate_at`; decay: of weights, see Optimizer; dropout: share of inputs and
    hidden units left out (energy: of inputs); epochs; patience: epochs without a better validation
    perplexity before the run ends; init: the name of the vectors for `Trainer.start_from`.
    """

    order: int = 5
    dim: int = 30
    hidden: int = 50
    direct: bool = False
    output: str = "softmax"
    own_weights: bool = False
    classes: int | str | None = None
    batch: int = 1
    optimizer: str = "sgd"
    rate: float = 1e-3
    decrease: float = 1e-8
    decay: float = 1e-4
    dropout: float = 0.0
    epochs: int = 20
    patience: int = 3
    init: str | None = None
    seed: int = 1
    threads: int = 1

    def __post_init__(self):
        """Check what only makes sense together."""
        if self.optimizer not in OPTIMIZERS or self.output not in OUTPUTS:
            raise UsageError(f"no optimizer {self.optimizer} or output {self.output}")
        if self.output == "energy" and self.direct:
            raise UsageError("the energy network has no direct connections")
        if not self.hidden and not self.direct:
            raise UsageError("without hidden units the network needs direct connections")
        if self.output == "energy" and not self.hidden:
            raise UsageError("the energy network needs hidden units")
        if self.own_weights and self.output != "energy":
            raise UsageError("weights for each word are of the energy network")
        if self.classes is not None and not isinstance(self.classes, str) and self.classes < 1:
            raise UsageError(f"{self.classes} classes; there must be 1 at least")

    @property
    def shape(self):
        """Shape of the network."""
        return Shape(self.order, self.dim, self.hidden, self.direct, self.output, self.own_weights)

    def rate_at(self, example):
        """Learning rate of example number `example`, counted over all epochs; may be an array."""
        return self.rate / (1 + self.decrease * example)

    @property
    def one_by_one(self):
        """Whether examples are trained one by one, by the kernel for that."""
        plain = self.optimizer == "sgd" and not self.dropout
        return self.batch == 1 and plain and self.output == "softmax"


@dataclass
class _Done:
    """How far a run is: examples of the epoch are those in the order that its number draws."""

    epoch: int = 0
    in_epoch: int = 0
    seconds: float = 0.0
    n_steps: int = 0
    best: float = math.inf
    best_epoch: int = 0
    finished: bool = False


class Trainer(EpochRun):
    """A run in a directory, with its checkpoint, log, and the best model so far."""

    free = "epochs", "patience", "threads"

    def __init__(self, streams, directory, settings, report=None, word_class=None, group=ALONE):
        """Take Streams and Settings; report: called with a line of str and a dict of figures.

        word_class: int32[n_words], instead of classes by frequency; group: of processes that share
        the output units (see `blocks`), each of which has a Trainer.
        """
        super().__init__(directory, settings, report)
        self.streams, self.group = streams, group
        self.word_list = streams.word_list
        self._counts = self._count_predicted()
        self._examples = self._predicted(streams.train)
        self._word_class = self._classes(word_class)
        self._unseen = self._new_unseen()
        if group.size > 1:
            self._check_group()
        self._done, self._epoch_order = _Done(), None
        self.network = new_network(
            settings.shape, self._counts, self._rng(0), self._word_class, group
        )
        self.optimizer = self._new_optimizer()
        self._lock = threading.Lock()  # of the tally

    def _count_predicted(self):
        """Occurrences of each word that are predicted, which `<s>` never is: int64[n_words]."""
        counts = np.bincount(self.streams.train, minlength=len(self.word_list))
        if self.word_list.marks:
            counts[self.word_list.begin] = 0
        return counts

    def _predicted(self, stream):
        """Positions of the words to predict: int64[n]."""
        positions = np.flatnonzero(stream != self.word_list.begin)
        if stream is self.streams.train and not len(positions):
            raise SennaError("there is no text to train on")
        return positions

    def _new_unseen(self):
        """Unseen words with the share by Good and Turing: that of words that occur once."""
        words = np.flatnonzero(self._counts == 0).astype(np.int32)
        words = words[words != self.word_list.begin]
        share = (self._counts == 1).sum() / len(self._examples)
        return Unseen(words, min(share, 0.5), len(self._counts))

    def _classes(self, given):
        if self.settings.output != "classes":
            return None
        if given is not None:
            return given
        return classes_by_frequency(self._counts, self._n_classes())

    def _n_classes(self):
        n_words, n = len(self.word_list), self.settings.classes
        if n is None:
            return round(math.sqrt(n_words))
        if n > n_words:
            raise UsageError(f"{n:,} classes for {n_words:,} words")
        return n

    def _check_group(self):
        if self.settings.output != "softmax":
            raise UsageError("processes share the output units of a softmax over all words only")
        if self.settings.threads > 1 or self.settings.one_by_one:
            raise UsageError(
                "processes that share output units take one thread and --batch above 1"
            )
        if block_of(self.group.size - 1, self.group.size, len(self.word_list))[1] < 1:
            raise UsageError(f"{self.group.size} processes for {len(self.word_list)} words")

    def _new_optimizer(self):
        s = self.settings
        # AdaGrad's sums of squares begin with 1, so that the first, small gradients of a rare word
        # are not blown up to steps as large as any.
        start = {"start": 1.0} if s.optimizer == "adagrad" else {}
        return OPTIMIZERS[s.optimizer](
            self.network.parameters(), fan_in=None, decay=s.decay, **start
        )

    @property
    def finished(self):
        """Whether the run is at its end."""
        return self._done.finished or self._done.epoch >= self.settings.epochs

    @property
    def _epoch_size(self):
        return len(self._examples)

    def start_from(self, words, vectors):
        """Take given vectors for words of the vocabulary; returns for how many there are any.

        words: list of str; vectors: float32[n, dim]. A word that is not among `words` takes the
        vector of its form in dictionaries (lower case, numbers as 0).
        """
        if vectors.shape[1] != self.settings.dim:
            raise SennaError(
                f"the given vectors have {vectors.shape[1]} dimensions, not {self.settings.dim}"
            )
        row = {word: i for i, word in enumerate(words)}
        own = self.word_list.words
        rows = [row.get(w, row.get(form)) for w, form in zip(own, fold_words(own), strict=True)]
        rows[self.word_list.unknown] = row.get(UNKNOWN, row.get("UNKNOWN"))
        found = [(index, given) for index, given in enumerate(rows) if given is not None]
        for index, given in found:
            self.network.vectors[index] = vectors[given]
        return len(found)

    def run(self, time_limit=math.inf, checkpoint_every=300, report_every=30):
        """Train to the end, for `time_limit` seconds or until `stop`; returns whether to the end.

        Every end leaves a checkpoint. Raises SennaError at once if the directory cannot be written.
        """
        self._check_directory()
        begin = last_checkpoint = last_report = time.monotonic()
        stops = self._share(self._stopped)
        with ThreadPoolExecutor(self.settings.threads) as pool:
            while not self.finished and not stops:
                self._train_round(pool)
                if self._done.in_epoch == len(self._examples):
                    self._end_epoch(pool)
                    last_report = time.monotonic()
                now = time.monotonic()
                stops, saves, reports = self._share((
                    self._stopped or now - begin >= time_limit,
                    now - last_checkpoint >= checkpoint_every,
                    now - last_report >= report_every,
                ))  # fmt: skip
                ends = stops or self.finished
                if reports:
                    self._report()
                    last_report = now
                if saves or ends:
                    self._save(may_fail=not ends)
                    last_checkpoint = now
        return self.finished

    def _share(self, value):
        """What process 0 says, so that all do the same."""
        return self.group.share(value)

    def _by_first(self, work):
        """Let process 0 do `work`; if that raises SennaError, all do, so that none waits."""
        problem = None
        if not self.group.rank:
            try:
                work()
            except SennaError as error:
                problem = error
        if (problem := self._share(problem)) is not None:
            raise problem

    def _check_directory(self):
        self._by_first(super()._check_directory)

    def _cut_log(self):
        self._by_first(super()._cut_log)

    def _in_order(self):
        """Positions of the examples of this epoch, in the order that its number draws."""
        if self._epoch_order is None or self._epoch_order[0] != self._done.epoch:
            order = self._rng(1, self._done.epoch).permutation(self._examples)
            self._epoch_order = self._done.epoch, order
        return self._epoch_order[1]

    def _train_round(self, pool):
        """Train for about _ROUND seconds, or to the end of the epoch."""
        size = _PIECE if self.settings.one_by_one else self.settings.batch
        wanted = self._share(max(int(self._speed * _ROUND / size), self.settings.threads))
        first = self._done.in_epoch
        end = min(first + wanted * size, len(self._examples))
        order, before = self._in_order(), time.monotonic()
        pieces = iter(range(first, end, size))

        def work(_):
            for at in pieces:  # shared: each thread takes the next piece
                self._train_piece(order[at : min(at + size, end)], at)

        if self.settings.threads == 1:
            work(0)
        else:
            list(pool.map(work, range(self.settings.threads)))
        took = time.monotonic() - before
        self._speed = (end - first) / max(took, 1e-6)
        self._done.in_epoch, self._done.seconds = end, self._done.seconds + took
        self._check_course()

    def _train_piece(self, positions, at):
        """Train the examples at `positions`, which have the numbers from `at` on in this epoch."""
        context = context_rows(self.streams.train, positions, self.settings.order, self.word_list)
        target = self.streams.train[positions]
        number = self._done.epoch * len(self._examples) + at
        if self.settings.one_by_one:
            log_p = self._one_by_one(context, target, number)
        else:
            dropout = Dropout(self._rng(2, self._done.epoch, at), self.settings.dropout)
            log_p, trace = self.network.forward(context, target, dropout)
            gradients = Gradients()
            self.network.backward(trace, gradients)
            self.optimizer.step(gradients, self.settings.rate_at(number), len(target))
            log_p = log_p.sum()
        with self._lock:
            self._tally += log_p, len(target)

    def _one_by_one(self, context, target, number):
        parameters = self.network.parameters()
        layers = Layers(*(parameters[name] for name in Layers._fields))
        rates = self.settings.rate_at(number + np.arange(len(target)))
        decay = self.settings.decay
        if decay:
            factor = np.prod(np.maximum(1 - rates * decay, 0))
            decay_rows(layers.vectors, np.float32(factor))
        return train_examples(
            layers, self.settings.direct, context, target.astype(np.int64),
            rates.astype(np.float32), np.float32(decay),
        )  # fmt: skip

    def _check_course(self):
        """Stop a run that diverges, before it reaches the checkpoint."""
        log_p, n = self._tally
        if not log_p >= -DIVERGED * n:  # or it is no number
            raise self._overflowed("--rate")

    def _end_epoch(self, pool):
        done = self._done
        done.epoch, done.in_epoch = done.epoch + 1, 0
        valid = self._validate(pool) if len(self.streams.valid) else None
        if not self._keep_if_best(valid) and done.epoch - done.best_epoch >= self.settings.patience:
            done.finished = True
        self._report(valid)

    def _validate(self, pool):
        """Perplexity of the validation text, for which the share of unseen words is learned."""
        stream = self.streams.valid
        positions = self._predicted(stream)
        if not len(positions):
            return None

        def score(first):
            part = positions[first : first + _VALIDATION]
            context = context_rows(stream, part, self.settings.order, self.word_list)
            return self.network.log_probabilities(context, stream[part])

        firsts = range(0, len(positions), _VALIDATION)
        parts = map(score, firsts) if self.settings.threads == 1 else pool.map(score, firsts)
        log_p, target = np.concatenate(list(parts)), stream[positions]
        self._unseen.learn(log_p, target)
        return float(np.exp(min(-self._unseen.smooth(log_p, target).mean(), 700)))

    def model(self):
        """The network as it is, as a NeuralModel; of a group of processes, all must call this."""
        shape, arrays = self.settings.shape, self._arrays()
        network = network_of(shape, arrays, self._word_class)
        kept = ("batch", "optimizer", "rate", "decrease", "decay", "dropout", "seed", "threads")
        info = self._info(len(self.streams.train), kept)
        return NeuralModel(shape, network, self._unseen, self.word_list, info)

    def _write_model(self):
        model = self.model()
        self._by_first(lambda: model.write(self.directory / FILE_NAME))

    def _arrays(self):
        """All parameters, of all blocks."""
        arrays = self.network.parameters()
        return {
            name: self.group.gather(a) if name in _BY_BLOCK else a for name, a in arrays.items()
        }

    def _tell(self, line, figures):
        if not self.group.rank:
            super()._tell(line, figures)

    def save(self):
        """Write the checkpoint in one step: the old one stays until the new one is whole."""
        self._done.n_steps = self.optimizer.n_steps
        meta = {"settings": asdict(self.settings), "text": self._identity(), **asdict(self._done)}
        meta |= {"tally": self._tally.tolist(), "unseen_share": float(self._unseen.share)}
        arrays = self._arrays() | {
            name: self.group.gather(array) if name.startswith(_BY_BLOCK) else array
            for name, array in self.optimizer.arrays().items()
        }
        self._by_first(lambda: write_arrays(self.checkpoint, meta, **arrays))

    def _identity(self):
        """What tells whether a text is the same: lengths and sums."""
        parts = (self.streams.train, self.streams.valid, self.word_list.to_array())
        if self._word_class is not None:
            parts += (self._word_class,)
        return [[len(part), zlib.crc32(np.ascontiguousarray(part))] for part in parts]

    def _other_text(self, meta, arrays):
        """What else a checkpoint was made from, or None."""
        if meta["text"] == self._identity():
            return None
        self._count_begins()
        same = meta["text"] == self._identity()
        return None if same else "other text, vocabulary or classes"

    def _count_begins(self):
        """Take the classes of runs from before `<s>` was left out of the counts."""
        if self.settings.output != "classes" or isinstance(self.settings.classes, str):
            return
        counts = np.bincount(self.streams.train, minlength=len(self.word_list))
        self._word_class = classes_by_frequency(counts, self._n_classes())
        self.network = new_network(self.settings.shape, counts, self._rng(0), self._word_class)
        self.optimizer = self._new_optimizer()

    def _restore(self, meta, arrays):
        """Take what a checkpoint has; returns whether the arrays' shapes are right."""
        done = _Done(**{key: meta[key] for key in asdict(self._done)})
        tally = np.array(meta.get("tally", (0, 0)), float).reshape(2)  # not in older checkpoints
        share = float(meta.get("unseen_share", self._unseen.share))
        own = {name: self._own_block(name, array) for name, array in arrays.items()}
        if not self._take(own, done):
            return False
        self._done, self._tally, self._unseen.share = done, tally, share
        done.finished = done.finished and done.epoch - done.best_epoch >= self.settings.patience
        return True

    def _own_block(self, name, array):
        if not name.startswith(_BY_BLOCK) or self.group.size == 1:
            return array
        first, n = block_of(self.group.rank, self.group.size, len(array))
        return array[first : first + n].copy()

    def _take(self, arrays, done):
        """Take parameters and what the optimizer keeps; returns whether their shapes are right."""
        parameters = self.network.parameters()
        states = {name: a for name, a in arrays.items() if name.rpartition(".")[0] in parameters}
        for name, array in {**{n: arrays[n] for n in parameters}, **states}.items():
            like = parameters[name.rpartition(".")[0] or name]
            if array.shape != like.shape or array.dtype != like.dtype:
                return False
        for name, array in parameters.items():
            array[...] = arrays[name]
        self.optimizer.restore(states, done.n_steps)
        return True
