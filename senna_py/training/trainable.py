"""The interface of models that the loop in `training.run` trains, and the progress of a
run.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.layers.gradients import Gradients
from senna_py.layers.process_group import ALONE
from senna_py.training.workers import Workers


@dataclass
class RunProgress:
    """Counts of a run, which the loop alone changes.

    epoch: whole epochs; batch: batches of the present one; steps, examples: batches and
    examples since the run began; seconds: of training, without compilation; cost,
    n_costs, span: sum of the costs, their number and the seconds of training since the
    last line of the log; best, best_epoch: the best dev score, None without one, and
    the epoch that ended with it, from 1;
    best_cost: the mean cost on dev then, None if unknown; waited: epochs since then.
    """

    epoch: int = 0
    batch: int = 0
    steps: int = 0
    examples: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    n_costs: int = 0
    span: float = 0.0
    best: float | None = None
    best_epoch: int = 0
    best_cost: float | None = None
    waited: int = 0

    def add(self, n_batches: int, cost: float, n_costs: int, seconds: float) -> None:
        """Count batches that were trained on."""
        self.batch += n_batches
        self.steps += n_batches
        self.examples += n_costs
        self.seconds += seconds
        self.cost += cost
        self.n_costs += n_costs
        self.span += seconds

    @property
    def mean_cost(self) -> float | None:
        """Mean cost since the last line of the log, None if nothing was trained
        since.
        """
        return self.cost / self.n_costs if self.n_costs else None

    @property
    def speed(self) -> float:
        """Examples a second since the last line of the log."""
        return self.n_costs / max(self.span, 1e-9)


class Trainable:
    """A model in training: its batches, its dev score, its arrays and its identity.

    A subclass has either `forward`, `backward` and `step`, or `train` where one kernel
    does the work of all three. Its `settings` and `data` must be those of a checkpoint
    to go on.

    Attributes:
      epochs, patience: length of the run, and the epochs without a better dev score
        after which it ends before, 0 for never; seed: of all random numbers; threads:
        that train side by side.
      free: names, with dots, of the settings that a resumed run may change.
      lower_is_better: whether a lower dev score is a better one.
      keeps_last: whether the last model counts as the best one, as where dev data are
      too few.
      divergence: the mean cost of an example above which the weights count as
        overflowed; lower: what the user is told to lower then.
      has_valid: whether there is text to validate on that is not trained on.
      model_file: name of the best model's file in the directory of the run, None if it
      has none.
      group: the processes that train together; block_arrays: prefixes of the names of
        those arrays of which each process has a block.
    """

    epochs: int = 0
    patience: int = 0
    seed: int = 1
    threads: int = 1
    free: tuple[str, ...] = ()
    lower_is_better: bool = False
    keeps_last: bool = False
    divergence: float = math.inf
    lower: str = "--rate"
    model_file: str | None = None
    has_valid: bool = True
    group: Any = ALONE
    block_arrays: tuple[str, ...] = ()

    def __init__(self, settings: Any = None) -> None:
        """Begin with no progress; the loop keeps count of it.

        settings: Settings of the run, with a `seed`; None where `settings` is
        overridden.
        """
        self.progress = RunProgress()
        if settings is not None:
            self._settings = settings
            self.seed, self.free = settings.seed, settings.free()

    # What it is made from.

    def settings(self) -> dict[str, Any]:
        """Return what the user has set, as JSON can say it, perhaps in nested dicts."""
        return self._settings.as_dict()

    def data(self) -> dict[str, Any]:
        """Return what identifies the data, as JSON can say it; keys: their names in
        messages.
        """
        raise NotImplementedError

    # Training.

    def n_batches(self) -> float:
        """Batches of the present epoch; infinite for a run without epochs, the
        default.
        """
        return math.inf

    def batches_left(self) -> float:
        """Batches until the end of the run, if all epochs are like this one; or
        infinite.
        """
        epochs = self.epochs - self.progress.epoch
        return (
            epochs * self.n_batches() - self.progress.batch if self.epochs else math.inf
        )

    def begin_epoch(self) -> None:
        """Prepare for the present epoch, at its beginning or where a resumed run goes
        on.
        """

    def begin_round(self, wanted: int) -> int:
        """Prepare for the next batches; returns how many, as a rule `wanted` at
        most.
        """
        return int(min(wanted, self.n_batches() - self.progress.batch))

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on the batch of that number in the present epoch.

        worker: number of the thread. Returns the sum of the costs and the number of
        examples. A cost that is not finite ends the run, so the parameters no longer
        matter then.
        """
        cost, n, trace = self.forward(number)
        if math.isfinite(cost):
            try:
                self.step(self.backward(trace), number)
            except FloatingPointError:
                cost = math.nan
        return cost, n

    def forward(self, number: int) -> tuple[float, int, Any]:
        """Cost of a batch, the number of its examples, and what `backward` needs."""
        raise NotImplementedError

    def backward(self, trace: Any) -> Gradients:
        """Gradients of the cost, for `step`."""
        raise NotImplementedError

    def step(self, gradients: Gradients, number: int) -> None:
        """Change parameters against gradients; may raise FloatingPointError if not
        finite.
        """
        raise NotImplementedError

    # Dev scores and the best model.

    def evaluate(self, workers: Workers) -> float | None:
        """Dev score of the model after an epoch, None without dev data."""
        raise NotImplementedError

    def dev_cost(self) -> float | None:
        """Mean cost on dev of the model that was evaluated; of equal scores, the lower
        one's wins.

        None where scores are costs, or hardly ever equal.
        """
        return None

    def end_epoch(self, score: float | None) -> None:
        """Take note of the dev score after it was logged: a schedule may change the
        rate.
        """

    def model_writer(self) -> Callable[[Path], None]:
        """Writer of the evaluated model, which all of a group ask for; only the first
        calls it.
        """
        raise NotImplementedError

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        """A line and figures for the log; score: dev score or None; better: whether it
        is best.
        """
        raise NotImplementedError

    def finished(self) -> bool:
        """Return whether the run is at its end."""
        too_long = 0 < self.patience <= self.progress.waited
        return too_long or self.progress.epoch >= self.epochs

    # Checkpoints.

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays that training changes, by their names in a checkpoint; restored in
        place.
        """
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps beside the progress, as JSON can say it."""
        return {}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint's `state` and progress; then `arrays` are shaped like
        its own.
        """

    def rng(self, *purpose: int) -> np.random.Generator:
        """Random numbers for a purpose, the same ones in a resumed run."""
        return np.random.default_rng([self.seed, *purpose])
