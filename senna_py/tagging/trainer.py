"""Training of taggers: batches of sentences, costs of all tasks, and scores on the dev
set.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients, WeightedGradients
from senna_py.layers.lookup import table_name
from senna_py.models.native import FILE_NAME
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.trunk import Trunk, trunks_of
from senna_py.tagging.config import Config
from senna_py.tagging.data import Sentences
from senna_py.tagging.inputs import Inputs
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable
from senna_py.training.workers import Workers

_BATCHES, _EPOCHS = 2000, (20, 100)  # of a run, see `usual_epochs`
_BATCHES_OF_TUNING, _EPOCHS_OF_TUNING = (
    1000,
    (10, 30),
)  # of one that begins with a trained network
_RATE, _RATE_OF_TUNING = 0.002, 0.001
_FEW = 100  # sentences of dev, whose scores are too uncertain to choose an epoch by


@dataclass
class Problem:
    """The data that networks are trained and scored on.

    train, dev: Inputs; dev_sentences: the Sentences of dev; kinds: of labels, with
    keys, by task;
    unknown: the index of UNKNOWN among the words.
    """

    train: Inputs
    dev: Inputs
    dev_sentences: Sentences
    kinds: dict[str, Any]
    unknown: int

    def score(self, name: str, found: list[Any]) -> Any:
        """Scores of what was found for a task on dev, a list of the labels of each
        sentence.
        """
        gold = (
            labels for labels in self.dev_sentences.labels[name] if labels is not None
        )
        return self.kinds[name].score(zip(gold, found, strict=True))


def decode(
    networks: Mapping[str, TaggerNetwork], problem: Problem
) -> dict[str, list[Any]]:
    """What networks find on the dev set of a Problem: lists of labels of sentences, by
    task.
    """
    found = {}
    every = np.arange(len(problem.dev.starts) - 1)
    words, lessons = problem.dev.words(every), problem.dev.lessons(every)
    for trunk in trunks_of(networks):
        states = trunk.states(words) if len(trunk.networks) > 1 else {}
        for name, network in trunk.networks.items():
            lesson, kind = lessons[name], problem.kinds[name]
            lesson.fill(words.features, states.get(name))
            answer = network.tag(lesson.words)
            found[name] = kind.decode(answer, kind.of_model()[0], lesson.words.starts)
    return {name: found[name] for name in networks}


class TaggerTraining(Trainable):
    """Networks of one or more tasks in training on a Problem; a batch is some
    sentences.

    Of several tasks, the trunk is computed once for each sentence, and the heads of the
    tasks whose labels it has. The cost is the sum of all of theirs, each multiplied by
    its weight. The dev score is the mean of the tasks' headlines by their
    `score_weight`.
    """

    free = ("training.epochs", "training.patience", "info")
    rate_option = "training.rate"
    model_file = FILE_NAME

    def __init__(
        self,
        config: Config,
        networks: dict[str, TaggerNetwork],
        problem: Problem,
        data: dict[str, Any],
        write: Callable[..., None],
        tunes: bool = False,
    ) -> None:
        """networks: by task, as they begin; data: what `Trainable.data` is to give.

        write: called with a path, the networks and their scores, by task, to write the
        model;
        tunes: whether they were trained before. Raises SennaError if no training
        sentence has a label.
        """
        super().__init__()
        self.config, self.networks, self.problem = config, networks, problem
        self._data, self.write = data, write
        training = config.training
        self.patience, self.seed = training.patience, training.seed
        names = ["word", *config.features]
        self._fixed = {table_name(names.index(name)) for name in training.fixed}
        self._rate = training.rate or (_RATE_OF_TUNING if tunes else _RATE)
        n_sentences = len(problem.train.useful())
        self._plan(training.epochs or usual_epochs(n_sentences, training.batch, tunes))
        self.n_dev = len(problem.dev.useful(-1))
        self.keeps_last = self.n_dev < _FEW and not training.patience
        self._order = np.empty(0, int)  # of the sentences, in the present epoch
        self._trunk = (
            Trunk(networks) if all(n.has_trunk for n in networks.values()) else None
        )
        self._names = names_of_arrays(networks)
        self.parameters, fan_in = dict[str, np.ndarray](), dict[str, int]()
        for task, network in networks.items():
            own, of_units = self._names[task], network.fan_in()
            for name, array in network.parameters(self._fixed).items():
                self.parameters[own[name]] = array
                fan_in[own[name]] = of_units[name]
        self._optimizer = OPTIMIZERS[training.optimizer](self.parameters, fan_in)
        self._headlines: dict[str, tuple[float, str]] = {}  # after an epoch, by task
        keep = config.network.keep
        self._kept = (
            {name: keep * array for name, array in self.parameters.items()}
            if keep
            else {}
        )

    def _plan(self, epochs):
        """Plan the batches of so many epochs; raises SennaError if one would have
        none.
        """
        train = self.problem.train
        until = np.sort(train.until[train.useful(-1)])
        useful = len(until) - np.searchsorted(
            until, np.arange(epochs) / epochs, "right"
        )
        if not useful.min():
            files = ", ".join(file for data in self.config.train for file in data.files)
            raise SennaError(f"{files}: no sentence of the training data has a label")
        self.epochs = epochs
        self._epoch_sizes = (-(-useful // self.config.training.batch)).tolist()
        self._n_steps = sum(self._epoch_sizes)

    def settings(self) -> dict[str, Any]:
        return self.config.as_dict()

    def data(self) -> dict[str, Any]:
        return self._data

    def n_batches(self) -> float:
        return self._epoch_sizes[self.progress.epoch]

    def begin_epoch(self) -> None:
        """Draw the order of the sentences."""
        epoch = self.progress.epoch
        useful = self.problem.train.useful(epoch / self.epochs)
        self._order = self.rng(epoch, 0).permutation(useful)

    def rate(self) -> float:
        """Learning rate of the next batch."""
        training, done = self.config.training, self.progress.steps / self._n_steps
        return self._rate * linear_fall(min(done, 1.0), training.final_rate)

    def forward(self, number: int) -> tuple[float, int, Any]:
        training = self.config.training
        chosen = self._order[number * training.batch : (number + 1) * training.batch]
        rng = self.rng(self.progress.epoch, 1 + number)
        dropouts = (
            Dropout(rng, training.embedding_dropout),
            Dropout(rng, training.dropout),
        )
        return self._costs(self.problem.train, np.sort(chosen), dropouts, rng)

    def _costs(self, inputs, chosen, dropouts, rng=None):
        """Cost of some sentences, the number of labels, and the trace; rng: hides
        words, if any.
        """
        words, run, states = inputs.words(chosen), None, {}
        share = self.config.training.unknown
        if rng is not None and share:  # so that networks learn what to make of UNKNOWN
            hidden = rng.random(len(words.features)) < share
            words.features[hidden, 0] = self.problem.unknown
        if self._trunk is not None:
            run, states = self._trunk.forward(words, dropouts)
        traces, total, n = {}, 0.0, 0
        for name, lesson in inputs.lessons(chosen).items():
            lesson.fill(words.features, states.get(name))
            cost, n_labels, trace = self.networks[name].cost(
                lesson.words, lesson.targets, dropouts
            )
            traces[name] = trace, lesson.rows
            total, n = total + self.config.plans[name].weight * cost, n + n_labels
        return total, n, (run, states, traces)

    def backward(self, trace: Any) -> Gradients:
        run, states, traces = trace
        gradients, d_states = Gradients(self._fixed), {}
        for name, (own, rows) in traces.items():
            sink = WeightedGradients(
                gradients, self.config.plans[name].weight, self._names[name]
            )
            found = self.networks[name].cost_backward(own, sink)
            if run is not None:
                d_states[name] = sink.weight * found
                if rows is not None:
                    d_states[name] = np.zeros_like(states[name])
                    d_states[name][rows] = sink.weight * found
        if run is not None:
            run.backward(
                d_states,
                {
                    t: WeightedGradients(gradients, 1.0, own)
                    for t, own in self._names.items()
                },
            )
        return gradients

    def step(self, gradients: Gradients, number: int) -> None:
        self._optimizer.step(gradients, self.rate())

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """A context in which the weights are their mean with those that training began
        with.

        Wortsman et al. 2022, "Robust fine-tuning of zero-shot models", section 3.
        """
        learned = {name: self.parameters[name].copy() for name in self._kept}
        for name, kept in self._kept.items():
            self.parameters[name] *= 1 - self.config.network.keep
            self.parameters[name] += kept
        try:
            yield
        finally:
            for name, array in learned.items():
                self.parameters[name][...] = array

    def evaluate(self, workers: Workers) -> float | None:
        """Dev score, in percent: the mean of those of all tasks."""
        with self._keeping():
            found = decode(self.networks, self.problem)
        kinds = self.problem.kinds
        self._headlines = {
            name: kinds[name].headline(self.problem.score(name, found[name]))
            for name in self.networks
        }
        weights = [self.config.plans[name].score_weight for name in self._headlines]
        return float(
            np.average(
                [value for value, _ in self._headlines.values()], weights=weights
            )
        )

    def dev_cost(self) -> float | None:
        dev, total, n = self.problem.dev, 0.0, 0
        useful, size = dev.useful(-1), self.config.training.batch
        none = Dropout(None, 0), Dropout(None, 0)
        with self._keeping():
            for begin in range(0, len(useful), size):
                chosen = useful[begin : begin + size]
                cost, n_labels, _ = self._costs(dev, chosen, none)
                total, n = total + cost, n + n_labels
        return total / max(n, 1)

    def model_writer(self) -> Callable[[Path], None]:
        scores = {
            name: {"dev": {what: round(value, 2)}, "epoch": self.progress.epoch}
            for name, (value, what) in self._headlines.items()
        }

        def write(path: Path) -> None:
            with self._keeping():
                self.write(path, self.networks, scores)

        return write

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        progress, headlines = self.progress, self._headlines
        if len(headlines) == 1:
            ((value, what),) = headlines.values()
            scores: dict[str, Any] = {what: value}
            text = f"{what} {value:.2f}"
        else:
            scores = {"mean": score} | {
                f"{n}_{what}": v for n, (v, what) in headlines.items()
            }
            each = (
                f"{name} {what} {value:.2f}"
                for name, (value, what) in headlines.items()
            )
            text = f"mean {score:.2f}: {', '.join(each)}"
        figures = {
            "epoch": progress.epoch,
            "cost": round(progress.mean_cost or 0.0, 5),
            **{f"dev_{name}": round(value, 3) for name, value in scores.items()},
            "rate": round(self.rate(), 6),
            "seconds": round(progress.span, 2),
            "tags_per_second": round(progress.speed),
        }
        mark = ("  (kept)" if self.keeps_last else "  (best)") if better else ""
        line = (
            f"epoch {figures['epoch']}/{self.epochs}  cost {figures['cost']:.4f}  "
            f"dev {text}{mark}  {figures['seconds']:.1f} s  "
            f"{figures['tags_per_second']:,} tags/s"
        )
        return line, figures

    def arrays(self) -> dict[str, np.ndarray]:
        return self.parameters | self._optimizer.arrays()

    def restore_state(self, state: dict[str, Any]) -> None:
        self._optimizer.n_steps = self.progress.steps


def usual_epochs(n_sentences: int, batch: int, tunes: bool = False) -> int:
    """Epochs that train well: more of few sentences, until there are enough batches.

    tunes: whether the networks were trained before, and learn in fewer.
    """
    n_batches, limits = (
        (_BATCHES_OF_TUNING, _EPOCHS_OF_TUNING) if tunes else (_BATCHES, _EPOCHS)
    )
    return int(np.clip(n_batches // -(-max(n_sentences, 1) // batch), *limits))


def names_of_arrays(networks: Mapping[str, TaggerNetwork]) -> dict[str, dict[str, str]]:
    """Names of the parameters of networks by task, as one set: {task: {name: name of
    all}}.

    What they share has the name that it has in the first of them, and so has all of one
    network; what several have of their own stands below the name of the task.
    """
    known, found = dict[int, str](), dict[str, dict[str, str]]()
    arrays = [
        {*map(id, network.parameters().values())} for network in networks.values()
    ]
    count = Counter(chain.from_iterable(arrays))
    for task, network in networks.items():
        found[task] = {}
        for name, array in network.parameters().items():
            alone = len(networks) == 1 or count[id(array)] > 1
            found[task][name] = known.setdefault(
                id(array), name if alone else f"{task}/{name}"
            )
    return found
