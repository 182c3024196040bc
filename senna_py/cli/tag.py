"""senna-tag: annotate text."""

import click

from senna_py import __version__
from senna_py.cli.cluster_options import CLUSTER_OPTIONS, check_cluster, cluster_options
from senna_py.cli.common import (
    WORKERS,
    FiniteRange,
    SingleDashCommand,
    WholeRange,
    check_encoding,
    check_live,
    live_option,
    run,
    say,
    until_reader_leaves,
)
from senna_py.cli.layouts import layout_option, multiwords_option
from senna_py.cli.tag_formats import OF_ENTITIES
from senna_py.errors import one_line
from senna_py.labels.tasks import POS, PRINTED, TABLE, TREES, VERBS

__all__ = ["command", "main"]


def _task_options(function):
    """Add an option for each of SENNA's tasks; those that must be asked for come last."""
    asked_for = [name for name in PRINTED if not TABLE[name].default]
    for name in (*asked_for, *(name for name in reversed(PRINTED) if name not in asked_for)):
        text = f"Print {TABLE[name].title}."
        function = click.option(f"-{name}", is_flag=True, help=text)(function)
    return function


# What bracketed trees do not show; parts of speech they do.
_NOT_WITH_TREES = (
    *(name for name in PRINTED if name not in (POS, TREES)),
    "posvbs", "usrvbs", "iobtags", "brackettags", "offsettags",
)  # fmt: skip


# What probabilities are printed without.
_NOT_WITH_PROBABILITIES = (
    "posvbs", "usrvbs", "iobtags", "brackettags", "notokentags", "offsettags",
)  # fmt: skip


def _check_probabilities(options, tasks):
    """Raise UsageError for an option that does not go with probabilities, or for several tasks."""
    if not options["probabilities"]:
        if options["least"] is not None:
            raise click.UsageError("--least goes with --probabilities only")
        return
    for name in _NOT_WITH_PROBABILITIES:
        if options[name] not in (False, None):
            raise click.UsageError(f"-{name} does not go with --probabilities")
    if options["output_format"] != "senna":
        raise click.UsageError("--format does not go with --probabilities")
    if len(tasks) != 1:
        raise click.UsageError("--probabilities are those of one task: name it, as -pos")


# What a server can be told; -verbose lets it log requests.
_OF_SERVERS = (
    *PRINTED, "others", "path", "posvbs", "paragraphs", "abbreviations", "jobs", "verbose",
    "serve", "host", "port",
)  # fmt: skip


def _check_serve(serves):
    """Raise UsageError for what does not go with --serve, or only with it."""
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name)
        if source is not click.core.ParameterSource.COMMANDLINE:
            continue
        shown = parameter.opts[-1] if isinstance(parameter, click.Option) else "FILE"
        if serves and parameter.name not in _OF_SERVERS:
            raise click.UsageError(f"{shown} does not go with --serve")
        if not serves and parameter.name in ("host", "port"):
            raise click.UsageError(f"{shown} goes with --serve only")


def _serve(options, host, port):
    """Answer requests until the process is ended."""
    from senna_py.cli.tag_server import serve
    from senna_py.tagger import Tagger
    from senna_py.text.known_texts import read_abbreviations

    tasks = [*(task for task in PRINTED if options[task]), *options["others"]]
    own = read_abbreviations(options["abbreviations"]) if options["abbreviations"] else ()
    predicates = POS if options["posvbs"] else VERBS
    tagger = Tagger(options["path"], tasks or None, predicates, abbreviations=own)
    serve(tagger, host, port, options["jobs"], options["paragraphs"], options["verbose"], _note)


def _note(message):
    say(f"senna-tag: {one_line(message)}")


def _check_tokenize(options):
    """Raise UsageError for an option about what is found, where only tokens are."""
    if not options["tokenize"]:
        return
    for name in (*PRINTED, "all_columns", "probabilities", "header", *_NOT_WITH_PROBABILITIES):
        if options[name] not in (False, None):
            shown = f"-{name}" if name in (*PRINTED, *_NOT_WITH_PROBABILITIES) else f"--{name}"
            raise click.UsageError(f"{shown.replace('_', '-')} does not go with --tokenize")
    if options["others"] or options["output_format"] != "senna":
        raise click.UsageError("-task and --format do not go with --tokenize")


def _check_format(options):
    """Raise UsageError for an option that the output format has no use for."""
    output_format = options["output_format"]
    unfit = [] if output_format == "senna" else ["notokentags"]
    if options["header"] and output_format != "conll":
        raise click.UsageError("--header goes with --format conll only")
    if output_format == "trees":
        unfit += _NOT_WITH_TREES
        if options["others"]:
            raise click.UsageError("-task does not go with --format trees")
    for name, shown in OF_ENTITIES.items():
        if output_format != name:
            continue
        unfit += [task for task in PRINTED if task not in shown]
        unfit += ["posvbs", "usrvbs", "offsettags"]
        if options["others"]:
            raise click.UsageError(f"-task does not go with --format {name}")
        if name == "brat" and len(options["files"]) > 1:
            raise click.UsageError("--format brat is of one FILE")
    if output_format == "html":
        unfit += ["iobtags", "brackettags", "offsettags"]
    for name in unfit:
        if options[name] not in (False, None):
            raise click.UsageError(f"-{name} does not go with --format {output_format}")


