"""The loop that trains models of all kinds: batches, dev scores, the best model,
checkpoints.
"""

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

_SECONDS_BEFORE = (
    10  # of training, after which the user is told how long the rest will take
)
_SECONDS_TOLD = 60  # that the rest must take at least to be told of


class TrainingRun:
    """Training of a Trainable in a directory with its checkpoint, its log and its best
    model.

    checkpoint, log: their paths; the log has a JSON object on each line.
    """

    def __init__(
        self,
        trainable: Trainable,
        directory: str | Path,
        report: Callable[[str, dict[str, Any] | None], object] | None = None,
    ) -> None:
        """Set up a new run; report: called with a line and the figures that are logged,
        or None.
        """
        self.trainable, self.directory = trainable, Path(directory)
        self.checkpoint, self.log = self.directory / CHECKPOINT, self.directory / LOG
        self.report = report or (lambda line, figures: None)
        self._group = trainable.group
        self._stopped = False
        self._log_mode = "wb"  # a new run begins a new log
        self._begun: int | None = None  # the epoch that `trainable` is prepared for
        self._announced = False

    @property
    def progress(self) -> RunProgress:
        """The progress of the run."""
        return self.trainable.progress

    @property
    def best(self) -> tuple[float | None, int]:
        """Best dev score so far, None without one, and its epoch from 1, 0 if there is
        no model.
        """
        return self.progress.best, self.progress.best_epoch

    @property
    def finished(self) -> bool:
        """Return whether the run is at its end."""
        return self.trainable.finished()

    def stop(self) -> None:
        """End `run` after the batches at hand, as a signal handler may."""
        self._stopped = True

    def run(
        self,
        time_limit: float = math.inf,
        checkpoint_every: float = 300.0,
        report_every: float = math.inf,
        show: Callable[[int, int], None] | None = None,
    ) -> bool:
        """Train to the end, for `time_limit` seconds or until `stop`; returns whether
        it finished.

        checkpoint_every: seconds between checkpoints; report_every: between lines of
        the log besides that of each epoch; show: called with how many of how many
        batches of the epoch are done. Every end leaves a checkpoint. Raises SennaError
        if the directory cannot be written, at once, or if the weights overflow.
        """
        if self.finished:
            return True
        self._by_first(self._open_log)
        end, saves, reports = map(_Timer, (time_limit, checkpoint_every, report_every))
        clock = _Clock(self.progress)
        with Workers(self.trainable.threads) as workers:
            while not self.finished:
                if self._begun != self.progress.epoch:
                    self.trainable.begin_epoch()
                    self._begun = self.progress.epoch
                if self.progress.batch < self.trainable.n_batches():
                    self._train_round(workers, show)
                    self._announce(clock)
                    if self._look_at(end, saves, reports):
                        break
                else:
                    # Without a checkpoint, a run that is killed beside its model is
                    # lost.
                    if self._group.share(not self.checkpoint.exists()):
                        self._written(self.save)
                    self._end_epoch(workers)
                    reports.begin()
        if self.finished and self.progress.n_costs:
            self._report(None, False)
        self.save()
        return self.finished

    def _train_round(self, workers, show):
        progress, trainable = self.progress, self.trainable
        n = trainable.begin_round(self._group.share(workers.round_size()))
        before, compiled = time.monotonic(), compile_seconds()
        cost, n_costs = workers.train(
            trainable.train, range(progress.batch, progress.batch + n)
        )
        seconds = time.monotonic() - before - (compile_seconds() - compiled)
        workers.speed = n / max(seconds, 1e-6)
        progress.add(n, cost, n_costs, seconds)
        # Before it reaches the checkpoint.
        highest = trainable.divergence * progress.n_costs
        if not (math.isfinite(progress.cost) and progress.cost <= highest):
            raise SennaError(
                f"{self.directory}: the weights have overflowed; lower {trainable.lower} "
                "(an earlier checkpoint is untouched)"
            )
        if show and trainable.n_batches() < math.inf:
            show(progress.batch, trainable.n_batches())

    def _announce(self, clock):
        """Tell once how long the rest of the run will take, if that is long."""
        seconds, n_batches, epochs = clock.read(self.progress)
        if self._announced or seconds < _SECONDS_BEFORE or self._group.rank:
            return
        self._announced = True
        left = self.trainable.batches_left() * seconds / n_batches
        if _SECONDS_TOLD <= left < math.inf:
            more = "" if epochs else ", and the time that scoring takes"
            self.report(f"about {duration(left)} to go{more}", None)

    def _look_at(self, end, saves, reports):
        """Report and save where it is time, by the timers; returns whether to stop."""
        stop, save, report = self._group.share(
            (
                self._stopped or end.is_over(),
                saves.is_over(),
                reports.is_over(),
            )
        )
        if stop:
            return True
        if report and self.progress.n_costs:
            self._report(None, False)
            reports.begin()
        if save:
            self._written(self.save)
            saves.begin()
        return False

    def _end_epoch(self, workers):
        progress, trainable = self.progress, self.trainable
        progress.epoch, progress.batch = progress.epoch + 1, 0
        score = trainable.evaluate(workers)
        self._report(score, self._keep_if_best(score))
        trainable.end_epoch(score)

    def _keep_if_best(self, score):
        """Write the model if it is better than all before; returns whether it was
        written.

        Without a score the last one is the best; of equal scores, the one of the lower
        dev cost. One that the disk has no room for is reported and does not count as
        the best.
        """
        progress, before = self.progress, (*self.best, self.progress.best_cost)
        better = self._is_better(score)
        progress.waited = 0 if better else progress.waited + 1
        if not better and score != progress.best:
            return False
        cost = self.trainable.dev_cost()
        if not better and not (cost is not None and cost < (before[2] or 0)):
            return False
        progress.best, progress.best_epoch, progress.best_cost = (
            score,
            progress.epoch,
            cost,
        )
        write = self.trainable.model_writer()
        path = self.directory / self.trainable.model_file
        if self._written(lambda: self._by_first(lambda: write(path))):
            return True
        progress.best, progress.best_epoch, progress.best_cost = before
        return False

    def _is_better(self, score):
        best = self.progress.best
        if self.trainable.keeps_last and score is not None:
            return not math.isnan(score)
        if score is None or best is None:
            return score is None or not math.isnan(score)
        return score < best if self.trainable.lower_is_better else score > best

    def _report(self, score, better):
        """Report a line, and log its figures; a full disk is reported and no more."""
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

    def _written(self, write):
        """Return whether `write()` could write; if not, report that, and the run goes
        on.
        """
        try:
            write()
        except WriteError as error:
            if not self._group.rank:
                self.report(f"{error}; training goes on", None)
            return False
        return True

    def _by_first(self, work):
        """Do `work` in process 0; if that raises SennaError, all do, so that none
        waits.
        """
        problem = None
        if not self._group.rank:
            try:
                work()
            except SennaError as error:
                problem = error
        if (problem := self._group.share(problem)) is not None:
            raise problem

    def _open_log(self):
        """Raise SennaError unless the log can be written; a run goes on while the disk
        is full.
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
        """Write the checkpoint in one step: the old one stays until then. Raises
        WriteError.
        """
        header, arrays = checkpointing.contents(self.trainable, log_size(self.log))
        self._by_first(lambda: write_arrays(self.checkpoint, header, **arrays))

    def resume(self) -> None:
        """Resume; raises SennaError if the checkpoint does not fit, or the best model
        is gone.
        """
        size = checkpointing.restore(self.checkpoint, self.trainable)
        _, epoch = self.best
        model = self.trainable.model_file and self.directory / self.trainable.model_file
        if epoch and model and not model.exists():
            raise SennaError(
                f"{model}: missing: the best model so far, of epoch {epoch}"
            )
        self._by_first(lambda: cut_log(self.log, size))
        self._log_mode, self._begun = "ab", None


class _Clock:
    """Counts the time without compilation, the batches and the epochs since it was
    made.
    """

    def __init__(self, progress):
        self._begun = self._now(), progress.steps, progress.epoch

    def _now(self):
        return time.monotonic() - compile_seconds()

    def read(self, progress):
        """Seconds, batches and epochs."""
        seconds, steps, epoch = self._begun
        return self._now() - seconds, progress.steps - steps, progress.epoch - epoch


def duration(seconds: float) -> str:
    """A time in words, such as `9 minutes`."""
    if seconds < 5400:
        return counted(max(round(seconds / 60), 1), "minute")
    return f"{seconds / 3600:.1f} hours"


class _Timer:
    """Says when so many seconds are over since it began."""

    def __init__(self, seconds):
        self._seconds = seconds
        self.begin()

    def begin(self):
        self._begun = time.monotonic()

    def is_over(self):
        return time.monotonic() - self._begun >= self._seconds
