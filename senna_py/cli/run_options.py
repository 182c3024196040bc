"""Options of all commands that train in a directory, and how their runs begin and
end.
"""

import contextlib
import functools
import math
import sys
import time
from pathlib import Path

from senna_py.cli.options import all_of, file_option, flag, option
from senna_py.cli.parameter_types import Duration
from senna_py.cli.signals import interrupts
from senna_py.errors import SennaError, counted
from senna_py.io.locks import lock_directory
from senna_py.io.overwriting import check_paths
from senna_py.io.progress import say


def run_options(report_every="30s", checkpoint_every="5m", plot=True):
    """A decorator that adds the options about how a run goes; the command gets
    `options`.

    report_every: the default of --report-every, None for no such option;
    checkpoint_every: that of --checkpoint-every; plot: whether there is --plot.
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
        more = "--report-every", "Time between reports."
        options.append(option(*more, type=Duration(), default=report_every))
    if plot:
        options.append(file_option("--plot", "Plot the learning curves to FILE."))

    def decorate(function):
        @functools.wraps(function)
        def command(
            resume,
            time_limit,
            checkpoint_every,
            plot=None,
            report_every=math.inf,
            **others,
        ):
            with RunOptions(
                resume, time_limit, checkpoint_every, report_every, plot
            ) as options:
                return function(options=options, **others)

        return all_of(*options)(command)

    return decorate


class RunOptions(contextlib.ExitStack):
    """How the user wants runs to go; a context that keeps other processes off their
    directories.
    """

    def __init__(self, resume, time_limit, checkpoint_every, report_every, plot):
        """Note the values of the options; times are in seconds, time_limit None for no
        limit.
        """
        super().__init__()
        self.resume, self.plot = resume, plot
        self._every = checkpoint_every, report_every
        self._end = time.monotonic() + (time_limit or math.inf)

    def check(self, directory, model_file, inputs, note=say, first=True):
        """Lock `directory`; raise SennaError if a run cannot be there or drawn, or
        would be lost.

        model_file: name of the run's own model, or None; inputs: paths that are read,
        see `check_paths`, whose UsageError passes; note: prints a line, such as that
        there is nothing to resume; first: whether this process of a group is the one
        that writes.
        """
        from senna_py.models.checkpoint import CHECKPOINT
        from senna_py.training.log import LOG
        from senna_py.training.plots import check_plotting

        if self.plot:
            check_plotting(self.plot)
        path = Path(directory)
        there = next(place for place in (path, *path.parents) if place.exists())
        if not there.is_dir():
            raise SennaError(f"{directory}: no place for a run: {there} is a file")
        model = model_file and path / model_file
        check_paths(inputs, [self.plot, path / LOG, model])
        if first:
            self.enter_context(lock_directory(path, note))
        found = (path / CHECKPOINT).exists()
        if found and not self.resume:
            raise SennaError(
                f"{path / CHECKPOINT}: a run is there; continue it with --resume"
            )
        if not found and model and model.exists():
            raise SennaError(
                f"{model}: a model is there, without {CHECKPOINT}; move it or remove it"
            )
        if self.resume and not found:
            note(f"{directory}: no checkpoint to resume from; a run begins")

    def train(self, run, note=say, summary=None):
        """Begin a TrainingRun, or continue it if it has a checkpoint, and say how it
        ended.

        note: prints a line; summary: gives what to say before that, or None. Ends the
        process where the run is stopped: with 130 after a signal, with 0 after
        --time-limit. Returns whether there was anything left to train.
        """
        from senna_py.io.progress import EpochProgress

        if run.checkpoint.exists():
            run.resume()
        caught, before = [], run.finished
        if not before:
            with interrupts(run) as caught, EpochProgress(wanted=note is say) as bar:
                report = run.report
                run.report = lambda *line: (bar.pause(), report(*line))
                run.run(max(self._end - time.monotonic(), 0), *self._every, bar)
        if summary and (line := summary()):
            note(line)
        if before and run.checkpoint.exists():
            epochs, examples = run.progress.epoch, run.progress.examples
            length = (
                counted(epochs, "epoch") if epochs else counted(examples, "example")
            )
            note(f"{run.directory}: finished before, after {length}")
        elif not run.finished:
            note("stopped; continue with --resume")
            self.draw(run, note)
            sys.exit(130 if caught else 0)
        return not before

    def draw(self, run, note=say):
        """Draw a run if the user asked for it; note if its log is still empty."""
        if not self.plot:
            return
        from senna_py.training.log import log_size
        from senna_py.training.plots import plot_log

        if log_size(run.log):
            plot_log(run.log, self.plot)
        else:
            note(f"{self.plot}: not drawn: the run has not reported yet")
