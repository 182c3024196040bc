"""senna-tag: annotate text."""

import click

from senna_py import __version__
from senna_py.cli.cluster_options import check_cluster, cluster_options
from senna_py.cli.common import (
    WORKERS,
    SingleDashCommand,
    WholeRange,
    check_live,
    live_option,
    run,
    say,
    until_reader_leaves,
)
from senna_py.cli.tag_options import TagOptions, format_option, senna_name, tag_options
from senna_py.errors import one_line
from senna_py.labels.tasks import PRINTED

__all__ = ["command", "main"]


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


def _serve(options, host, port, jobs, verbose):
    """Answer requests until the process is ended."""
    from senna_py.cli.tag_server import serve

    serve(options.tagger(), host, port, jobs, options.paragraphs, verbose, _note)


def _note(message):
    say(f"senna-tag: {one_line(message)}")


@click.command(
    "senna-tag",
    cls=SingleDashCommand,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@tag_options(name=senna_name)
@format_option(without=())
@click.option(
    "--tokenize", is_flag=True,
    help="Print tokens and sentences only: a sentence a line, tokens between spaces.",
)  # fmt: skip
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
    files, jobs, verbose = (options.pop(name) for name in ("files", "jobs", "verbose"))
    output, live, progress = (options.pop(name) for name in ("output", "live", "progress"))
    serves, host, port = (options.pop(name) for name in ("serve", "host", "port"))
    _check_serve(serves)
    if options.pop("tokenize"):
        options |= {"format": "tokens", "split_sentences": True}
    wanted = TagOptions.given(options)
    if serves:
        _serve(wanted, host, port, jobs, verbose)
        return
    options |= {"files": files, "output": output, "jobs": jobs, "live": live}
    check_cluster(options, wanted)
    if output is not None and output.endswith("/") and wanted.format != "html":
        raise click.UsageError(
            f"-o {output}: a directory goes with --format html only; for parts, see --output-dir"
        )
    check_live(live, output)
    if options["output_dir"] is not None:
        from senna_py.cli.tag_cluster import tag_parts

        del options["output"], options["live"]
        n_unread = tag_parts(
            options.pop("files"), wanted, verbose=verbose, progress=progress, note=_note, **options
        )
    else:
        from senna_py.cli.tag_files import tag_files

        with until_reader_leaves():
            n_unread = tag_files(
                files or ("-",), wanted, output, live, jobs, progress, verbose, _note
            )
    if n_unread:
        raise click.exceptions.Exit(1)


def main():
    """Run senna-tag as a process."""
    run(command)
