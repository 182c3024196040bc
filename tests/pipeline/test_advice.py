"""Notes on text that would better be read in another way, and on what is no text."""

import os
import textwrap

import pytest

from senna_py.cli.tag_options import TagOptions
from senna_py.pipeline.advice import JSON, SEVERAL, WRAPPED, advice
from tests.helpers.commands import MODEL, assert_one_line_error, printed, run, tag

LINES, TEXT = TagOptions(), TagOptions(split_sentences=True)
PROSE = (
    "The quick report that Angela Merkel gave in Berlin last week was read by many, and a member "
    "of the House of Commons asked for a copy of it. Nobody there had one, so that a clerk was "
    "sent to the library. He came back with the wrong volume, which everybody found funny! "
)
HEADLINES = """\
Police Find Missing Boat Near Dover
Council Votes to Close Two Old Schools
Rain Expected All Over the Country Soon
Singer of Famous Band Breaks His Left Leg
Museum Buys Painting That It Once Sold
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One. Two. Three.", 1),
        ("He left.\nShe stayed. It rained.\n", 2),
        ("He left . She stayed .\n", 1),
        ('"Go!" She went. (Then he did.)\n', 1),
        ("What? No.\r\nYes.\r\n", 1),
        (PROSE, 1),
        ("Title\n\n" + f"{PROSE}\n\n" * 3, 3),
        ("Élan vital. Übung macht müde. Œuvre.\n", 1),
    ],
)
def test_several_sentences_on_a_line_are_noted(text, line):
    assert advice(text.encode(), LINES) == (f"line {line}", SEVERAL)
    assert advice(text.encode(), TEXT) is None
    assert advice(text.encode(), TagOptions(usrtokens=True)) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "He lives in Rome .\nShe does not .\n",
        "Mr. Smith of the U.S. Army met Gen. Lee, J. P. Morgan Inc. and Dr. No.\n",
        'He said "No!" and left.\n"Why?" she asked.\n',
        "Version 2. The next one\n",
        "He left... then came back.\n",
        "See e.g. Figure 3. or fig. 4.\n",
        "He left. She stayed.\n"
        + "It rained.\n" * 20,  # once in a while: a title perhaps
        HEADLINES,
        "i am going out tonight\nlol what was that\nno idea what you mean\nme neither\nok\n",
        "\xff\x00",
        "!" * 9000,  # in no time
    ],
)
def test_lines_that_are_sentences_are_not(text):
    assert advice(text.encode("latin-1"), LINES) is None
    assert advice(text.encode("latin-1"), TEXT) is None


@pytest.mark.parametrize("width", [40, 72, 100])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_wrapped_lines_are_noted(width, end):
    wrapped = textwrap.fill(PROSE * 2, width) + "\n\n"
    text = ("A heading\n\n" + wrapped * 5).replace("\n", end).encode()
    assert advice(text, LINES) == advice(text, TEXT) == ("lines", WRAPPED)
    assert advice(text, TagOptions(paragraphs=True)) is None
    assert advice(text, TagOptions(usrtokens=True)) is None


def test_records_are_noted():
    for text in (b'{"text": "He left."}\n', b'{"id":1,"text":"He left. She did."}'):
        assert advice(text, TEXT) == advice(text, LINES) == ("this", JSON)
    assert advice(b'{"a set"} and {1}\n', TEXT) is None


def test_notes_are_printed_once_for_all_inputs(tmp_path):
    for name, text in (
        ("a", "He left. She stayed.\n"),
        ("b", textwrap.fill(PROSE, 50)),
    ):
        (tmp_path / name).write_text(text)
    found = tag("-pos", "a", "a", "b", "b", cwd=tmp_path).stderr.decode().splitlines()
    assert found == [f"senna-tag: a: line 1{SEVERAL}", f"senna-tag: b: lines{WRAPPED}"]
    for verb in (("tag", "--lines"), ("tag",), ("tokenize",)):
        assert printed(run("senna-py", *verb, "--path", MODEL, "a", cwd=tmp_path))
    found = run("senna-py", "tokenize", "--path", MODEL, "b", cwd=tmp_path)
    assert found.stderr.decode() == f"senna-py: b: lines{WRAPPED}\n"
    assert tag("-pos", "--paragraphs", "b", cwd=tmp_path).stderr == b""


@pytest.mark.parametrize("text", ["He lives in Rome.", "Rome", "Really?", "No " * 999])
def test_a_text_in_place_of_a_file(text):
    result = tag("-pos", text)
    assert_one_line_error(result, "senna-tag: ")
    assert (b"echo TEXT | senna-tag" in result.stderr) == (text != "Rome")


@pytest.mark.parametrize(
    "verb", [["senna-tag"], ["senna-py", "tag"], ["senna-py", "tokenize"]]
)
def test_a_directory_is_no_text(verb, tmp_path):
    result = run(*verb, "--path", MODEL, tmp_path)
    assert_one_line_error(result, f"{tmp_path}: a directory: name its files")
    assert b"senna-py corpus" in result.stderr


def test_who_types_is_told_how_to_end():
    ours, theirs = pytest.importorskip("pty").openpty()
    saved = os.dup(0)
    os.write(ours, b"He left .\n\x04")
    try:
        os.dup2(theirs, 0)
        from senna_py.io.streaming import Source, read_lines

        with pytest.MonkeyPatch.context() as patch:
            said = []
            patch.setattr("senna_py.io.progress.say", said.append)
            with Source("-") as source:
                lines = [*read_lines(source)]
    finally:
        os.dup2(saved, 0)
        for descriptor in (ours, theirs, saved):
            os.close(descriptor)
    assert (lines, len(said)) == ([b"He left ."], 1)
    assert "Ctrl-D" in said[0]
