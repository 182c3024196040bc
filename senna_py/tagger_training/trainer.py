"""The training loop: epochs of batches, dev scores, checkpoints."""

import dataclasses
import json
import math
import time
import zlib
from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.registry import is_computed
from senna_py.formats.checkpoint import read_arrays, write_arrays
from senna_py.formats.run_log import cut_rows
from senna_py.kernels.cold_start.compile_events import compile_seconds
from senna_py.kernels.likelihood import sentence_likelihood, word_likelihood
from senna_py.layers.gradients import Dropout
from senna_py.layers.lookup import dense
from senna_py.tagger_training.cascade import decode
from senna_py.tagger_training.inputs import IMPOSSIBLE
from senna_py.tagger_training.scoring import headline, score
from senna_py.training.averaging import Average
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.run import TrainingRun

__all__ = ["Problem", "Trainer", "cost_and_gradients", "group_tags"]

_LAYERS_ARE_NOT = ("window", "tables", "padding", "final")
_FREE = ("epochs", "patience")  # of the settings: what a resumed run may have otherwise
_ADDED = ("sentences", "dev data")  # checkpoints from before these were kept go on


@dataclass
class Problem:
    """What a Trainer works on.

    train, dev: inputs.Inputs; dev_sentences: the Sentences of dev; keys: the labels; unknown: the
    index of UNKNOWN among the words.
    """

    train: object
    dev: object
    dev_sentences: object
    keys: list
    unknown: int


@dataclass
class _Done:
    """How far a run is; batch, rows: of the epoch; best, best_epoch: of the dev scores."""

    epoch: int = 0
    batch: int = 0
    steps: int = 0
    cost: float = 0.0
    rows: int = 0
    seconds: float = 0.0
    best: float = -1.0
    best_epoch: int = 0


def cost_and_gradients(network, scores, inputs):
    """Cost of tag scores, its gradient with respect to them, and those of the transitions.

    scores: float32[n_rows, n_tags]; inputs: an inputs.Inputs with their gold tags. Returns the
    cost, float32[n_rows, n_tags] and a dict of the gradients of `initial` and `transition`, empty
    at word level. What is impossible stays so: it has no gradient. The likelihood is one among the
    sequences that can be decoded, so `final` counts at the end of each.
    """
    d_scores = np.empty_like(scores)
    if network.initial is None:
        return word_likelihood(scores, inputs.gold, d_scores), d_scores, {}
    if network.final is not None:
        scores, ends = scores.copy(), np.unique(inputs.row_starts)
        scores[ends[ends > 0] - 1] += network.final
    level = {name: np.empty_like(getattr(network, name)) for name in ("initial", "transition")}
    cost = sentence_likelihood(
        scores, inputs.row_starts, network.initial, network.transition, inputs.gold,
        d_scores, *level.values(),
    )  # fmt: skip
    for name, gradient in level.items():
        gradient[getattr(network, name) <= IMPOSSIBLE] = 0
    return cost, d_scores, level


