"""The command `senna-model`, which inspects, converts and combines models."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from senna_py import __version__
from senna_py.cli.help import Group
from senna_py.cli.options import choice, flag, option
from senna_py.cli.signals import interrupts
from senna_py.cli.streams import print_text
from senna_py.errors import SennaError, SettingError, UsageError
from senna_py.io.file_errors import prefix_errors
from senna_py.io.nesting import json_text
from senna_py.io.progress import say
from senna_py.labels.tasks import ROLES, VERBS

_path = option(
    "--path",
    "The model; default: $SENNA_PY_MODEL, or else the English model.",
    metavar="MODEL",
)


@click.group(
    "senna-model", cls=Group, examples=("senna-model info", "senna-model build -h")
)
@click.version_option(__version__)
def command() -> None:
    """Inspect, convert and combine models."""


@command.command("info", examples=("senna-model info --json runs/pos",))
@click.argument("path", metavar="[MODEL]", required=False)
@flag("--json", "as_json", "Print everything as one JSON object.")
@flag("--verbose", "Also print labels, sizes and configurations.")
def info(path: str | None, as_json: bool, verbose: bool) -> None:
    """Describe a model: its size, license, networks, features, labels and scores.

    MODEL defaults to $SENNA_PY_MODEL, or else to the English model.
    """
    from senna_py.cli.model_summary import model_summary, short_lines, summary_lines
    from senna_py.model import Model

    summary = model_summary(Model(path))
    lines = summary_lines if verbose else short_lines
    print_text(json_text(summary, indent=2) if as_json else "\n".join(lines(summary)))


@command.command("explain", examples=("senna-model explain NNP A1-DSP NML",))
@click.argument("labels", nargs=-1, required=True, metavar="LABEL...")
def explain(labels: tuple[str, ...]) -> None:
    """Explain labels of the tasks, such as A1-DSP and NML."""
    from senna_py.labels.explanations import explain

    for label in labels:
        click.echo(f"{label}: {explain(label)}")


@command.command(
    "export", examples=("senna-model export --path my.safetensors senna-data",)
)
@click.argument("directory", metavar="DIRECTORY")
@_path
def export(directory: str, path: str | None) -> None:
    """Write a model as a SENNA directory, which the original program can read.

    If SENNA's format cannot represent the model, the error says why.
    """
    from senna_py.io.locks import lock_directory
    from senna_py.model import Model
    from senna_py.models.senna_conversion import export_senna
    from senna_py.text.tokenizer_kinds import SENNA

    storage = Model(path).storage
    with lock_directory(directory, say):
        export_senna(storage, directory)
    tokenizer = storage.info.get("tokenizer", SENNA)
    if tokenizer != SENNA:
        say(
            f"senna-model: note: the model's tokenizer is {tokenizer}; the directory gives the "
            "same tags with --usrtokens only"
        )


@command.command("import", examples=("senna-model import senna-v3 senna.safetensors",))
@click.argument("directory", metavar="DIRECTORY")
@click.argument("path", metavar="MODEL")
def import_(directory: str, path: str) -> None:
    """Convert the SENNA directory DIRECTORY to a native MODEL, rounded to float16.

    MODEL is a file if its name ends in .safetensors, else a directory for
    model.safetensors.
    """
    from senna_py.models.senna_conversion import import_senna

    _print_contents(import_senna(directory, path))


@command.command(
    "build", examples=("senna-model build --info info.toml my.safetensors runs/*",)
)
@click.argument("path", metavar="MODEL")
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@option(
    "--info",
    "info_path",
    "File with the name, the license and so on.",
    metavar="FILE.toml",
)
@choice(
    "--vector-bits",
    ("16", "8"),
    "Bits per number of the word vectors; default: the fewest of any PART. 8 also drops small "
    "changes that training made to vectors: score the result.",
)
@option(
    "--rules",
    "rules_path",
    "File of rules that the model has from then on, instead of those of any PART.",
    metavar="FILE.toml",
)
@flag("--replace", "Let networks of later PARTs replace those of earlier ones.")
def build(
    path: str,
    parts: tuple[str, ...],
    info_path: str | None,
    vector_bits: str | None,
    rules_path: str | None,
    replace: bool,
) -> None:
    """Combine native models with the same words and shared vectors into one MODEL.

    MODEL is a file if its name ends in .safetensors, else a directory for
    model.safetensors. A PART is a model, or some of its networks as MODEL:NAME,NAME.
    """
    from senna_py.io.toml import read_toml
    from senna_py.model import Model
    from senna_py.models.build import build_model
    from senna_py.models.native_header import check_info

    info = read_toml(info_path) if info_path is not None else None
    check_info(info or {}, f"{info_path}: ")
    bits = int(vector_bits) if vector_bits else None
    rules = None
    if rules_path is not None:
        from senna_py.rules.file import read_rules

        rules = read_rules(rules_path)
    file = build_model(path, parts, info, bits, replace, rules=rules)
    model = Model(file)
    if rules is not None:
        from senna_py.rules.checks import check_rules

        try:
            check_rules(rules, model.known_labels())
        except SennaError:
            file.unlink()
            raise
    _print_contents(file)
    for name in model.storage.networks:
        for need in model.networks_for([name], predicates="given"):
            if need not in model.storage.networks:
                say(f"{file}: {name} needs {need}, which is not in it")
    if ROLES in model.storage.networks and ROLES not in model.tasks():
        say(
            f"{file}: {ROLES} has no network {VERBS} that finds predicates: senna-tag needs "
            "--posvbs or --usrvbs"
        )


@command.command(
    "sentences",
    examples=("senna-model sentences new.safetensors my.safetensors train.conllu",),
)
@click.argument("path", metavar="MODEL")
@click.argument("model", metavar="SOURCE")
@click.argument("treebanks", nargs=-1, required=True, metavar="FILE...")
@option(
    "--columns",
    "Read FILEs other than *.conllu as column files with these columns, such as word,pos.",
    metavar="NAMES",
)
@option(
    "--running", "Also learn from edited text, a paragraph per line.", metavar="FILE"
)
def sentences(
    path: str,
    model: str,
    treebanks: tuple[str, ...],
    columns: str | None,
    running: str | None,
) -> None:
    """Copy SOURCE to MODEL with a sentence splitter trained on treebanks.

    Abbreviations are learned, too. FILEs are CoNLL-U; a FILE.txt is text with a
    sentence per line and an empty line between paragraphs. MODEL is a file if its name
    ends in .safetensors, else a directory for model.safetensors.
    """
    from senna_py.corpora.raw_text import column_names
    from senna_py.models.sentence_splitters import add_splitter

    names = None if columns is None else column_names(columns)
    _print_contents(add_splitter(path, model, treebanks, names, running))


@command.command(
    "ensemble",
    examples=("senna-model ensemble --how scores pos.safetensors runs/pos-?",),
)
@click.argument("path", metavar="MODEL")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@choice(
    "--how",
    ("vote", "scores", "joined"),
    "Majority vote, average of scores, or a trained layer over all scores.",
    default="vote",
)
@option(
    "--task",
    "Take the networks of this task, if the models have several.",
    metavar="NAME",
)
@option(
    "--train",
    "Configuration and corpora for training a joined ensemble, as for senna-train.",
    nargs=2,
    metavar="CONFIG CORPORA",
)
@option(
    "--set",
    "changes",
    "Override a setting of CONFIG.",
    multiple=True,
    metavar="KEY=VALUE",
)
def ensemble(
    path: str,
    runs: tuple[str, ...],
    how: str,
    task: str | None,
    train: tuple[str, str] | None,
    changes: tuple[str, ...],
) -> None:
    """Make an ensemble of networks with the same task, words and labels.

    MODEL is a file if its name ends in .safetensors, else a directory for
    model.safetensors. For a joined ensemble, MODEL must be a directory, to which a log
    is written, too.
    """
    from senna_py.tagging.ensembles import Ensemble

    if len(runs) < 2:
        raise click.UsageError("an ensemble needs at least two networks")
    if (how == "joined") != (train is not None):
        raise click.UsageError(
            "--how joined and --train CONFIG CORPORA must be used together"
        )
    if changes and train is None:
        raise click.UsageError("--set can be used only with --train")
    if train is None:
        _print_contents(Ensemble(runs, how, task).save(path))
        return
    config, corpora = train
    _print_contents(_train_joined(Path(path), runs, task, config, corpora, changes))


def _train_joined(
    directory: Path,
    sources: Sequence[str],
    task: str | None,
    config: str,
    corpora: str,
    changes: Sequence[str],
) -> Path:
    """Train a joined ensemble in a directory, and return the path of its model.

    If a signal stops the training, the process ends with exit code 130.

    Raises:
        UsageError: If `directory` has the name of a file, or a file would be
            overwritten that is read.
        SennaError: If the networks cannot be combined, or a file cannot be read or
            written.
    """
    from senna_py.io.locks import lock_directory
    from senna_py.io.overwriting import check_paths
    from senna_py.models.native import FILE_NAME
    from senna_py.tagging.config import read_config
    from senna_py.tagging.ensembles import Ensemble, joined_run
    from senna_py.tagging.sentences import files_read
    from senna_py.training.log import LOG

    if directory.suffix == ".safetensors":
        raise UsageError(f"{directory}: a joined ensemble is a directory")
    settings = read_config(config, changes)
    inputs = [config, *sources, *files_read(settings, corpora, directory)]
    check_paths(inputs, [directory / FILE_NAME, directory / LOG])
    with lock_directory(directory, say):
        with prefix_errors(config, SettingError):
            run = joined_run(
                Ensemble(sources, "joined", task), settings, corpora, directory, say
            )
        with interrupts(run):
            run.run()
    if not run.finished:
        say("stopped")
        sys.exit(130)
    return directory / FILE_NAME


def _print_contents(path: Path) -> None:
    """Print the path, the size and the networks of a native model."""
    from senna_py.models.native import NativeModel

    networks = ", ".join(NativeModel(path).networks)
    click.echo(f"{path}: {path.stat().st_size:,} bytes: {networks}")


@command.command("drop-in", examples=("senna-model drop-in ~/senna",))
@click.argument("directory", metavar="DIRECTORY")
@_path
def drop_in(directory: str, path: str | None) -> None:
    """Make DIRECTORY look like an installation of SENNA.

    The model, and launchers with the names of SENNA's programs, are written to it, so
    that clients of SENNA, such as NLTK's, run senna-tag.
    """
    from senna_py.cli.drop_in import make_drop_in

    make_drop_in(directory, path)
