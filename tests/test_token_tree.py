"""What tokens, spans and frames say of their sentence, by spaCy's names."""

import logging

import pytest

from senna_py import annotation
from senna_py.annotation import Document, Sentence
from senna_py.errors import UsageError
from senna_py.kinds import Arc

WORDS = ["Ann", ",", "Bob", "and", "Cid", "saw", "the", "old", "dog", "yesterday"]
HEADS = [5, 2, 0, 4, 0, None, 8, 8, 5, 5]
RELATIONS = [
    "nsubj",
    "punct",
    "conj",
    "cc",
    "conj",
    "root",
    "det",
    "amod",
    "obj",
    "obl:tmod",
]


@pytest.fixture
def sentence():
    text = "Ann, Bob and Cid saw  the old dog yesterday"
    starts, at = [], 0
    for word in WORDS:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    ends = tuple(start + len(word) for start, word in zip(starts, WORDS, strict=True))
    found = {
        "arcs": tuple(map(Arc, HEADS, RELATIONS)),
        "tags": {
            "lemma": tuple(word.lower() for word in WORDS),
            "feats": ("Number=Sing",) * 10,
        },
        "spans": {
            "ner": (("PER", 0, 1, None), ("PER", 2, 3, None), ("PER", 4, 5, None))
        },
        "frames": ((5, (("A0", 0, 5, None), ("V", 5, 6, None), ("A1", 6, 9, None))),),
    }
    return Sentence(text, tuple(starts), ends, 0, found)


def texts(tokens):
    return " ".join(token.text for token in tokens)


def test_tokens_know_the_tree_around_them(sentence):
    ann, _, bob, _, cid, saw, _, old, dog, _ = sentence
    assert texts(saw.lefts) == "Ann" and texts(saw.rights) == "dog yesterday"
    assert texts(dog.subtree) == "the old dog"
    assert (dog.left_edge.text, dog.right_edge.text) == ("the", "dog")
    assert (ann.left_edge.text, ann.right_edge.text) == ("Ann", "Cid")
    assert old.left_edge == old.right_edge == old
    assert texts(old.ancestors) == "dog saw" and saw.ancestors == ()
    assert texts(ann.conjuncts) == "Bob Cid" and texts(bob.conjuncts) == "Ann Cid"
    assert texts(cid.conjuncts) == "Ann Bob" and dog.conjuncts == ()


def test_spans_have_a_root_and_entities(sentence):
    assert sentence[6:9].root.text == "dog" and sentence[:].root.text == "saw"
    assert sentence[2:5].root.text == "Bob"  # the first of the two that are as near
    assert sentence[3:3].root is None
    assert [entity.text for entity in sentence[1:6].entities] == ["Bob", "Cid"]
    assert sentence[6:].entities == ()


def test_tokens_know_their_neighbors_and_the_space_behind_them(sentence):
    assert (
        "".join(token.text + token.whitespace_ for token in sentence) == sentence.text
    )
    assert [token.whitespace_ for token in sentence[:2]] == ["", " "]
    assert sentence[5].whitespace_ == "  " and sentence[9].whitespace_ == ""
    assert sentence[0].nbor().text == "," and sentence[5].nbor(-5).text == "Ann"
    for token, i in ((sentence[9], 1), (sentence[0], -1)):
        with pytest.raises(
            IndexError, match="there are 10 in the sentence, which nbor does not"
        ):
            token.nbor(i)
    assert sentence[0].shape_ == "Xxx" and sentence[0].feats["Number"] == "Sing"
    assert not sentence[0].like_url and not sentence[0].like_email


def test_frames_have_their_arguments_by_label(sentence):
    (frame,) = sentence.frames
    assert frame.token == sentence[5] and frame.lemma == "saw"
    assert frame["A1"].text == "the old dog" and frame.get("A0").start == 0
    assert frame.get("A2") is None and "A0" in frame and "A2" not in frame
    with pytest.raises(KeyError, match="'A2': the arguments of 'saw' are A0, V, A1"):
        frame["A2"]
    with pytest.raises(TypeError, match="not iterable"):
        iter(frame)


def test_without_dependencies_all_of_the_tree_is_an_error(sentence):
    bare = Sentence(sentence.text, sentence.starts, sentence.ends, 0, {})
    for name in ("lefts", "ancestors", "conjuncts", "left_edge", "subtree"):
        with pytest.raises(
            UsageError,
            match=r"the task dep was not run; load\(tasks=\[\*nlp\.tasks, 'd",
        ):
            getattr(bare[0], name)
    with pytest.raises(UsageError, match="the task dep was not run"):
        bare[:2].root  # noqa: B018


def test_a_slice_of_the_tokens_of_a_document_is_warned_of_once(sentence, caplog):
    annotation._warn_of_slices.cache_clear()
    text = f"{sentence.text} {sentence.text}"
    moved = len(sentence.text) + 1
    second = Sentence(
        sentence.text,
        tuple(start + moved for start in sentence.starts),
        tuple(end + moved for end in sentence.ends),
        moved,
        sentence.found,
    )
    one, two = Document(sentence.text, (sentence,)), Document(text, (sentence, second))
    assert (
        one.tokens[0:2] == two.tokens[:2] == sentence.tokens[:2] and not caplog.records
    )
    for _ in range(2):
        assert two.tokens[9:11] == (sentence[9], second[0])
    (record,) = caplog.record_tuples
    assert record[:2] == ("senna_py", logging.WARNING) and "span.tokens" in record[2]
    assert [*two.tokens] == [*sentence, *second] and two.tokens[-1] == second[9]
