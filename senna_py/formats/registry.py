"""The output formats by name. A new one is a line here, and its file; neither loads
it.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError
from senna_py.io.streaming import COMPRESSED

if TYPE_CHECKING:
    from senna_py.formats.base import Printer
    from senna_py.model import Model


class Format(NamedTuple):
    """An output format.

    where: module and class of its Printer; title: for help texts; takes: options that
    the class takes by name, see `TagOptions.printer`; shows: tasks that it can show,
    empty for all; own: whether it shows segments of a user's tasks, too; ending: of
    names of files; has_pages: whether documents may have a file each, for which its
    Printer has `page_of`, and `index`; pairs: whether a file belongs to one text, by
    whose name it is called.
    """

    where: str
    title: str
    takes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    ending: str = "txt"
    own: bool = False
    has_pages: bool = False
    pairs: bool = False

    def load(self) -> type[Printer]:
        module, name = self.where.split(":")
        printer: type[Printer] = getattr(
            importlib.import_module(f"senna_py.formats.{module}"), name
        )
        return printer

    def paired_name(self, text: str) -> str:
        """Return the name of the file that belongs to a text of a name: `a.ann` of
        `a.txt.gz`.
        """
        name, ending = os.path.splitext(text)
        if ending.lower() in COMPRESSED:
            name = os.path.splitext(name)[0]
        return f"{name}.{self.ending}"


FORMATS = {
    "senna": Format(
        "columns:ColumnPrinter", "padded columns", ("scheme", "offsets", "words")
    ),
    "conll": Format(
        "columns:TabPrinter",
        "tab-separated columns",
        ("scheme", "offsets", "header"),
        ending="tsv",
    ),
    "conllu": Format(
        "conllu:ConlluPrinter",
        "CoNLL-U",
        ("scheme", "offsets", "split", "alone", "asked"),
        ending="conllu",
    ),
    "conll2003": Format(
        "conll2003:Conll2003Printer",
        "the columns of CoNLL-2003",
        ("scheme",),
        ("pos", "chk", "ner"),
    ),
    "jsonl": Format(
        "json_lines:JsonPrinter",
        "one JSON object per sentence",
        ("scheme", "split"),
        ending="jsonl",
    ),
    "json": Format(
        "json_lines:ArrayPrinter",
        "an array of these objects",
        ("scheme", "split"),
        ending="json",
    ),
    "brat": Format(
        "brat:BratPrinter",
        "entities or dependencies in BRAT's standoff format",
        ("alone",),
        ("ner", "dep", "val"),
        "ann",
        own=True,
        has_pages=True,
        pairs=True,
    ),
    "trees": Format(
        "bracketed:TreePrinter", "one bracketed tree per sentence", (), ("pos", "psg")
    ),
    "html": Format(
        "html_pages:HtmlPrinter",
        "a web page (-o DIR/: several)",
        ("title",),
        ending="html",
        has_pages=True,
    ),
    "parquet": Format(
        "parquet:ParquetPrinter",
        "a table with a row per sentence",
        ("scheme", "split"),
        ending="parquet",
    ),
    "probabilities": Format(
        "probabilities:ProbabilityPrinter",
        "all likely labels of a task",
        ("least",),
        ending="tsv",
    ),
    "tokens": Format("token_text:TokenPrinter", "one sentence per line"),
}


def able_tasks(model: Model, predicates: str, name: str) -> list[str]:
    """Tasks of a format that a model has; raises SennaError if it has none."""
    able = [task for task in FORMATS[name].shows if task in model.tasks(predicates)]
    if not able:
        raise SennaError(
            f"{model.path}: has no network that --format {name} could print"
        )
    return able
