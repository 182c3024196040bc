"""What the commands of `senna-lm` that train in a directory have in common."""

import os
import sys

import click

from senna_py.cli.common import Duration, interrupts
from senna_py.cli.lm_text import say
from senna_py.errors import SennaError

__all__ = ["check_run", "finish", "run_options", "start_from", "threads_for_blas", "train"]


def threads_for_blas(n=None):
    """Let matrix products use n threads, by default one; call it before NumPy is imported."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = os.environ.get(variable, "1") if n is None else str(n)


def run_options(function):
    """Add the options about the course of a run."""
    decorators = (
        click.option("--seed", default=1, show_default=True, type=click.IntRange(0)),
        click.option("--resume", is_flag=True, help="Continue from the checkpoint in DIRECTORY."),
        click.option(
            "--time-limit", type=Duration(), help="Stop with a checkpoint after this time."
        ),
        click.option("--checkpoint-every", type=Duration(), default="5m", show_default=True),
        click.option("--report-every", type=Duration(), default="30s", show_default=True),
        click.option(
            "--plot", type=click.Path(), metavar="FILE.png", help="Draw the course of the run."
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def check_run(directory, resume, plot):
    """Raise SennaError if a run in `directory` would be lost, or is missing, or cannot be drawn."""
    from pathlib import Path

    from senna_py.formats.checkpoint import CHECKPOINT
    from senna_py.io.pictures import check_plotting
    from senna_py.lm.language_model import FILE_NAME

    if plot:
        check_plotting(plot)
    checkpoint, model = Path(directory) / CHECKPOINT, Path(directory) / FILE_NAME
    if checkpoint.exists() and not resume:
        raise SennaError(f"{checkpoint}: a run is there; continue it with --resume")
    if model.exists() and not checkpoint.exists():
        raise SennaError(f"{model}: a model is there, without {CHECKPOINT}; move it or remove it")
    if resume and not checkpoint.exists():
        raise SennaError(f"{checkpoint}: No such file or directory; there is no run to --resume")


def start_from(trainer, init, note=say):
    """Give a trainer the vectors of the file `init`."""
    from senna_py.formats.embeddings import read_embeddings

    embeddings = read_embeddings(init)
    found = trainer.start_from(embeddings.words, embeddings.vectors)
    note(f"{init}: vectors for {found:,} words")


def train(trainer, resume, time_limit, checkpoint_every, report_every):
    """Run a trainer; returns whether to its end, and the signals caught."""
    if resume:
        trainer.resume()
    with interrupts(trainer) as caught:
        done = trainer.run(time_limit or float("inf"), checkpoint_every, report_every)
    return done, caught


def finish(trainer, done, caught, plot, validated, note=say):
    """Say how a run in epochs ended, draw it, and end the process if it was interrupted."""
    perplexity, epoch = trainer.best
    if validated and epoch:
        note(f"best validation perplexity {perplexity:.2f}, after epoch {epoch}")
    note("done" if done else "stopped; continue with --resume")
    if plot:
        _plot(trainer.log, plot, note)
    if caught:
        sys.exit(130)


def _plot(log, picture, note):
    from senna_py.formats.run_log import read_rows
    from senna_py.lm.nplm.plotting import plot_log

    if read_rows(log):
        plot_log(log, picture)
    else:
        note(f"{picture}: not drawn: the run has not reported yet")
