"""The command `senna-py learn`, which teaches a model from annotated texts."""

from pathlib import Path

import click

from senna_py.cli.help import Command
from senna_py.cli.options import file_option, number, option
from senna_py.cli.run_options import RunOptions, run_options
from senna_py.cli.step_session import LOG, StepSession
from senna_py.cli.streams import until_reader_leaves
from senna_py.errors import UsageError
from senna_py.io.progress import ShareProgress, say


@click.command(
    "senna-py learn",
    cls=Command,
    examples=(
        "senna-py learn annotated.jsonl runs/mine",
        "senna-py learn --from project.json --from brat/ --dev test.conll runs/mine",
        "senna-py learn --rename PERSON=PER --rename GPE=LOC annotated.jsonl runs/mine",
        "senna-py learn --task drugs annotated.jsonl runs/drugs",
        "senna-py tag --path runs/mine --ner text.txt",
    ),
)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[FILE]... RUN")
@file_option(
    "--from",
    "sources",
    "Another FILE with annotated texts; may be repeated.",
    multiple=True,
)
@file_option(
    "--dev",
    "Score on the annotated texts of this file; default: on some of the texts, or by "
    "cross-validation if there are too few.",
)
@file_option(
    "--check",
    "checks",
    "Annotated texts with the labels that the model knows, on which it is scored before "
    "and after, to see what it forgets; may be repeated.",
    multiple=True,
)
@file_option(
    "--text",
    "Text like the text that the model should not forget, a paragraph per line; default "
    "for English: a sample. May be repeated.",
    multiple=True,
)
@file_option("--path", "The model to begin with; default: the English model.")
@option(
    "--task",
    "The name of the task that learns. A name that the model lacks makes a task of its "
    "own, beside the others.",
    default="ner",
    metavar="NAME",
)
@option(
    "--rename",
    "names",
    "Rename a label of the annotations: PERSON=PER; O leaves it out. May be repeated.",
    multiple=True,
    metavar="LABEL=NEW",
)
@click.option(
    "--curve/--no-curve",
    default=None,
    help="Learn from a quarter and from half of the texts, too, to see whether more would "
    "help; default: if that takes less time than the rest.",
)
@option(
    "--set",
    "changes",
    "Override a setting of the training: training.epochs=20, network.keep=0.3.",
    multiple=True,
    metavar="KEY=VALUE",
)
@number("--seed", "The random seed.", least=0, default=1)
@run_options(report_every=None, plot=False)
def command(
    paths: tuple[str, ...],
    sources: tuple[str, ...],
    dev: str | None,
    checks: tuple[str, ...],
    text: tuple[str, ...],
    path: str | None,
    task: str,
    names: tuple[str, ...],
    curve: bool | None,
    changes: tuple[str, ...],
    seed: int,
    options: RunOptions,
) -> None:
    """Teach a model from annotated texts: new entities, or old ones in new text.

    FILE is an export of an annotation tool: JSON from doccano, Prodigy, Label Studio or
    spaCy, a BRAT directory, or a CoNLL column file with a word and a tag on each line.
    Its format is detected.

    The new model (model.safetensors), which has all tasks of the old one, the scores
    (report.txt) and a log are written to RUN.
    """
    if len(paths) + len(sources) < 2 or not paths:
        raise click.UsageError("expected FILE RUN, or --from FILE RUN")
    *files, directory = paths
    files = [*files, *sources]
    from senna_py.learning.teach import prepare
    from senna_py.models.native import FILE_NAME
    from senna_py.treebanks.journal import JOURNAL

    inputs = prepare(
        files,
        path,
        task,
        dev=dev,
        checks=checks,
        text=text,
        rename=_names(names),
        curve=curve,
        settings=changes,
        seed=seed,
        say=say,
    )
    read = [*files, dev, *checks, *text, str(inputs.model.path)]
    options.check(directory, FILE_NAME, read, checkpoint=JOURNAL)
    place = Path(directory)
    if not (place / JOURNAL).exists():
        (place / LOG).unlink(missing_ok=True)
    from senna_py.learning.training import Learning

    with ShareProgress() as progress:
        session = StepSession(options, progress, place / LOG)
        lines = Learning(inputs, place, session).run()
    with until_reader_leaves():
        for line in (*lines, "", *_advice(place / FILE_NAME, task)):
            click.echo(line)


def _names(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return the values of --rename as a dict."""
    names = {}
    for pair in pairs:
        label, equals, new = pair.partition("=")
        if not (label and equals and new):
            raise UsageError(f"--rename {pair}: expected LABEL=NEW, such as PERSON=PER")
        names[label] = new
    return names


def _advice(model: Path, task: str) -> list[str]:
    """Return lines with the path of the model and an example of its use."""
    wanted = "--ner" if task == "ner" else f"--task {task}"
    return [
        f"The model is {model}. To tag text:",
        f"senna-py tag --path {model} {wanted} text.txt",
    ]
