"""Tables of tokens, spans and frames, for pandas and Arrow."""

import csv

import pytest

import senna_py
from senna_py import Tagger
from senna_py.errors import UsageError
from tests.helpers.commands import printed, run

TEXTS = ["Anna Keller runs a plant. They did not sign.", "", "It rose in Chicago."]
PLACES = ["start_token", "end_token", "start_char", "end_char"]


@pytest.fixture(scope="module")
def documents(tagger):
    return list(tagger.pipe(TEXTS, documents=True))


def rows(table):
    return [
        dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)
    ]


def test_tokens(documents):
    found = rows(senna_py.table(iter(documents)))
    expected = [
        {
            "document": d,
            "sentence": s,
            "token": t.i - sentence.start,
            "text": t.text,
            "start_char": t.start_char,
            "end_char": t.end_char,
            **t.tags,
        }
        for d, document in enumerate(documents)
        for s, sentence in enumerate(document.sentences)
        for t in sentence
    ]
    assert found == expected
    assert {row["sentence"] for row in found} == {0, 1}


@pytest.mark.parametrize("name", ["chunks", "noun_chunks", "entities", "chk"])
def test_spans(documents, name):
    found = rows(senna_py.table(documents, name))
    attribute = {"chk": "chunks"}.get(name, name)
    assert [row["text"] for row in found] == [
        span.text for document in documents for span in getattr(document, attribute)
    ]
    assert [*found[0]] == ["document", "sentence", "label", *PLACES, "text"]
    for row in found:
        assert (
            TEXTS[row["document"]][row["start_char"] : row["end_char"]] == row["text"]
        )


def test_frames_have_a_row_per_argument(documents):
    document = documents[0]
    found = rows(document.table("frames"))
    expected = [
        (
            frame.predicate - frame.sentence.start,
            frame.text,
            span.label,
            span.start - frame.sentence.start,
            span.end - frame.sentence.start,
            span.text,
        )
        for frame in document.frames
        for span in frame.arguments
    ]
    keys = ["predicate", "predicate_text", "label", "start_token", "end_token", "text"]
    assert [tuple(row[key] for key in keys) for row in found] == expected
    assert "document" not in found[0]
    assert found[-1]["sentence"] == 1


def test_triples_are_as_in_the_shell(shipped_model, write):
    tagger = senna_py.load(shipped_model, tokens="ud")
    texts = [
        "Nobody came. Ann did not give Bob a book in Rome on Monday.",
        "No .",
        "It may be seen.",
    ]
    found = senna_py.table(tagger.pipe(texts, documents=True), "triples")
    printed_rows = [
        *csv.DictReader(
            printed(
                run("senna-py", "tag", "--format=triples", write("\n".join(texts)))
            ).splitlines()
        )
    ]
    columns = {name: [row[name] for row in printed_rows] for name in printed_rows[0]}
    assert found.pop("document") == [0, 0, 2]
    assert found.pop("sentence") == [0, 1, 0]
    assert found.pop("text") == columns.pop("sentence")
    names = columns.pop("sentence_id")
    assert [name[-4:] for name in names] == ["-1-1", "-1-2", "-3-1"]
    assert found["negated"] == [True, True, False]
    assert found["recipient"] == [None, "Bob", None]
    shown = {None: "", False: "", True: "yes"}
    assert {
        k: [shown.get(cell, cell) for cell in each] for k, each in found.items()
    } == columns
    nothing = tagger.document("").table("triples")
    assert [*nothing] == ["sentence", *found, "text"]
    with pytest.raises(UsageError, match="no triples: the task dep was not run"):
        senna_py.load(shipped_model, tasks=["pos"]).document(texts[0]).table("triples")


def test_a_sentence_and_a_document_are_one(tagger, documents):
    sentence = documents[0].sentences[1]
    assert sentence.table("chunks")["text"] == [span.text for span in sentence.chunks]
    for name in ("tokens", "chunks"):
        assert {*sentence.table(name)["sentence"]} == {sentence.number} == {1}
    assert senna_py.table(documents[0])["document"] == [0] * len(documents[0].tokens)
    sentences = list(tagger.pipe(["It rose.", "He left."]))
    assert {*senna_py.table(sentences)["document"]} == {0, 1}


def test_scores_have_a_column(model):
    tagger = Tagger(model, ["ner", "srl"], with_scores=True)
    document = tagger.document(TEXTS[0])
    for name, spans in (
        ("entities", document.entities),
        ("frames", [a for frame in document.frames for a in frame.arguments]),
    ):
        assert document.table(name)["score"] == [span.score for span in spans]


def test_pandas_and_arrow_take_them(documents, tagger):
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    for name in ("tokens", "chunks", "entities", "frames"):
        columns = senna_py.table(documents, name)
        frame = pd.DataFrame(columns)
        assert [*frame.columns] == pa.table(columns).column_names == [*columns]
        assert len(frame) == pa.table(columns).num_rows > 0
        empty = tagger.document("").table(name)
        assert len(pd.DataFrame(empty)) == pa.table(empty).num_rows == 0
        assert {"sentence", "text", "start_char"} <= {*empty}


def test_what_is_no_table(model, tagger, documents):
    with pytest.raises(
        UsageError, match=r"no such table: 'token'; there are tokens, chunks, ent"
    ):
        documents[0].table("token")
    plain = Tagger(model, "pos").document(TEXTS[0])
    with pytest.raises(UsageError, match="no entities: the task ner was not run"):
        plain.table("entities")
    assert senna_py.table([documents[0], plain])["ner"][-1] is None
    with pytest.raises(TypeError, match="expected documents or sentences, not str"):
        senna_py.table(TEXTS)


def test_constituents_have_a_table(documents):
    table = documents[0].table("constituents")
    roots = [sentence.tree for sentence in documents[0].sentences]
    phrases = [phrase for root in roots for phrase in root.subtrees()]
    assert table["label"] == [phrase.label for phrase in phrases]
    assert table["text"] == [phrase.text for phrase in phrases]
