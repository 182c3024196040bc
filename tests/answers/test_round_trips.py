"""Documents come back from JSON, bytes and pickles; what is damaged is a ValueError."""

import json
import pickle
import re
import zlib

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from senna_py import Document, Sentence
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.stored import MAGIC
from senna_py.answers.tags import Tags
from senna_py.labels.tasks import SHAPES, TABLE, Task, find_task
from tests.helpers.random_documents import LINK, OWN, documents

HEAD = len(MAGIC) + 12  # The bytes before what the checksum is of.


@given(documents())
def test_bytes_and_pickles_have_all_of_a_document(document):
    for again in (
        Document.from_bytes(document.to_bytes()),
        pickle.loads(pickle.dumps(document)),
    ):
        assert again == document and hash(again) == hash(document)
        assert again.to_dict() == document.to_dict()
        assert again.to_bytes() == document.to_bytes()
        assert dict(again.layers) == dict(document.layers)


@given(documents())
def test_json_has_all_that_is_shown(document):
    if len({tuple(map(str, each.layers)) for each in document.sentences}) == 1:
        again = Document.from_json(document.to_json())
        assert again == document and again.to_json() == document.to_json()
    for sentence in document.sentences:
        alone = Sentence.from_json(sentence.to_json())
        assert [token.text for token in alone] == [token.text for token in sentence]
        assert alone.tags == sentence.tags
        if "link" not in document.layers:  # It may hang on a span that is not there.
            assert alone == sentence and hash(alone) == hash(sentence)
        assert (
            alone.document.to_bytes()
            == pickle.loads(pickle.dumps(alone.document)).to_bytes()
        )


def _tasks(document):
    return [document.layers[name].task for name in document.layers]


@given(documents(OWN))
def test_own_tasks_of_every_shape_keep_what_they_are(document):
    assert all(task.name not in TABLE for task in _tasks(document))
    for again in (
        Document.from_bytes(document.to_bytes()),
        pickle.loads(pickle.dumps(document)),
        Document.from_json(document.to_json()),
    ):
        assert again == document
        if len(document.sentences):
            assert dict(again.layers) == dict(document.layers)
            shown = [task for task in _tasks(again) if task.name != "pos"]
            assert {*shown} == {*_tasks(document)}
            assert again.to_json() == document.to_json()


@given(documents())
def test_surrogates_are_no_pairs_in_json(document):
    """JSON cannot tell the halves of a surrogate pair from the character."""
    pairs = str.maketrans({"a": "\ud83d", "é": "\ude00"})
    words = document._packed.word_forms()
    places = [(token.start_char, token.end_char) for token in document]
    text = document.text.translate(pairs)
    starts = [*document._lists.starts]
    halves = Document(text, places, starts, words=words)
    again = Document.from_json(halves.to_json())
    assert len(again.text) == len(text)
    assert [(token.start_char, token.end_char) for token in again] == places
    for old, new in zip(text, again.text, strict=True):
        assert new in (old, "\ufffd")
    if not re.search("\ud83d[\ude00\udcff]", text):
        assert again == halves
    values = [sentence.to_dict() for sentence in halves.sentences]
    assert [Sentence.from_dict(each).to_dict() for each in values] == values


def test_known_tasks_are_not_described_in_json():
    layer = Layer(TABLE["dep"], ["x"], np.zeros(1, np.int32), anchor=np.array([ROOT]))
    document = Document("a", [(0, 1)], [0, 1], {"dep": layer})
    assert "tasks" not in document.to_dict()["sentences"][0]


def test_tags_that_only_trees_need_stay_hidden_in_bytes():
    none, ends = np.zeros(1, np.int32), np.array([2], np.int32)
    layers = {"psg": Layer(TABLE["psg"], ["S"], none, none, ends)}
    document = Document("a b", [(0, 1), (2, 3)], [0, 2], layers)
    read = Document.from_json(document.to_json())
    for again in (read, Document.from_bytes(read.to_bytes())):
        assert [*again.layers] == ["psg"]
        assert not again.tags
        assert again.to_json() == document.to_json()


def test_two_layers_cannot_have_the_same_key_in_json():
    segments = SHAPES["segments"]
    tasks = find_task("ner"), Task("names", segments, attribute="entities")
    layers = {task.name: Layer.of_rows(task, []) for task in tasks}
    with pytest.raises(ValueError, match="names: in JSON, 'entities' is the layer of"):
        Document("a", [(0, 1)], [0, 1], layers)


