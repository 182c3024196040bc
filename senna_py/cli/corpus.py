"""The command `senna-py corpus`, which tags large corpora in parts."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import replace
from functools import lru_cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from senna_py import __version__
from senna_py.cli.entry import leave
from senna_py.cli.help import Command
from senna_py.cli.options import number, option
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.signals import on_interrupt
from senna_py.cli.tag import lines_option, make_note
from senna_py.cli.tag_options import (
    TagOptions,
    chosen_format,
    format_option,
    tag_options,
)
from senna_py.cli.warm_up import compile_apart
from senna_py.errors import SennaError, missing
from senna_py.io.system import host, processors

if TYPE_CHECKING:
    from senna_py.formats.base import Printer
    from senna_py.parts.work import PartWork
    from senna_py.tagger import Tagger

_ELSEWHERE = "html", "json"  # Formats that cannot be written in parts.


@click.command(
    "corpus",
    cls=Command,
    brief="pos chk ner srl psg path lines format field output cluster jobs",
    examples=(
        "senna-py corpus --pos --ner --format parquet -o tagged texts/",
        "senna-py corpus --jobs 8 --format jsonl -o tagged 'texts/*.txt.gz'",
        "senna-py corpus --field body -o tagged pages.jsonl",
        "senna-py corpus --cluster tcp://head:8786 -o s3://bucket/tagged s3://bucket/texts",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@option(
    "-o", "--output", "Write to this directory or URL.", required=True, metavar="DIR"
)
@tag_options(
    (
        "split_sentences",
        "all_columns",
        "layout",
        "multiwords",
        "usrvbs",
        "limit",
        "column",
        "field",
        "id_from",
        "no_quotes",
        "documents",
        "sort_by",
    )
)
@lines_option
@format_option(without=_ELSEWHERE)
@option("--field", "text_field", "Key of the text in JSON lines.", default="text")
@number("--part-size", "Size of a part in MiB.", default=16)
@option(
    "--cluster", "Use this Dask scheduler instead of processes here.", metavar="ADDRESS"
)
@option("--jobs", "Processes to use; default: one per core.", type=WORKERS)
def command(
    inputs: tuple[str, ...],
    output: str,
    lines: bool,
    text_field: str,
    part_size: int,
    cluster: str | None,
    jobs: int | None,
    **options: Any,
) -> None:
    """Tag files, directories, globs and URLs in parts, with an output file for each.

    The parts are distributed to processes on this machine, or to the workers of a Dask
    cluster. Run the command again to process parts that are missing.
    """
    options["format"] = chosen_format(options["format"], output, _ELSEWHERE)
    wanted = TagOptions.from_options(options, lines)
    needs = ("fsspec", "pyarrow", *(("dask", "distributed") if cluster else ()))
    lacks = [name for name in needs if not find_spec(name)]
    if lacks:
        raise SennaError(missing("corpus", "dask", *lacks))
    from senna_py.parts.run import connect, tag_corpus

    work = work_of(output, wanted, text_field)
    connected = connect(cluster, jobs or processors())
    with on_interrupt(_leave):
        n_failed = tag_corpus(inputs, work, connected, part_size << 20, make_note())
    if n_failed:
        raise click.exceptions.Exit(1)


def work_of(output: str, options: TagOptions, text_field: str = "text") -> PartWork:
    """Return a PartWork, which tags parts with the model on this machine.

    The model and the options are checked first, so that errors occur before any part is
    tagged.

    Args:
        output: The directory or URL for the outputs of parts.
        options: The options for reading, tagging and printing text.
        text_field: The key of the text in JSON lines.

    Raises:
        SennaError: If the output cannot be used, the model cannot be read, or the
            options do not suit the model.
    """
    from senna_py.model import Model
    from senna_py.parts.store import Store
    from senna_py.parts.work import PartWork

    options = replace(options, path=options.path and os.path.abspath(options.path))
    store = Store.at(output, options.output)
    digest = Model(options.path).digest()
    tools_of(options, digest)
    settings = options.as_dict() | {
        "senna-py": __version__,
        "path": digest,
        "text_field": text_field,
    }
    tools = partial(tools_of, options, digest)
    return PartWork(store, options, settings, text_field, tools)


@lru_cache(maxsize=4)
def tools_of(options: TagOptions, digest: str) -> tuple[Tagger, Printer]:
    """Return the tagger and the printer of this process; they are cached.

    Args:
        options: The options for tagging and printing text.
        digest: The hash of the model of the run.

    Raises:
        SennaError: If the model of this process has another hash.
    """
    from senna_py.model import Model

    if Model(options.path).digest() != digest:
        path = options.path or "senna-py or its model"
        raise SennaError(f"{host()}: {path}: not the same as where the run began")
    tagger = options.tagger()
    compile_apart(options, tagger)
    return tagger, options.printer(tagger)


def _leave(*_: object) -> None:
    """Kill all worker processes, and end this process; a signal handler."""
    for process in multiprocessing.active_children():
        process.kill()
    leave()
