"""Links as text, and where they stand."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.answers.layer import ROOT, Layer
from senna_py.formats.links import Link, link_texts, links_of
from senna_py.labels.tasks import Shape, Task

TASK = Task("link", Shape("links", "links", hangs_on="span"))
places = st.tuples(st.integers(0, 99), st.integers(1, 9)).map(
    lambda pair: (pair[0], sum(pair))
)
anchors = st.none() | st.tuples(st.integers(-9, 9), places).map(
    lambda pair: (pair[0], *pair[1])
)


@given(st.text(), places, anchors)
def test_links_are_read_back(label, place, anchor):
    link = Link(label, *place, anchor)
    assert Link.parse(str(link)) == link


@pytest.mark.parametrize(
    "text", ["", "same", "same:", "same:1>", "same:x", "same:1>2/", "a:0", "a:4-2"]
)
def test_other_text_is_no_link(text):
    with pytest.raises(ValueError, match="expected a link"):
        Link.parse(text)


def test_tokens_are_counted_in_their_sentences():
    begin, end = np.array([0, 1, 4]), np.array([1, 3, 5])
    layer = Layer(
        TASK,
        ["same", "part"],
        np.array([0, 1, 0], np.int32),
        begin.astype(np.int32),
        end.astype(np.int32),
        anchor=np.array([ROOT, 0, 1], np.int32),
    )
    starts = np.array([0, 3, 5], np.int32)
    assert link_texts(layer, starts) == [
        ["same:1"],
        ["part:2-3>1"],
        [],
        [],
        ["same:2>-1/2-3"],
    ]
    assert [len(links_of(layer, starts, number)) for number in (0, 1)] == [2, 1]


def test_links_of_a_sentence_are_those_of_its_batch():
    begin = np.array([0, 3, 3, 5, 6], np.int32)
    label = np.zeros(5, np.int32)
    anchor = np.array([1, ROOT, 0, 1, 3], np.int32)  # first tokens of sentences, too
    layer = Layer(TASK, ["same"], label, begin, begin + 1, anchor=anchor)
    starts = np.array([0, 3, 5, 7], np.int32)
    found = [links_of(layer, starts, number) for number in range(3)]
    assert [*chain.from_iterable(found)] == links_of(layer, starts)
    assert [*map(str, found[2])] == ["same:1>-1/1", "same:2>1"]
