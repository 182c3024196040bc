"""Training of the LSTM language models: truncated backpropagation, checkpoints, learning rate."""

import json
import math
import time
import zlib
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.formats.checkpoint import read_arrays, write_arrays
from senna_py.lm.lstm.build import INPUTS, OUTPUTS, Parts, Shape, new_network, random_clusters
from senna_py.lm.lstm.gradients import Gradients
from senna_py.lm.lstm.model import LstmModel, average_unknown, first_word
from senna_py.lm.lstm.spelling import Alphabet
from senna_py.lm.model import FILE_NAME
from senna_py.lm.nplm.network import Dropout
from senna_py.lm.scoring import score_stream

__all__ = ["CHECKPOINT", "LOG", "Settings", "Trainer"]

CHECKPOINT = "checkpoint.npz"
LOG = "log.jsonl"
_DIVERGED = 100  # mean of -log P: no vocabulary is so large
# What a resumed run may have otherwise than its checkpoint.
_FREE = ("epochs", "threads")


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


class Trainer:
    """A run in a directory, with its checkpoint, log, and the best model so far."""

    def __init__(self, streams, directory, settings, report=None, morphemes=None):
        """Take Streams and Settings; report: called with a line of str and a dict of figures.

        morphemes: Morphemes of the word list (morph).
        """
        self.streams, self.settings = streams, settings
        self.directory = Path(directory)
        self.report = report or (lambda line, figures: None)
        self.word_list = streams.word_list
        self._words, self._targets = self._side_by_side(streams.train)
        self.parts = self._new_parts(morphemes)
        self.network = new_network(settings.shape, self.parts, settings.spread, self._rng(0))
        self._state = self.network.first_state(settings.batch)
        self._done, self._stopped = _Done(rate=settings.rate), False
        self._tally, self._speed = np.zeros(2), 0.0

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
        alphabet = Alphabet.of_words(words) if shape.input == "char" else None
        cluster = random_clusters(len(words), self._rng(1)) if shape.output == "clusters" else None
        return Parts(words, alphabet, morphemes, cluster)

    def _rng(self, *purpose):
        return np.random.default_rng([self.settings.seed, *purpose])

    @property
    def checkpoint(self):
        """Path of the checkpoint."""
        return self.directory / CHECKPOINT

    @property
    def log(self):
        """Path of the log: a JSON object a line."""
        return self.directory / LOG

    @property
    def finished(self):
        """Whether the run is at its end."""
        return self._done.epoch >= self.settings.epochs

    @property
    def best(self):
        """Best validation perplexity so far, and the number of epochs after which it was."""
        return self._done.best, self._done.best_epoch

    @property
    def _n_pieces(self):
        return -(-len(self._words) // self.settings.steps)

    def run(self, time_limit=math.inf, checkpoint_every=300, report_every=30):
        """Train to the end, for `time_limit` seconds or until `stop`; returns whether to the end.

        Every end leaves a checkpoint. Raises SennaError at once if the directory cannot be written.
        """
        self._check_directory()
        begin = last_checkpoint = last_report = time.monotonic()
        while not self.finished and not self._stopped and time.monotonic() - begin < time_limit:
            self._train_piece()
            if self._done.in_epoch == self._n_pieces:
                self._end_epoch()
                last_report = time.monotonic()
            now = time.monotonic()
            if now - last_report >= report_every:
                self._report()
                last_report = now
            if now - last_checkpoint >= checkpoint_every:
                self._save_if_possible()
                last_checkpoint = now
        self.save()
        return self.finished

    def stop(self):
        """End `run` after the piece at work, as a signal handler may."""
        self._stopped = True

    def _check_directory(self):
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with open(self.log, "ab"):
                pass
        except OSError as error:
            raise SennaError(f"{self.log}: not written: {error.strerror or error}") from None

    def _train_piece(self):
        """Train on the next steps of all stretches of the text."""
        done, s, before = self._done, self.settings, time.monotonic()
        if not done.in_epoch:
            self._state[...] = 0
        piece = slice(done.in_epoch * s.steps, (done.in_epoch + 1) * s.steps)
        dropout = Dropout(s.dropout, self._rng(2, done.epoch, done.in_epoch))
        gradients = Gradients()
        words, targets = self._words[piece], self._targets[piece]
        log_p = self.network.step(words, targets, self._state, dropout, gradients)
        # The cost is the sum over the steps, and the mean over the stretches.
        rate, norm = done.rate / s.batch, gradients.norm() / s.batch
        if norm > s.clip:
            rate *= s.clip / norm
        if not (np.isfinite(norm) and log_p.sum() >= -_DIVERGED * len(log_p)):
            raise SennaError(
                f"{self.directory}: the weights have overflowed; lower --rate "
                "(an earlier checkpoint is untouched)"
            )
        gradients.apply(self.network.parameters(), rate)
        took = time.monotonic() - before
        done.in_epoch, done.seconds = done.in_epoch + 1, done.seconds + took
        self._tally += log_p.sum(), len(log_p)
        self._speed += 0.1 * (len(log_p) / max(took, 1e-6) - self._speed)

    def _end_epoch(self):
        done = self._done
        done.epoch, done.in_epoch = done.epoch + 1, 0
        model = self.model()
        valid = score_stream(model, self.streams.valid).perplexity
        valid = None if math.isnan(valid) else valid
        if valid is None or valid < done.best:
            done.best, done.best_epoch = math.inf if valid is None else valid, done.epoch
            self.model().write(self.directory / FILE_NAME)
        self._report(valid)
        if valid is not None:
            if done.last - valid < self.settings.least_gain:
                done.rate /= 2
            done.last = valid

    def model(self):
        """The network as it is, as an LstmModel."""
        average_unknown(self.network)
        best, epoch = self.best
        info = {"training positions": self._words.size, "epochs": epoch}
        if math.isfinite(best):
            info["validation perplexity"] = round(best, 3)
        kept = ("steps", "batch", "spread", "rate", "least_gain", "clip", "dropout")
        kept += ("segmentation", "seed", "threads")
        info |= {key: getattr(self.settings, key) for key in kept}
        return LstmModel(self.settings.shape, self.parts, self.network, self.word_list, info)

    def _report(self, valid=None):
        """Report and log the course so far; valid: perplexity, at the end of an epoch."""
        done = self._done
        total, n = self._tally
        self._tally[:] = 0
        figures = {
            "epoch": round(done.epoch + done.in_epoch / self._n_pieces, 4),
            "seconds": round(done.seconds, 1), "speed": round(self._speed), "rate": done.rate,
            "train": round(float(np.exp(min(-total / n, 700))), 3) if n else None,
            "valid": None if valid is None else round(valid, 3),
        }  # fmt: skip
        line = f"epoch {figures['epoch']:6.2f}  {figures['speed']:,}/s  rate {done.rate:g}"
        if n:
            line += f"  training perplexity {figures['train']:.2f}"
        if valid is not None:
            line += f"  validation perplexity {valid:.2f} (best {done.best:.2f})"
        self.report(line, figures)
        try:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(figures) + "\n")
        except OSError as error:
            self.report(f"{self.log}: not written: {error.strerror or error}", None)

    def _save_if_possible(self):
        """Write the checkpoint; a failure is reported and tried again, as the run goes on."""
        try:
            self.save()
        except SennaError as error:
            self.report(f"{error}; training goes on", None)

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

    def resume(self):
        """Continue from the checkpoint; raises SennaError if it is of other settings or text."""
        meta, arrays = read_arrays(self.checkpoint)
        try:
            self._check_settings(meta["settings"])
            done = _Done(**{field.name: meta[field.name] for field in fields(_Done)})
            same = meta["text"] == self._identity()
            tally = np.array(meta["tally"], float).reshape(2)
            whole = self._take(arrays) if same else True
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SennaError(
                f"{self.checkpoint}: not a checkpoint of this model: {error!r}"
            ) from None
        if not same:
            raise SennaError(f"{self.checkpoint}: made from other text, vocabulary or morphemes")
        if not whole:
            raise SennaError(f"{self.checkpoint}: damaged: arrays of other sizes than its settings")
        self._done, self._tally = done, tally

    def _take(self, arrays):
        """Take parameters and state; returns whether their shapes are right."""
        own = self.network.parameters() | {"state": self._state}
        for name, array in own.items():
            if arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                return False
        for name, array in own.items():
            array[...] = arrays[name]
        return True

    def _check_settings(self, found):
        wanted = json.loads(json.dumps(asdict(self.settings)))
        differing = [
            (key, found.get(key), value) for key, value in wanted.items() if key != "shape"
        ]
        shape = found["shape"]
        differing += [(key, shape.get(key), value) for key, value in wanted["shape"].items()]
        for key, has, value in differing:
            if key not in _FREE and has != value:
                raise SennaError(f"{self.checkpoint}: made with {key} {has}, asked for {value}")