@pytest.mark.parametrize(
    "changed",
    [
        {"task": 1},
        {"style": None},
        {"shape": {"name": "links"}},
        {"shape": ["links", "links", 1, "span", False]},
        {"shape": "unknown"},
        {"attribute": "tokens"},
        {"anchor_name": "label"},
    ],
)
def test_a_damaged_description_of_a_task_is_a_value_error(changed):
    none = np.empty(0, np.int32)
    layer = Layer(LINK, [], none, none, none, anchor=none)
    (sentence,) = Document("a", [(0, 1)], [0, 1], {"link": layer}).sentences
    values = sentence.to_dict()
    assert Sentence.from_dict(values) == sentence
    values["tasks"][0] |= changed
    with pytest.raises(ValueError, match=r"\w"):
        Sentence.from_dict(values)


@given(documents(), documents())
def test_documents_are_equal_by_value(one, other):
    assert one == pickle.loads(pickle.dumps(one))
    assert (one == other) == (one.to_dict() == other.to_dict())
    assert one != other or hash(one) == hash(other)
    assert one not in ("text", one.sentences)


@given(documents())
def test_views_know_their_places(document):
    for view in (*document, *document.sentences, document[:2]):
        assert pickle.loads(pickle.dumps(view)) == view
        assert hash(pickle.loads(pickle.dumps(view))) == hash(view)
    for name in document.spans:
        rows = document.layers[name].rows()
        for span, row in zip(document.spans[name], rows, strict=True):
            place = span.label, span.start, span.end, span.score
            assert place == (*row[:3], row[4])
            assert span in span.sentence.spans[name]
            anchor = span.anchor
            if name == "link" and anchor is not None:
                assert anchor == document.spans[name][row[3]]


def _bytes_or_value_error(data):
    try:
        document = Document.from_bytes(data)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 500
        return None
    return document


@given(documents(), st.data())
def test_damaged_bytes_are_a_value_error(document, data):
    good = document.to_bytes()
    for length in (0, 5, HEAD, len(good) - 1):
        with pytest.raises(ValueError, match=r"\w"):
            Document.from_bytes(good[:length])
    with pytest.raises(ValueError, match=r"\w"):
        Document.from_bytes(good + b"x")
    place = data.draw(st.integers(0, len(good) - 1))
    changed = bytearray(good)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    assert _bytes_or_value_error(bytes(changed)) is None


@given(documents(), st.data())
def test_bytes_that_somebody_made_up_are_no_other_error(document, data):
    """...even if their checksum is right."""
    body = bytearray(document.to_bytes()[HEAD:])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place] = data.draw(st.integers(0, 255))
    lengths = document.to_bytes()[len(MAGIC) + 4 : HEAD]
    checksum = zlib.crc32(bytes(body)).to_bytes(4, "little")
    made = _bytes_or_value_error(MAGIC + checksum + lengths + bytes(body))
    if made is not None:
        repr((made.to_dict(), made.sentences, [*made], made.layers))
        made.to_bytes()


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.sampled_from([-1, 0, 1, 2, 99, 0.5, 2.0, "", "a", [], {}, [1], {"label": 1}]),
)


def _places(value, path=()):
    """Yield the path of each value in JSON."""
    if path:
        yield path
    pairs = enumerate(value) if isinstance(value, list) else ()
    for key, each in value.items() if isinstance(value, dict) else pairs:
        yield from _places(each, (*path, key))


@given(documents(), st.data())
def test_damaged_json_is_a_value_error_or_another_document(document, data):
    values = json.loads(document.to_json())
    places = [*_places(values)]
    assume(places)
    *path, last = data.draw(st.sampled_from(places))
    inner = values
    for key in path:
        inner = inner[key]
    if data.draw(st.booleans()):
        inner[last] = data.draw(VALUES)
    elif isinstance(inner, dict):
        del inner[last]
    else:
        inner.append(inner[last])
    try:
        made = Document.from_dict(values)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert Document.from_dict(made.to_dict()) == made
        assert Document.from_bytes(made.to_bytes()) == made


