"""What tokens, spans and frames say of their sentence, by spaCy's names."""

import pytest

from senna_py import Document, Tree
from senna_py.errors import UsageError
from tests.helpers.documents import (
    arcs,
    document_of,
    frame,
    sentence_object,
    sentence_of,
    span,
)

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


TEXT = "Ann, Bob and Cid saw  the old dog yesterday"
ANSWERS = {
    "arcs": arcs(HEADS, RELATIONS),
    "tags": {
        "lemma": [word.lower() for word in WORDS],
        "feats": ["Number=Sing"] * 10,
    },
    "entities": [span("PER", 0, 1), span("PER", 2, 3), span("PER", 4, 5)],
    "frames": [frame(5, ("A0", 0, 5), ("V", 5, 6), ("A1", 6, 9))],
}


@pytest.fixture
def sentence():
    return sentence_of(WORDS, TEXT, **ANSWERS)


@pytest.fixture
def document():
    """The same sentence twice."""
    second = sentence_object(WORDS, TEXT, len(TEXT) + 1, **ANSWERS)
    return document_of(sentence_object(WORDS, TEXT, **ANSWERS), second)


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


def test_a_slice_without_tokens_is_an_empty_span(document):
    for part in (document, document.sentences[1], document[2:9]):
        for empty in (part[5:3], part[4:4], part[99:]):
            assert empty.start == empty.end
            assert (len(empty), empty.tokens, empty.text) == (0, (), "")


def test_conjuncts_are_in_the_order_of_the_text():
    # B is coordinated with A, D too, and C with B.
    heads, relations = [None, 0, 1, 0], ["root", "conj", "conj:and", "conj"]
    sentence = sentence_of(["A", "B", "C", "D"], arcs=arcs(heads, relations))
    assert texts(sentence[0].conjuncts) == "B C D"
    assert texts(sentence[2].conjuncts) == "A B D"


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


def test_hints_for_spans_name_the_root(sentence):
    chunk = sentence[0:3]
    for name in ("head", "children", "lefts", "rights", "subtree", "conjuncts"):
        with pytest.raises(AttributeError, match=rf": use span\.root\.{name}$"):
            getattr(chunk, name)
    with pytest.raises(AttributeError, match=r": use span\.root\.lemma$"):
        chunk.lemma_  # noqa: B018


def test_an_index_of_the_document_in_a_sentence_is_explained(document):
    _, second = document.sentences
    counts = r"; document\[14\] counts in the document$"
    with pytest.raises(IndexError, match=f"there are 10 in the sentence{counts}"):
        second[14]
    with pytest.raises(IndexError, match=f"there are 2 in the span{counts}"):
        document[3:5][14]
    for row, index in ((second, 20), (second, -11), (document, 20)):
        with pytest.raises(IndexError, match=rf"no token {index}: there are \d+$"):
            row[index]


def test_names_that_are_no_tasks_are_explained(document):
    for values, name in ((document.spans, "spans"), (document.tags, "tags")):
        problem = f"no such task: 'foo'; {name} has {', '.join(values)}$"
        with pytest.raises(UsageError, match=problem):
            values["foo"]
        with pytest.raises(UsageError, match=r"no such task: .*; use doc\.entities$"):
            values["entities"]
    with pytest.raises(UsageError, match=r"no spans of upos: use doc\.tags\['upos'\]"):
        document.spans["upos"]
    with pytest.raises(UsageError, match=r"no spans of srl: use sentence\.frames"):
        document.spans["srl"]


def test_json_can_be_indented(document):
    text = document.to_json(indent=1)
    assert text.startswith('{\n "text": ') and "\n" not in document.to_json()
    assert Document.from_json(text) == document


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
    bare = sentence_of(WORDS, TEXT)
    for name in ("lefts", "ancestors", "conjuncts", "left_edge", "subtree"):
        with pytest.raises(
            UsageError,
            match=r"the task dep was not run; load\(nlp.model.path, tasks=\[\*nlp\.tasks, 'd",
        ):
            getattr(bare[0], name)
    with pytest.raises(UsageError, match="the task dep was not run"):
        bare[:2].root  # noqa: B018


