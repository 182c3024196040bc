"""The component of spaCy's pipelines, where spaCy is installed."""

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
        load()([token.text for token in words if token.sent == sentence]) for sentence in doc.sents
    ]
    assert [token.tag_ for token in words] == [t.pos for s in sentences for t in s]
    assert [(span.text, span.label_) for span in doc.ents] == [
        ("Angela Merkel", "PER"),
        ("Berlin", "LOC"),
    ]
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
    assert {token.tag_ for token in doc if token.is_space} == {"_SP"}


def test_pipelines_of_processes_and_from_disk(nlp, tmp_path):
    texts = ["Bob is in Rome.", "", "  ", "Paris"]
    expected = [[(e.text, e.label_) for e in doc.ents] for doc in map(nlp, texts)]
    assert expected[0] == [("Bob", "PER"), ("Rome", "LOC")]
    nlp.to_disk(tmp_path)
    read = spacy.load(tmp_path)
    found = [[(e.text, e.label_) for e in doc.ents] for doc in read.pipe(texts, n_process=2)]
    assert found == expected
