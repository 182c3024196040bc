"""Texts in memory: documents and sentences in the order in which they came."""

import pytest

from senna_py.errors import SennaError
from senna_py.pipeline.texts import tag_documents, tag_sentences, tag_stream
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos"], jobs=2)


def test_texts_and_tokens_keep_their_order(tagger):
    inputs = [["He", "sleeps"], "She reads .", "", ["Rome"], "No ."]
    sentences = tag_sentences(tagger, inputs)
    texts = [text if isinstance(text, str) else " ".join(text) for text in inputs]
    assert [sentence.text for sentence in sentences] == texts
    assert [len(sentence) for sentence in sentences] == [2, 3, 0, 1, 2]


def test_documents_of_lines_and_of_paragraphs(tagger):
    text = "He sleeps\nin Rome.\n\nShe reads."
    (lines,) = tag_documents(tagger, [text])
    (paragraphs,) = tag_documents(tagger, [text], paragraphs=True)
    assert [len(sentence) for sentence in lines.sentences] == [2, 3, 3]
    assert [len(sentence) for sentence in paragraphs.sentences] == [5, 3]


@pytest.mark.parametrize("documents", [False, True])
def test_what_comes_with_a_text_goes_with_its_answer(tagger, documents):
    batches = [[("He sleeps.", 1), ("She reads.", None)], [("No.", "c")]]
    found = [*tag_stream(tagger, batches, documents, False, True)]
    assert [(answer.text, other) for answer, other in found] == [
        pair for batch in batches for pair in batch
    ]
    alone = [*tag_stream(tagger, batches, documents, False, False)]
    assert alone == [answer for answer, _ in found]


def test_predicates_of_the_caller():
    tagger = Tagger(MODEL, ["srl"], predicates="given")
    (sentence,) = tag_sentences(tagger, [["He", "sleeps"]], [1])
    assert [frame.predicate for frame in sentence.frames] == [1]
    assert not tag_sentences(tagger, [["He", "sleeps"]])[0].frames
    with pytest.raises(SennaError, match="predicate 2 of a sentence of 2 tokens"):
        tag_sentences(tagger, [["He", "sleeps"]], [2])


def test_long_sentences_are_cut_by_annotate():
    tagger = Tagger(MODEL, ["pos", "psg"])
    tagger.cut_sentences(3)
    tokens = tagger.tokenizer.lines(b"a b c d e\n")
    assert tagger.annotate(tokens).tokens.n_sentences == 2
    assert len(tag_sentences(tagger, ["a b c d e"])[0]) == 5
