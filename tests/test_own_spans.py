"""Tasks of a user's own: spans of their segments, in all that shows entities; parts of
speech.
"""

import json
import pickle
from dataclasses import replace

import pytest

from senna_py import Document, Sentence, Tagger
from senna_py.display import render
from senna_py.errors import UsageError
from senna_py.labels.tag_schemes import segments
from senna_py.models.native_writer import write_model
from tests.helpers.commands import run
from tests.helpers.native_models import model_arguments, word_part

TEXT = "Ana took ASPIRIN and Ibuprofen 200 mg"
IOBES = ("O", "B-DRUG", "I-DRUG", "E-DRUG", "S-DRUG")


def written(path, *parts):
    write_model(
        path, *model_arguments([replace(part, info=info) for part, info in parts])
    )
    return path


@pytest.fixture(scope="module")
def med(tmp_path_factory):
    """A model of tags of segments, whose information does not say so, and plain tags,
    as whose.
    """
    path = tmp_path_factory.mktemp("med") / "model.safetensors"
    return written(
        path,
        (word_part("med", labels=IOBES, seed=2), {}),
        (word_part("upos", labels=("NOUN", "VERB")), {"kind": "segments"}),
    )


def test_spans_are_the_segments_of_the_tags(med):
    tagger = Tagger(med, with_scores=True)
    assert {name: tagger.task(name).shape.name for name in tagger.tasks} == {
        "med": "segments",
        "upos": "tags",
    }
    sentence = tagger(TEXT)
    expected = segments(sentence.tags["med"])
    assert expected
    spans = sentence.spans["med"]
    assert [(span.label, span.start, span.end) for span in spans] == expected
    assert all(0 < span.score <= 1.0001 for span in spans)
    document = tagger.document(f"{TEXT}.\n{TEXT}.")
    assert document.spans["med"] == (
        document.sentences[0].spans["med"] + document.sentences[1].spans["med"]
    )
    assert tagger.document("").spans["med"] == ()
    with pytest.raises(UsageError, match="no chk: the task chk was not run"):
        document.spans["chk"]
    table = document.table("med")
    assert table["label"] == [span.label for span in document.spans["med"]]
    assert table["sentence"][-1] == 1
    assert len(table["score"]) == len(table["text"])


def test_brat_has_them(med):
    spans = Tagger(med)(TEXT).spans["med"]
    for asked in ((), ("--task", "med")):
        printed = run(
            "senna-tag", "--path", med, "--format", "brat", *asked, stdin=TEXT.encode()
        )
        lines = [
            f"T{s.start_char + 1}\t{s.label} {s.start_char} {s.end_char}\t{s}"
            for s in spans
        ]
        assert printed.stdout.decode().splitlines() == lines
    refused = run("senna-tag", "--path", med, "--format", "brat", "--upos", stdin=b"")
    assert b"the task upos cannot be used with format brat" in refused.stderr


def test_spans_of_two_tasks_have_other_numbers_in_brat(tmp_path):
    parts = [(word_part(name, labels=IOBES, seed=2), {}) for name in ("med", "ner")]
    both = written(tmp_path / "model.safetensors", *parts)
    asked = "--task", "med", "--task", "ner"
    printed = run(
        "senna-tag", "--path", both, "--format", "brat", *asked, stdin=TEXT.encode()
    )
    lines = printed.stdout.decode().splitlines()
    numbers, spans = zip(*(line.split("\t", 1) for line in lines), strict=True)
    assert len(lines) == len({*numbers}) == 2 * len({*spans})


def test_json_has_them(med):
    tagger = Tagger(med)
    sentence, document = tagger(TEXT), tagger.document(TEXT)
    assert sentence.to_dict()["spans"] == {
        "med": [s.to_dict() for s in sentence.spans["med"]]
    }
    assert Sentence.from_json(sentence.to_json()) == sentence
    assert Document.from_json(document.to_json()) == document
    result = run(
        "senna-tag", "-path", med, "--format", "jsonl", stdin=f"{TEXT}\n".encode()
    )
    assert Sentence.from_json(result.stdout) == sentence
    assert json.loads(result.stdout)["spans"]["med"]


def test_pages_mark_them_as_entities(med):
    sentence = Tagger(med)(TEXT)
    span = sentence.spans["med"][0]
    for style in ("all", "entities"):
        assert f"<bdi>{span.text}</bdi><b>DRUG</b></mark>" in render(sentence, style)
    assert "<mark" not in render(sentence, "chunks")
    text = Tagger(med, "med", with_scores=True).document(f"{TEXT}. {TEXT}.")
    assert "<ol" not in render(text)  # it runs, as with entities alone
    for tasks, found in (
        ("-task med", b"<ol"),
        ("-task med -task upos", b"<p class=r"),
    ):
        result = run(
            "senna-tag",
            "-path",
            med,
            *tasks.split(),
            "--format",
            "html",
            stdin=TEXT.encode(),
        )
        assert b"DRUG</b></mark>" in result.stdout
        assert found not in result.stdout


def test_pages_mark_them_after_pickle_and_bytes(med):
    document = Tagger(med, "med").document(TEXT)
    assert "</mark>" in render(document)
    assert render(pickle.loads(pickle.dumps(document))) == render(document)
    assert render(Document.from_bytes(document.to_bytes())) == render(document)


def test_parts_of_speech_without_pos(med):
    token = Tagger(med)(TEXT)[0]
    assert token.pos == token.upos == token.tags["upos"]
    with pytest.raises(
        UsageError, match=r"no pos: .* was not run \(tokens have med\); load"
    ):
        Tagger(med, "med")(TEXT)[0].pos  # noqa: B018


@pytest.mark.extra
def test_arrow_has_them(med):
    pa = pytest.importorskip("pyarrow")
    from senna_py.dataframe import annotate

    (row,) = annotate(pa.table({"text": [TEXT]}), str(med)).to_pylist()
    assert Sentence.from_dict(row) == Tagger(med)(TEXT)


@pytest.mark.extra
def test_spacy_has_them(med):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"path": str(med)})
    doc = nlp(TEXT)
    sentence = Tagger(med)([token.text for token in doc])
    found = [(span.label, span.start, span.end) for span in sentence.spans["med"]]
    assert [(span.label_, span.start, span.end) for span in doc.spans["med"]] == found
    assert [(span.label_, span.start, span.end) for span in doc.ents] == found
    assert (
        [token.tag_ for token in doc]
        == [token.pos_ for token in doc]
        != [""] * len(doc)
    )
