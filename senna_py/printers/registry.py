"""The output formats by name. A new one is a line here, and its file; neither loads
it.
"""

import importlib
import os
from typing import NamedTuple

from senna_py.io.streaming import COMPRESSED
from senna_py.printers.base import Printer


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
            importlib.import_module(f"senna_py.printers.{module}"), name
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
        "conllu_lines:ConlluPrinter",
        "CoNLL-U",
        ("scheme", "offsets", "split", "alone", "asked"),
        ending="conllu",
    ),
    "conll2003": Format(
        "standoff:Conll2003Printer",
        "the columns of CoNLL-2003",
        ("scheme",),
        ("pos", "chk", "ner"),
    ),
    "jsonl": Format(
        "sentences:JsonPrinter",
        "one JSON object per sentence",
        ("scheme", "split"),
        ending="jsonl",
    ),
    "json": Format(
        "sentences:ArrayPrinter",
        "an array of these objects",
        ("scheme", "split"),
        ending="json",
    ),
    "brat": Format(
        "standoff:BratPrinter",
        "entities or dependencies in BRAT's standoff format",
        ("alone",),
        ("ner", "dep", "val"),
        "ann",
        own=True,
        has_pages=True,
        pairs=True,
    ),
    "trees": Format(
        "tree_lines:TreePrinter", "one bracketed tree per sentence", (), ("pos", "psg")
    ),
    "html": Format(
        "html_lines:HtmlPrinter",
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
    "tokens": Format("token_lines:TokenPrinter", "one sentence per line"),
}
