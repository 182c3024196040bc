"""The common options of training commands, and the start and end of their runs."""

import contextlib
import functools
import math
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from senna_py.cli.options import Decorator, Function, all_of, file_option, flag, option
from senna_py.cli.parameter_types import Duration
from senna_py.cli.signals import interrupts
from senna_py.errors import SennaError, counted
from senna_py.io.locks import lock_directory
from senna_py.io.overwriting import check_paths
from senna_py.io.progress import say


def run_options(
    report_every: str | None = "30s", checkpoint_every: str = "5m", plot: bool = True
) -> Decorator:
    """Return a decorator that adds the options of runs to a command.

    They are passed to the command as a RunOptions, in the argument `options`.

    Args:
        report_every: The default of --report-every, or None to leave the option out.
        checkpoint_every: The default of --checkpoint-every.
        plot: Whether the command has the option --plot.
    """
    options = [
        flag("--resume", "Continue a run from its checkpoint."),
        option(
            "--time-limit",
            "Write a checkpoint and stop after this time, such as 2h.",
            type=Duration(),
        ),
        option(
            "--checkpoint-every",
            "Time between checkpoints.",
            type=Duration(),
            default=checkpoint_every,
        ),
    ]
    if report_every:
        options.append(
            option(
                "--report-every",
                "Time between reports.",
                type=Duration(),
                default=report_every,
            )
        )
    if plot:
        options.append(file_option("--plot", "Plot the learning curves to FILE."))

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(
            resume: bool,
            time_limit: float | None,
            checkpoint_every: float,
            plot: str | None = None,
            report_every: float = math.inf,
            **others: Any,
        ) -> Any:
            with RunOptions(
                resume, time_limit, checkpoint_every, report_every, plot
            ) as options:
                return function(options=options, **others)

        return all_of(*options)(command)

    return decorate


class RunOptions(contextlib.ExitStack):
    """The command-line options of a training run.

    This is a context manager that holds the locks of directories.
    """

    def __init__(
        self,
        resume: bool,
        time_limit: float | None,
        checkpoint_every: float,
        report_every: float,
        plot: str | None,
    ) -> None:
        """Store the options.

        Args:
            resume: Whether to continue a run from its checkpoint.
            time_limit: The time limit in seconds from now, or None.
            checkpoint_every: The time between checkpoints in seconds.
            report_every: The time between reports in seconds.
            plot: The file for a plot of the learning curves, or None.
        """
        super().__init__()
        self.resume, self.plot = resume, plot
        self._intervals = checkpoint_every, report_every
        self._end = time.monotonic() + (time_limit or math.inf)

    def check(
        self,
        directory: str,
        model_file: str | None,
        inputs: Iterable[str | os.PathLike[str] | None],
        note: Callable[[str], object] = say,
        first: bool = True,
        checkpoint: str | None = None,
    ) -> None:
        """Lock the directory of a run, and check that the run can start there.

        Args:
            directory: The directory, which need not exist.
            model_file: The file name of the model that the run writes, or None.
            inputs: The paths of the files that the run reads.
            note: A callback for lines of text for the user.
            first: Whether this process is the first of its group; only the first writes
                files and holds the lock.
            checkpoint: The name of the file that shows that a run has begun, or None
                for the name of the usual checkpoint.

        Raises:
            SennaError: If the path is not a directory, another process uses the
                directory, another run or model would be overwritten, or plots cannot be
                drawn.
            UsageError: If the run would overwrite one of its inputs.
        """
        from senna_py.models.checkpoint import CHECKPOINT
        from senna_py.training.log import LOG
        from senna_py.training.plots import check_plotting

        if self.plot:
            check_plotting(self.plot)
        path = Path(directory)
        existing = next(place for place in (path, *path.parents) if place.exists())
        if not existing.is_dir():
            raise SennaError(f"{directory}: no place for a run: {existing} is a file")
        model = path / model_file if model_file else None
        check_paths(inputs, [self.plot, path / LOG, model])
        if first:
            self.enter_context(lock_directory(path, note))
        checkpoint = checkpoint or CHECKPOINT
        has_checkpoint = (path / checkpoint).exists()
        if has_checkpoint and not self.resume:
            raise SennaError(
                f"{path / checkpoint}: there is a run already; continue it with --resume"
            )
        if not has_checkpoint and model and model.exists():
            raise SennaError(
                f"{model}: there is a model, but no {checkpoint}; move or remove the model"
            )
        if self.resume and not has_checkpoint:
            note(f"{directory}: no checkpoint to resume from; a run begins")

    def train(
        self,
        run: Any,
        note: Callable[[str], object] = say,
        summary: Callable[[], str | None] | None = None,
    ) -> bool:
        """Train until a TrainingRun is finished, from its checkpoint if there is one.

        If the run stops early, the process ends with exit code 130 after a signal, and
        0 at the time limit.

        Args:
            run: The TrainingRun.
            note: A callback for lines of text for the user.
            summary: A function that is called at the end. It returns a line for the
                user, or None.

        Returns:
            Whether the run was unfinished when the method was called.
        """
        from senna_py.io.progress import EpochProgress

        if run.checkpoint.exists():
            run.resume()
        was_finished, caught = run.finished, False
        if not was_finished:
            with EpochProgress(wanted=note is say) as bar:
                report = run.report

                def report_below_bar(*line: Any) -> None:
                    bar.pause()
                    report(*line)

                run.report = report_below_bar
                caught = self._run(run, bar)
        if summary and (line := summary()):
            note(line)
        if was_finished and run.checkpoint.exists():
            length = counted(run.progress.examples, "example")
            if run.progress.epoch:
                length = counted(run.progress.epoch, "epoch")
            note(f"{run.directory}: finished before, after {length}")
        elif not run.finished:
            note("stopped; continue with --resume")
            self.draw(run, note)
            sys.exit(130 if caught else 0)
        return not was_finished

    def train_step(
        self,
        run: Any,
        show: Callable[[int, float], None],
        leave: Callable[[], object],
    ) -> None:
        """Start or resume a TrainingRun that is a step of a longer run.

        If it stops before its end, the process ends as in `train`.

        Args:
            run: The TrainingRun.
            show: A callback that is called with the number of completed batches in the
                epoch, and the number of all batches in it.
            leave: A function that is called before the process ends.
        """
        if run.checkpoint.exists():
            run.resume()
        caught = self._run(run, show)
        if not run.finished:
            leave()
            say("stopped; continue with --resume")
            self.draw(run)
            sys.exit(130 if caught else 0)

    def _run(self, run: Any, show: Callable[[int, float], None]) -> bool:
        """Run a TrainingRun, and return whether a signal stopped it."""
        with interrupts(run) as caught:
            run.run(max(self._end - time.monotonic(), 0), *self._intervals, show)
        return bool(caught)

    def draw(self, run: Any, note: Callable[[str], object] = say) -> None:
        """Plot the learning curves of a run if the option --plot is given.

        If the log of the run is still empty, a note is shown to the user instead.

        Raises:
            SennaError: If the log is not valid, or the plot cannot be written.
        """
        if not self.plot:
            return
        from senna_py.training.log import log_size
        from senna_py.training.plots import plot_log

        if log_size(run.log):
            plot_log(run.log, self.plot)
        else:
            note(f"{self.plot}: not drawn: the run has not reported yet")
