"""TagOptions: what goes together, what workers get, and the formats that they name."""

import pickle

import click
import pytest

from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import Place
from senna_py.errors import UsageError
from senna_py.printers.base import Printer
from senna_py.printers.registry import FORMATS
from tests.helpers.commands import MODEL


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"header": True}, "header does not go with format senna, but with conll$"),
        ({"least": 0.5}, "least does not go with format senna, but with probabilities$"),
        ({"format": "conll", "notokentags": True}, "notokentags does not go with format conll"),
        ({"format": "html", "iobtags": True}, "iobtags does not go with format html"),
        ({"format": "brat", "tasks": ("pos",)}, "the task pos does not go with format brat"),
        ({"format": "trees", "posvbs": True}, "posvbs does not go with format trees"),
        ({"format": "jsonl", "probabilities": True, "tasks": ("pos",)}, "format jsonl does not go"),
        ({"probabilities": True}, "probabilities are those of one task"),
        ({"usrvbs": "x", "posvbs": True}, "posvbs does not go with usrvbs"),
        ({"usrvbs": "x", "limit": 1}, "limit does not go with usrvbs"),
        ({"usrvbs": "x", "paragraphs": True}, "paragraphs does not go with usrvbs"),
        ({"encoding": "klingon"}, "no such encoding: 'klingon'"),
        ({"format": "xml"}, "format: there is no 'xml'"),
        ({"limit": 0}, "limit: expected 1 at least"),
    ],
)
def test_what_does_not_go_together(options, problem):
    with pytest.raises(UsageError, match=problem):
        TagOptions(**options)


def test_options_of_a_command_are_taken_out_of_it():
    given = {"pos": True, "ner": False, "task": ("mine",), "least": None, "jobs": 2, "limit": 3}
    options = TagOptions.given(given)
    assert options == TagOptions(tasks=("pos", "mine"), limit=3)
    assert given == {"jobs": 2}
    with pytest.raises(click.UsageError, match="header does not go with"):
        TagOptions.given({"header": True})


def test_workers_get_them_pickled(tmp_path):
    options = TagOptions(str(MODEL), ("pos",), abbreviations=("z.B",), format="jsonl")
    copy = pickle.loads(pickle.dumps(options))
    assert copy == options
    tagger = copy.tagger()
    assert (tagger.tasks, tagger.tokenizer.abbreviations) == (("pos",), ("z.B",))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_printer_that_takes_its_options(name):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    is_uncertain = name == "probabilities"
    options = TagOptions(
        str(MODEL), ("pos",) if is_uncertain else (), probabilities=is_uncertain,
        format="senna" if is_uncertain else name,
    )  # fmt: skip
    tagger = options.tagger()
    printer = options.printer(tagger)
    assert isinstance(printer, Printer)
    tokens = tagger.tokenizer.lines(b"")
    found = tagger.annotate(tokens, None, printer.uncertain)
    assert len(printer.print(found, Place("x"))) == 0
    for end in (printer.header(), printer.begin("x"), printer.end(), printer.footer()):
        assert isinstance(end, bytes)
