"""Training of a tagger's network: batches of sentences, costs, and scores on the dev set."""

import math
from dataclasses import dataclass, replace

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.registry import is_computed
from senna_py.formats.native import FILE_NAME
from senna_py.labels.trees import Tree, build_tree
from senna_py.layers.dropout import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.lookup import table_name
from senna_py.tagger_training.cascade import decode
from senna_py.tagger_training.scoring import headline, score
from senna_py.training.averaging import Average
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable

__all__ = ["Problem", "TaggerTraining", "group_tags"]


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
        self.epochs, self.patience, self.seed = training.epochs, training.patience, training.seed
        names = ["word", *config.features]
        self._spelled = [f for f, name in enumerate(names) if is_computed(name)]
        self._fixed = {*self._spelled, *(names.index(name) for name in training.fixed)}
        useful = [len(problem.train.useful(epoch / self.epochs)) for epoch in range(self.epochs)]
        if not min(useful):
            files = ", ".join(file for data in config.train for file in data.files)
            raise SennaError(f"{files}: no sentence of the training data has a label")
        self._n_batches = [math.ceil(n / training.batch) for n in useful]
        self._order = None  # of the sentences, in the present epoch
        self._parameters = network.parameters(self._fixed)
        self._optimizer = OPTIMIZERS[training.optimizer](self._parameters, network.fan_in())
        self.average = self._new_average() if training.average > 1 else None
        self._scored = None  # the network, its score and that score's name after an epoch

    def settings(self):
        """See Trainable."""
        return self.config.as_dict()

    def data(self):
        """See Trainable."""
        return self._data

    def _new_average(self):
        """An Average of what training changes: the rows of tables that its batches have."""
        network, problem, rows = self.network, self.problem, {}
        names = ["word", *self.config.features]
        for f in range(len(network.tables)):
            if f not in self._fixed:
                others = [network.padding[f], *([problem.unknown] if f == 0 else [])]
                own = names[f] == self.config.own_label
                used = np.arange(len(network.tables[f])) if own else problem.train.features[:, f]
                rows[table_name(f)] = np.union1d(used, others)
        return Average(self._parameters, rows, self.config.training.average)

    def n_batches(self):
        """See Trainable."""
        return self._n_batches[self.progress.epoch]

    def begin_epoch(self):
        """Draw the order of the sentences."""
        epoch = self.progress.epoch
        useful = self.problem.train.useful(epoch / self.epochs)
        self._order = self.rng(epoch, 0).permutation(useful)

    def rate(self):
        """Learning rate of the next batch."""
        training = self.config.training
        progress = min(self.progress.steps / sum(self._n_batches), 1.0)
        return training.rate * linear_fall(progress, training.final_rate)

    def forward(self, number):
        """See Trainable."""
        training, network = self.config.training, self.network
        chosen = self._order[number * training.batch : (number + 1) * training.batch]
        inputs = self.problem.train.batch(np.sort(chosen))
        rng = self.rng(self.progress.epoch, 1 + number)
        dropouts = Dropout(rng, training.embedding_dropout), Dropout(rng, training.dropout)
        inputs = replace(inputs, features=self._hide_words(inputs, rng))
        return network.cost(inputs, dropouts, rng)

    def backward(self, trace):
        """See Trainable."""
        gradients = Gradients()
        self.network.cost_backward(trace, gradients, self._fixed)
        return gradients

    def step(self, gradients, number):
        """See Trainable."""
        self._optimizer.step(gradients, self.rate())

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

    def evaluate(self, workers):
        """Headline score on dev, in percent, of the mean parameters if there is an average."""
        problem, network = self.problem, self._mean_network()
        predicted = decode(network, problem.dev, problem.keys)
        sentences, kind = problem.dev_sentences, self.config.kind
        found = score(kind, sentences, group_tags(predicted, sentences))
        value, name = headline(self.config.label_task, kind, found)
        self._scored = network, value, name
        return value

    def _mean_network(self):
        """The network with the mean parameters; tables that are fixed are not copied."""
        if self.average is None or self.progress.epoch < 2:
            return self.network
        means = self.average.mean()
        tables = [means.pop(table_name(f), t) for f, t in enumerate(self.network.tables)]
        return self.network.with_arrays(tables, means)

    def model_writer(self):
        """See Trainable."""
        network, value, name = self._scored
        scores = {"dev": {name: round(value, 2)}, "epoch": self.progress.epoch}
        return lambda path: self.write(path, network, scores)

    def report(self, score, better):
        """See Trainable."""
        progress, (_, value, name) = self.progress, self._scored
        figures = {
            "epoch": progress.epoch, "cost": round(progress.mean_cost or 0.0, 5),
            f"dev_{name}": round(value, 3), "rate": round(self.rate(), 6),
            "seconds": round(progress.span, 2), "tags_per_second": round(progress.speed),
        }  # fmt: skip
        line = (
            f"epoch {figures['epoch']}/{self.epochs}  cost {figures['cost']:.4f}  "
            f"dev {name} {value:.2f}{'  (best)' if better else ''}  {figures['seconds']:.1f} s  "
            f"{figures['tags_per_second']:,} tags/s"
        )
        return line, figures

    def arrays(self):
        """See Trainable."""
        return self._parameters | self._optimizer.arrays()

    def restore_state(self, state):
        """See Trainable."""
        self._optimizer.n_steps = self.progress.steps


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
