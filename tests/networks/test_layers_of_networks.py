"""Layers of what networks decide in a batch of several sentences."""

import numpy as np
import pytest

from senna_py.answers.layer import ROOT
from senna_py.errors import UsageError
from senna_py.labels.tasks import find_task
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.batch import WordBatch
from senna_py.networks.decoding import (
    DecodedArcs,
    DecodedTags,
    TreeSpans,
    arc_layer,
    likely_tags,
    tag_layer,
    tree_layer,
)

NAMES = "O", "S-A", "B-A", "E-A"
STARTS = np.array([0, 2, 5], np.int32)


def ints(*values):
    return np.array(values, np.int32)


def test_tags_beside_predicates_are_spans_of_their_sentence():
    batch = WordBatch(None, STARTS).of_predicates(ints(1, 2, 4))
    tags = ints(1, 0, 0, 2, 3, 0, 0, 1)  # A row for each token beside each predicate.
    layer = tag_layer(find_task("srl"), NAMES, batch, DecodedTags(tags, None))
    assert layer.anchors.tolist() == [1, 2, 4]
    assert [*layer.rows()] == [
        ("A", 0, 1, 1, None),
        ("A", 3, 5, 2, None),
        ("A", 4, 5, 4, None),
    ]


def test_tags_of_words_are_spans_of_the_batch():
    tags = DecodedTags(ints(1, 0, 0, 2, 3), None)
    layer = tag_layer(find_task("ner"), NAMES, WordBatch(None, STARTS), tags)
    assert [row[:3] for row in layer.rows()] == [("A", 0, 1), ("A", 3, 5)]


def test_likely_tags_stand_at_their_tokens():
    batch = WordBatch(None, STARTS).of_predicates(ints(1, 4))
    shares = np.zeros((5, 4), np.float32)
    shares[:, 0] = 1
    shares[3] = 0.25, 0.75, 0, 0
    layer = likely_tags(find_task("srl"), NAMES, batch, shares)
    places = [*zip(layer.begin.tolist(), layer.anchor.tolist(), strict=True)]
    assert places == [(0, 1), (1, 1), (2, 4), (3, 4), (3, 4), (4, 4)]
    assert layer.score.tolist() == pytest.approx([1, 1, 1, 0.25, 0.75, 1])


def test_the_likeliest_tags_are_there_even_if_none_is_likely():
    names = [f"T{number}" for number in range(200)]
    shares = np.full((2, 200), 0.995 / 199, np.float32)
    shares[:, 7] = 0.005 + 1e-5
    batch = WordBatch(None, STARTS[:2])
    layer = likely_tags(find_task("pos"), names, batch, shares)
    assert {*layer.texts()} == {"T7"}
    assert layer.begin.tolist() == [0, 1]


def test_heads_are_tokens_of_the_batch():
    decoded = DecodedArcs(ints(1, -1, 1, 2, -1), ints(0, 1, 0, 0, 1), None)
    layer = arc_layer(find_task("dep"), ["a", "root"], STARTS, decoded)
    assert layer.anchor.tolist() == [1, ROOT, 3, 4, ROOT]


def test_trees_have_a_root_and_outer_phrases_first():
    brackets = ["", "(NP", "(NP", "", "(NP", "(S(VP", "(S(VP", "", "(S(VP"]
    spans = TreeSpans(ints(3, 2, 0), ints(5, 5, 1), ints(0, 1, 0), ints(1, 1, 1))
    layer = tree_layer(find_task("psg"), brackets, spans, STARTS)
    (root,) = {layer.names[layer.label[0]]}
    assert [row[:3] for row in layer.rows()] == [
        (root, 0, 2),
        ("S", 0, 2),
        ("NP", 0, 1),
        (root, 2, 5),
        ("S", 2, 5),
        ("VP", 2, 5),
        ("NP", 3, 5),
    ]


def test_networks_may_give_no_probabilities():
    class Bare(TaggerNetwork):
        kind = "bare"

    network, batch = Bare.__new__(Bare), WordBatch(None, STARTS)
    with pytest.raises(UsageError, match="pos: bare networks give no probabilities"):
        network.likely(batch, find_task("pos"), NAMES)
