"""Options of all commands that train in a directory, and how their runs begin and end."""

import contextlib
import functools
import math
import sys
import time
from pathlib import Path

import click

from senna_py.cli.common import Duration, all_of, interrupts, say
from senna_py.errors import SennaError, counted
from senna_py.io.locks import lock_directory
from senna_py.io.overwriting import check_paths


def run_options(report_every="30s", checkpoint_every="5m", plot=True):
    """A decorator that adds the options about how a run goes; the command gets `options`.

    report_every: the default of --report-every, None for no such option; checkpoint_every: that of
    --checkpoint-every; plot: whether there is --plot.
    """
    options = [
        click.option("--resume", is_flag=True, help="Continue a run from its checkpoint."),
        click.option(
            "--time-limit", type=Duration(),
            help="Write a checkpoint and stop after this time, such as 2h.",
        ),
        click.option(
            "--checkpoint-every", type=Duration(), default=checkpoint_every, show_default=True,
            help="Time between checkpoints.",
        ),
    ]  # fmt: skip
    if plot:
        options.append(click.option(
            "--plot", type=click.Path(), metavar="FILE", help="Plot the learning curves to FILE."
        ))  # fmt: skip
    if report_every:
        options.insert(3, click.option(
            "--report-every", type=Duration(), default=report_every, show_default=True,
            help="Time between reports.",
        ))  # fmt: skip

    def decorate(function):
        @functools.wraps(function)
        def command(
            resume, time_limit, checkpoint_every, plot=None, report_every=math.inf, **others
        ):
            with RunOptions(resume, time_limit, checkpoint_every, report_every, plot) as options:
                return function(options=options, **others)

        return all_of(*options)(command)

    return decorate


class RunOptions:
    """Wishes of the user about how runs go, from the options of the command.

    A context, which keeps other processes away from the directories of its runs.
    """

    def __init__(self, resume, time_limit, checkpoint_every, report_every, plot):
        """Note the values of the options; times are in seconds, time_limit None for no limit."""
        self.resume, self.plot = resume, plot
        self._every = checkpoint_every, report_every
        self._end = time.monotonic() + (time_limit or math.inf)
        self._locked, self._locks = set(), contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._locks.close()

    def check(self, directory, model_file, inputs, parts=(".",), note=say, first=True):
        """Raise SennaError if a run cannot be in `directory`, or would be lost, or not be drawn.

        From then on, the directory is locked: nor may another process have it.

        model_file: name of the model that the run makes, None if it has none of its own; inputs:
        paths that are read, see `check_paths`, whose UsageError passes; parts: directories below of
        runs that belong together; note: prints a line, such as that there is nothing to resume;
        first: whether this process is the one of its group that writes.
        """
        from senna_py.io.pictures import check_plotting
        from senna_py.models.checkpoint import CHECKPOINT
        from senna_py.training.log import LOG

        if self.plot:
            check_plotting(self.plot)
        path = Path(directory)
        there = next(place for place in (path, *path.parents) if place.exists())
        if not there.is_dir():
            raise SennaError(f"{directory}: no place for a run: {there} is a file")
        places = [path / part for part in parts]
        names = [name for name in (model_file, LOG) if name is not None]
        check_paths(inputs, [self.plot, *(place / name for place in places for name in names)])
        if first:
            self._lock(path, note)
        found = [place / CHECKPOINT for place in places if (place / CHECKPOINT).exists()]
        if found and not self.resume:
            raise SennaError(f"{found[0]}: a run is there; continue it with --resume")
        for place in places:
            model = model_file and place / model_file
            if model and model.exists() and place / CHECKPOINT not in found:
                raise SennaError(
                    f"{model}: a model is there, without {CHECKPOINT}; move it or remove it"
                )
        if self.resume and not found:
            note(f"{directory}: no checkpoint to resume from; a run begins")

    def _lock(self, directory, note):
        place = directory.resolve()
        if place not in self._locked:
            self._locks.enter_context(lock_directory(directory, note))
            self._locked.add(place)

    def train(self, run, note=say, summary=None):
        """Begin a TrainingRun, or continue it if it has a checkpoint, and say how it ended.

        note: prints a line; summary: gives what to say before that, or None. Ends the process
        where the run is stopped: with 130 after a signal, with 0 after --time-limit. Returns
        whether there was anything left to train.
        """
        from senna_py.io.progress import EpochProgress

        if not run.trainable.group.rank:
            self._lock(run.directory, note)  # that of a fold, too
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
            note(f"{run.directory}: finished before, after {_length(run.progress)}")
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


def _length(progress):
    if progress.epoch:
        return counted(progress.epoch, "epoch")
    return counted(progress.examples, "example")
