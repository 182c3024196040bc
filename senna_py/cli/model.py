"""senna-model: inspect models, and convert them from and to SENNA's format."""

import click

from senna_py import __version__
from senna_py.cli.common import say, until_reader_leaves
from senna_py.io.nesting import json_text
from senna_py.labels.tasks import ROLES, VERBS

__all__ = ["command"]

_path = click.option(
    "-path", "--path", metavar="PATH", help="Model; else $SENNA_PY_MODEL, or the shipped one."
)


@click.group("senna-model", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command():
    """Inspect models, and convert them from and to SENNA's format."""


@command.command("info")
@click.argument("path", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with everything.")
@click.option("--verbose", is_flag=True, help="Print labels, sizes and configurations, too.")
def info(path, as_json, verbose):
    """Describe the model at PATH: size, licence, networks, features, labels, scores."""
    from senna_py.cli.model_summary import model_summary, short_lines, summary_lines
    from senna_py.io.output import open_output
    from senna_py.model import Model

    summary = model_summary(Model(path))
    lines = summary_lines if verbose else short_lines
    text = json_text(summary, indent=2) if as_json else "\n".join(lines(summary))
    with until_reader_leaves(), open_output(None, []) as out:
        out.write(f"{text}\n".encode("utf-8", "surrogateescape"))


@command.command("explain")
@click.argument("labels", nargs=-1, required=True, metavar="LABEL...")
def explain(labels):
    """Say what labels mean, such as A1-DSP and NML."""
    from senna_py.labels.explanations import explain

    for label in labels:
        click.echo(f"{label}: {explain(label)}")


@command.command("export")
@click.option("--senna", "directory", required=True, metavar="DIR", help="Directory to make.")
@_path
def export(directory, path):
    """Write a model as a SENNA directory, which the original program can read.

    Whatever SENNA's format cannot hold is an error that names it.
    """
    from senna_py.io.locks import lock_directory
    from senna_py.model import Model
    from senna_py.models.senna_conversion import export_senna

    storage = Model(path).storage
    with lock_directory(directory, say):
        export_senna(storage, directory)
    tokenizer = storage.info.get("tokenizer", "senna")
    if tokenizer != "senna":
        say(
            f"senna-model: note: the model's tokenizer is {tokenizer}; the directory gives the "
            "same tags with -usrtokens only"
        )


@command.command("import")
@click.argument("directory", metavar="SENNA_DIR")
@click.argument("path", metavar="FILE_OR_DIR")
def import_(directory, path):
    """Write the model in SENNA_DIR as a native model, rounded to float16.

    FILE_OR_DIR: a file if its name ends in .safetensors, else a directory that gets
    model.safetensors.
    """
    from senna_py.models.senna_conversion import import_senna

    _say_what_is_there(import_senna(directory, path))


@command.command("build")
@click.argument("path", metavar="FILE_OR_DIR")
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@click.option("--info", "info_path", metavar="FILE.toml", help="Name, licence and so on.")
@click.option(
    "--vector-bits", type=click.Choice(("16", "8")),
    help="Bits of a number of word vectors; else the fewest of a PART.",
)  # fmt: skip
@click.option(
    "--replace", is_flag=True, help="A network of a later PART replaces that of an earlier one."
)
def build(path, parts, info_path, vector_bits, replace):
    """Join native models with the same words and shared vectors into one.

    FILE_OR_DIR: as for import. PART: a model, or some of its networks as MODEL:NAME,NAME.
    """
    from senna_py.io.toml import read_toml
    from senna_py.model import Model
    from senna_py.models.build import build_model
    from senna_py.models.model_info import check_info

    info = read_toml(info_path) if info_path is not None else None
    check_info(info or {}, f"{info_path}: ")
    path = build_model(path, parts, info, vector_bits and int(vector_bits), replace)
    _say_what_is_there(path)
    model = Model(path)
    for name in model.storage.networks:
        for need in model.networks_for([name], predicates="given"):
            if need not in model.storage.networks:
                say(f"{path}: {name} needs {need}, which is not in it")
    if ROLES in model.storage.networks and ROLES not in model.tasks():
        say(
            f"{path}: {ROLES} has no network {VERBS} that finds predicates: senna-tag needs "
            "-posvbs or -usrvbs"
        )


@command.command("sentences")
@click.argument("path", metavar="FILE_OR_DIR")
@click.argument("model", metavar="MODEL")
@click.argument("treebanks", nargs=-1, required=True, metavar="FILE.conllu...")
def sentences(path, model, treebanks):
    """Write MODEL with a sentence splitter and abbreviations learned from CoNLL-U files.

    FILE_OR_DIR: as for import.
    """
    from senna_py.models.sentence_splitters import add_splitter

    _say_what_is_there(add_splitter(path, model, treebanks))


@command.command("ensemble")
@click.argument("path", metavar="FILE_OR_DIR")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--how",
    type=click.Choice(["vote", "scores", "joined"]),
    default="vote",
    show_default=True,
    help="Count tags, average scores, or train a layer over scores.",
)
@click.option("--task", metavar="NAME", help="The networks to take, if models have several.")
@click.option(
    "--train",
    nargs=2,
    metavar="CONFIG CORPORA",
    help="What a joined ensemble is trained on and how, as of senna-train.",
)
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="A setting in place of CONFIG's."
)
def ensemble(path, runs, how, task, train, changes):
    """Make an ensemble of networks with the same task, words and labels.

    FILE_OR_DIR: as for import; a joined ensemble is a directory, which also gets its log.
    """
    from senna_py.cli.ensemble import make_ensemble, train_ensemble

    if len(runs) < 2:
        raise click.UsageError("an ensemble needs two networks at least")
    if (how == "joined") != (train is not None):
        raise click.UsageError("--how joined and --train CONFIG CORPORA go together")
    if changes and train is None:
        raise click.UsageError("--set goes with --train only")
    if train is None:
        path = make_ensemble(path, runs, how, task)
    else:
        path = train_ensemble(path, runs, task, *train, changes)
    _say_what_is_there(path)


def _say_what_is_there(path):
    from senna_py.models.native import NativeModel

    click.echo(f"{path}: {path.stat().st_size:,} bytes: {', '.join(NativeModel(path).networks)}")


@command.command("drop-in")
@click.argument("directory", metavar="DIR")
@_path
def drop_in(directory, path):
    """Make DIR look like an installed SENNA.

    DIR gets the model and launchers under the names of SENNA's programs, so that clients of SENNA
    (NLTK's, for one) run senna-tag without knowing it.
    """
    from senna_py.cli.drop_in import make_drop_in

    make_drop_in(directory, path)
