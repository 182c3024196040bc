"""The base class of models that `training.run` trains, and the progress of a run."""

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
    """The counters and the best scores of a run, which only the training loop changes.

    Attributes:
        epoch: The number of complete epochs.
        batch: The number of completed batches in the current epoch.
        steps: The number of batches since the run began.
        examples: The number of examples since the run began.
        seconds: The training time in seconds, without compilation.
        cost: The sum of the costs since the last line of the log.
        n_costs: The number of examples since the last line of the log.
        span: The training time in seconds since the last line of the log.
        best: The dev score of the best model, or None if there is no score.
        best_epoch: The epoch of the best model, counted from 1, or 0 if there is none.
        best_cost: The mean dev cost of the best model, or None if it is unknown.
        waited: The number of epochs since the dev score last improved.
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
        """Count completed batches.

        Args:
            n_batches: The number of batches.
            cost: The total cost of their examples.
            n_costs: The number of examples.
            seconds: The training time in seconds.
        """
        self.batch += n_batches
        self.steps += n_batches
        self.examples += n_costs
        self.seconds += seconds
        self.cost += cost
        self.n_costs += n_costs
        self.span += seconds

    @property
    def mean_cost(self) -> float | None:
        """The mean cost since the last line of the log, or None without examples."""
        return self.cost / self.n_costs if self.n_costs else None

    @property
    def speed(self) -> float:
        """The number of examples per second since the last line of the log."""
        return self.n_costs / max(self.span, 1e-9)


class Trainable:
    """The base class of models in training.

    A subclass implements `forward`, `backward` and `step`, or only `train` if one
    kernel does the work of all three. A run can only be resumed from a checkpoint with
    the same `settings` and `data`.

    Attributes:
        progress: The RunProgress of the run.
        epochs: The number of epochs, or 0 for a run without epochs.
        patience: The number of epochs without a better dev score after which a run ends
            early, or 0 to disable early stopping.
        seed: The random seed.
        threads: The number of threads that train the same parameters.
        free: The names of settings that a resumed run may change. The names of nested
            settings are paths with dots.
        lower_is_better: Whether a lower dev score is better.
        keeps_last: Whether the last model always counts as the best, for data sets with
            too little dev data.
        divergence: The mean cost of an example above which training counts as diverged.
        rate_option: The option that a message then advises the user to lower.
        model_file: The name of the best model's file in the directory of the run, or
            None.
        has_valid: Whether there is validation text that is not trained on.
        group: The group of processes that train together.
        block_arrays: The prefixes of the names of arrays that are split over the
            processes.
    """

    epochs: int = 0
    patience: int = 0
    seed: int = 1
    threads: int = 1
    free: tuple[str, ...] = ()
    lower_is_better: bool = False
    keeps_last: bool = False
    divergence: float = math.inf
    rate_option: str = "--rate"
    model_file: str | None = None
    has_valid: bool = True
    group: Any = ALONE
    block_arrays: tuple[str, ...] = ()

    def __init__(self, settings: Any = None) -> None:
        """Start a new run.

        Args:
            settings: The Settings of the run, which include a `seed`, or None if the
                subclass overrides the method `settings`.
        """
        self.progress = RunProgress()
        if settings is not None:
            self._settings = settings
            self.seed, self.free = settings.seed, settings.free()

    # The identity of the run.

    def settings(self) -> dict[str, Any]:
        """Return the settings of the run as JSON values, which may be nested dicts."""
        return self._settings.as_dict()

    def data(self) -> dict[str, Any]:
        """Return lengths and checksums of the data, keyed by names for messages.

        The values are JSON values, and may be nested dicts.
        """
        raise NotImplementedError

    # Training.

    def n_batches(self) -> float:
        """Return the number of batches in the current epoch.

        The default is infinity, for a run without epochs.
        """
        return math.inf

    def batches_left(self) -> float:
        """Return the number of batches until the end of the run, or infinity.

        All epochs are assumed to be as long as the current one.
        """
        epochs = self.epochs - self.progress.epoch
        if not self.epochs:
            return math.inf
        return epochs * self.n_batches() - self.progress.batch

    def share_done(self) -> float:
        """Return the completed fraction of the run, from 0 to 1.

        It is 0 if the length of the run is not known.
        """
        if self.epochs and self.progress.epoch >= self.epochs:
            return 1.0
        steps = self.progress.steps
        return steps / max(steps + self.batches_left(), 1)

    def begin_epoch(self) -> None:
        """Prepare for the current epoch, which a resumed run may enter midway."""

    def begin_round(self, wanted: int) -> int:
        """Prepare the next round of batches, and return the number of batches in it.

        The default is `wanted`, or fewer at the end of an epoch.
        """
        return int(min(wanted, self.n_batches() - self.progress.batch))

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on a batch of the current epoch.

        The returned cost is not finite if the weights have overflowed, which ends the
        run.

        Args:
            number: The index of the batch in the epoch.
            worker: The index of the thread.

        Returns:
            The total cost and the number of examples.
        """
        cost, n, trace = self.forward(number)
        if math.isfinite(cost):
            try:
                self.step(self.backward(trace), number)
            except FloatingPointError:
                cost = math.nan
        return cost, n

    def forward(self, number: int) -> tuple[float, int, Any]:
        """Return a batch's total cost, its number of examples, and its trace.

        The trace is the argument of `backward`.
        """
        raise NotImplementedError

    def backward(self, trace: Any) -> Gradients:
        """Return the gradients of the cost of a batch, given the trace of `forward`."""
        raise NotImplementedError

    def step(self, gradients: Gradients, number: int) -> None:
        """Update the parameters with the gradients of batch `number`.

        Raises:
            FloatingPointError: If a gradient is not finite. Not all models check this.
        """
        raise NotImplementedError

    # Dev scores and the best model.

    def evaluate(self, workers: Workers) -> float | None:
        """Return the dev score after an epoch, or None without dev data."""
        raise NotImplementedError

    def dev_cost(self) -> float | None:
        """Return the mean dev cost of the evaluated model, or None.

        If two models have equal dev scores, the model with the lower cost is better.
        Models whose scores are costs, or are hardly ever equal, return None.
        """
        return None

    def end_epoch(self, score: float | None) -> None:
        """Update the learning-rate schedule from the dev score, if there is a schedule.

        The training loop calls this after the score has been logged.
        """

    def model_writer(self) -> Callable[[Path], None]:
        """Return a function that writes the evaluated model to a path.

        All processes of a group must call this method, but only the first process calls
        the returned function.
        """
        raise NotImplementedError

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        """Return a line for the user, and the figures to log.

        Args:
            score: The dev score at the end of an epoch, otherwise None.
            better: Whether the model is the best so far.
        """
        raise NotImplementedError

    def finished(self) -> bool:
        """Return whether the run has reached its last epoch or run out of patience."""
        too_long = 0 < self.patience <= self.progress.waited
        return too_long or self.progress.epoch >= self.epochs

    # Checkpoints.

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all arrays that training changes, keyed by their names in checkpoints.

        Resuming restores the arrays in place.
        """
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return the state besides the arrays and the progress, as JSON values.

        It is empty by default.
        """
        return {}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Restore the `state` of a checkpoint.

        `progress` has already been restored. Afterwards, `arrays` must have the shapes
        of the arrays in the checkpoint.
        """

    def rng(self, *purpose: int) -> np.random.Generator:
        """Return a random generator that depends on the seed and the purpose.

        A resumed run therefore draws the same numbers.
        """
        return np.random.default_rng([self.seed, *purpose])
