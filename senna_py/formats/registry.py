"""The registry of output formats.

A new format needs an entry in FORMATS and a module, which is imported on first use.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError
from senna_py.io.streaming import COMPRESSED
from senna_py.labels.tasks import (
    ARCS,
    FEATS,
    LEMMA,
    POS,
    ROLES,
    TABLE,
    UPOS,
    VALUES,
    Structure,
    find_task,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from senna_py.formats.base import Printer
    from senna_py.labels.tasks import Task
    from senna_py.model import Model


_TEXT = "txt"  # The default file name extension of formats.
# The columns of CoNLL-2003, by their tasks.
CONLL2003 = "pos", "chk", "ner"
# The tasks that triples are made of: the first two are needed.
OF_TRIPLES = UPOS, ARCS, LEMMA, FEATS, ROLES, "ner", VALUES, POS


def _any(task: Task) -> bool:
    return True


def _none(task: Task) -> bool:
    return False


def _of_conll2003(task: Task) -> bool:
    return task.name in CONLL2003


def _in_brackets(task: Task) -> bool:
    """Return whether a bracketed tree shows a task, as phrases or at its leaves."""
    trees = (each for each in TABLE.values() if each.shape.nested)
    return task.shape.nested or any(task.name in tree.needs for tree in trees)


def _are_roles(task: Task) -> bool:
    return task.name == ROLES


def _in_triples(task: Task) -> bool:
    return task.name in OF_TRIPLES


def _in_text(task: Task) -> bool:
    """Return whether BRAT shows a task, as marked text or as relations."""
    return task.marked or task.shape.structure in (Structure.HEADS, Structure.LINKS)


def _of_spans(task: Task) -> bool:
    return task.shape.structure in (Structure.SPANS, Structure.LINKS)


class Format(NamedTuple):
    """An output format.

    Attributes:
        where: The module and the class of its Printer, `module:class`.
        title: A description for help texts.
        takes: The keyword arguments of the class; see `TagOptions.printer`.
        shows_task: A function that returns whether the format can show a Task.
        ending: The file name extension, without a dot.
        other_endings: Further extensions that select the format. So does `ending`,
            unless it is ambiguous; see `format_of_ending`.
        has_pages: Whether each document may have a file of its own. The Printer then
            has the method `page_of`, and `index` unless `pairs`.
        pairs: Whether a file belongs to one text and is named after it.
        shows_records: Whether the format can show texts that come from records.
        universal: Whether the format is one of Universal Dependencies.
    """

    where: str
    title: str
    takes: tuple[str, ...] = ()
    shows_task: Callable[[Task], bool] = _any
    ending: str = _TEXT
    other_endings: tuple[str, ...] = ()
    has_pages: bool = False
    pairs: bool = False
    shows_records: bool = True
    universal: bool = False

    @property
    def shows_all(self) -> bool:
        """Whether the format can show all tasks."""
        return self.shows_task is _any

    def shows(self, name: str) -> bool:
        """Return whether the format can show the task with the given name."""
        return self.shows_task(find_task(name))

    def load(self) -> type[Printer]:
        """Import and return the class of its Printer."""
        module, name = self.where.split(":")
        printer: type[Printer] = getattr(
            importlib.import_module(f"senna_py.formats.{module}"), name
        )
        return printer

    def paired_name(self, text: str) -> str:
        """Return the name of the file for a text, such as `a.ann` for `a.txt.gz`."""
        name, ending = os.path.splitext(text)
        if ending.lower() in COMPRESSED:
            name = os.path.splitext(name)[0]
        return f"{name}.{self.ending}"


FORMATS = {
    "senna": Format(
        "columns:ColumnPrinter",
        "padded columns",
        ("scheme", "offsets", "words", "by_word"),
    ),
    "conll": Format(
        "columns:TabPrinter",
        "tab-separated columns",
        ("scheme", "offsets", "header", "by_word"),
        ending="tsv",
        other_endings=("conll",),
    ),
    "conllu": Format(
        "conllu:ConlluPrinter",
        "CoNLL-U",
        ("scheme", "offsets", "split", "alone", "asked"),
        ending="conllu",
        shows_records=False,
        universal=True,
    ),
    "conll2003": Format(
        "conll2003:Conll2003Printer",
        "the columns of CoNLL-2003",
        ("scheme", "by_word"),
        _of_conll2003,
        other_endings=("conll2003",),
        shows_records=False,
    ),
    "jsonl": Format(
        "json_lines:JsonPrinter",
        "one JSON object per sentence",
        ("scheme", "split", "scores", "by_record"),
        ending="jsonl",
        other_endings=("ndjson",),
    ),
    "json": Format(
        "json_lines:ArrayPrinter",
        "an array of these objects",
        ("scheme", "split", "scores", "by_record"),
        ending="json",
    ),
    "triples": Format(
        "triples:TriplePrinter",
        "who did what, when and where, as CSV",
        ("split",),
        _in_triples,
        universal=True,
    ),
    "triples-jsonl": Format(
        "triples:TripleJsonPrinter",
        "the same, one JSON object per triple",
        ("split",),
        _in_triples,
        universal=True,
    ),
    "allennlp": Format(
        "allennlp:AllenNlpPrinter",
        "semantic roles as AllenNLP's JSON",
        shows_task=_are_roles,
    ),
    "csv": Format(
        "token_rows:TokenRowPrinter",
        "a row per token; if the input is CSV, per row of the input",
        ("scheme", "split", "scores"),
        ending="csv",
    ),
    "entities": Format(
        "span_rows:SpanRowPrinter",
        "only the spans of a text, as rows of CSV",
        ("split", "scores"),
        _of_spans,
        ending="csv",
        other_endings=("entities",),
    ),
    "brat": Format(
        "brat:BratPrinter",
        "entities or dependencies in BRAT's standoff format",
        ("alone",),
        _in_text,
        "ann",
        has_pages=True,
        pairs=True,
        other_endings=("brat",),
        shows_records=False,
    ),
    "trees": Format(
        "bracketed:TreePrinter",
        "one bracketed tree per sentence",
        (),
        _in_brackets,
        other_endings=("trees", "mrg", "ptb"),
    ),
    "html": Format(
        "html_pages:HtmlPrinter",
        "a web page (-o DIR/: several)",
        ("title",),
        ending="html",
        has_pages=True,
        other_endings=("htm",),
        shows_records=False,
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
    "rows": Format(
        "record_rows:RecordRowPrinter",
        "rows of CSV with further cells",
        ("scheme", "split", "scores"),
    ),
    "tokens": Format(
        "token_text:TokenPrinter", "one sentence per line", ("by_word",), _none
    ),
}


# The formats that other options and commands select.
UNNAMED = ("tokens", "probabilities", "rows")


def format_of_ending(ending: str) -> str | None:
    """Return the name of the format for the ending of a file name, or None."""
    for name, format_ in FORMATS.items():
        if ending in format_.other_endings:
            return name
    having = [name for name, format_ in FORMATS.items() if format_.ending == ending]
    # The ending `.tsv` means columns, not probabilities, and `.csv` a row per token;
    # `.txt` is ambiguous.
    return having[0] if having and ending != _TEXT else None


def able_tasks(model: Model, predicates: str, name: str) -> list[str]:
    """Return the tasks of a model that a format can show.

    Raises:
        SennaError: If the model has none.
    """
    shows = FORMATS[name].shows_task
    able = [task for task in model.tasks(predicates) if shows(model.task(task))]
    if not able:
        raise SennaError(
            f"{model.path}: has no network that --format {name} could print"
        )
    return able


def marked_tasks(model: Model, predicates: str, name: str) -> list[str]:
    """Return the first task of a model whose spans are marked in text.

    Without any, the tasks that a format can show are returned.

    Args:
        model: The model.
        predicates: The source of predicates; see Tagger.
        name: The name of the format.

    Raises:
        SennaError: If the model has no such task.
    """
    known = model.tasks(predicates)
    marked = [task for task in known if model.task(task).marked]
    return marked[:1] or able_tasks(model, predicates, name)
