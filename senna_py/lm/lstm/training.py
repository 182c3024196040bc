"""Training of the LSTM language models: truncated backpropagation, checkpoints, learning rate."""

import math
import time
import zlib
from dataclasses import asdict, dataclass, fields

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.formats.checkpoint import write_arrays
from senna_py.layers.dropout import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.lm.language_model import FILE_NAME
from senna_py.lm.lstm.alphabet import MarkedAlphabet
from senna_py.lm.lstm.build import INPUTS, OUTPUTS, Parts, Shape, new_network, random_clusters
from senna_py.lm.lstm.model import LstmModel, average_unknown, first_word
from senna_py.lm.run import DIVERGED, EpochRun
from senna_py.lm.scoring import score_stream
from senna_py.training.optimizers import Sgd

__all__ = ["Settings", "Trainer"]


@dataclass
class Settings:
    """What makes a run.

    shape: build.Shape of the network; steps, batch: of a piece of text, its words and how many are
    trained side by side; spread: first weights are uniform in +- this; rate: first learning rate;
    least_gain: of validation perplexity in an epoch, or the rate is halved; clip: longest gradient,
    of all parameters as one vector; dropout: share of units left out; segmentation: name of the
    file of morphemes; threads: of matrix products, which who imports NumPy has to set.
    """

    shape: Shape
    steps: int = 35
    batch: int = 20
    spread: float = 0.05
    rate: float = 1.0
    least_gain: float = 1.0
    clip: float = 5.0
    dropout: float = 0.5
    epochs: int = 25
    segmentation: str | None = None
    seed: int = 1
    threads: int = 1

    def __post_init__(self):
        """Check what only makes sense together."""
        if self.shape.input not in INPUTS or self.shape.output not in OUTPUTS:
            raise UsageError(f"no input {self.shape.input} or output {self.shape.output}")
        if (self.shape.input == "morph") != bool(self.segmentation):
            raise UsageError("morphemes need a segmentation of words, and only they do")


@dataclass
class _Done:
    """How far a run is: pieces of the epoch, the rate now, the perplexity after the last epoch."""

    epoch: int = 0
    in_epoch: int = 0
    seconds: float = 0.0
    rate: float = 1.0
    last: float = math.inf
    best: float = math.inf
    best_epoch: int = 0


