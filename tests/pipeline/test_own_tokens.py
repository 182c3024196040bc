"""Documents of tokens, spaces and sentences that a caller passes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py import SennaError, load
from senna_py.errors import UsageError

WORDS = st.text(st.sampled_from("aé日😀\udcff.-\n "), min_size=1, max_size=4).filter(
    str.strip
)


@pytest.fixture(scope="module")
def nlp():
    return load(tasks=["pos", "ner"])


def test_sentences_are_found_unless_they_are_passed(nlp):
    tokens = ["Mary", "'s", "cat", "slept", ".", "It", "snored", "."]
    spaces = [False, True, True, False, True, True, False, False]
    document = nlp.document(tokens=tokens, spaces=spaces)
    assert document.text == "Mary's cat slept. It snored."
    assert [len(each) for each in document.sentences] == [5, 3]
    assert [each.text for each in document.entities] == ["Mary"]
    assert document == nlp.document(tokens=[tokens[:5], tokens[5:]], spaces=spaces)
    again = nlp.document(tokens=tokens, spaces=spaces, sentences=[0, 2])
    assert [len(each) for each in again.sentences] == [2, 6]
    assert again == nlp.document(tokens=tokens, spaces=spaces, sentences=[0, 2, 8])
    assert nlp.document(["Mary", "left"]).text == "Mary left"
    assert nlp.document([]) == nlp.document("")


@settings(max_examples=25)
@given(data=st.data(), lists=st.lists(st.lists(WORDS, max_size=4), max_size=3))
def test_tokens_stay_as_they_are(nlp, data, lists):
    tokens = [token for each in lists for token in each]
    n = len(tokens)
    spaces = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    document = nlp.document(tokens=lists or [[]], spaces=spaces)
    assert [token.text for token in document] == tokens
    assert [len(each) for each in document.sentences] == [len(e) for e in lists if e]
    parts = [t + " " * flag for t, flag in zip(tokens, spaces, strict=True)]
    assert document.text == "".join(parts)


@pytest.mark.parametrize(
    ("arguments", "error", "problem"),
    [
        ({"tokens": ["a", ""]}, SennaError, "token 1 is ''"),
        ({"tokens": ["a", 3]}, TypeError, "token 1 is a str, not int"),
        ({"tokens": ["a", ["b"]]}, TypeError, "item 0 is a str, and item 1 a list"),
        ({"tokens": "abc"}, TypeError, "tokens: expected an iterable of str tokens"),
        ({"tokens": ["He left.", "We met."]}, UsageError, "looks like a sentence"),
        ({"tokens": ["a"], "spaces": []}, SennaError, "0 flags in spaces, but 1 token"),
        ({"tokens": ["a"], "spaces": ["x"]}, TypeError, "spaces: item 0 is 'x'"),
        ({"tokens": [["a"]], "spaces": [[1, 1]]}, SennaError, "other sentences"),
        ({"tokens": ["a"], "sentences": [1]}, SennaError, "begins with token 0, not 1"),
        (
            {"tokens": ["a"], "sentences": [0, 4]},
            SennaError,
            "no token 4 among 1 token",
        ),
        ({"tokens": ["a"], "sentences": [0, 0]}, SennaError, "0 follows 0"),
        ({"tokens": ["a"], "sentences": [True]}, TypeError, "not flags"),
        ({"tokens": ["a"], "sentences": ["x"]}, TypeError, "item 0 is 'x'"),
        ({"tokens": [["a"]], "sentences": [0]}, UsageError, "leave out sentences"),
        ({"text": "a", "tokens": ["a"]}, UsageError, "a text and tokens exclude"),
        ({"tokens": ["a"], "paragraphs": True}, UsageError, "paragraphs and tokens"),
        ({"text": "a", "spaces": [True]}, UsageError, "can be used only with tokens"),
        ({}, TypeError, "a document is a str"),
    ],
)
def test_what_does_not_agree_is_refused(nlp, arguments, error, problem):
    with pytest.raises(error) as raised:
        nlp.document(**arguments)
    assert problem in str(raised.value)
