"""Training of a tagger's network: batches of sentences, costs, and scores on the dev set."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from senna_py.errors import SennaError
from senna_py.labels.trees import Tree, build_tree
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.lookup import table_name
from senna_py.models.native import FILE_NAME
from senna_py.tagging.cascade import decode
from senna_py.tagging.scoring import headline, score
from senna_py.training.averaging import Average
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable

__all__ = [
    "Problem", "TaggerTraining", "epoch_report", "falling_rate", "group_tags", "usual_epochs",
]  # fmt: skip

_BATCHES, _EPOCHS = 2000, (20, 100)  # of a run, see `usual_epochs`


@dataclass
class Problem:
    """The data that a network is trained and scored on.

    train, dev: inputs.Inputs; dev_sentences: the Sentences of dev; keys: the labels, a list of
    str; unknown: the index of UNKNOWN among the words.
    """

    train: object
    dev: object
    dev_sentences: object
    keys: list
    unknown: int


class TaggerTraining(Trainable):
    """A network in training on a Problem; a batch is some sentences."""

    free = ("training.epochs", "training.patience", "info", "fold_epochs")
    lower = "training.rate"
    model_file = FILE_NAME

    def __init__(self, config, network, problem, data, write):
        """config: a Config; network: as it begins; problem: a Problem.

        data: what `Trainable.data` is to give; write: called with a path, a network and a dict of
        its scores, to write the model. Raises SennaError if no training sentence has a label.
        """
        super().__init__()
        self.config, self.network, self.problem = config, network, problem
        self._data, self.write = data, write
        training = config.training
        self.patience, self.seed = training.patience, training.seed
        names = ["word", *config.features]
        self._fixed = {table_name(names.index(name)) for name in training.fixed}
        self.plan(training.epochs or usual_epochs(len(problem.train.useful()), training.batch))
        self.stream = ()  # tells the random numbers of tasks that are trained together apart
        self._orders = []  # of the sentences, in the present epoch
        self.parameters = network.parameters(self._fixed)
        if training.average > 1:
            self.average = Average(self.parameters, self.trained_rows(), training.average)
        self._scored = None  # the network, its score and that score's name after an epoch

    def plan(self, epochs):
        """Plan the batches of so many epochs; raises SennaError if one would have none."""
        useful = self.problem.train.n_useful(np.arange(epochs) / epochs)
        if not useful.min():
            files = ", ".join(file for data in self.config.train for file in data.files)
            raise SennaError(f"{files}: no sentence of the training data has a label")
        self.epochs = epochs
        self.epoch_sizes = (-(-useful // self.config.training.batch)).tolist()
        self._n_steps = sum(self.epoch_sizes)

    def settings(self):
        return self.config.as_dict()

    def data(self):
        return self._data

    @cached_property
    def _optimizer(self):
        return OPTIMIZERS[self.config.training.optimizer](self.parameters, self.network.fan_in())

    def trained_rows(self):
        """Rows of tables that training changes, those that its batches have: int[n] by name."""
        network, problem, rows = self.network, self.problem, {}
        for f in range(len(network.tables)):
            if table_name(f) not in self._fixed:
                others = [network.padding[f], *([problem.unknown] if f == 0 else [])]
                rows[table_name(f)] = np.union1d(problem.train.features[:, f], others)
        return rows

    def rng(self, *purpose):
        return super().rng(*purpose, *self.stream)

    def n_batches(self):
        return self.epoch_sizes[self.progress.epoch]

    def begin_epoch(self, passes=1):
        """Draw the order of the sentences, in each of some passes over them."""
        epoch = self.progress.epoch
        useful = self.problem.train.useful(epoch / self.epochs)
        rng = self.rng(epoch, 0)
        self._orders = [rng.permutation(useful) for _ in range(passes)]

    def rate(self):
        """Learning rate of the next batch."""
        return falling_rate(self.config.training, self.progress, self._n_steps)

    def forward(self, number):
        training, network = self.config.training, self.network
        which, place = divmod(number, self.n_batches())
        chosen = self._orders[which][place * training.batch : (place + 1) * training.batch]
        inputs = self.problem.train.batch(np.sort(chosen))
        rng = self.rng(self.progress.epoch, 1 + number)
        dropouts = Dropout(rng, training.embedding_dropout), Dropout(rng, training.dropout)
        inputs = replace(inputs, features=self._hide_words(inputs, rng))
        return network.cost(inputs, dropouts)

    def backward(self, trace):
        gradients = Gradients(self._fixed)
        self.network.cost_backward(trace, gradients)
        return gradients

    def step(self, gradients, number):
        self._optimizer.step(gradients, self.rate())

    def _hide_words(self, inputs, rng):
        """Features with some words read as UNKNOWN, so that it learns what to make of those."""
        share = self.config.training.unknown
        if share == 0:
            return inputs.features
        features = inputs.features.copy()
        hidden = rng.random(len(features)) < share
        features[hidden, 0] = self.problem.unknown
        return features

    def evaluate(self, workers):
        """Headline score on dev, in percent, of the mean parameters if there is an average."""
        has_mean = self.average is not None and self.progress.epoch >= 2
        return self.evaluate_with(self.average.mean() if has_mean else {})

    def evaluate_with(self, arrays):
        """Headline score on dev, in percent, with other arrays of some names."""
        network, problem = self.network, self.problem
        if arrays:
            others = dict(arrays)
            tables = [others.pop(table_name(f), t) for f, t in enumerate(network.tables)]
            network = network.changed(tables=tables, **others)
        predicted = decode(network, problem.dev, problem.keys)
        sentences, kind = problem.dev_sentences, self.config.kind
        found = score(kind, sentences, group_tags(predicted, sentences))
        value, name = headline(self.config.label_task, kind, found)
        self._scored = network, value, name
        return value

    def dev_cost(self):
        network, dev, total, n = self._scored[0], self.problem.dev, 0.0, 0
        useful, size, none = dev.useful(), self.config.training.batch, Dropout(None, 0)
        for begin in range(0, len(useful), size):
            cost, n_rows, _ = network.cost(dev.batch(useful[begin : begin + size]), (none, none))
            total, n = total + cost, n + n_rows
        return total / max(n, 1)

    def scored(self):
        """The network that was evaluated, and its scores as models and reports have them."""
        network, value, name = self._scored
        return network, {"dev": {name: round(value, 2)}, "epoch": self.progress.epoch}

    def model_writer(self):
        scored = self.scored()
        return lambda path: self.write(path, *scored)

    def report(self, score, better):
        _, value, name = self._scored
        dev = f"{name} {value:.2f}", {name: value}
        return epoch_report(self.progress, self.epochs, self.rate(), dev, better)

    def arrays(self):
        return self.parameters | self._optimizer.arrays()

    def restore_state(self, state):
        self._optimizer.n_steps = self.progress.steps


def usual_epochs(n_sentences, batch):
    """Epochs that train well: 20, and more of few sentences, until there are enough batches."""
    return int(np.clip(_BATCHES // -(-max(n_sentences, 1) // batch), *_EPOCHS))


def falling_rate(training, progress, n_batches):
    """Learning rate of the next batch; training: of a Config; n_batches: of the whole run."""
    return training.rate * linear_fall(min(progress.steps / n_batches, 1.0), training.final_rate)


def epoch_report(progress, epochs, rate, dev, better):
    """Line and figures of an epoch as `Trainable.report` gives them.

    dev: the scores as text, and as a dict of numbers by name.
    """
    text, scores = dev
    figures = {
        "epoch": progress.epoch, "cost": round(progress.mean_cost or 0.0, 5),
        **{f"dev_{name}": round(value, 3) for name, value in scores.items()},
        "rate": round(rate, 6), "seconds": round(progress.span, 2),
        "tags_per_second": round(progress.speed),
    }  # fmt: skip
    line = (
        f"epoch {figures['epoch']}/{epochs}  cost {figures['cost']:.4f}  "
        f"dev {text}{'  (best)' if better else ''}  {figures['seconds']:.1f} s  "
        f"{figures['tags_per_second']:,} tags/s"
    )
    return line, figures


def group_tags(predicted, sentences):
    """What `cascade.decode` found as the `labels` of Sentences are.

    For roles {predicate: tags}; for trees a Tree, with the parts of speech of theirs.
    """
    iterator = iter(predicted)
    return [_like(labels, iterator) for labels in sentences.labels]


def _like(labels, iterator):
    if isinstance(labels, dict):
        return {predicate: next(iterator) for predicate in labels}
    found = next(iterator)
    return build_tree(labels.leaves, found) if isinstance(labels, Tree) else found
