"""senna-tag, as SENNA has it, and the verb `tag`: annotate text."""

from functools import partial

import click

from senna_py import __version__
from senna_py.cli.common import (
    WORKERS,
    SingleDashCommand,
    check_live,
    live_option,
    say,
    until_reader_leaves,
)
from senna_py.cli.tag_options import TagOptions, format_option, senna_name, tag_options
from senna_py.errors import UsageError, one_line
from senna_py.io.overwriting import check_paths
from senna_py.io.settings import option_name

__all__ = ["annotate", "command", "file_options", "lines_option", "noting", "program", "verb"]

program = partial(
    click.command, cls=SingleDashCommand,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip
lines_option = click.option("--lines", is_flag=True, help="A line is a sentence, not running text.")


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


@program("senna-tag")
@tag_options(name=senna_name)
@format_option(without=("parquet",))
@file_options
@click.option("-verbose", is_flag=True, help="Describe the model on standard error.")
@click.version_option(__version__)
def command(**options):
    """Annotate text, one sentence a line, from FILEs or standard input (also: -).

    Files ending in .gz, .xz and .bz2 are decompressed; of those ending in .conllu, and of a
    --layout, the tokens are tagged as they are. Without a task option, every task that the
    model has is done, except pt0; -task, for networks of other names, may be given several times.
    """
    annotate(options)


@program("tag")
@tag_options(omit=("split_sentences", "all_columns"), name=option_name)
@lines_option
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
    output = options["output"]
    check_paths([options["abbreviations"]], [output])
    wanted = TagOptions.given(options, lines)
    if output is not None and output.endswith("/") and not wanted.output.has_pages:
        raise UsageError(f"{output}: a directory is for pages, as of --format html")
    check_live(options["live"], output)
    from senna_py.cli.tag_files import tag_files

    files, n_unread = options.pop("files") or ("-",), 0
    with until_reader_leaves():
        n_unread = tag_files(files, wanted, note=noting(), **options)
    if n_unread:
        raise click.exceptions.Exit(1)


def noting():
    """Make a function that prints a line for the user, which names the program, in any thread."""
    program = click.get_current_context().find_root().command.name
    return lambda message: say(f"{program}: {one_line(message)}")
