"""The command `senna-train`, which trains taggers from labeled files."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from senna_py import __version__
from senna_py.cli.help import Command
from senna_py.cli.options import file_option, number, option
from senna_py.cli.run_options import RunOptions, run_options
from senna_py.cli.streams import until_reader_leaves
from senna_py.errors import SettingError, counted
from senna_py.io.file_errors import prefix_errors
from senna_py.io.progress import say

if TYPE_CHECKING:
    from senna_py.tagging.run import Run
    from senna_py.training.run import TrainingRun


@click.command(
    "senna-train",
    cls=Command,
    examples=(
        "senna-train pos.toml corpora/ runs/pos",
        "senna-train --set training.rate=0.01 --time-limit 2h pos.toml corpora/ runs/pos",
        "senna-train --resume pos.toml corpora/ runs/pos",
    ),
)
@click.argument("config", type=click.Path(), metavar="CONFIG")
@click.argument("corpora", type=click.Path(), metavar="CORPORA")
@click.argument("directory", type=click.Path(), metavar="RUN")
@file_option(
    "--vectors",
    "Initialize from these word vectors, in any format of `senna-py vectors`, or those "
    "of a model such as models/en, and take their words as the dictionary; default: "
    "random vectors of the words of the training data, or those of a model in [cascade] "
    "or network.init.",
)
@option(
    "--set",
    "changes",
    "Override a setting of CONFIG: training.rate=0.001, network.approach=window.",
    multiple=True,
    metavar="KEY=VALUE",
)
@number("--seed", "Override the random seed of CONFIG.", least=0)
@run_options(report_every=None)
@click.version_option(__version__)
def command(
    config: str,
    corpora: str,
    directory: str,
    vectors: str | None,
    changes: tuple[str, ...],
    seed: int | None,
    options: RunOptions,
) -> None:
    """Train networks as the TOML file CONFIG says, on files in the directory CORPORA.

    The directory RUN gets the best model (model.safetensors), a log and a checkpoint.
    """
    from senna_py.models.native import FILE_NAME
    from senna_py.tagging.config import read_config
    from senna_py.tagging.run import Run
    from senna_py.tagging.sentences import files_read

    if seed is not None:
        changes = (*changes, f"training.seed={seed}")
    settings = read_config(config, changes, directory)
    inputs = [config, vectors, *files_read(settings, corpora, directory)]
    options.check(directory, FILE_NAME, inputs)
    with prefix_errors(config, SettingError):
        run = Run.load(settings, corpora, directory, vectors, say)
    trained = run.trainer()
    options.train(trained)
    options.draw(trained)
    _report(run, trained)


def _report(run: "Run", trained: "TrainingRun") -> None:
    from senna_py.evaluation.layers import headline
    from senna_py.evaluation.report import report_of
    from senna_py.evaluation.tree_report import tree_summary

    headlines, tasks = [], run.data.config.gold_tasks
    with until_reader_leaves():
        for name, scores in run.score_saved().items():
            value, measure = headline(tasks[name], scores)
            if len(tasks) > 1:
                click.echo(f"{name}:")
                measure = f"{name} {measure}"
            headlines.append(f"{measure} {value:.2f}")
            lines = report_of(tasks[name].shape.name).lines
            # The leaves of trees have the gold tags, so tags are not scored.
            if tasks[name].shape.nested:
                lines = partial(tree_summary, tagged=False)
            for line in lines(scores):
                click.echo(line)
    training: Any = trained.trainable
    if training.keeps_last:
        say(
            f"dev has {counted(training.n_dev, 'sentence')}: too few to choose an epoch "
            "by, so the last one is kept, and too few for a score to be sure"
        )
    say(
        f"best: epoch {trained.best[1]}, dev {', '.join(headlines)}, "
        f"in {trained.directory}"
    )
