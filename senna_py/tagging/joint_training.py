"""Training of several networks that share their lower layers (Collobert et al. 2011, section 5)."""

from functools import reduce

import numpy as np

from senna_py.layers.lookup import table_name
from senna_py.models.native import FILE_NAME
from senna_py.tagging.trainer import TaggerTraining, epoch_report, falling_rate
from senna_py.training.averaging import Average
from senna_py.training.optimizers import OPTIMIZERS
from senna_py.training.trainable import Trainable

__all__ = ["JointTraining", "free_settings", "share_out"]


class JointTraining(Trainable):
    """Tasks in training whose networks have the same tables and trunk; a batch is one of a task.

    An epoch has as many batches as it takes to see the sentences of all tasks once, but each task
    has its share of them, by its weight: one with few sentences sees them several times, one with
    many a part of them. The order of the tasks is random, and each batch changes the head of its
    task and what is shared. The dev score is the mean of those of the tasks.
    """

    lower = TaggerTraining.lower
    model_file = FILE_NAME

    def __init__(self, config, tasks, data, write):
        """config: a JointConfig; tasks: TaggerTrainings by name.

        data: what `Trainable.data` is to give; write: called with a path and, for each task, its
        network and a dict of its scores, to write the model.
        """
        super().__init__()
        self.config, self.tasks, self._data, self.write = config, tasks, data, write
        first = next(iter(tasks.values()))
        self._training = first.config.training
        self.epochs = max(task.epochs for task in tasks.values())
        self.patience, self.seed = first.patience, first.seed
        self.free = free_settings(config)
        for number, task in enumerate(tasks.values(), 1):
            task.stream = (number,)
            task.plan(self.epochs)
        self._shares = [self._share_out(epoch) for epoch in range(self.epochs)]
        self._n_steps = sum(map(sum, self._shares))
        self._plan = []  # of the batches of the present epoch: name of the task, number in it
        self._names = {name: _joint_names(name, task) for name, task in tasks.items()}
        self.parameters, fan_in = {}, {}
        for name, task in tasks.items():
            names, of_task = self._names[name], task.network.fan_in()
            self.parameters |= {names[each]: array for each, array in task.parameters.items()}
            fan_in |= {names[each]: of_task[each] for each in task.parameters}
        self._optimizer = OPTIMIZERS[self._training.optimizer](self.parameters, fan_in)
        if self._training.average > 1:
            self.average = Average(self.parameters, self._trained_rows(), self._training.average)
        self._scores = {}

    def _share_out(self, epoch):
        """Batches of each task in an epoch, a list."""
        n_batches = sum(task.epoch_sizes[epoch] for task in self.tasks.values())
        return share_out(n_batches, [self.config.weights[name] for name in self.tasks])

    def _trained_rows(self):
        found = [task.trained_rows() for task in self.tasks.values()]
        return {name: reduce(np.union1d, (rows[name] for rows in found)) for name in found[0]}

    def settings(self):
        return self.config.as_dict()

    def data(self):
        return self._data

    def n_batches(self):
        return sum(self._shares[self.progress.epoch])

    def begin_epoch(self):
        """Draw the order of the tasks, and of the sentences of each."""
        shares = self._shares[self.progress.epoch]
        for share, task in zip(shares, self.tasks.values(), strict=True):
            task.progress = self.progress
            task.begin_epoch(passes=-(-share // task.n_batches()))
        order = np.repeat(np.arange(len(shares)), shares)
        self.rng(self.progress.epoch, 0).shuffle(order)
        names, done = list(self.tasks), [0] * len(shares)
        self._plan = []
        for k in order.tolist():
            self._plan.append((names[k], done[k]))
            done[k] += 1

    def rate(self):
        """Learning rate of the next batch."""
        return falling_rate(self._training, self.progress, self._n_steps)

    def forward(self, number):
        name, own_number = self._plan[number]
        cost, n, trace = self.tasks[name].forward(own_number)
        return cost, n, (name, trace)

    def backward(self, trace):
        name, trace = trace
        gradients = self.tasks[name].backward(trace)
        gradients.rename(self._names[name])
        return gradients

    def step(self, gradients, number):
        self._optimizer.step(gradients, self.rate())

    def evaluate(self, workers):
        """Mean of the headline scores on dev, of the mean parameters if there is an average."""
        has_mean = self.average is not None and self.progress.epoch >= 2
        means = self.average.mean() if has_mean else {}
        self._scores = {}
        for name, task in self.tasks.items():
            names = self._names[name]
            own = {each: means[names[each]] for each in task.parameters} if means else {}
            self._scores[name] = task.evaluate_with(own)
        return sum(self._scores.values()) / len(self._scores)

    def dev_cost(self):
        return sum(task.dev_cost() for task in self.tasks.values()) / len(self.tasks)

    def model_writer(self):
        scored = {name: task.scored() for name, task in self.tasks.items()}
        return lambda path: self.write(path, scored)

    def report(self, score, better):
        kinds = {name: next(iter(task.scored()[1]["dev"])) for name, task in self.tasks.items()}
        scores = {f"{name}_{kinds[name]}": value for name, value in self._scores.items()}
        text = ", ".join(f"{name} {kinds[name]} {v:.2f}" for name, v in self._scores.items())
        dev = f"mean {score:.2f}: {text}", {"mean": score, **scores}
        return epoch_report(self.progress, self.epochs, self.rate(), dev, better)

    def arrays(self):
        return self.parameters | self._optimizer.arrays()

    def restore_state(self, state):
        self._optimizer.n_steps = self.progress.steps


def free_settings(config):
    """Names of the settings of a JointConfig that a resumed run may change."""
    return tuple(f"{name}.{each}" for name in config.configs for each in TaggerTraining.free)


def share_out(total, weights):
    """Whole numbers in proportion to `weights`, a list, whose sum is `total`."""
    ends = np.round(total * np.cumsum(weights) / sum(weights)).astype(int)
    return np.diff(ends, prepend=0).tolist()


def _joint_names(name, task):
    """Names of a task's parameters among those of all: what is shared keeps its name."""
    tables = map(table_name, range(len(task.network.tables)))
    shared = {*tables, *task.network.trunk_arrays()}
    return {each: each if each in shared else f"{name}/{each}" for each in task.parameters}
