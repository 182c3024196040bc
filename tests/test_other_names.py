"""Errors that users see; what spaCy calls things, in errors and in the table of the
guide.
"""

import copy
import importlib
import pickle
import re
import sys
import traceback
from pathlib import Path

import pytest

import senna_py.other_names
from senna_py import Document
from senna_py.errors import SennaError, UsageError, one_line
from senna_py.io.package_tables import read_table

TABLE = read_table(Path(senna_py.other_names.__file__).with_suffix(".tsv"))
GUIDE = Path(__file__).resolve().parent.parent / "docs" / "guide" / "switch.md"
TEXT = "Anna Keller runs a plant in Chicago . They did not sign it ."


@pytest.fixture
def things(tagger):
    """An object of each class, by what the guide calls it."""
    document = tagger.document(TEXT)
    return {
        "doc": document,
        "sent": document.sentences[0],
        "nlp(text)": document.sentences[0],
        "nlp": tagger,
        "span": document.chunks[0],
        "token": document.tokens[0],
        "frame": document.frames[0],
    }


def rows():
    """Names of spaCy's in the table of the guide, and the cell with ours."""
    section = (
        GUIDE.read_text(encoding="utf-8")
        .split("\n## Names of spaCy\n")[1]
        .split("\n#")[0]
    )
    for left, right in re.findall(r"^\| (`.*) \| (.*) \|$", section, re.MULTILINE):
        for name in re.findall(r"`([\w()]+\.\w+)`", left):
            yield name, right


def test_errors_say_what_the_table_says(things):
    names = set()
    for name, ours in rows():
        kind, attribute = name.split(".")
        thing = things[kind]
        with pytest.raises(AttributeError) as found:
            getattr(thing, attribute)
        message = str(found.value)
        names.add(attribute.rstrip("_"))
        expected = re.search(r"`(?:(\w+)\.)?([^`]*)`", ours)
        if expected:
            called = "nlp" if expected[1] == "nlp" else type(thing).__name__.lower()
            use = f"{called}.{expected[2]}" if expected[1] else expected[2]
            assert re.search(f": use {re.escape(use)}(, |; no |$)", message)
        else:
            assert message.endswith(
                f": the tagger finds {ours.replace('none: ', 'no ')}"
            )
    own = ("module", "keyword")
    assert names == {name for kind in TABLE if kind not in own for name in TABLE[kind]}


def test_names_of_the_module_and_of_arguments(tagger):
    guide = GUIDE.read_text(encoding="utf-8")
    for name, advice in TABLE["module"].items():
        with pytest.raises(AttributeError, match=rf"{name}': {re.escape(advice)}$"):
            getattr(senna_py, name)
        assert f"`{name}`" in guide
    for name, advice in TABLE["keyword"].items():
        for function in (senna_py.load, tagger.pipe):
            with pytest.raises(TypeError, match=rf"'{name}': {re.escape(advice)}$"):
                function([], **{name: 2})
    for function in (senna_py.load, tagger.pipe):
        with pytest.raises(TypeError, match=r"argument 'nothing'$"):
            function([], nothing=2)
    assert not hasattr(senna_py, "nothing")


def test_the_error_of_a_task_that_was_not_run_can_be_typed():
    nlp = senna_py.load(tasks=["pos"])
    with pytest.raises(UsageError) as found:
        nlp(["Go"])[0].upos  # noqa: B018
    call = re.search(r"load\(.*?\)", str(found.value))[0]
    more = eval(call, {"load": senna_py.load, "nlp": nlp})
    assert more.tasks == ("pos", "upos") and more(["Go"])[0].upos == "VERB"


def test_what_stands_elsewhere_is_named(things):
    for kind, name, advice in (
        ("doc", "tree", "use tree of each of document.sentences"),
        ("doc", "idx", "use start_char of each of document.tokens"),
        ("sent", "pos", "use pos of each of sentence.tokens"),
        ("span", "is_alpha", "use span.text.isalpha()"),
        ("span", "sents", "use span.sentence"),
        ("token", "index", "use token.i"),
        ("frame", "label_", "use label of each of frame.arguments"),
    ):
        with pytest.raises(AttributeError, match=f": {re.escape(advice)}$"):
            getattr(things[kind], name)


def test_hints_say_how_to_run_a_task_that_was_not_run(things):
    for kind, name, hint, task in (
        ("token", "pos_", "token.upos", "upos"),
        ("token", "is_punct", "token.upos == 'PUNCT'", "upos"),
        ("token", "morph", "token.feats", "feats"),
        ("span", "lefts", "span.root.lefts", "dep"),
        ("span", "dep_", "span.root.relation", "dep"),
    ):
        with pytest.raises(AttributeError) as found:
            getattr(things[kind], name)
        message = str(found.value)
        assert f": use {hint}; no " in message
        assert f"load(nlp.model.path, tasks=[*nlp.tasks, '{task}']) runs it" in message


def test_other_attributes_fail_as_everywhere(things):
    class Own(Document):
        pass

    with pytest.raises(AttributeError, match=r": use document\.entities$"):
        Own("").ents  # noqa: B018
    assert not hasattr(things.pop("nlp"), "nothing")
    for thing in things.values():
        assert not hasattr(thing, "nothing")
        assert not hasattr(thing, "_private") and not hasattr(thing, "__array__")
        assert (
            copy.copy(thing)
            == copy.deepcopy(thing)
            == pickle.loads(pickle.dumps(thing))
            == thing
        )
    try:
        things["doc"].entitiez  # noqa: B018
    except AttributeError as error:
        assert (error.name, error.obj) == ("entitiez", things["doc"])
    try:
        things["doc"].ents  # noqa: B018
    except AttributeError as error:  # Python would not suggest another name as well
        assert "Did you mean" not in "".join(traceback.format_exception(error))


def test_messages_are_one_line_whatever_a_file_puts_into_them():
    assert str(SennaError("a\nb\x1b[31m: \u2028wrong")) == r"a\nb\x1b[31m: \u2028wrong"
    long = str(UsageError("model: " + "\n" * 70_000 + ": no such name"))
    assert len(long) <= 1000
    assert long.startswith("model: ") and long.endswith(": no such name")
    for longest in (20, 60, 300):
        short = one_line("".join(map(chr, range(0x4E00, 0x5000))), longest)
        assert (
            len(short) == longest
            and short[0] == "一"
            and short[-1] == "俿"
            and " ... " in short
        )


@pytest.mark.parametrize(
    ("module", "needed"), [("dataframe", "pyarrow"), ("spacy", "spacy")]
)
def test_extras_that_are_missing_say_how_to_install_them(module, needed, monkeypatch):
    monkeypatch.delitem(sys.modules, f"senna_py.{module}", raising=False)
    for name in (needed, f"{needed}.language"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        ImportError, match=f"needs {needed}: pip install {needed}, or in a chec"
    ):
        importlib.import_module(f"senna_py.{module}")