@click.command(
    "senna-tag",
    cls=SingleDashCommand,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-path", metavar="PATH", help="Model; else $SENNA_PY_MODEL, or the shipped one.")
@_task_options
@click.option(
    "-task", "others", metavar="NAME", multiple=True, help="Print what the network NAME predicts."
)
@click.option(
    "--all-columns", is_flag=True,
    help="Without a task option, SENNA's columns: an error if the model lacks one.",
)  # fmt: skip
@click.option("-usrtokens", is_flag=True, help="Tokens are separated by white space already.")
@layout_option
@multiwords_option
@click.option("--split-sentences", is_flag=True, help="A line is a paragraph: find its sentences.")
@click.option(
    "--paragraphs", is_flag=True,
    help="Lines up to an empty one are a paragraph: join them, and find sentences.",
)  # fmt: skip
@click.option(
    "--abbreviations", metavar="FILE", help="More words that keep their period, one a line."
)
@click.option(
    "--encoding", metavar="NAME", callback=check_encoding,
    help="Encoding of the text, such as cp1252; default UTF-8, or what a byte-order mark says.",
)  # fmt: skip
@click.option(
    "--tokenize", is_flag=True,
    help="Print tokens and sentences only: a sentence a line, tokens between spaces.",
)  # fmt: skip
@click.option("-posvbs", is_flag=True, help="Predicates are the words with a POS tag V*.")
@click.option("-usrvbs", metavar="FILE", help="Predicates: a line a token, - for none.")
@click.option("-iobtags", is_flag=True, help="Write IOB tags instead of IOBES.")
@click.option("-brackettags", is_flag=True, help="Write brackets instead of IOBES tags.")
@click.option("-notokentags", is_flag=True, help="Leave out the tokens.")
@click.option("-offsettags", is_flag=True, help="Print the character offsets of the tokens.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(
        [
            "senna",
            "conll",
            "conllu",
            "conll2003",
            "jsonl",
            "brat",
            "trees",
            "html",
            "parquet",
        ]
    ),
    default="senna",
    show_default=True,
    help="Padded columns, tab-separated columns, CoNLL-U, columns as of CoNLL-2003, a JSON object "
    "a sentence, entities as BRAT's standoff, a bracketed tree a sentence, a page to look at, or a "
    "table.",
)
@click.option("--header", is_flag=True, help="With --format conll: begin with names of columns.")
@click.option(
    "--probabilities", is_flag=True, help="Print all likely tags of one task: see senna-train."
)
@click.option(
    "--least",
    metavar="P",
    type=FiniteRange(0, 1),
    help="With --probabilities: leave out sentences with a word less certain than P.",
)
@click.option(
    "--limit", metavar="N", type=WholeRange(1), help="Only the first N sentences of a FILE."
)
@click.option(
    "-o", "--output", metavar="FILE",
    help="Write to FILE, not to standard output; --format html: or to a directory, as DIR/.",
)  # fmt: skip
@live_option
@click.option(
    "--jobs",
    metavar="N",
    type=WORKERS,
    default=1,
    show_default=True,
    help="Cores to work on.",
)
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Report bytes and sentences/s on standard error; default for files on a terminal.",
)
@click.option(
    "--serve", is_flag=True, help="Show a page with a box to type into, and answer POST /tag."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="With --serve: the address.")
@click.option(
    "--port", metavar="N", type=WholeRange(0, 65535), default=8765, show_default=True,
    help="With --serve: the port; 0 for any that is free.",
)  # fmt: skip
@cluster_options
@click.option("-verbose", is_flag=True, help="Describe the model on standard error.")
@click.version_option(__version__)
def command(**options):
    """Annotate text, one sentence a line, from FILEs or standard input (also: -).

    Files ending in .gz, .xz and .bz2 are decompressed; of those ending in .conllu, and of a
    --layout, the tokens are tagged as they are. Without a task option, every task that the
    model has is done, except pt0; -task, for networks of other names, may be given several times.
    """
    serves, host, port = (options.pop(name) for name in ("serve", "host", "port"))
    _check_serve(serves)
    if serves:
        _serve(options, host, port)
        return
    _check_tokenize(options)
    _check_format(options)
    check_cluster(options)
    output = options["output"]
    if output is not None and output.endswith("/") and options["output_format"] != "html":
        raise click.UsageError(
            f"-o {output}: a directory goes with --format html only; for parts, see --output-dir"
        )
    check_live(options["live"], output)
    if options["posvbs"] and options["usrvbs"] is not None:
        raise click.UsageError("-posvbs does not go with -usrvbs")
    if options["limit"] is not None and options["usrvbs"] is not None:
        raise click.UsageError("--limit does not go with -usrvbs")
    if options["paragraphs"] and options["usrvbs"] is not None:
        raise click.UsageError("--paragraphs does not go with -usrvbs")
    options["split_sentences"] |= options["paragraphs"] or options["tokenize"]
    if options.pop("tokenize"):
        options["output_format"] = "tokens"
    tasks = [*(task for task in PRINTED if options.pop(task)), *options.pop("others")]
    _check_probabilities(options, tasks)
    if options.pop("all_columns") and not tasks and options["output_format"] != "trees":
        tasks = [name for name in PRINTED if TABLE[name].default]
    options["least"] = options["least"] or 0.0

    if options["output_dir"] is not None:
        from senna_py.cli.tag_cluster import tag_parts

        if tag_parts(options.pop("files"), tasks or None, note=_note, **options):
            raise click.exceptions.Exit(1)
        return
    from senna_py.cli.tag_files import tag_files

    for name in CLUSTER_OPTIONS:
        del options[name]
    with until_reader_leaves():
        errors = tag_files(options.pop("files") or ("-",), tasks or None, note=_note, **options)
        if errors:
            raise click.exceptions.Exit(1)


def main():
    """Run senna-tag as a process."""
    run(command)
