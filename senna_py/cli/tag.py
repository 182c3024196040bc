"""senna-tag, as SENNA has it, and the verb `tag`: annotate text."""

import click

from senna_py import __version__
from senna_py.cli.cluster_options import CLUSTER_OPTIONS, check_cluster, cluster_options
from senna_py.cli.common import (
    WORKERS,
    SingleDashCommand,
    WholeRange,
    check_live,
    live_option,
    say,
    until_reader_leaves,
)
from senna_py.cli.tag_options import TagOptions, format_option, senna_name, tag_options
from senna_py.errors import UsageError, one_line
from senna_py.io.settings import option_name
from senna_py.labels.tasks import PRINTED

__all__ = ["CONTEXT", "annotate", "command", "file_options", "note", "verb"]

# What a server can be told; -verbose lets it log requests.
_OF_SERVERS = (
    *PRINTED, "task", "path", "posvbs", "paragraphs", "abbreviations", "jobs", "verbose",
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


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def file_options(function):
    """Add the argument of files and the options of a command that reads and writes a stream."""
    for option in (
        click.option(
            "--progress/--no-progress", default=None,
            help="Report bytes and sentences/s on standard error; default for files on a terminal.",
        ),
        click.option(
            "--jobs", metavar="N", type=WORKERS, default=1, show_default=True,
            help="Cores to work on.",
        ),
        live_option,
        click.option(
            "-o", "--output", metavar="FILE",
            help="Write to FILE, not to standard output; pages also to a directory, as DIR/.",
        ),
        click.argument("files", nargs=-1, metavar="[FILE]..."),
    ):  # fmt: skip
        function = option(function)
    return function


@click.command("senna-tag", cls=SingleDashCommand, context_settings=CONTEXT)
@tag_options(name=senna_name)
@format_option(without=())
@file_options
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
        from senna_py.cli.tag_server import serve

        jobs, verbose, wanted = options["jobs"], options["verbose"], TagOptions.given(options)
        serve(wanted.tagger(), host, port, jobs, wanted.paragraphs, verbose, note)
        return
    wanted = TagOptions.given(dict(options))
    check_cluster(options, wanted)
    cluster = {name: options.pop(name) for name in CLUSTER_OPTIONS}
    if cluster["output_dir"] is None:
        annotate(options)
        return
    from senna_py.cli.tag_cluster import tag_parts

    cluster |= {name: options[name] for name in ("jobs", "progress", "verbose")}
    if tag_parts(options["files"], wanted, note=note, **cluster):
        raise click.exceptions.Exit(1)


@click.command("tag", cls=SingleDashCommand, context_settings=CONTEXT)
@tag_options(omit=("split_sentences", "all_columns"), name=option_name)
@click.option("--lines", is_flag=True, help="A line is a sentence, not running text.")
@format_option(without=("parquet",))
@file_options
@click.option("--verbose", is_flag=True, help="Describe the model on standard error.")
def verb(lines, **options):
    """Annotate running text from FILEs or standard input (also: -), of which a line is a paragraph.

    Files ending in .gz, .xz and .bz2 are decompressed; of those ending in .conllu, and of a
    --layout, the tokens are tagged as they are. Without a task option, every task that the
    model has is done, except pt0; --task, for networks of other names, may be given several times.
    """
    annotate(options, lines)


def annotate(options, lines=None):
    """Tag files with the options of a command: those of TagOptions and of `file_options`.

    lines: whether a line is a sentence, where this is not one of them.
    """
    if lines and options["paragraphs"]:
        raise click.UsageError("--lines does not go with --paragraphs")
    if lines is not None:
        options["split_sentences"] = not lines
    wanted = TagOptions.given(options)
    output = options["output"]
    if output is not None and output.endswith("/") and wanted.format != "html":
        raise UsageError(f"{output}: a directory is for pages, --format html")
    check_live(options["live"], output)
    from senna_py.cli.tag_files import tag_files

    files, n_unread = options.pop("files") or ("-",), 0
    with until_reader_leaves():
        n_unread = tag_files(files, wanted, note=note, **options)
    if n_unread:
        raise click.exceptions.Exit(1)


def note(message):
    """Print a line for the user that names the program."""
    program = click.get_current_context().find_root().command.name
    say(f"{program}: {one_line(message)}")