def test_other_values_are_no_documents():
    for value in (None, [], "text", {"text": 1}, {"text": "a", "sentences": 3}):
        with pytest.raises(ValueError, match="not a document: "):
            Document.from_dict(value)
    for value, problem in (
        ({"sentences": []}, "not a document: the key 'text' is missing"),
        ("text", "not a document: a JSON string, not an object; JSON text is for from"),
        ([], "not a document: expected a dict, not list"),
    ):
        with pytest.raises(ValueError, match=f"^{problem}"):
            Document.from_dict(value)
        with pytest.raises(ValueError, match=f"^{problem}"):
            Document.from_json(json.dumps(value))
    with pytest.raises(TypeError, match="expected JSON text, not dict: use from_dict"):
        Document.from_json({"text": ""})
    with pytest.raises(TypeError, match="expected bytes, not str"):
        Document.from_bytes("text")
    with pytest.raises(ValueError, match="wrong first bytes"):
        Document.from_bytes(b"text")


def test_the_first_of_two_spans_with_the_same_tokens_is_the_anchor():
    label, begin = np.array([0, 1, 0], np.int32), np.array([0, 0, 1], np.int32)
    anchor = np.array([ROOT, ROOT, 0], np.int32)
    layer = Layer(LINK, ["a", "b"], label, begin, begin + 1, anchor=anchor)
    document = Document("a b", [(0, 1), (2, 3)], [0, 2], {"link": layer})
    for again in (
        Document.from_json(document.to_json()),
        Document.from_bytes(document.to_bytes()),
    ):
        assert again.layers["link"].anchor.tolist() == [ROOT, ROOT, 0]


def test_a_document_of_layers_is_checked():
    layer = Document("a b", [(0, 1), (2, 3)], [0, 2]).layers
    assert dict(layer) == {}
    with pytest.raises(ValueError, match="no sentence from character 0 to 9"):
        Document("a b", [(0, 1), (2, 9)], [0, 2])
    with pytest.raises(ValueError, match="sentences that do not divide 2 tokens"):
        Document("a b", [(0, 1), (2, 3)], [0, 1])
    document = Document("a b", np.array([(0, 1), (2, 3)], np.int32), [0, 1, 2])
    assert [each.text for each in document.sentences] == ["a", "b"]


@pytest.mark.parametrize(
    ("task", "spans", "anchor", "problem"),
    [
        ("ner", [(0, 2)], None, "sentence"),
        ("ner", [(0, 1), (0, 1)], None, "overlap"),
        ("ner", [(1, 1)], None, ""),
        ("ner", [(2, 4)], None, ""),
        ("psg", [(1, 2), (1, 3)], None, ""),
        ("link", [(0, 1), (1, 2)], [-1, 2], ""),
        ("link", [(0, 1), (1, 2)], None, "anchors of spans are missing"),
        ("ner", [(0, 1), (1, 2)], [-1, 0], "anchors of spans are missing"),
    ],
)
def test_layers_that_do_not_fit_a_document_are_refused(task, spans, anchor, problem):
    begin, end = (np.array(column, np.int32) for column in zip(*spans, strict=True))
    label = np.zeros(len(spans), np.int32)
    if anchor is not None:
        anchor = np.array(anchor, np.int32)
    layer = Layer(
        (TABLE | {LINK.name: LINK})[task], ["A"], label, begin, end, anchor=anchor
    )
    with pytest.raises(ValueError, match=f"^{task}: .*{problem}"):
        Document("a b c", [(0, 1), (2, 3), (4, 5)], [0, 1, 3], {task: layer})


def test_a_tag_that_has_no_name_is_a_value_error():
    starts = np.array([0, 2], np.int32)
    for tag in (-9, 2):
        tags = Tags(("O", "S-NP"), np.array([0, tag], np.int32), starts, starts[:-1])
        layer = Layer.from_tags(TABLE["chk"], tags)
        with pytest.raises(ValueError, match="chk: a tag that is none of 2"):
            Document("a b", [(0, 1), (2, 3)], starts, {"chk": layer})


def test_a_boolean_is_no_score():
    sentence = {
        "text": "a",
        "tokens": [{"text": "a", "start_char": 0, "end_char": 1}],
        "end_char": 1,
        "tags": {"pos": ["NN"]},
        "scores": {"pos": [True]},
    }
    with pytest.raises(ValueError, match="score: True is no probability"):
        Sentence.from_dict(sentence)
