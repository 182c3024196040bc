"""Triples of documents, their JSON, and the formats that print them."""

import csv
import io
import json
import pickle

import pytest

from senna_py import load
from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError, UsageError
from senna_py.formats.allennlp import AllenNlpPrinter, propbank_label, roles_object
from senna_py.formats.triples import TripleJsonPrinter, TriplePrinter
from senna_py.labels.tag_schemes import segments
from tests.helpers.documents import (
    arcs,
    document_of,
    frame,
    sentence_object,
    sentence_of,
)

WORDS = ["The", "car", "was", "sold", "by", "Ann", "in", "May"]
HEADS = [1, 3, 3, None, 5, 3, 7, 3]
RELATIONS = [
    "det",
    "nsubj:pass",
    "aux:pass",
    "root",
    "case",
    "obl:agent",
    "case",
    "obl",
]
UPOS = ["DET", "NOUN", "AUX", "VERB", "ADP", "PROPN", "ADP", "PROPN"]
LEMMAS = ["the", "car", "be", "sell", "by", "Ann", "in", "May"]
ANSWERS = {
    "arcs": arcs(HEADS, RELATIONS),
    "tags": {"upos": UPOS, "lemma": LEMMAS},
    "frames": [frame(3, ("A1", 0, 2), ("V", 3, 4), ("A0", 4, 6), ("AM-TMP", 6, 8))],
}
RAIN = ["It", "rained"]
RAIN_ANSWERS = {
    "arcs": arcs([1, None], ["nsubj", "root"]),
    "tags": {"upos": ["PRON", "VERB"], "lemma": ["it", "rain"]},
    "frames": [],
}


@pytest.fixture
def document():
    return document_of(
        sentence_object(RAIN, **RAIN_ANSWERS),
        sentence_object(WORDS, at=10, **ANSWERS),
    )


def test_phrases_are_spans_of_the_document(document):
    rain, sale = document.triples
    assert str(rain) == "It | rain | -"
    assert str(sale) == "Ann | sell | The car"
    assert (sale.object.start, sale.object.end) == (2, 4)
    assert sale.when[0].text == "in May"
    assert sale.when[0].label == "in"
    assert sale.predicate == document[5]
    assert sale.passive
    assert not sale.negated
    assert sale.sentence == document.sentences[1]


def test_sentences_have_their_own(document):
    assert document.sentences[1].triples == document.triples[1:]
    assert [*map(str, sentence_of(WORDS, **ANSWERS).triples)] == [
        "Ann | sell | The car"
    ]


def test_they_can_be_pickled_and_never_change(document):
    triple = document.triples[1]
    assert pickle.loads(pickle.dumps(triple)) == triple
    with pytest.raises(AttributeError, match="a Triple never changes"):
        triple.verb = "buy"


def test_json(document):
    value = json.loads(json.dumps(document.triples[1].to_dict()))
    assert value["subject"]["text"] == "Ann"
    assert value["recipient"] is None
    assert value["predicate"] == 5
    assert [each["label"] for each in value["when"]] == ["in"]


def test_without_roles_or_lemmas():
    few = ANSWERS | {"tags": {"upos": UPOS}}
    del few["frames"]
    (triple,) = sentence_of(WORDS, **few).triples
    assert str(triple) == "Ann | sold | The car"
    assert [*map(str, triple.others)] == ["in May"]


@pytest.mark.parametrize(
    ("kept", "task"), [({"tags"}, "dep"), ({"arcs", "frames"}, "upos")]
)
def test_what_is_missing_is_named(kept, task):
    answers = {key: ANSWERS[key] for key in kept}
    with pytest.raises(UsageError, match=f"no triples: the task {task} was not run"):
        _ = sentence_of(WORDS, **answers).triples


def test_deep_trees_do_no_harm():
    n = 5000
    answers = {
        "arcs": arcs([None, *range(n - 1)], ["root"] + ["conj"] * (n - 1)),
        "tags": {"upos": ["VERB"] * n},
    }
    assert sentence_of(["go"] * n, **answers).triples == ()


@pytest.fixture(scope="module")
def nlp(shipped_model):
    return load(tasks=TriplePrinter.tasks(load().model, (), "vbs"))


TEXT = b"Mary, who lives in Rome, did not give Bob the old book.\nIt was sold by Ann.\n"


def printed(printer, nlp):
    annotations = nlp.annotate(nlp.tokenizer.lines(TEXT))
    place = BatchPlace("a.txt")
    return (printer.header() + printer.format(annotations, place)).decode()


def test_csv(nlp):
    rows = [*csv.DictReader(io.StringIO(printed(TriplePrinter(nlp), nlp)))]
    shown = [(row["subject"], row["verb"], row["object"]) for row in rows]
    assert shown == [
        ("Mary", "live", ""),
        ("Mary", "give", "the old book"),
        ("Ann", "sell", "It"),
    ]
    assert rows[0]["where"] == "in Rome"
    assert rows[1]["recipient"] == "Bob"
    assert [row["negated"] for row in rows] == ["", "yes", ""]
    assert [row["passive"] for row in rows] == ["", "", "yes"]
    assert rows[2]["sentence_id"] == "a.txt-2-1"


def test_json_lines(nlp):
    lines = printed(TripleJsonPrinter(nlp), nlp).splitlines()
    sale = json.loads(lines[2])
    assert sale["object"] == {
        "label": "",
        "start_token": 0,
        "end_token": 1,
        "start_char": 0,
        "end_char": 2,
        "text": "It",
    }
    assert sale["predicate"] == 2
    assert sale["line"] == 2


def test_a_model_without_dependencies(model):
    with pytest.raises(SennaError, match="has no upos, which --format triples needs"):
        TriplePrinter.tasks(model, (), "vbs")


def test_allennlp(nlp):
    sentence = nlp.document(TEXT.decode()).sentences[0]
    roles = roles_object(sentence)
    give = roles["verbs"][-1]
    assert give["verb"] == "give"
    assert give["description"].endswith("[V: give] [ARG2: Bob] [ARG1: the old book] .")
    spans = [tuple(each) for each in segments(give["tags"])]
    assert ("ARG2", 10, 11) in spans
    assert json.loads(printed(AllenNlpPrinter(nlp), nlp).splitlines()[0]) == roles


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("A0", "ARG0"),
        ("AM-TMP", "ARGM-TMP"),
        ("C-A1", "C-ARG1"),
        ("R-AM-LOC", "R-ARGM-LOC"),
        ("AA", "ARGA"),
        ("V", "V"),
        ("C-V", "C-V"),
    ],
)
def test_propbank_labels(label, name):
    assert propbank_label(label) == name
