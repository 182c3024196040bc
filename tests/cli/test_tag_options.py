"""TagOptions: what goes together, and formats; options of commands from fields of
Settings.
"""

import pickle
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from senna_py.cli.setting_options import options_of
from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import BatchPlace
from senna_py.errors import UsageError
from senna_py.formats.base import Printer
from senna_py.formats.registry import FORMATS
from senna_py.io.settings import Settings, setting
from tests.helpers.commands import MODEL


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"header": True}, "header cannot be used with format senna, only with conll$"),
        (
            {"least": 0.5},
            "least cannot be used with format senna, only with probabilities$",
        ),
        (
            {"format": "conll", "notokentags": True},
            "notokentags cannot be used with format conll",
        ),
        (
            {"format": "html", "iobtags": True},
            "iobtags cannot be used with format html",
        ),
        (
            {"format": "brat", "tasks": ("pos",)},
            "the task pos cannot be used with format brat",
        ),
        (
            {"format": "trees", "posvbs": True},
            "posvbs cannot be used with format trees",
        ),
        (
            {"format": "jsonl", "probabilities": True, "tasks": ("pos",)},
            "format jsonl cannot be used with probabilities",
        ),
        ({"probabilities": True}, "probabilities are those of one task"),
        ({"usrvbs": "x", "posvbs": True}, "posvbs cannot be used with usrvbs"),
        ({"usrvbs": "x", "limit": 1}, "limit cannot be used with usrvbs"),
        ({"usrvbs": "x", "paragraphs": True}, "paragraphs cannot be used with usrvbs"),
        ({"encoding": "klingon"}, "no such encoding: 'klingon'"),
        ({"format": "dvi"}, "format: there is no 'dvi'"),
        ({"limit": 0}, "limit: expected 1 at least"),
    ],
)
def test_what_does_not_go_together(options, problem):
    with pytest.raises(UsageError, match=problem):
        TagOptions(**options)


def test_options_of_a_command_are_taken_out_of_it():
    given = {
        "pos": True,
        "ner": False,
        "task": ("mine",),
        "least": None,
        "jobs": 2,
        "limit": 3,
    }
    options = TagOptions.from_options(given)
    assert options == TagOptions(tasks=("pos", "mine"), limit=3)
    assert given == {"jobs": 2}
    with pytest.raises(click.UsageError, match="header cannot be used with"):
        TagOptions.from_options({"header": True})


def test_workers_get_them_pickled(tmp_path):
    options = TagOptions(str(MODEL), ("pos",), abbreviations=("z.B",), format="jsonl")
    copy = pickle.loads(pickle.dumps(options))
    assert copy == options
    tagger = copy.tagger()
    assert (tagger.tasks, tagger.tokenizer.abbreviations) == (("pos",), ("z.B",))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_printer_that_takes_its_options(name, shipped_model):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    is_uncertain = name == "probabilities"
    needs_dependencies = name.startswith("triples")
    options = TagOptions(
        str(shipped_model.path if needs_dependencies else MODEL),
        ("pos",) if is_uncertain else (),
        probabilities=is_uncertain,
        format="senna" if is_uncertain else name,
    )
    tagger = options.tagger()
    printer = options.printer(tagger)
    assert isinstance(printer, Printer)
    tokens = tagger.tokenizer.lines(b"")
    found = tagger.annotate(tokens, None, printer.uncertain)
    assert len(printer.format(found, BatchPlace("x"))) == 0
    for end in (printer.header(), printer.begin("x"), printer.end(), printer.footer()):
        assert isinstance(end, bytes)


@dataclass(frozen=True)
class Sizes(Settings):
    text: str = setting(help="The text.")
    dim: int = setting(30, "Size of vectors.", least=1, most=64, by="--preset")
    rate: float = setting(0.1, "SGD rate.", above=0, below=1, metavar="R")
    kind: str = setting("sgd", "The optimizer.", choices=("sgd", "adam"))
    least_gain: float | None = setting(None, "Halve the rate.", least=0)
    classes: int | str | None = setting(None, "Their number or file.", metavar="N|FILE")
    plain: bool = setting(False, "No layer.")
    seed: int = setting(1)


def run(*args):
    """Result of a command with the options, which prints what it is given."""

    @click.command()
    @options_of(Sizes, omit=("seed",))
    def command(**values):
        click.echo(repr(values))

    return CliRunner().invoke(command, args)


def test_values_by_the_names_of_fields():
    assert eval(run("--text", "a").output) == {
        "text": "a",
        "dim": None,
        "rate": 0.1,
        "kind": "sgd",
        "least_gain": None,
        "classes": None,
        "plain": False,
    }
    given = run("--text=a", "--dim=5", "--least-gain=2", "--plain", "--classes=20")
    found = eval(given.output)
    assert (found["dim"], found["least_gain"], found["plain"]) == (5, 2.0, True)
    assert found["classes"] == 20
    assert eval(run("--text=a", "--classes=2x").output)["classes"] == "2x"


@pytest.mark.parametrize(
    "option", ["--dim=65", "--dim=1_0", "--rate=nan", "--kind=x", "--seed=2"]
)
def test_limits_are_those_of_the_field(option):
    result = run("--text", "a", option)
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_a_setting_without_default_is_required():
    result = run()
    assert result.exit_code == 2
    assert "Missing option '--text'" in result.output


def test_help_tells_defaults_and_limits():
    text = " ".join(run("--help").output.split())
    assert "--rate R SGD rate. [default: 0.1; 0<x<1]" in text
    assert "--dim N Size of vectors. [default: (by --preset); 1<=x<=64]" in text
    assert "--classes N|FILE Their number or file." in text
