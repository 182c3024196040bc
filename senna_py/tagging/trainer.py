"""Training of tagging networks for one or more tasks, and their scores on dev."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.evaluation.layers import LayerPair, headline, score_layers
from senna_py.labels.tasks import TOKENS
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients, WeightedGradients
from senna_py.layers.lookup import table_name
from senna_py.models.native import FILE_NAME
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.trunk import Trunk, trunks_of
from senna_py.tagging.config import Config
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.sentences import Sentences
from senna_py.tagging.targets.base import Learner
from senna_py.text.units import LabelMeanings
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable
from senna_py.training.workers import Workers

_FEW = 100  # With fewer dev sentences, scores are too uncertain to choose an epoch.


class _Schedule(NamedTuple):
    """The defaults of a run for the number of epochs and the learning rate."""

    n_batches: int  # The total number of batches, in all epochs.
    epochs: tuple[int, int]  # The minimum and the maximum number of epochs.
    rate: float


_FROM_SCRATCH = _Schedule(2000, (20, 100), 0.002)
_FINE_TUNING = _Schedule(1000, (10, 30), 0.001)


@dataclass
class TaggingData:
    """The data that networks are trained and scored on.

    Attributes:
        train: The inputs to train on.
        dev: The inputs to score on.
        dev_sentences: The sentences of `dev`, with their gold labels.
        learners: The learner of each task, with keys.
        unknown: The index of UNKNOWN in the vocabulary of words, or of units.
    """

    train: Inputs
    dev: Inputs
    dev_sentences: Sentences
    learners: dict[str, Learner]
    unknown: int

    @property
    def n_dev_sentences(self) -> int:
        """The number of dev sentences with labels.

        If units are labeled, sentences are counted by their labels.
        """
        if (gold := self.dev_sentences.gold.get(TOKENS)) is None:
            return len(self.dev.useful(-1))
        ends = LabelMeanings.of([*gold.layer.names]).ends_sentence
        return int(ends[gold.layer.label].sum())

    def score(self, name: str, predicted: Layer) -> Any:
        """Score predictions on dev.

        Args:
            name: The name of the task.
            predicted: The predicted layer of the dev sentences that have labels.
        """
        gold = self.dev_sentences.gold[name]
        pair = LayerPair(gold.layer, predicted, gold.starts, gold.trees)
        return score_layers(self.learners[name].task, [pair])

    def headline(self, name: str, scores: Any) -> tuple[float, str]:
        """Return the main score of a task, in percent, and its name, such as F1."""
        return headline(self.learners[name].task, scores)


def predict_dev(
    networks: Mapping[str, TaggerNetwork], data: TaggingData
) -> dict[str, Layer]:
    """Return the predictions of networks for the labeled dev sentences, by task."""
    layers = {}
    every = np.arange(len(data.dev.starts) - 1)
    words, batches = data.dev.words(every), data.dev.batches(every)
    for trunk in trunks_of(networks):
        states = trunk.shared_states(words)
        for name, network in trunk.networks.items():
            batch, learner = batches[name], data.learners[name]
            batch.fill(words.features, states.get(name))
            names, _ = learner.labels_in_model()
            layers[name] = network.annotate(batch.words, learner.task, names)
    return {name: layers[name] for name in networks}


class TaggerTraining(Trainable):
    """The training of networks for one or more tasks, on batches of sentences.

    The shared trunk is computed once for each sentence, followed by the heads of the
    tasks for which the sentence has labels. The cost is the weighted sum of the costs
    of all tasks. The dev score is the mean of the main scores of the tasks, weighted by
    their `score_weight`.
    """

    free = ("training.epochs", "training.patience", "info")
    rate_option = "training.rate"
    model_file = FILE_NAME

    def __init__(
        self,
        config: Config,
        networks: dict[str, TaggerNetwork],
        tagging_data: TaggingData,
        digests: dict[str, Any],
        write: Callable[..., None],
        tunes: bool = False,
    ) -> None:
        """Prepare the training.

        Args:
            config: The configuration of the run.
            networks: The initialized networks, by task. They are trained in place.
            tagging_data: The data to train and score on.
            digests: The return value of `Trainable.data`.
            write: A callback that writes the model. Its arguments are the path, the
                networks by task, and their scores by task.
            tunes: Whether the networks are fine-tuned, which needs fewer epochs.

        Raises:
            SennaError: If in some epoch, no training sentence has a label.
        """
        super().__init__()
        self.config, self.networks, self.tagging_data = config, networks, tagging_data
        self._digests, self.write = digests, write
        training = config.training
        self.patience, self.seed = training.patience, training.seed
        names = config.feature_names
        self._fixed = {table_name(names.index(name)) for name in training.fixed}
        schedule = _FINE_TUNING if tunes else _FROM_SCRATCH
        self._rate = training.rate or schedule.rate
        n_sentences = len(tagging_data.train.useful())
        usual = usual_epochs(n_sentences, training.batch, tunes)
        self._plan(training.epochs or usual)
        self.n_dev = tagging_data.n_dev_sentences
        self.keeps_last = self.n_dev < _FEW and not training.patience
        self._order = np.empty(0, int)  # The sentences in the order of this epoch.
        self._trunk = None
        if all(network.has_trunk for network in networks.values()):
            self._trunk = Trunk(networks)
        self._names = names_of_arrays(networks)
        self.parameters: dict[str, NDArray[Any]] = {}
        fan_in: dict[str, int] = {}
        for task, network in networks.items():
            names_of, fan_in_of = self._names[task], network.fan_in()
            for name, array in network.parameters(self._fixed).items():
                self.parameters[names_of[name]] = array
                fan_in[names_of[name]] = fan_in_of[name]
        self._optimizer = OPTIMIZERS[training.optimizer](self.parameters, fan_in)
        # The main scores of the last epoch, by task.
        self._headlines: dict[str, tuple[float, str]] = {}
        # The initial weights times `keep`, their share in the mean with learned ones.
        self._first_weights: dict[str, NDArray[Any]] = {}
        if keep := config.network.keep:
            self._first_weights = {
                name: keep * array for name, array in self.parameters.items()
            }

    def _plan(self, epochs: int) -> None:
        """Plan the batches of all epochs; raise SennaError if an epoch has none."""
        train = self.tagging_data.train
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
        return self._digests

    def n_batches(self) -> float:
        return self._epoch_sizes[self.progress.epoch]

    def begin_epoch(self) -> None:
        """Draw a random order of the sentences of this epoch."""
        epoch = self.progress.epoch
        useful = self.tagging_data.train.useful(epoch / self.epochs)
        self._order = self.rng(epoch, 0).permutation(useful)

    def rate(self) -> float:
        """Return the learning rate for the next batch."""
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
        return self._costs(self.tagging_data.train, np.sort(chosen), dropouts, rng)

    def _costs(
        self,
        inputs: Inputs,
        chosen: NDArray[np.int64],
        dropouts: tuple[Dropout, Dropout],
        rng: np.random.Generator | None = None,
    ) -> tuple[float, int, Any]:
        """Return the cost of sentences, the number of their labels, and the trace.

        Args:
            inputs: The inputs that contain the sentences.
            chosen: int64[n], ascending, the indices of the sentences.
            dropouts: The dropout of the embeddings and of the hidden units.
            rng: The random generator that masks words as UNKNOWN, or None for no
                masking.
        """
        words = inputs.words(chosen)
        share = self.config.training.unknown
        if rng is not None and share:  # This trains the vector of UNKNOWN.
            masked = rng.random(len(words.features)) < share
            words.features[masked, 0] = self.tagging_data.unknown
        trunk_pass: Any = None
        states: dict[str, NDArray[np.float32]] = {}
        if self._trunk is not None:
            trunk_pass, states = self._trunk.forward(words, dropouts)
        traces, total, n = {}, 0.0, 0
        for name, batch in inputs.batches(chosen).items():
            batch.fill(words.features, states.get(name))
            cost, n_labels, trace = self.networks[name].cost(
                batch.words, batch.targets, dropouts
            )
            traces[name] = trace, batch.rows
            total += self.config.plans[name].weight * cost
            n += n_labels
        return total, n, (trunk_pass, states, traces)

    def backward(self, trace: Any) -> Gradients:
        trunk_pass, states, traces = trace
        gradients, d_states = Gradients(self._fixed), {}
        for name, (head_trace, rows) in traces.items():
            sink = WeightedGradients(
                gradients, self.config.plans[name].weight, self._names[name]
            )
            d_head = self.networks[name].cost_backward(head_trace, sink)
            if trunk_pass is None:
                continue
            if rows is None:
                d_states[name] = sink.weight * d_head
            else:
                d_states[name] = np.zeros_like(states[name])
                d_states[name][rows] = sink.weight * d_head
        if trunk_pass is not None:
            sinks = {
                task: WeightedGradients(gradients, 1.0, names)
                for task, names in self._names.items()
            }
            trunk_pass.backward(d_states, sinks)
        return gradients

    def step(self, gradients: Gradients, number: int) -> None:
        self._optimizer.step(gradients, self.rate())

    @contextmanager
    def _averaged(self) -> Iterator[None]:
        """Interpolate the weights with the initial ones while the context is active.

        This has no effect unless `network.keep` is set. See Wortsman et al. 2022,
        "Robust fine-tuning of zero-shot models", section 3.
        """
        learned = {name: self.parameters[name].copy() for name in self._first_weights}
        for name, first in self._first_weights.items():
            self.parameters[name] *= 1 - self.config.network.keep
            self.parameters[name] += first
        try:
            yield
        finally:
            for name, array in learned.items():
                self.parameters[name][...] = array

    def evaluate(self, workers: Workers) -> float | None:
        """Return the weighted mean of the tasks' main scores on dev, in percent."""
        data = self.tagging_data
        with self._averaged():
            layers = predict_dev(self.networks, data)
        self._headlines = {
            name: data.headline(name, data.score(name, layer))
            for name, layer in layers.items()
        }
        values = [value for value, _ in self._headlines.values()]
        weights = [self.config.plans[name].score_weight for name in self._headlines]
        return float(np.average(values, weights=weights))

    def dev_cost(self) -> float | None:
        dev = self.tagging_data.dev
        total, n = 0.0, 0
        useful, size = dev.useful(-1), self.config.training.batch
        none = Dropout(None, 0), Dropout(None, 0)
        with self._averaged():
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
            with self._averaged():
                self.write(path, self.networks, scores)

        return write

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        progress, headlines = self.progress, self._headlines
        if len(headlines) == 1:
            ((value, what),) = headlines.values()
            scores: dict[str, Any] = {what: value}
            text = f"{what} {value:.2f}"
        else:
            scores = {"mean": score}
            for name, (value, what) in headlines.items():
                scores[f"{name}_{what}"] = value
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
        mark = ""
        if better:
            mark = "  (kept)" if self.keeps_last else "  (best)"
        line = (
            f"epoch {figures['epoch']}/{self.epochs}  cost {figures['cost']:.4f}  "
            f"dev {text}{mark}  {figures['seconds']:.1f} s  "
            f"{figures['tags_per_second']:,} tags/s"
        )
        return line, figures

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.parameters | self._optimizer.arrays()

    def restore_state(self, state: dict[str, Any]) -> None:
        self._optimizer.n_steps = self.progress.steps


