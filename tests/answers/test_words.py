"""Documents with multiword tokens: their words, and what stands in the text."""

import numpy as np
import pytest
from hypothesis import given

from senna_py import Document, Sentence
from senna_py.answers.word_forms import WordForms
from tests.helpers.random_documents import documents

# Words 1 and 2 are *do*; words 4 and 5 are *n't* and what is before it.
TEXT = "Sol do don't. Ao mar"
PLACES = [
    (0, 3),
    (4, 6),
    (4, 6),
    (7, 9),
    (9, 12),
    (12, 13),
    (14, 16),
    (14, 16),
    (17, 20),
]


def words(continues=(2, 4, 7), spelled=(1, 2, 6, 7), forms=("de", "o", "A", "o")):
    return WordForms(np.array(continues), np.array(spelled), tuple(forms))


@pytest.fixture
def document():
    return Document(TEXT, PLACES, [0, 6, 9], words=words())


def test_tokens_are_words_and_know_their_surface_token(document):
    texts = ["Sol", "de", "o", "do", "n't", ".", "A", "o", "mar"]
    assert [token.text for token in document] == texts
    assert [token.surface for token in document] == (
        ["Sol", "do", "do", "don't", "don't", ".", "Ao", "Ao", "mar"]
    )
    assert document[2].words == document[1].words == (document[1], document[2])
    assert document[0].words == (document[0],)
    assert (document[2].start_char, document[2].end_char) == (4, 6)
    surface = document.surface_tokens
    assert [span.text for span in surface] == ["Sol", "do", "don't", ".", "Ao", "mar"]
    assert [(span.start, span.end) for span in surface][1:3] == [(1, 3), (3, 5)]
    of_sentence = document.sentences[1].surface_tokens
    assert [span.text for span in of_sentence] == ["Ao", "mar"]
    assert document[1:2].text == document[1:3].text == "do"
    assert document.char_span(4, 6) == document[1:3]
    assert (
        "".join(
            span.text + span[-1].whitespace_
            for span in document.sentences[0].surface_tokens
        )
        == "Sol do don't."
    )


def test_json_has_ranges_where_there_are_any(document):
    first, second = document.to_dict()["sentences"]
    assert first["ranges"] == [
        {"start_token": 1, "end_token": 3, "text": "do"},
        {"start_token": 3, "end_token": 5, "text": "don't"},
    ]
    assert second["ranges"] == [{"start_token": 0, "end_token": 2, "text": "Ao"}]
    assert second["tokens"][1] == {"text": "o", "start_char": 14, "end_char": 16}
    assert Sentence.from_dict(second)[0].words[1].text == "o"
    assert "ranges" not in Document("a", [(0, 1)], [0, 1]).to_dict()["sentences"][0]


@given(documents())
def test_surface_tokens_have_all_tokens(document):
    spans = document.surface_tokens
    assert [token for span in spans for token in span] == [*document]
    for span in spans:
        for token in span:
            assert token.words == tuple(span) and token.surface == span.text
            if token.i not in document._lists.forms:
                text = document.text[token.start_char : token.end_char]
                assert token.text == text


@pytest.mark.parametrize(
    "wrong",
    [
        words(continues=(2, 4, 6)),
        words(continues=(4, 2, 7)),
        words(continues=(2, 4, 9)),
        words(spelled=(1, 6, 7), forms=("de", "A", "o")),
        words(spelled=(1, 2, 6, 9)),
        words(forms=("de", "o", "A")),
        words(forms=("de", "", "A", "o")),
        words(continues=(1, 2, 4, 7)),
    ],
)
def test_words_that_do_not_go_together_are_refused(wrong):
    with pytest.raises(ValueError, match=r"words|forms|surface token"):
        Document(TEXT, PLACES, [0, 6, 9], words=wrong)


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("start_token", 5, "no words from 5 to 3"),
        ("end_token", 9, "no words from 1 to 9"),
        ("end_token", "3", "token indices that are no whole numbers"),
        ("end_token", True, "token indices that are no whole numbers"),
        ("text", "de", "the text 'de', but the document has 'do'"),
        ("text", None, "the text None, but the document has 'do'"),
    ],
)
def test_ranges_that_are_no_words_are_refused(document, key, value, problem):
    values = document.to_dict()
    values["sentences"][0]["ranges"][0][key] = value
    with pytest.raises(ValueError, match=rf"^sentence 0: ranges\[0\]: {problem}$"):
        Document.from_dict(values)
    del values["sentences"][0]["ranges"][0][key]
    with pytest.raises(ValueError, match=r"^sentence 0: ranges\[0\]: expected an obj"):
        Document.from_dict(values)
    del values["sentences"][0]["ranges"]
    with pytest.raises(ValueError, match="the token 'de' is not where it says"):
        Document.from_dict(values)


def test_ranges_are_a_list(document):
    values = document.to_dict()
    values["sentences"][1]["ranges"] = "Ao"
    with pytest.raises(
        ValueError, match=r"^sentence 1: ranges: expected a list, not str$"
    ):
        Document.from_dict(values)
    # Rows of Parquet have all columns.
    values = Document("a", [(0, 1)], [0, 1]).to_dict()
    values["sentences"][0]["ranges"] = None
    assert Document.from_dict(values).text == "a"
