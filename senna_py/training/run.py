"""The training loop of all models, which also writes logs, checkpoints and models."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from senna_py.errors import SennaError, WriteError, counted
from senna_py.io.files import FULL_DISK
from senna_py.kernels.runtime.compile_events import compile_seconds
from senna_py.models.checkpoint import CHECKPOINT, write_arrays
from senna_py.training import checkpointing
from senna_py.training.log import LOG, append_row, cut_log, log_size
from senna_py.training.trainable import RunProgress, Trainable
from senna_py.training.workers import Workers

# After this many seconds of training, the remaining time is reported if it is at least
# `_LONG` seconds.
_SECONDS_BEFORE_ESTIMATE = 10
_LONG = 60


class TrainingRun:
    """Trains a Trainable, with a directory for its checkpoint, log and best model.

    Attributes:
        trainable: The model in training.
        directory: The path of the directory.
        checkpoint: The path of the checkpoint.
        log: The path of the log, in the JSON Lines format.
        report: The callback for messages to the user; see `__init__`.
    """

    def __init__(
        self,
        trainable: Trainable,
        directory: str | Path,
        report: Callable[[str, dict[str, Any] | None], object] | None = None,
    ) -> None:
        """Set up a new run.

        Args:
            trainable: The model to train.
            directory: The directory of the run.
            report: A callback that is called with a line for the user and the figures
                that are logged with it. The figures are None if nothing is logged.
        """
        self.trainable, self.directory = trainable, Path(directory)
        self.checkpoint, self.log = self.directory / CHECKPOINT, self.directory / LOG
        self.report = report or (lambda line, figures: None)
        self._group = trainable.group
        self._stopped = False
        self._log_mode = "wb"  # a new run begins a new log
        self._prepared_epoch: int | None = None
        self._announced = False

    @property
    def progress(self) -> RunProgress:
        """The progress of the run."""
        return self.trainable.progress

    @property
    def best(self) -> tuple[float | None, int]:
        """The dev score of the best model so far, and its epoch, counted from 1.

        The score is None without dev data. The epoch is 0 if there is no model yet.
        """
        return self.progress.best, self.progress.best_epoch

    @property
    def finished(self) -> bool:
        """Whether the run has reached its end."""
        return self.trainable.finished()

    def stop(self) -> None:
        """Make `run` return after the current round of batches.

        A signal handler may call this method.
        """
        self._stopped = True

    def run(
        self,
        time_limit: float = math.inf,
        checkpoint_every: float = 300.0,
        report_every: float = math.inf,
        show: Callable[[int, float], None] | None = None,
    ) -> bool:
        """Train to the end, for `time_limit` seconds, or until `stop` is called.

        A checkpoint is written before the method returns, unless the run had already
        finished.

        Args:
            time_limit: The maximum number of seconds.
            checkpoint_every: The number of seconds between checkpoints.
            report_every: The number of seconds between lines of the log, besides the
                line at the end of each epoch.
            show: A callback that is called with the number of completed batches in the
                epoch and the total number of batches in it, which is infinite for a run
                without epochs.

        Returns:
            Whether the run has reached its end.

        Raises:
            SennaError: If the directory cannot be written, which is checked before
                training, or if the weights overflow.
        """
        if self.finished:
            return True
        self._in_first_process(self._open_log)
        end, saves, reports = map(_Timer, (time_limit, checkpoint_every, report_every))
        clock = _Clock(self.progress)
        with Workers(self.trainable.threads) as workers:
            while not self.finished:
                if self._prepared_epoch != self.progress.epoch:
                    self.trainable.begin_epoch()
                    self._prepared_epoch = self.progress.epoch
                if self.progress.batch < self.trainable.n_batches():
                    self._train_round(workers, show)
                    self._announce(clock)
                    if self._report_and_save(end, saves, reports):
                        break
                else:
                    # Write a checkpoint before the first model: without one, a run that
                    # is killed now could not be resumed.
                    if self._group.share(not self.checkpoint.exists()):
                        self._try_to_write(self.save)
                    self._end_epoch(workers)
                    reports.begin()
        if self.finished and self.progress.n_costs:
            self._report(None, False)
        self.save()
        return self.finished

    def _train_round(
        self, workers: Workers, show: Callable[[int, float], None] | None
    ) -> None:
        progress, trainable = self.progress, self.trainable
        n = trainable.begin_round(self._group.share(workers.round_size()))
        before, compiled = time.monotonic(), compile_seconds()
        cost, n_costs = workers.train(
            trainable.train, range(progress.batch, progress.batch + n)
        )
        seconds = time.monotonic() - before - (compile_seconds() - compiled)
        workers.speed = n / max(seconds, 1e-6)
        progress.add(n, cost, n_costs, seconds)
        # Weights that have overflowed must not reach the checkpoint.
        highest = trainable.divergence * progress.n_costs
        if not (math.isfinite(progress.cost) and progress.cost <= highest):
            raise SennaError(
                f"{self.directory}: the weights have overflowed; lower {trainable.rate_option} "
                "(an earlier checkpoint is untouched)"
            )
        if show:
            show(progress.batch, trainable.n_batches())

    def _announce(self, clock: _Clock) -> None:
        """Report the estimated remaining time once, if it is at least a minute."""
        seconds, n_batches, epochs = clock.read(self.progress)
        if self._announced or seconds < _SECONDS_BEFORE_ESTIMATE or self._group.rank:
            return
        self._announced = True
        left = self.trainable.batches_left() * seconds / n_batches
        if _LONG <= left < math.inf:
            more = "" if epochs else ", and the time that scoring takes"
            self.report(f"about {duration(left)} to go{more}", None)

    def _report_and_save(self, end: _Timer, saves: _Timer, reports: _Timer) -> bool:
        """Report and save if their timers have expired, and return whether to stop.

        If the run is to stop, nothing is reported or saved here.
        """
        stop, save, report = self._group.share(
            (self._stopped or end.is_over(), saves.is_over(), reports.is_over())
        )
        if stop:
            return True
        if report and self.progress.n_costs:
            self._report(None, False)
            reports.begin()
        if save:
            self._try_to_write(self.save)
            saves.begin()
        return False

    def _end_epoch(self, workers: Workers) -> None:
        progress, trainable = self.progress, self.trainable
        progress.epoch, progress.batch = progress.epoch + 1, 0
        score = trainable.evaluate(workers)
        self._report(score, self._keep_if_best(score))
        trainable.end_epoch(score)

    def _keep_if_best(self, score: float | None) -> bool:
        """Write the model if it is the best so far, and return whether it was written.

        Without dev scores, the last model is the best. If scores are equal, the model
        with the lower dev cost is better. A model that cannot be written does not count
        as the best; the problem is reported, and training continues.
        """
        progress, before = self.progress, (*self.best, self.progress.best_cost)
        better = self._is_better(score)
        progress.waited = 0 if better else progress.waited + 1
        if not better and score != progress.best:
            return False
        cost = self.trainable.dev_cost()
        is_lower = cost is not None and cost < (progress.best_cost or 0)
        if not better and not is_lower:
            return False
        progress.best, progress.best_epoch = score, progress.epoch
        progress.best_cost = cost
        write = self.trainable.model_writer()
        path = self.directory / str(self.trainable.model_file)
        if self._try_to_write(lambda: self._in_first_process(lambda: write(path))):
            return True
        progress.best, progress.best_epoch, progress.best_cost = before
        return False

    def _is_better(self, score: float | None) -> bool:
        best = self.progress.best
        if self.trainable.keeps_last and score is not None:
            return not math.isnan(score)
        if score is None or best is None:
            return score is None or not math.isnan(score)
        return score < best if self.trainable.lower_is_better else score > best

    def _report(self, score: float | None, better: bool) -> None:
        """Report a line and append its figures to the log.

        If the log cannot be written, this is reported, and training continues.
        """
        line, figures = self.trainable.report(score, better)
        progress = self.progress
        progress.cost, progress.n_costs, progress.span = 0.0, 0, 0.0
        if self._group.rank:
            return
        self.report(line, figures)
        try:
            append_row(self.log, figures)
        except OSError as error:
            self.report(f"{self.log}: not written: {error.strerror or error}", None)

    def _try_to_write(self, write: Callable[[], object]) -> bool:
        """Call `write`, and return whether it succeeded; a WriteError is reported."""
        try:
            write()
        except WriteError as error:
            if not self._group.rank:
                self.report(f"{error}; training goes on", None)
            return False
        return True

    def _in_first_process(self, work: Callable[[], object]) -> None:
        """Call `work` in process 0; if it raises SennaError, all processes raise it.

        If only process 0 raised it, the other processes would wait forever.
        """
        problem: SennaError | None = None
        if not self._group.rank:
            try:
                work()
            except SennaError as error:
                problem = error
        if (problem := self._group.share(problem)) is not None:
            raise problem

    def _open_log(self) -> None:
        """Create the directory and the log; a resumed run keeps its log.

        If the disk is full, a resumed run continues without logging.

        Raises:
            SennaError: If the directory or the log cannot be written.
        """
        if self.directory.exists() and not self.directory.is_dir():
            raise SennaError(f"{self.directory}: a file; a run needs a directory")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with open(self.log, self._log_mode):
                self._log_mode = "ab"
        except OSError as error:
            problem = f"{self.log}: not written: {error.strerror or error}"
            if self._log_mode == "wb" or error.errno not in FULL_DISK:
                raise SennaError(problem) from None
            self.report(f"{problem}; training goes on", None)

    def save(self) -> None:
        """Write the checkpoint, replacing the previous one atomically.

        Raises:
            WriteError: If the checkpoint cannot be written.
        """
        header, arrays = checkpointing.contents(self.trainable, log_size(self.log))
        self._in_first_process(lambda: write_arrays(self.checkpoint, header, **arrays))

    def resume(self) -> None:
        """Restore the run from its checkpoint, and truncate the log accordingly.

        Raises:
            SennaError: If the checkpoint belongs to another run or is damaged, or if
                the best model is missing.
        """
        size = checkpointing.restore(self.checkpoint, self.trainable)
        _, epoch = self.best
        model = self.trainable.model_file and self.directory / self.trainable.model_file
        if epoch and model and not model.exists():
            raise SennaError(
                f"{model}: missing: the best model so far, of epoch {epoch}"
            )
        self._in_first_process(lambda: cut_log(self.log, size))
        self._log_mode, self._prepared_epoch = "ab", None


class _Clock:
    """Measures training time, batches and epochs since its creation.

    The time of compilation is excluded.
    """

    def __init__(self, progress: RunProgress) -> None:
        self._start = self._now(), progress.steps, progress.epoch

    def _now(self) -> float:
        return time.monotonic() - compile_seconds()

    def read(self, progress: RunProgress) -> tuple[float, int, int]:
        """Return the numbers of seconds, batches and epochs since the creation."""
        seconds, steps, epoch = self._start
        return self._now() - seconds, progress.steps - steps, progress.epoch - epoch


def duration(seconds: float) -> str:
    """Return a duration in minutes or, from 90 minutes on, in hours, as text."""
    if seconds < 5400:
        return counted(max(round(seconds / 60), 1), "minute")
    return f"{seconds / 3600:.1f} hours"


class _Timer:
    """Checks whether a number of seconds have passed since `begin` was called."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.begin()

    def begin(self) -> None:
        self._start = time.monotonic()

    def is_over(self) -> bool:
        return time.monotonic() - self._start >= self._seconds
