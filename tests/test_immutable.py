"""Objects that never change say so, and are not made without what a tagger finds."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from senna_py import Document, Sentence, Token, Tree

TEXT = "Anna Keller runs a plant in Chicago . They did not sign it ."


def things(tagger):
    document = tagger.document(TEXT)
    sentence = document.sentences[0]
    return (
        document,
        sentence,
        sentence[0],
        sentence[:2],
        document.frames[0],
        sentence.tree,
        Tree.parse("(NP (NN it))"),
    )


def test_no_attribute_can_be_set_or_deleted(tagger):
    for thing in things(tagger):
        kind = type(thing).__name__
        for name in ("x", "found_by", thing.__slots__[0]):
            with pytest.raises(
                FrozenInstanceError, match=f"'{name}': a {kind} never changes"
            ):
                setattr(thing, name, 1)
            with pytest.raises(
                FrozenInstanceError, match=f"'{name}': a {kind} never changes"
            ):
                delattr(thing, name)
        assert pickle.loads(pickle.dumps(thing)) == thing


def test_a_class_of_a_user_may_have_attributes_of_its_own():
    class Own(Document):
        pass

    own = Own("")
    own.source = "a.txt"
    assert own.source == "a.txt"
    del own.source
    with pytest.raises(FrozenInstanceError, match="'text': a Own never changes"):
        own.text = "other"


def test_a_text_alone_is_no_sentence_and_no_document():
    with pytest.raises(
        TypeError, match=r"use load\(\)\(text\); a text alone has no tokens"
    ):
        Sentence("Mary left")
    with pytest.raises(TypeError, match=r"use load\(\)\.document\(text\)"):
        Document("Mary left")
    for text in ("", " \n"):
        assert len(Document(text)) == 0
    for cls, parts in ((Sentence, "tokens"), (Document, "sentences")):
        with pytest.raises(ValueError, match=f"a text alone has no {parts}"):
            cls.from_dict({"text": "a", parts: []})


def test_an_error_within_an_attribute_is_not_taken_for_a_missing_one():
    with pytest.raises(AttributeError, match="'str' object has no attribute '_lists"):
        Token("Mary", 0).start_char  # noqa: B018