def usual_epochs(n_sentences: int, batch: int, tunes: bool = False) -> int:
    """Return the default number of epochs, which is smaller for larger training sets.

    It is between 20 and 100, or between 10 and 30 for fine-tuning.

    Args:
        n_sentences: The number of training sentences.
        batch: The number of sentences in a batch.
        tunes: Whether the networks are fine-tuned.
    """
    schedule = _FINE_TUNING if tunes else _FROM_SCRATCH
    batches_of_epoch = -(-max(n_sentences, 1) // batch)
    return int(np.clip(schedule.n_batches // batches_of_epoch, *schedule.epochs))


def names_of_arrays(networks: Mapping[str, TaggerNetwork]) -> dict[str, dict[str, str]]:
    """Return unique names for the parameters of all networks.

    Shared parameters keep their name in the first network; all others are prefixed with
    `TASK/`. The parameters of a single network keep their names.

    Returns:
        {task: {name of a parameter in its network: unique name}}.
    """
    names: dict[int, str] = {}
    by_task: dict[str, dict[str, str]] = {}
    arrays = [
        {*map(id, network.parameters().values())} for network in networks.values()
    ]
    n_networks = Counter(chain.from_iterable(arrays))
    for task, network in networks.items():
        by_task[task] = {}
        for name, array in network.parameters().items():
            is_shared = len(networks) == 1 or n_networks[id(array)] > 1
            own_name = name if is_shared else f"{task}/{name}"
            by_task[task][name] = names.setdefault(id(array), own_name)
    return by_task
