"""A task that nothing else knows: links between mentions, from gold to every output.

All of it stands here: the task, its gold, its decoder. Formats, pictures, tables, scores
and spaCy ask only for the task's shape.
"""

import io
import json
import re

import numpy as np
import pytest

import senna_py
from senna_py import Document, Sentence
from senna_py.answers.annotations import Annotations
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.reading import documents
from senna_py.corpora.csv_records import CsvTable
from senna_py.corpora.places import BatchPlace
from senna_py.corpora.records import Records
from senna_py.display import render
from senna_py.evaluation.layers import LayerPair, headline, score_layers
from senna_py.evaluation.report import report_of
from senna_py.formats.conllu_reading import read_conllu
from senna_py.formats.registry import FORMATS
from senna_py.labels.tasks import Shape, Task
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

LINK = Task(
    "link",
    Shape("links", "links", hangs_on="span"),
    "links between mentions",
    senna=False,
)
TEXT = "Anna Keller met Bo , and Anna Keller saw Bo .\nThe plant has a gate .\n"
# The gold standard: spans in brackets, and behind each the one that it hangs on.
GOLD = """\
[name Anna Keller] met [name Bo] , and [same Anna Keller]>0 saw [same Bo]>1 .
The [whole plant] has a [part gate]>0 .
"""


def make_layer(spans):
    """A layer of (label, begin, end, anchor) in the order of their tokens."""
    if not spans:
        none = np.empty(0, np.int32)
        return Layer(LINK, (), none, none, none, anchor=none)
    names = sorted({label for label, *_ in spans})
    label = [names.index(label) for label, *_ in spans]
    columns = [
        np.array(column, np.int32)
        for column in (label, *zip(*(rest for _, *rest in spans), strict=True))
    ]
    return Layer(LINK, names, *columns[:3], anchor=columns[3])


def read_gold(text):
    """The layer of text in the notation of GOLD."""
    spans, token, begin = [], 0, None
    for line in text.splitlines():
        first = len(spans)
        for word in line.split():
            if word.startswith("["):
                label, begin = word[1:], token
                continue
            token += 1
            if "]" in word:
                anchor = word.partition("]>")[2]
                spans.append(
                    (label, begin, token, first + int(anchor) if anchor else ROOT)
                )
    return make_layer(spans)


def decode(tokens):
    """Links of capitalized words to the same words before, in place of a network."""
    words = [text.decode() for text in tokens.texts()]
    spans, seen, i = [], {}, 0
    while i < len(words):
        end = i
        while end < len(words) and words[end][0].isupper():
            end += 1
        name = tuple(words[i:end])
        if name and name != ("The",):
            label = "same" if name in seen else "name"
            spans.append((label, i, end, seen.get(name, ROOT)))
            seen.setdefault(name, len(spans) - 1)
        i = max(end, i + 1)
    return make_layer(spans)


class ToyTagger:
    """What formats and spaCy take of a Tagger."""

    tasks = (LINK.name,)
    jobs, predicates = 1, "vbs"
    tokenizer = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]), "treebank")

    def task(self, name):
        return {LINK.name: LINK}[name]

    def annotate(self, tokens, marks=None):
        return Annotations(tokens, layers={LINK.name: decode(tokens)}, tasks=self.tasks)

    def document(self, text):
        tokens, owner = self.tokenizer.documents([text])
        return documents(self.annotate(tokens), [text], owner)[0]


TAGGER = ToyTagger()


def printed(name):
    """What a format of the registry prints of TEXT, as bytes."""
    form, out = FORMATS[name], io.BytesIO()
    printer = form.load()(TAGGER)
    tokens = TAGGER.tokenizer.lines(TEXT.encode(), True)
    place = BatchPlace("text")
    if name == "rows":
        table = CsvTable("a.csv", ("text",), ",", True, "text", "\n", 0, None)
        records = Records(("a.csv:2",), (TEXT,), (f'"{TEXT}"',), table)
        place = BatchPlace("", records=records)
    with printer.writer(out, False) as write:
        if printer.header():
            write(printer.header())
        if printer.begin("text"):
            write(printer.begin("text"))
        write(printer.format(TAGGER.annotate(tokens), place))
        if printer.end() + printer.footer():
            write(printer.end() + printer.footer())
    return out.getvalue()


def as_document():
    """The document of TEXT, whose tokens stand between blanks."""
    return TAGGER.document(TEXT)


