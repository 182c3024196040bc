"""senna-train: train taggers on column files."""

import sys
from pathlib import Path

import click

from senna_py import __version__
from senna_py.cli.common import Duration, interrupts, run, until_reader_leaves
from senna_py.errors import SennaError, SettingError, counted
from senna_py.io.progress import EpochProgress

__all__ = ["command", "main"]


def _say(line):
    click.echo(line, err=True)


@click.command("senna-train", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("config", type=click.Path(), metavar="CONFIG")
@click.argument("corpora", type=click.Path(), metavar="CORPORA")
@click.argument("directory", type=click.Path(), metavar="RUN")
@click.option(
    "--vectors", type=click.Path(), required=True, metavar="FILE",
    help="Word vectors, as senna-lm export writes them: the dictionary and where to begin.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue from the checkpoint in RUN.")
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="A setting in place of CONFIG's, as TOML: training.rate=0.1, network.vectors='random'.",
)  # fmt: skip
@click.option("--time-limit", type=Duration(), help="Stop with a checkpoint after that, as 2h.")
@click.option(
    "--checkpoint-every", type=Duration(), default="5m", show_default=True, metavar="TIME",
    help="Time between checkpoints.",
)  # fmt: skip
@click.option("--folds/--no-folds", default=True, help="Train the models of the folds, too.")
@click.option("--plot", type=click.Path(), metavar="FILE", help="Draw cost and dev score to FILE.")
@click.version_option(__version__)
def command(
    config, corpora, directory, vectors, resume, changes, time_limit, checkpoint_every, folds, plot
):
    """Train a network as the TOML file CONFIG says, on files below the directory CORPORA.

    The directory RUN receives the best model (model.safetensors), a log and a checkpoint.
    """
    import time

    from senna_py.io.pictures import check_plotting
    from senna_py.kernels.cold_start.compile_events import tell_when_compiling
    from senna_py.tagger_training.config import read_config

    if plot:
        check_plotting(plot)
    begin = time.monotonic()
    settings = read_config(config, changes)
    parts = [*range(settings.folds if folds else 0), None]
    _check_free(directory, parts, resume)
    tell_when_compiling(lambda: _say("compiling kernels (once)"))
    whole = _run(config, settings, corpora, directory, vectors)
    _check_checkpoints(whole, parts)
    for fold in parts:
        if fold is not None:
            _say(f"without fold {fold}:")
        trainer = whole.trainer(fold, checkpoint_every=checkpoint_every)
        left = float("inf") if time_limit is None else time_limit - (time.monotonic() - begin)
        _train(trainer, max(left, 0))
    _report(whole, trainer)
    if plot:
        from senna_py.training.plots import plot_log

        plot_log(trainer.log, plot)


def _run(config, settings, *places):
    from senna_py.tagger_training.experiment import Run

    try:
        return Run(settings, *places, _say)
    except SettingError as error:
        raise SennaError(f"{config}: {error}") from None


def _check_free(directory, parts, resume):
    """Raise SennaError if no run can be there, or one is there that is not to be resumed."""
    from senna_py.formats.checkpoint import CHECKPOINT
    from senna_py.tagger_training.cascade import fold_directory

    path = Path(directory)
    there = next(place for place in (path, *path.parents) if place.exists())
    if not there.is_dir():
        raise SennaError(f"{directory}: no place for a run: {there} is a file")
    checkpoints = [fold_directory(directory, fold) / CHECKPOINT for fold in parts]
    found = [checkpoint for checkpoint in checkpoints if checkpoint.exists()]
    if found and not resume:
        raise SennaError(f"{found[0]}: a run is there; continue it with --resume")
    if resume and not found:
        _say(f"{directory}: no checkpoint to resume from; a run begins")


def _check_checkpoints(whole, parts):
    """Raise SennaError if a model of a Run has a checkpoint of other settings or data.

    Before anything is trained: no single setting could continue a run of which a part is of one
    and the rest of another.
    """
    for fold in parts:
        if whole.checkpoint(fold).exists():
            whole.trainer(fold).read_checkpoint()


def _train(trainer, seconds):
    """Begin or continue a run; ends the process where the run is stopped."""
    if trainer.checkpoint.exists():
        trainer.resume()
        if trainer.finished:
            _say(f"{trainer.directory}: finished before, after {counted(trainer.epoch, 'epoch')}")
            return
    else:
        trainer.log.unlink(missing_ok=True)
    with interrupts(trainer) as caught, EpochProgress() as progress:
        done = trainer.run(seconds, progress)
    if not done:
        _say(f"stopped in epoch {trainer.epoch + 1}; continue with --resume")
        sys.exit(130 if caught else 0)


def _report(whole, trainer):
    from senna_py.evaluation.report import chunk_report, role_report, token_report

    scores, (value, name) = whole.score_saved()
    reports = {"tags": token_report, "segments": chunk_report, "roles": role_report}
    with until_reader_leaves():
        for line in reports[whole.config.kind](scores):
            click.echo(line)
    _say(f"best: epoch {trainer.best[1]}, dev {name} {value:.2f}, in {trainer.directory}")


def main():
    """Run senna-train as a process."""
    run(command)
