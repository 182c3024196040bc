"""The component of spaCy's pipelines, where spaCy is installed."""

import inspect
from pathlib import Path

import pytest

from senna_py import load

spacy = pytest.importorskip("spacy")

pytestmark = pytest.mark.extra

TEXT = "Angela Merkel lives in Berlin.  She didn't say why.\nWe know."


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"with_scores": True})
    return nlp


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT)


def test_it_sets_what_the_tagger_finds(doc):
    words = [token for token in doc if not token.is_space]
    sentences = [
        load(with_scores=True)([token.text for token in words if token.sent == sentence])
        for sentence in doc.sents
    ]
    assert [token.tag_ for token in words] == [t.pos for s in sentences for t in s]
    assert [token.pos_ for token in words][:6] == [
        "PROPN",
        "PROPN",
        "VERB",
        "ADP",
        "PROPN",
        "PUNCT",
    ]
    assert all(token.pos_ for token in words)
    assert [(span.text, span.label_) for span in doc.ents] == [
        ("Angela Merkel", "PER"),
        ("Berlin", "LOC"),
    ]
    assert [*doc.spans["entities"]] == [*doc.ents]
    scores = [span.score for sentence in sentences for span in sentence.entities]
    assert len(doc.spans["entities"].attrs["scores"]) == len(scores) == 2
    assert all(0.9 < score <= 1 for score in doc.spans["entities"].attrs["scores"])
    chunks = [(span.text, span.label) for sentence in sentences for span in sentence.chunks]
    assert [(span.text, span.label_) for span in list(doc.spans["chunks"])[:3]] == chunks[:3]
    assert [span.label_ for span in doc.spans["chunks"]] == [label for _, label in chunks]
    phrases = [p for sentence in sentences for p in sentence.tree.phrases]
    assert [span.label_ for span in doc.spans["constituents"]] == [p.label for p in phrases]


def test_roles_know_their_predicates(doc):
    roles = [(span.text, span.label_, doc[int(span.id_)].text) for span in doc.spans["roles"]]
    assert ("Angela Merkel", "A0", "lives") in roles
    assert ("We", "A0", "know") in roles
    scores = doc.spans["roles"].attrs["scores"]
    assert len(scores) == len(roles)
    assert all(0 < score <= 1 for score in scores)


def test_sentences_are_found_or_taken_as_they_are(doc):
    assert [sentence.text.strip() for sentence in doc.sents] == [
        "Angela Merkel lives in Berlin.",
        "She didn't say why.",
        "We know.",
    ]
    given = spacy.blank("en")
    given.add_pipe("sentencizer", config={"punct_chars": ["!"]})
    given.add_pipe("senna", config={"tasks": ["pos"]})
    found = given(TEXT)
    assert len(list(found.sents)) == 1
    assert not found.spans
    assert not found.ents


def test_white_space_has_spacys_tag(doc):
    assert {(token.tag_, token.pos_) for token in doc if token.is_space} == {("_SP", "SPACE")}


def test_the_example_of_the_documentation():
    page = (Path(__file__).parent.parent / "docs" / "guide" / "python.md").read_text(
        encoding="utf-8"
    )
    found = {}
    exec(page.split("## spaCy")[1].split("```python\n")[1].split("```")[0], found)
    assert [entity.text for entity in found["doc"].ents] == ["Angela Merkel", "Berlin"]


def test_the_configuration_has_the_arguments_of_load():
    pipeline = spacy.blank("en")
    config = {"tasks": "pos", "abbreviations": ["Foob"], "jobs": 2}
    tagger = pipeline.add_pipe("senna", config=config).tagger
    assert (tagger.tasks, tagger.tokenizer.abbreviations, tagger.jobs) == (("pos",), ("Foob",), 2)
    names = {*pipeline.get_pipe_config("senna")} - {"factory"}
    assert names == {*inspect.signature(load).parameters}
    assigned = pipeline.analyze_pipes()["summary"]["senna"]["assigns"]
    assert {"token.tag", "token.pos", "doc.sents", "doc.ents"} <= {*assigned}
    doc = next(pipeline.pipe([TEXT]))
    assert not doc.spans


def test_pipelines_of_processes_and_from_disk(nlp, tmp_path):
    texts = ["Bob is in Rome.", "", "  ", "Paris"]
    expected = [[(e.text, e.label_) for e in doc.ents] for doc in map(nlp, texts)]
    assert expected[0] == [("Bob", "PER"), ("Rome", "LOC")]
    nlp.to_disk(tmp_path)
    read = spacy.load(tmp_path)
    found = [[(e.text, e.label_) for e in doc.ents] for doc in read.pipe(texts, n_process=2)]
    assert found == expected
