"""senna-py corpus: tag corpora larger than one machine."""

import os
from importlib.util import find_spec

import click

from senna_py.cli.common import WORKERS, WholeRange
from senna_py.cli.tag import lines_option, noting, program
from senna_py.cli.tag_options import TagOptions, format_option, tag_options
from senna_py.errors import SennaError

__all__ = ["command"]


@program("corpus")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="DIR", help="Directory or URL of outputs.")
@tag_options(("split_sentences", "all_columns", "layout", "multiwords", "usrvbs", "limit"))
@lines_option
@format_option(without=("html",))
@click.option("--text-field", default="text", show_default=True, help="Where JSON lines have text.")
@click.option("--part-size", type=WholeRange(1), default=16, show_default=True, help="MiB a part.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler; else processes here do it.")
@click.option("--jobs", metavar="N", type=WORKERS, help="Processes; by default, one for each core.")
def command(inputs, output, lines, text_field, part_size, cluster, jobs, **options):
    """Tag files, directories, globs and URLs in parts, with a file for each.

    Dask gives parts to processes, here or on other machines. The same command again does what is
    missing.
    """
    lacks = [name for name in ("dask", "distributed", "fsspec", "pyarrow") if not find_spec(name)]
    if lacks:
        raise SennaError(f"corpus needs {', '.join(lacks)}: install senna-py with its extra dask")
    from senna_py.cli.tag_parts import Work, tag_corpus
    from senna_py.parts.run import connect

    work = Work.of(output, TagOptions.given(options, lines), text_field)
    connected = connect(cluster, jobs or len(os.sched_getaffinity(0)))
    if tag_corpus(inputs, work, connected, part_size << 20, noting()):
        raise click.exceptions.Exit(1)