class Trainer(EpochRun):
    """A run in a directory, with its checkpoint, log, and the best model so far."""

    free = "epochs", "threads", "segmentation"  # of which the morphemes are compared

    def __init__(self, streams, directory, settings, report=None, morphemes=None):
        """Take Streams and Settings; report: called with a line of str and a dict of figures.

        morphemes: Morphemes of the word list (morph).
        """
        super().__init__(directory, settings, report)
        self.streams = streams
        self.word_list = streams.word_list
        self._words, self._targets = self._side_by_side(streams.train)
        self.parts = self._new_parts(morphemes)
        if report:  # before a model that is too large takes the memory
            report(f"{settings.shape.n_parameters(*self.parts.sizes()):,} parameters", {})
        self.network = new_network(settings.shape, self.parts, settings.spread, self._rng(0))
        self._optimizer = Sgd(self.network.parameters(), fan_in=None)
        self._state = self.network.first_state(settings.batch)
        self._done = _Done(rate=settings.rate)

    def _side_by_side(self, stream):
        """Words and those after them, `batch` stretches of the text: int32[n, batch] both.

        What is left over at the end is not trained on.
        """
        text = stream[stream != self.word_list.begin]
        n = len(text) // self.settings.batch
        if not n:
            raise SennaError(
                f"the training text has {len(text)} words, too few for a batch of "
                f"{self.settings.batch}"
            )
        before = np.concatenate([[first_word(self.word_list)], text[:-1]]).astype(np.int32)
        return [
            np.ascontiguousarray(a[: n * self.settings.batch].reshape(-1, n).T)
            for a in (before, text.astype(np.int32))
        ]

    def _new_parts(self, morphemes):
        shape, words = self.settings.shape, self.word_list.words
        alphabet = MarkedAlphabet.of_words(words) if shape.input == "char" else None
        cluster = random_clusters(len(words), self._rng(1)) if shape.output == "clusters" else None
        return Parts(words, alphabet, morphemes, cluster)

    @property
    def finished(self):
        """Whether the run is at its end."""
        return self._done.epoch >= self.settings.epochs

    @property
    def _epoch_size(self):
        return -(-len(self._words) // self.settings.steps)

    def run(self, time_limit=math.inf, checkpoint_every=300, report_every=30):
        """Train to the end, for `time_limit` seconds or until `stop`; returns whether to the end.

        Every end leaves a checkpoint. Raises SennaError at once if the directory cannot be written.
        """
        self._check_directory()
        begin = last_checkpoint = last_report = time.monotonic()
        while not self.finished and not self._stopped and time.monotonic() - begin < time_limit:
            self._train_piece()
            if self._done.in_epoch == self._epoch_size:
                self._end_epoch()
                last_report = time.monotonic()
            now = time.monotonic()
            if now - last_report >= report_every:
                self._report(rate=self._done.rate)
                last_report = now
            if now - last_checkpoint >= checkpoint_every:
                self._save(may_fail=True)
                last_checkpoint = now
        self.save()
        return self.finished

    def _train_piece(self):
        """Train on the next steps of all stretches of the text."""
        done, s, before = self._done, self.settings, time.monotonic()
        if not done.in_epoch:
            self._state[...] = 0
        piece = slice(done.in_epoch * s.steps, (done.in_epoch + 1) * s.steps)
        dropout = Dropout(self._rng(2, done.epoch, done.in_epoch), s.dropout)
        gradients = Gradients()
        words, targets = self._words[piece], self._targets[piece]
        log_p, trace = self.network.forward(words, targets, self._state, dropout)
        self.network.backward(trace, gradients)
        # The cost is the sum over the steps, and the mean over the stretches.
        rate, norm = done.rate / s.batch, gradients.norm() / s.batch
        if norm > s.clip:
            rate *= s.clip / norm
        if not (np.isfinite(norm) and log_p.sum() >= -DIVERGED * len(log_p)):
            raise self._overflowed("--rate")
        self._optimizer.step(gradients, rate)
        took = time.monotonic() - before
        done.in_epoch, done.seconds = done.in_epoch + 1, done.seconds + took
        self._tally += log_p.sum(), len(log_p)
        self._speed += 0.1 * (len(log_p) / max(took, 1e-6) - self._speed)

    def _end_epoch(self):
        done = self._done
        done.epoch, done.in_epoch = done.epoch + 1, 0
        average_unknown(self.network)
        valid = score_stream(self.model(), self.streams.valid).perplexity
        valid = None if math.isnan(valid) else valid
        self._keep_if_best(valid)
        self._report(valid, rate=done.rate)
        if valid is not None:
            if done.last - valid < self.settings.least_gain:
                done.rate /= 2
            done.last = valid

    def _write_model(self):
        self.model().write(self.directory / FILE_NAME)

    def model(self):
        """The network as it is, as an LstmModel."""
        kept = ("steps", "batch", "spread", "rate", "least_gain", "clip", "dropout")
        info = self._info(self._words.size, (*kept, "segmentation", "seed", "threads"))
        return LstmModel(self.settings.shape, self.parts, self.network, self.word_list, info)

    def save(self):
        """Write the checkpoint in one step: the old one stays until the new one is whole."""
        meta = {"settings": asdict(self.settings), "text": self._identity(), **asdict(self._done)}
        meta["tally"] = self._tally.tolist()
        arrays = self.network.parameters() | {"state": self._state}
        write_arrays(self.checkpoint, meta, **arrays)

    def _identity(self):
        """What tells whether text and parts are the same: lengths and sums."""
        given = [self._words, self._targets, self.streams.valid, self.word_list.to_array()]
        if self.parts.morphemes:
            given += [self.parts.morphemes.ids, self.parts.morphemes.starts]
        return [[len(part), zlib.crc32(np.ascontiguousarray(part))] for part in given]

    def _other_text(self, meta, arrays):
        """What else a checkpoint was made from, or None."""
        same = meta["text"] == self._identity()
        return None if same else "other text, vocabulary or morphemes"

    def _restore(self, meta, arrays):
        """Take what a checkpoint has; returns whether the arrays' shapes are right."""
        done = _Done(**{field.name: field.type(meta[field.name]) for field in fields(_Done)})
        if not (done.epoch >= 0 and 0 <= done.in_epoch < self._epoch_size and done.rate >= 0):
            raise ValueError("progress")
        tally = np.array(meta["tally"], float).reshape(2)
        if not self._take(arrays):
            return False
        self._done, self._tally = done, tally
        return True

    def _take(self, arrays):
        """Take parameters and state; returns whether their shapes are right."""
        own = self.network.parameters() | {"state": self._state}
        for name, array in own.items():
            if arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                return False
        for name, array in own.items():
            array[...] = arrays[name]
        return True
