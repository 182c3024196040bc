"""CoNLL-U as it is printed: what validators and readers say, and the text that comes back."""

import io
import re
import subprocess
import sys
from pathlib import Path

import conllu
import pyconll
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna_py.cli.tag_inputs import Reader
from senna_py.cli.tag_job import Job
from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import Place, blank_test
from senna_py.io.streaming import Source
from senna_py.labels.universal_tags import universal_tag
from senna_py.printers.conllu_lines import ConlluPrinter
from senna_py.printers.jsonl import JsonPrinter
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL, tag

_WRITTEN = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos"])


def printed(printer, tagger, pieces, split=False):
    """What a printer writes of lines that come in pieces: bytes."""
    place, out = Place("a"), []
    for piece in pieces:
        tokens = tagger.tokenizer.lines(piece)
        if split:
            tokens = tagger.tokenizer.split_sentences(tokens)
        out.append(printer.print(tagger.annotate(tokens), place))
        place = place.after(piece, blank_test(""))
    return b"".join(out)


def unescape(value):
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _WRITTEN[m[2]], value)


def text_of(sentences):
    """The text of what `conllu` has read."""
    out = []
    for sentence in sentences:
        for token in sentence:
            misc = token["misc"] or {}
            out.append(unescape(misc.get("SpacesBefore", "")) + token["form"])
            after = "" if misc.get("SpaceAfter") == "No" else " "
            out.append(unescape(misc.get("SpacesAfter", after) or ""))
    return "".join(out)


def without_blank_end(text):
    """A text without its last lines that are blank, or of marks of quotation alone."""
    lines = text.split("\n")
    while lines and not lines[-1].lstrip(" \t>").strip():
        lines.pop()
    end = "\n" if text.count("\n") >= len(lines) > 0 else ""
    return "\n".join(lines) + end


TEXTS = st.lists(
    st.text(st.sampled_from("aB.?! |\\\t\r\v\f\x85\u00a0\u2028\u3000é\"'_="), max_size=12),
    max_size=6,
).map("\n".join)


@given(TEXTS, st.booleans())
@settings(max_examples=60)
def test_the_text_comes_back(tagger, text, split):
    data = text.encode()
    printer = ConlluPrinter(tagger, split=split)
    whole = printed(printer, tagger, [data], split)
    assert text_of(conllu.parse(whole.decode())) == without_blank_end(text)
    lines = data.splitlines(keepends=True) if b"\r" not in data else [data]
    assert printed(printer, tagger, lines, split) == whole
    as_json = JsonPrinter(tagger, split=split)
    assert printed(as_json, tagger, lines, split) == printed(as_json, tagger, [data], split)


class LineByLine(Source):
    """A source whose next line always has to be waited for."""

    def __init__(self, data):
        super().__init__("a", raw=io.BytesIO(data))

    def ready(self):
        return False

    def _read(self, size):
        return self._raw.readline()


BLANKS = " \t\v\f\r\x85\u00a0\u2003\u2028\u3000"
WRAPPED = st.lists(
    st.lists(st.sampled_from([*BLANKS, "a", "B.", ">", "--", "é"]), max_size=4).map("".join)
).map("\n".join)


@given(WRAPPED)
@example("One.\n\u00a0\n\nTwo.\n")
@example("One.\n>\n\nTwo.\n")
@settings(max_examples=100)
def test_the_text_of_paragraphs_comes_back(tagger, text):
    options = TagOptions(paragraphs=True)
    job = Job(options, tagger, ConlluPrinter(tagger, split=True), print)
    batches = Reader(options, job, print).lines(LineByLine(text.encode()), Place("a"))
    out = b"".join(job.print(batch).data for batch in filter(None, batches))
    assert text_of(conllu.parse(out.decode())) == without_blank_end(text)


def test_universal_tags():
    assert [universal_tag(*pair) for pair in (("VBZ", "Is"), ("VBZ", "has"), ("RB", "n't"),
            ("NNP", "Is"), ("-LRB-", "("), ("TO", "to"), ("E", "de"))] == [
        "AUX", "VERB", "PART", "PROPN", "PUNCT", "PART", "X",
    ]  # fmt: skip


def senna_tag(*args):
    return tag("--format", "conllu", *args).stdout


@pytest.mark.process
def test_the_validator_and_readers_take_it(tmp_path):
    text = 'He said "x | y"  to\u00a0her. \n\n\n  She \\lives. And?So? # 1\n'
    first, second = tmp_path / "a b.txt", tmp_path / "c.txt"
    first.write_text(text)
    second.write_text("_ =|")
    found = senna_tag("--split-sentences", first, second, first)
    path = tmp_path / "out.conllu"
    path.write_bytes(found)
    validate = [Path(sys.executable).parent / "udvalidate", "--level", "2", "--lang", "en", path]
    result = subprocess.run(validate, capture_output=True, text=True, check=False)
    assert (result.returncode, "PASSED" in result.stdout + result.stderr) == (0, True), result
    sentences = conllu.parse(found.decode())
    assert text_of(sentences) == text + "_ =|" + text
    loaded = pyconll.load_from_file(str(path))
    assert [s.id for s in loaded] == [s.metadata["sent_id"] for s in sentences]
    assert len({s.id for s in loaded}) == len(sentences)
    assert [s.metadata["newdoc id"] for s in sentences if "newdoc id" in s.metadata] == [
        str(name).replace(" ", "_") for name in (first, second, f"{first}.2")
    ]
    assert {key for s in sentences for t in s for key in t["misc"]} >= {
        "NER", "Chunk", "Predicate", "Roles", "Parse",
    }  # fmt: skip
    for token in sentences[0]:
        assert token["upos"] == universal_tag(token["xpos"], token["form"])
    again = senna_tag("-pos", path)  # sentences and their names are kept
    assert [s.metadata["sent_id"] for s in conllu.parse(again.decode())] == [s.id for s in loaded]


def test_lines_that_were_joined_come_back(tmp_path):
    text = "> Hi, you\n> two. So\n\n\nA long\nline. Is\n\n--\nme\n"
    path = tmp_path / "a.txt"
    path.write_text(text)
    sentences = conllu.parse(senna_tag("-pos", "--paragraphs", path).decode())
    assert text_of(sentences) == text
    ends = [s.metadata["sent_id"].partition(".txt-")[2] for s in sentences]
    assert ends == ["1-1", "2-2", "5-1", "6-2", "8-1", "9-1"]
    assert sum("newpar id" in s.metadata for s in sentences) == 4


def test_what_is_asked_for(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("He is here\n")
    (sentence,) = conllu.parse(senna_tag("-ner", "-offsettags", "-iobtags", path).decode())
    assert all(token["xpos"] for token in sentence)
    assert [*sentence[1]["misc"]] == ["NER", "TokenRange"]
    assert sentence[1]["misc"]["TokenRange"] == "3:5"
