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

_CONFIG = ".toml"  # The suffix of a CONFIG.

if TYPE_CHECKING:
    from senna_py.tagging.run import Run
    from senna_py.training.run import TrainingRun


@click.command(
    "senna-train",
    cls=Command,
    examples=(
        "senna-train --text news.txt UD_Welsh-CCG/ runs/cy",
        "senna-train pos.toml corpora/ runs/pos",
        "senna-train --set training.rate=0.01 --time-limit 2h pos.toml corpora/ runs/pos",
        "senna-train --resume pos.toml corpora/ runs/pos",
    ),
)
@click.argument(
    "paths", nargs=-1, type=click.Path(), metavar="(TREEBANK | CONFIG CORPORA) RUN"
)
@file_option(
    "--text",
    "With TREEBANK: running text of the language, a paragraph per line, or a directory "
    "of such files, for word vectors and classes; may be repeated.",
    multiple=True,
)
@option(
    "--language",
    "With TREEBANK: the code of the language, such as fr, in letters and -; default: "
    "from the beginning of the name of the training file or of its directory, such as "
    "fr_ or UD_French-.",
    metavar="CODE",
)
@option(
    "--tokenizer",
    "With TREEBANK: the tokenizer, such as learned or french; default: the learned "
    "tokenizer or the rules of the language, whichever is better on dev, where the F1 of "
    "words counts ten times as much as that of sentences.",
    metavar="NAME",
)
@file_option(
    "--vectors",
    "Initialize from these word vectors, in any format of `senna-py vectors`, or those "
    "of a model such as models/en, and use their words as the dictionary; default: "
    "vectors learned from TREEBANK and --text; with CONFIG, random vectors for the words "
    "of the training data, or those of a model in [cascade] or network.init.",
)
@option(
    "--set",
    "changes",
    "Override a setting: training.rate=0.001, network.approach=window.",
    multiple=True,
    metavar="KEY=VALUE",
)
@number("--seed", "Override the random seed.", least=0)
@run_options(report_every=None)
@click.version_option(__version__)
def command(
    paths: tuple[str, ...],
    vectors: str | None,
    changes: tuple[str, ...],
    seed: int | None,
    options: RunOptions,
    **of_treebank: Any,
) -> None:
    """Train a model on a treebank, or networks with a configuration.

    TREEBANK is a directory with files of Universal Dependencies, whose names end in
    train.conllu and, if there is one, dev.conllu. Tokens, words, sentences, tags,
    features, lemmas and dependencies are learned in one run, and entities if there are
    files that end in ner.train and ner.dev.

    CONFIG is a TOML file with settings of networks, which are trained on files in the
    directory CORPORA.

    The best model (model.safetensors), a log and checkpoints are written to RUN.
    """
    if len(paths) == 2 and not paths[0].endswith(_CONFIG):
        from senna_py.cli.train_treebank import train_treebank

        train_treebank(*paths, options, changes, seed, vectors=vectors, **of_treebank)
        return
    if len(paths) != 3:
        raise click.UsageError(
            "expected TREEBANK RUN, or CONFIG CORPORA RUN, found "
            f"{counted(len(paths), 'argument')}"
        )
    for name, value in of_treebank.items():
        if value:
            raise click.UsageError(f"--{name} can be used only with TREEBANK")
    config, corpora, directory = paths
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
