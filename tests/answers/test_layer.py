"""Layers against the naive reading of tags, and their stretches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.answers.joining import concatenate
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import PathScores, Tags
from senna_py.labels.tag_schemes import convert, segments
from senna_py.labels.tasks import Shape, Task, find_task
from tests.helpers.random_documents import documents

NAMES = ("O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B", "S-B")
SEQUENCES = st.lists(
    st.lists(st.integers(0, len(NAMES) - 1), min_size=1, max_size=9), max_size=6
)


def tags_of(sequences, first=None):
    begin = np.append(0, np.cumsum([*map(len, sequences)], dtype=np.int64))
    tag = np.array([tag for tags in sequences for tag in tags], np.int32)
    first = begin[:-1] if first is None else first
    return Tags(NAMES, tag, begin, np.asarray(first, np.int32))


@given(SEQUENCES)
def test_tags_make_the_spans_that_a_reader_of_tags_finds(sequences):
    layer = Layer.from_tags(find_task("ner"), tags_of(sequences))
    expected, at = [], 0
    for tags in sequences:
        for label, begin, end in segments([NAMES[tag] for tag in tags]):
            expected.append((label, begin + at, end + at, ROOT, None))
        at += len(tags)
    assert [*layer.rows()] == expected


def test_tags_without_a_prefix_or_a_label_are_outside_of_spans():
    names = "O", "S", "B-", "X-A", "S-A"
    tag, begin = np.arange(5, dtype=np.int32), np.array([0, 5])
    tags = Tags(names, tag, begin, begin[:1].astype(np.int32))
    layer = Layer.from_tags(find_task("ner"), tags)
    assert [*layer.rows()] == [("A", 4, 5, ROOT, None)]
    assert layer.names == ("A",)


@given(SEQUENCES, st.data())
def test_stretches_count_from_their_first_token(sequences, data):
    layer = Layer.from_tags(find_task("ner"), tags_of(sequences))
    ends = np.append(0, np.cumsum([*map(len, sequences)], dtype=np.int64)).tolist()
    cuts = data.draw(st.lists(st.sampled_from(ends), unique=True))
    bounds = sorted({0, ends[-1], *cuts})
    rows = [*layer.rows()]
    as_spans = Layer(layer.task, layer.names, layer.label, layer.begin, layer.end)
    assert as_spans == layer
    for each in (layer, as_spans):
        stretches = [*each.split(bounds)]
        moved = [
            (label, begin + first, end + first, anchor, score)
            for first, stretch in zip(bounds, stretches, strict=False)
            for label, begin, end, anchor, score in stretch.rows()
        ]
        assert moved == rows


def test_stretches_keep_both_tags_and_spans():
    none = np.zeros(3, np.int32)
    tags = tags_of([[4, 0], [5, 7], [0]])
    # Other spans than the tags have, as JSON may give them.
    layer = Layer(
        find_task("ner"), ["C"], none, np.arange(3), np.arange(1, 4), tags=tags
    )
    stretches = [*layer.split([0, 2, 4, 5])]
    assert [[*each.rows()] for each in stretches] == [
        [("C", 0, 1, ROOT, None), ("C", 1, 2, ROOT, None)],
        [("C", 0, 1, ROOT, None)],
        [],
    ]
    assert [each.tags.texts() for each in stretches] == [
        ["S-A", "O"],
        ["B-B", "E-B"],
        ["O"],
    ]
    joined = concatenate(stretches, [2, 2, 1])
    assert joined == layer
    assert joined.tags.texts() == layer.tags.texts()


def test_spans_that_rules_decide_are_certain():
    scores = PathScores(np.full(5, 0.5, np.float32), np.full(5, 0.25, np.float32))
    tags = tags_of([[1, 3, 0], [4, 0]])._replace(scores=scores)
    tag = np.array([1, 3, 0, 5, 7], np.int32)
    decided = tags.decided(tag, np.array([False, False, False, True, True]))
    assert [*Layer.from_tags(find_task("val"), decided).rows()] == [
        ("A", 0, 2, ROOT, 0.125),
        ("B", 3, 5, ROOT, 1.0),
    ]
    assert tags.scores.tag.tolist() == [0.5] * 5
    without = tags._replace(scores=None).decided(tag, np.ones(5, bool))
    assert without.scores is None


def test_stretches_do_not_keep_the_memory_of_the_layer():
    tags = Layer.from_tags(find_task("ner"), tags_of([[4, 0], [5, 7]]))
    score = np.array([0.5, 0.25])
    spans = Layer(tags.task, tags.names, tags.label, tags.begin, tags.end, score=score)
    for stretch in spans.split([0, 2, 4]):
        for name in ("label", "begin", "end", "score"):
            assert not np.shares_memory(getattr(stretch, name), getattr(spans, name))
    for stretch in tags.split([0, 2, 4]):
        assert not np.shares_memory(stretch.tags.tag, tags.tags.tag)


def test_spans_of_predicates_hang_on_them():
    task = find_task("srl")
    tags = tags_of([[4, 0, 5, 7], [0, 0, 0, 0], [8, 4]], [0, 0, 4])
    layer = Layer.from_tags(task, tags, np.array([1, 2, 4], np.int32))
    assert [*layer.rows()] == [
        ("A", 0, 1, 1, None),
        ("B", 2, 4, 1, None),
        ("B", 4, 5, 4, None),
        ("A", 5, 6, 4, None),
    ]
    first, second = layer.split([0, 4, 6])
    assert first.anchors.tolist() == [1, 2]
    assert second.anchors.tolist() == [0]
    assert [*second.rows()] == [("B", 0, 1, 0, None), ("A", 1, 2, 0, None)]
    as_spans = Layer(
        task,
        layer.names,
        layer.label,
        layer.begin,
        layer.end,
        anchor=layer.anchor,
        anchors=layer.anchors,
    )
    assert [*as_spans.split([0, 4, 6])] == [first, second]


def test_links_to_other_stretches_are_cut():
    task = Task("link", Shape("links", "", hangs_on="span"))
    begin = np.array([0, 2, 5], np.int32)
    layer = Layer(
        task,
        ["same"],
        np.zeros(3, np.int32),
        begin,
        begin + 1,
        anchor=np.array([ROOT, 0, 1], np.int32),
    )
    first, second = layer.split([0, 4, 6])
    assert first.anchor.tolist() == [ROOT, 0]
    assert second.anchor.tolist() == [ROOT]
    assert second.begin.tolist() == [1]


@given(SEQUENCES.filter(bool), st.sampled_from(["iobes", "iob", "brackets"]))
def test_spans_are_written_as_tags(sequences, scheme):
    layer = Layer.from_tags(find_task("ner"), tags_of(sequences))
    n_tokens = sum(map(len, sequences))
    raw = [convert(NAMES[tag], scheme) for tags in sequences for tag in tags]
    assert layer.tag_texts(n_tokens, scheme) == raw
    as_spans = Layer(layer.task, layer.names, layer.label, layer.begin, layer.end)
    written = as_spans.tag_texts(n_tokens)
    assert segments(written) == [row[:3] for row in as_spans.rows()]


def test_features_read_labels_of_tokens():
    tags = Layer(find_task("pos"), ["NN", "VB"], np.array([1, 0], np.int32))
    assert tags.of_tokens(2).tolist() == [1, 0]
    assert tags.texts() == ["VB", "NN"]
    assert Layer.from_tags(find_task("chk"), tags_of([[1, 3]])).of_tokens(
        2
    ).tolist() == [
        1,
        3,
    ]
    with pytest.raises(AssertionError):
        Layer(find_task("chk"), ["NP"], *np.array([[0], [0], [1]], np.int32)).of_tokens(
            1
        )


@given(SEQUENCES)
def test_tags_of_spans_are_those_that_made_them(sequences):
    tags = tags_of(sequences)
    starts = tags.begin.astype(np.int32)
    spans = Layer.from_tags(find_task("ner"), tags)
    layer = Layer(spans.task, spans.names, spans.label, spans.begin, spans.end)
    again = Layer.from_tags(layer.task, layer.sequence_tags(starts))
    assert again == spans
    assert layer.sequence_tags(starts).begin.tolist() == tags.begin.tolist()


def test_tags_of_spans_that_hang_on_tokens_are_in_rows():
    starts = np.array([0, 4, 6], np.int32)
    anchors = np.array([1, 2, 4], np.int32)
    tags = tags_of([[4, 0, 5, 7], [0, 0, 0, 0], [8, 4]], [0, 0, 4])
    made = Layer.from_tags(find_task("srl"), tags, anchors)
    layer = Layer(
        made.task,
        made.names,
        made.label,
        made.begin,
        made.end,
        anchor=made.anchor,
        anchors=anchors,
    )
    again = layer.sequence_tags(starts)
    assert again.texts() == tags.texts()
    assert again.first.tolist() == [0, 0, 4]
    assert again.begin.tolist() == [0, 4, 8, 10]


@given(documents())
def test_layers_are_made_of_their_rows(document):
    for layer in document.layers.values():
        made = Layer.of_rows(layer.task, [*layer.rows()], layer.anchors)
        assert made == layer and [*made.rows()] == [*layer.rows()]