class Trainer(TrainingRun):
    """A run of one network in a directory with its checkpoint and log."""

    def __init__(
        self, config, network, problem, directory, keep, report=None, checkpoint_every=300.0
    ):
        """Take a Config, a network and a Problem, and set up the optimizer.

        keep: called with the network, its score, that score's name and the epoch when dev says
        that it is the best yet; report: with a line of str and a dict of figures, or None.
        """
        super().__init__(directory, report)
        self.config, self.network, self.problem, self.keep = config, network, problem, keep
        self.checkpoint_every = checkpoint_every
        self._done = _Done()
        training = self.config.training
        names = ["word", *self.config.features]
        self._spelled = [f for f, name in enumerate(names) if is_computed(name)]
        self._fixed = {*self._spelled, *(names.index(name) for name in training.fixed)}
        self._optimizer = OPTIMIZERS[training.optimizer](self.network, self._fixed)
        train, epochs = self.problem.train, training.epochs
        useful = [len(train.useful(epoch / epochs)) for epoch in range(epochs)]
        if not min(useful):
            raise SennaError(f"{self.directory}: no sentence of the training data has a label")
        self._n_batches = [math.ceil(n / training.batch) for n in useful]
        self._beginning = _digest(*map(dense, self.network.tables))
        self._average = self._new_average() if training.average > 1 else None
        self._last_checkpoint = time.monotonic()

    def _new_average(self):
        """An Average of what training changes: the rows of tables that its batches have."""
        network, problem, rows = self.network, self.problem, {}
        for f in range(len(network.tables)):
            if f not in self._fixed:
                others = [network.padding[f], *([problem.unknown] if f == 0 else [])]
                rows[f] = np.union1d(problem.train.features[:, f], others)
        return Average(network, self._layers(), rows, self.config.training.average)

    @property
    def epoch(self):
        """Number of whole epochs that are done."""
        return self._done.epoch

    @property
    def best(self):
        """Best dev score so far, in percent, and its epoch from 1."""
        return self._done.best, self._done.best_epoch

    @property
    def finished(self):
        """Whether all epochs are done, or the dev score has not risen for too long."""
        done, training = self._done, self.config.training
        waited = done.epoch - done.best_epoch
        return done.epoch >= training.epochs or (
            training.patience > 0 and done.epoch > 0 and waited >= training.patience
        )

    def run(self, time_limit=math.inf, progress=lambda done, total: None):
        """Train to the end, for `time_limit` seconds, or until `stop`; returns whether to the end.

        progress: called after each batch with how many of how many of the epoch are done. Every
        end leaves a checkpoint.
        """
        end = time.monotonic() + time_limit
        while not self.finished:
            if not self._epoch(end, progress):
                self._save(may_fail=False)
                return False
            self._finish_epoch()
        self._save(may_fail=False)
        return True

    def _epoch(self, end, progress):
        """Train the rest of an epoch; returns whether it is done."""
        done, batch = self._done, self.config.training.batch
        useful = self.problem.train.useful(done.epoch / self.config.training.epochs)
        order, n_batches = self._rng(0).permutation(useful), self._n_batches[done.epoch]
        while done.batch < n_batches:
            before, compiled = time.monotonic(), compile_seconds()
            chosen = np.sort(order[done.batch * batch : (done.batch + 1) * batch])
            inputs = self.problem.train.batch(chosen)
            done.cost += self._train(inputs)
            done.rows += len(inputs.gold)
            done.batch += 1
            done.steps += 1
            now = time.monotonic()
            done.seconds += now - before - (compile_seconds() - compiled)
            progress(done.batch, n_batches)
            if self._stopped or now >= end:
                return False
            if now - self._last_checkpoint >= self.checkpoint_every:
                self._save(may_fail=True)
        return True

    def _rng(self, purpose):
        """Random numbers for the present epoch, so that a resumed run draws the same ones."""
        return np.random.default_rng([self.config.training.seed, self._done.epoch, purpose])

    def rate(self):
        """Learning rate of the next batch."""
        training = self.config.training
        progress = min(self._done.steps / sum(self._n_batches), 1.0)
        return training.rate * (1 - (1 - training.final_rate) * progress)

    def _train(self, inputs):
        """One update; returns the cost."""
        training, network = self.config.training, self.network
        rng = self._rng(1 + self._done.batch)
        dropout = Dropout(rng, training.embedding_dropout, training.dropout)
        features = self._hide_words(inputs, rng)
        if inputs.sentence is None:
            scores, trace = network.forward(features, inputs.starts, dropout)
        else:
            scores, trace = network.forward(
                features, inputs.starts, dropout, inputs.sentence, inputs.predicate
            )
        cost, d_scores, level = cost_and_gradients(network, scores, inputs)
        if not math.isfinite(cost):
            raise self._overflowed("training.rate")
        gradients = network.backward(trace, d_scores, self._fixed)
        gradients.layers.update(level)
        self._optimizer.step(gradients, self.rate())
        return cost

    def _hide_words(self, inputs, rng):
        """Features with some words read as UNKNOWN, so that it learns what to make of those."""
        share = self.config.training.unknown
        if share == 0:
            return inputs.features
        features = inputs.features.copy()
        hidden = rng.random(len(features)) < share
        features[hidden, 0] = self.problem.unknown
        for f in self._spelled:
            features[hidden, f] = inputs.spelled[hidden]
        return features

    def _finish_epoch(self):
        done, problem = self._done, self.problem
        network = self.network
        if self._average is not None:
            self._average.add()
            network = self._average.network()
        predicted = decode(network, problem.dev, problem.keys)
        sentences, kind = problem.dev_sentences, self.config.kind
        found = score(kind, sentences, group_tags(predicted, sentences))
        value, name = headline(self.config.label_task, kind, found)
        figures = {
            "epoch": done.epoch + 1, "cost": round(done.cost / max(done.rows, 1), 5),
            f"dev_{name}": round(value, 3), "rate": round(self.rate(), 6),
            "seconds": round(done.seconds, 2),
            "tags_per_second": round(done.rows / max(done.seconds, 1e-9)),
        }  # fmt: skip
        done.epoch, done.batch = done.epoch + 1, 0
        done.cost, done.rows, done.seconds = 0.0, 0, 0.0
        better = value > done.best and self._keep_best(network, value, name)
        self._report(figures, value, name, better)

    def _keep_best(self, network, value, name):
        """Save a network as the best one, unless the disk is full; returns whether it is."""
        done = self._done
        if not self._written(lambda: self.keep(network, value, name, done.epoch)):
            return False
        done.best, done.best_epoch = value, done.epoch
        return True

    def _report(self, figures, value, name, better):
        self._tell(
            f"epoch {figures['epoch']}/{self.config.training.epochs}  cost {figures['cost']:.4f}  "
            f"dev {name} {value:.2f}{'  (best)' if better else ''}  {figures['seconds']:.1f} s  "
            f"{figures['tags_per_second']:,} tags/s",
            figures,
        )

    def _layers(self):
        """Names of the parameters that are one array each."""
        names = (f.name for f in dataclasses.fields(self.network))
        return [
            n for n in names if n not in _LAYERS_ARE_NOT and getattr(self.network, n) is not None
        ]

    def save(self):
        """Write the checkpoint in one step: the old one stays until the new one is whole."""
        self._last_checkpoint = time.monotonic()
        arrays = {f"layer {name}": getattr(self.network, name) for name in self._layers()}
        for f, table in enumerate(self.network.tables):
            if f not in self._fixed:
                arrays[f"table {f}"] = table
        for name, array in self._optimizer.arrays().items():
            arrays[f"optimizer {name}"] = array
        if self._average is not None:
            for name, array in self._average.arrays().items():
                arrays[f"average {name}"] = array
        meta = {"done": dataclasses.asdict(self._done), **self._identity()}
        write_arrays(self.checkpoint, meta, **arrays)

    def _identity(self):
        """What a checkpoint must have in common with the run that resumes it."""
        settings = self.config.as_dict()
        for key in _FREE:
            del settings["training"][key]
        if not settings["training"]["average"]:
            del settings["training"]["average"]  # checkpoints from before there was one go on
        for name in ("classes", "spelling", "labels_of"):
            if not settings[name]:
                del settings[name]  # the same
        del settings["info"], settings["fold_epochs"]
        train, dev = self.problem.train, self.problem.dev
        return {
            "config": settings,
            "labels": self.problem.keys,
            "training data": _digest(train.features, train.gold),
            "sentences": _digest(*train.boundaries()),
            "dev data": _digest(dev.features, dev.gold, *dev.boundaries()),
            "vectors": self._beginning,
        }

    def read_checkpoint(self):
        """What the checkpoint says, and its arrays: a dict, a dict.

        Raises SennaError if it is of other settings or data.
        """
        meta, arrays = read_arrays(self.checkpoint)
        wanted = json.loads(json.dumps(self._identity()))
        for key, value in wanted.items():
            if meta.get(key) != value and not (key in _ADDED and key not in meta):
                what = _difference(key, meta.get(key), value)
                if what == "vectors" and self._spelled:
                    what = "vectors, or another model behind a spelling"
                raise SennaError(f"{self.checkpoint}: made with other {what}")
        return meta, arrays

    def resume(self):
        """Continue from the checkpoint; raises SennaError if it is of other settings or data."""
        meta, arrays = self.read_checkpoint()
        self._done = _Done(**meta["done"])
        optimizer, average = {}, {}
        for name, array in arrays.items():
            kind, _, rest = name.partition(" ")
            if kind == "layer":
                getattr(self.network, rest)[...] = array
            elif kind == "table":
                self.network.tables[int(rest)][...] = array
            elif kind == "average":
                average[rest] = array
            else:
                optimizer[rest] = array
        self._optimizer.restore(optimizer, self._done.steps)
        if self._average is not None:
            self._average.restore(average)
        cut_rows(self.log, "epoch", self._done.epoch)


def _digest(*arrays):
    """A number that tells arrays from others."""
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array), total)
    return total


def _difference(key, found, wanted):
    """What differs first between two identities, with the values if they are settings."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in dict.fromkeys([*wanted, *found]):
            if found.get(name) != wanted.get(name):
                place = name if key == "config" else f"{key}.{name}"
                return _difference(place, found.get(name), wanted.get(name))
    if key in ("labels", "training data", "sentences", "dev data", "vectors"):
        return key
    return f"settings: {key} {json.dumps(found)}, asked for {json.dumps(wanted)}"


def group_tags(predicted, sentences):
    """Predicted sequences of tags as the `labels` of Sentences are: for roles {predicate: tags}."""
    iterator = iter(predicted)
    return [
        {predicate: next(iterator) for predicate in labels}
        if isinstance(labels, dict)
        else next(iterator)
        for labels in sentences.labels
    ]
