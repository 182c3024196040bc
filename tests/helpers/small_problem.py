"""A tiny model in training: the mean of numbers, by SGD with momentum."""

import numpy as np

from senna_py.training.run import TrainingRun
from senna_py.training.trainable import Trainable

N_BATCHES = 5


class SmallMean(Trainable):
    """Learns the mean of random numbers; its dev scores are given, or the cost of the
    mean.

    broken: numbers of the batches, since the run began, whose cost is not finite;
    costs: on dev, one an epoch, or None.
    """

    model_file = "model.txt"
    rate_option = "--rate"
    free = ("epochs", "patience", "paths.cache")

    def __init__(
        self, rate=0.1, epochs=4, patience=0, scores=None, threads=1, data=0, costs=None
    ):
        super().__init__()
        self.rate, self.epochs, self.patience, self.threads = (
            rate,
            epochs,
            patience,
            threads,
        )
        self.scores, self.broken, self.seen = scores, (), []
        self._data, self.costs = data, costs
        self.numbers = np.random.default_rng(data).normal(3, 1, 50)
        self.mean, self.momentum = np.zeros(2, np.float32), np.zeros(2, np.float32)

    def settings(self):
        return {
            "rate": self.rate,
            "epochs": self.epochs,
            "patience": self.patience,
            "paths": {"cache": str(id(self))},
        }

    def data(self):
        return {"numbers": self._data}

    def n_batches(self):
        return N_BATCHES

    def begin_epoch(self):
        self.order = self.rng(self.progress.epoch).permutation(self.numbers)

    def forward(self, number):
        self.seen.append((self.progress.epoch, number))
        batch = self.order[number * 10 : (number + 1) * 10]
        if self.progress.steps in self.broken:
            return float("nan"), len(batch), batch
        return float(((batch - self.mean[0]) ** 2).sum()), len(batch), batch

    def backward(self, batch):
        return np.array([(self.mean[0] - batch).mean(), 0.5], np.float32)

    def step(self, gradients, number):
        self.momentum += gradients
        self.mean -= np.float32(self.rate) * self.momentum

    def evaluate(self, workers):
        if self.scores is not None:
            return self.scores[self.progress.epoch - 1]
        return -float(abs(self.mean[0] - 3))

    def dev_cost(self):
        return self.costs and self.costs[self.progress.epoch - 1]

    def model_writer(self):
        text = f"{self.progress.epoch} {self.mean.tobytes().hex()}\n"
        return lambda path: path.write_text(text)

    def report(self, score, better):
        figures = {
            "epoch": self.progress.epoch,
            "batch": self.progress.batch,
            "cost": self.progress.mean_cost,
            "score": score,
            "best": better,
        }
        return f"epoch {figures['epoch']}.{figures['batch']}", figures

    def arrays(self):
        return {"mean": self.mean, "momentum": self.momentum}


def small_run(directory, **changes):
    """TrainingRun of a SmallMean, which keeps the lines that it reports in `lines`."""
    run = TrainingRun(
        SmallMean(**changes), directory, lambda line, _: run.lines.append(line)
    )
    run.lines = []
    return run


def stop_after(run, n):
    """Run for n batches."""
    left = iter(range(n - 1))

    def show(done, total):
        if next(left, None) is None:
            run.stop()

    return run.run(show=show)
