"""senna-py corpus: tag corpora larger than one machine."""

import multiprocessing
from importlib.util import find_spec

import click

from senna_py.cli.common import WORKERS, number, on_interrupt, option
from senna_py.cli.entry import leave
from senna_py.cli.help import Command
from senna_py.cli.tag import lines_option, make_note
from senna_py.cli.tag_options import (
    TagOptions,
    chosen_format,
    format_option,
    tag_options,
)
from senna_py.errors import SennaError, missing
from senna_py.io.system import processors

_ELSEWHERE = "html", "json"  # formats of a whole run


@click.command(
    "corpus",
    cls=Command,
    brief="pos chk ner srl psg path lines format text-field output cluster jobs",
    examples=(
        "senna-py corpus --pos --ner --format parquet -o tagged texts/",
        "senna-py corpus --jobs 8 --format jsonl -o tagged 'texts/*.txt.gz'",
        "senna-py corpus --text-field body -o tagged pages.jsonl",
        "senna-py corpus --cluster tcp://head:8786 -o s3://bucket/tagged s3://bucket/texts",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@option(
    "-o", "--output", "Write to this directory or URL.", required=True, metavar="DIR"
)
@tag_options(
    ("split_sentences", "all_columns", "layout", "multiwords", "usrvbs", "limit")
)
@lines_option
@format_option(without=_ELSEWHERE)
@option("--text-field", "Key of the text in JSON lines.", default="text")
@number("--part-size", "Size of a part in MiB.", default=16)
@option(
    "--cluster", "Use this Dask scheduler instead of processes here.", metavar="ADDRESS"
)
@option("--jobs", "Processes to use; default: one per core.", type=WORKERS)
def command(inputs, output, lines, text_field, part_size, cluster, jobs, **options):
    """Tag files, directories, globs and URLs in parts, with an output file for each.

    The parts are given to processes of this machine, or to the workers of a Dask
    cluster. Repeat the command to do what is missing.
    """
    options["format"] = chosen_format(options["format"], output, _ELSEWHERE)
    given = TagOptions.given(options, lines)
    needs = ("fsspec", "pyarrow", *(("dask", "distributed") if cluster else ()))
    lacks = [name for name in needs if not find_spec(name)]
    if lacks:
        raise SennaError(missing("corpus", "dask", *lacks))
    from senna_py.cli.tag_parts import Work, tag_corpus
    from senna_py.parts.run import connect

    work = Work.of(output, given, text_field)
    connected = connect(cluster, jobs or processors())
    with on_interrupt(_leave):
        n_failed = tag_corpus(inputs, work, connected, part_size << 20, make_note())
    if n_failed:
        raise click.exceptions.Exit(1)


def _leave(*_):
    """End now, with all processes."""
    for process in multiprocessing.active_children():
        process.kill()
    leave()