def test_all_places_count_in_the_document(document):
    first, second = document.sentences
    assert (second.start, second.end, len(second)) == (10, 20, 10)
    assert document[13] == second[3] and document[13].sentence == second
    assert [token.i for token in second] == [*range(10, 20)]
    bob = second.entities[1]
    assert (bob.start, bob.end, bob.sentence) == (12, 13, second)
    assert document[bob.start : bob.end].text == bob.text == "Bob"
    assert [span.start for span in document.entities] == [0, 2, 4, 10, 12, 14]
    assert [arc.head for arc in second.arcs][:6] == [15, 12, 10, 14, 10, None]
    assert second.root == document[15] and second[8].head == document[15]
    assert texts(document[18].subtree) == "the old dog"
    assert document[16:19].root.text == "dog"
    assert [frame.predicate for frame in document.frames] == [5, 15]
    frame = document.frames[1]
    assert (frame.sentence, frame["A1"].start, frame["A1"].anchor) == (
        second,
        16,
        document[15],
    )
    assert document[17].roles == {15: "A1"} and document[17].frames == (frame,)
    assert document[9].frames == () and document[5].frames == document.frames[:1]
    assert document[8:12].sentence == first and document[8:12].text.startswith("dog")
    objects = [each.to_dict() for each in document.sentences]
    for key in ("tags", "arcs"):
        assert objects[0][key] == objects[1][key]
    spans = [each["entities"] + each["frames"][0]["arguments"] for each in objects]
    for one, other in zip(*spans, strict=True):
        assert one["start_token"] == other["start_token"]
        assert one["start_char"] + len(TEXT) + 1 == other["start_char"]


def test_tokens_know_the_spans_that_they_are_in(document):
    assert document[12].entity == document.entities[4]
    assert document[11].entity is None and document[19].entity is None
    with pytest.raises(UsageError, match="the task chk was not run"):
        document[0].chunk  # noqa: B018
    with pytest.raises(UsageError, match="no tree: the task psg was not run"):
        document[0].phrase  # noqa: B018


@pytest.mark.parametrize(
    ("start", "end", "mode", "found"),
    [
        (0, 8, "strict", (0, 3)),
        (5, 8, "strict", (2, 3)),
        (6, 8, "strict", None),
        (5, 10, "strict", None),
        (6, 12, "contract", (3, 4)),
        (6, 10, "expand", (2, 4)),
        (6, 7, "contract", None),
        (6, 7, "expand", (2, 3)),
        (20, 22, "expand", None),
        (20, 20, "expand", None),
        (18, 25, "contract", (6, 7)),
        (45, 47, "contract", None),
        (45, 48, "contract", (11, 12)),
        (44, 47, "strict", (10, 11)),
        (40, 47, "expand", (9, 11)),
    ],
)
def test_spans_of_characters(document, start, end, mode, found):
    span = document.char_span(start, end, "X", mode)
    assert found == (None if span is None else (span.start, span.end))
    assert span is None or span.label == "X"


def test_no_other_mode_aligns_characters(document):
    with pytest.raises(ValueError, match="no such mode: 'inside'; there are strict, c"):
        document.char_span(0, 3, alignment_mode="inside")


def test_constituents_know_what_is_above_and_below():
    words = ["The", "cat", "sat", "."]
    phrases = [("S1", 0, 4), ("S", 0, 4), ("NP", 0, 2), ("VP", 2, 3)]
    answers = {
        "tree": "(S1 (S (NP (DT The) (NN cat)) (VP (VBD sat)) (. .)))",
        "constituents": [span(*phrase) for phrase in phrases],
    }
    first = sentence_object(words, **answers)
    document = document_of(first, sentence_object(words, at=15, **answers))
    tree = document.sentences[1].tree
    assert str(tree) == answers["tree"] and tree.parent is None
    assert (tree.label, tree.start, tree.end, tree.text) == (
        "S1",
        4,
        8,
        "The cat sat .",
    )
    (clause,) = tree.children
    noun, verb, stop = clause.children
    assert (noun.label, verb.label, stop) == ("NP", "VP", document[7])
    assert noun.children == noun.tokens == (document[4], document[5])
    assert noun.parent == verb.parent == clause and clause.parent == tree
    assert [each.label for each in tree.subtrees()] == ["S1", "S", "NP", "VP"]
    assert tree.find("NP") == [noun] and noun.find("S") == []
    assert [leaf.tag for leaf in tree.leaves] == ["DT", "NN", "VBD", "."]
    assert tree.phrases[2] == ("NP", 4, 6) and str(verb) == "(VP (VBD sat))"
    assert document[5].phrase == noun and document[7].phrase == clause
    assert tree.to_tree() == Tree.parse(answers["tree"])
    assert document.sentences[0].tree.find("NP")[0].phrases == [("NP", 0, 2)]
    assert repr(noun) == "Constituent(NP, 4:6, 'The cat')"
    assert tree.pformat(30).count("\n") == 4
    assert noun != document.sentences[0].tree.find("NP")[0]
    assert document.sentences[0].to_dict()["tree"] == answers["tree"]
    assert "tags" not in document.sentences[0].to_dict() and [*document.tags] == []