# What each format shows of the link between the two mentions of Anna Keller.
SHOWN = {
    "senna": b"same:7-8>1-2",
    "conll": b"same:7-8>1-2",
    "conllu": b"link=same:7-8>1-2",
    "jsonl": b'"anchor": {"start_token": 0, "end_token": 2}',
    "json": b'"anchor": {"start_token": 0, "end_token": 2}',
    "csv": b"same:7-8>1-2",
    "entities": b"link,same,Anna Keller,25,36",
    "rows": b",Anna Keller|name; Bo|name; Anna Keller|same|Anna Keller; Bo|same|Bo",
    "html": "same → Anna Keller".encode(),
    "brat": b"R26\tsame Arg1:T1 Arg2:T26",
    "probabilities": b"same:7-8>1-2",
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_it_or_says_that_it_does_not(name):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    if FORMATS[name].shows_task(LINK):
        assert SHOWN.get(name, b"PAR1") in printed(name)
    else:
        assert name not in SHOWN


def test_the_decoder_is_scored():
    predicted = decode(TAGGER.tokenizer.lines(TEXT.encode(), True))
    starts = np.array([0, 10, 15])
    scores = score_layers(LINK, [LayerPair(read_gold(GOLD), predicted, starts)])
    assert headline(LINK, scores) == (pytest.approx(80), "F1")
    assert scores.labels["same"].correct == 2
    report = report_of(LINK.shape.name)
    assert report.lines(scores)[0].startswith("gold: 6 spans; predicted: 4; correct: 4")
    assert report.object(scores)["labels"]["part"]["gold"] == 1


def test_spans_know_what_they_hang_on():
    document = as_document()
    first, _, second, _ = document.spans["link"]
    assert (second.text, second.label, second.anchor) == ("Anna Keller", "same", first)
    assert first.anchor is None
    assert document.layers["link"] == decode(TAGGER.tokenizer.document(TEXT))


def test_python_reads_back_what_it_writes():
    document = as_document()
    assert Document.from_json(document.to_json()) == document
    assert Document.from_bytes(document.to_bytes()) == document
    for line in printed("jsonl").splitlines():
        assert Sentence.from_json(line).spans.keys() == {"link"}
    assert [Sentence.from_dict(each) for each in json.loads(printed("json"))] == [
        Sentence.from_json(line) for line in printed("jsonl").splitlines()
    ]


def test_rows_of_parquet_are_sentences():
    pq = pytest.importorskip("pyarrow.parquet")
    rows = pq.read_table(io.BytesIO(printed("parquet"))).to_pylist()
    assert [Sentence.from_dict(row) for row in rows] == [
        Sentence.from_json(line) for line in printed("jsonl").splitlines()
    ]


def test_conllu_is_read_back(tmp_path):
    path = tmp_path / "links.conllu"
    path.write_bytes(printed("conllu"))
    document = read_conllu(path, [LINK])
    assert document.layers["link"] == as_document().layers["link"]


def test_brat_is_read_back():
    text, relations = {}, []
    for line in printed("brat").decode().splitlines():
        name, rest, *covered = line.split("\t")
        if name[0] == "T":
            label, begin, end = rest.split(" ")
            assert TEXT[int(begin) : int(end)] == covered[0]
            text[name] = label, covered[0]
        else:
            relations.append(
                re.fullmatch(r"(\w+) Arg1:(\w+) Arg2:(\w+)", rest).groups()
            )
    assert [*text.values()] == [(s.label, s.text) for s in as_document().spans["link"]]
    assert [(label, text[a][1], text[b][1]) for label, a, b in relations] == [
        ("same", "Anna Keller", "Anna Keller"),
        ("same", "Bo", "Bo"),
    ]


def test_columns_are_read_back():
    rows = [line.split() for line in printed("senna").decode().split("\n")]
    cells = [row[1] for row in rows if row]
    assert [cell for cell in cells if cell != "-"] == [
        "name:1-2",
        "name:4",
        "same:7-8>1-2",
        "same:10>4",
    ]


def test_it_has_a_table():
    table = senna_py.table(as_document(), "link")
    assert table["text"] == ["Anna Keller", "Bo", "Anna Keller", "Bo"]
    assert table["anchor_start_token"] == [None, None, 0, 3]
    assert table["anchor_end_token"] == [None, None, 2, 4]


def test_it_is_drawn():
    shown = render(as_document())
    assert shown.count("same → Bo") == 1
    assert ">name<" in shown


def test_spacy_has_its_spans():
    spacy = pytest.importorskip("spacy")
    component = pytest.importorskip("senna_py.spacy").SennaComponent(TAGGER)
    doc = component(spacy.blank("en")(TEXT))
    spans = doc.spans["link"]
    assert [(span.text, span.label_, span.id_) for span in spans] == [
        ("Anna Keller", "name", ""),
        ("Bo", "name", ""),
        ("Anna Keller", "same", "0:2"),
        ("Bo", "same", "3:4"),
    ]
