"""The interface of models that `training.run` trains, and the progress of a run."""

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
    """Counts of a run, which only the loop changes.

    Attributes:
        epoch: The number of complete epochs.
        batch: The number of batches in the present epoch.
        steps: The number of batches since the run began.
        examples: The number of examples since the run began.
        seconds: The seconds of training, without compilation.
        cost: The sum of the costs since the last line of the log.
        n_costs: The number of these costs.
        span: The seconds of training since the last line of the log.
        best: The best dev score, or None without one.
        best_epoch: The epoch after which it was measured, counted from 1.
        best_cost: The mean cost on dev at that time, or None if it is unknown.
        waited: The number of epochs since then.
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
        """The mean cost since the last line of the log, or None without training."""
        return self.cost / self.n_costs if self.n_costs else None

    @property
    def speed(self) -> float:
        """The number of examples per second since the last line of the log."""
        return self.n_costs / max(self.span, 1e-9)


class Trainable:
    """A model in training: its batches, its dev score, its arrays and its identity.

    A subclass has either `forward`, `backward` and `step`, or `train` if one kernel
    does the work of all three. A run can only continue from a checkpoint whose
    `settings` and `data` are the same.

    Attributes:
        progress: The RunProgress of the run.
        epochs: The length of the run.
        patience: The number of epochs without a better dev score after which a run ends
            early; 0 for never.
        seed: The random seed.
        threads: The number of threads that train side by side.
        free: The settings, with dots in nested names, that a resumed run may change.
        lower_is_better: Whether a lower dev score is better.
        keeps_last: Whether the last model counts as the best, for data sets whose dev
            data are too few.
        divergence: The mean cost of an example above which the weights count as
            overflowed.
        rate_option: The option that the user is told to lower in that case.
        model_file: The name of the best model in the directory of the run, or None.
        has_valid: Whether there is text for validation that is not trained on.
        group: The processes that train together.
        block_arrays: Prefixes of the names of arrays of which each process has a block.
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
        """Start without progress.

        Args:
            settings: The Settings of the run, which have a `seed`; None if a subclass
                overrides `settings`.
        """
        self.progress = RunProgress()
        if settings is not None:
            self._settings = settings
            self.seed, self.free = settings.seed, settings.free()

    # Its identity.

    def settings(self) -> dict[str, Any]:
        """Return what the user has set, as JSON values, perhaps in nested dicts."""
        return self._settings.as_dict()

    def data(self) -> dict[str, Any]:
        """Return what identifies the data, as JSON values; messages name the keys."""
        raise NotImplementedError

    # Training.

    def n_batches(self) -> float:
        """Return the number of batches of the present epoch.

        It is infinite, the default, for a run without epochs.
        """
        return math.inf

    def batches_left(self) -> float:
        """Return the number of batches until the end of the run, which may be infinite.

        All epochs are assumed to be as long as this one.
        """
        epochs = self.epochs - self.progress.epoch
        if not self.epochs:
            return math.inf
        return epochs * self.n_batches() - self.progress.batch

    def begin_epoch(self) -> None:
        """Prepare for the present epoch, which a resumed run may enter midway."""

    def begin_round(self, wanted: int) -> int:
        """Prepare for the next batches; return how many, usually `wanted` at most."""
        return int(min(wanted, self.n_batches() - self.progress.batch))

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on a batch of the present epoch.

        If the cost is not finite, the run ends, and the parameters no longer matter.

        Args:
            number: The number of the batch.
            worker: The number of the thread.

        Returns:
            The sum of the costs, and the number of examples.
        """
        cost, n, trace = self.forward(number)
        if math.isfinite(cost):
            try:
                self.step(self.backward(trace), number)
            except FloatingPointError:
                cost = math.nan
        return cost, n

    def forward(self, number: int) -> tuple[float, int, Any]:
        """Return the cost of a batch, the number of its examples, and a trace."""
        raise NotImplementedError

    def backward(self, trace: Any) -> Gradients:
        """Return the gradients of the cost."""
        raise NotImplementedError

    def step(self, gradients: Gradients, number: int) -> None:
        """Change the parameters against gradients.

        Raises:
            FloatingPointError: If a gradient is not finite; some models check this.
        """
        raise NotImplementedError

    # Dev scores and the best model.

    def evaluate(self, workers: Workers) -> float | None:
        """Return the dev score of the model after an epoch, if there are dev data."""
        raise NotImplementedError

    def dev_cost(self) -> float | None:
        """Return the mean cost on dev of the evaluated model.

        Of models with equal scores the model with the lower cost is better. The cost is
        None if scores are costs themselves, or hardly ever equal.
        """
        return None

    def end_epoch(self, score: float | None) -> None:
        """Use the dev score after it was logged; a schedule may change the rate."""

    def model_writer(self) -> Callable[[Path], None]:
        """Return a function that writes the evaluated model.

        All processes of a group ask for it, but only the first one calls it.
        """
        raise NotImplementedError

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        """Return a line for the user, and figures for the log.

        Args:
            score: The dev score, or None.
            better: Whether it is the best so far.
        """
        raise NotImplementedError

    def finished(self) -> bool:
        """Return whether the run is at its end."""
        too_long = 0 < self.patience <= self.progress.waited
        return too_long or self.progress.epoch >= self.epochs

    # Checkpoints.

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all arrays that training changes, by their names in a checkpoint.

        They are restored in place.
        """
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps beside the progress, as JSON values."""
        return {}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Continue from the `state` and the progress of a checkpoint.

        Afterwards the shapes of `arrays` are those of the checkpoint.
        """

    def rng(self, *purpose: int) -> np.random.Generator:
        """Return random numbers for a purpose, which are the same in a resumed run."""
        return np.random.default_rng([self.seed, *purpose])
