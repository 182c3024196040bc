"""Trees of labels on levels, as networks find them."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.labels.tag_schemes import segments
from senna_py.labels.tree_keys import found_phrases
from senna_py.labels.trees import Leaf, Phrase, Tree, build_tree
from senna_py.networks.answers import TreeLabels
from tests.helpers.random_trees import deep_tree, levels_of_tree, trees


def as_levels(sentences):
    """What a network would give for a list of Tree: Trees, where sentences start, brackets."""
    levels = [levels_of_tree(tree) for tree in sentences]
    tags = {tag for each in levels for level in each for tag in level} - {"O"}
    types = sorted({tag[2:] for tag in tags})
    index = {f"{kind}-{t}": 1 + 4 * n + k for n, t in enumerate(types) for k, kind in
             enumerate("BIES")} | {"O": 0}  # fmt: skip
    brackets = ["", *chain(*([f"({t}", "", "", f"({t}"] for t in types))]
    labels = [[index[tag] for level in each for tag in level] for each in levels]
    lengths = [len(tree.leaves) for tree in sentences]
    whole = [
        any(end - begin == n for level in each for _, begin, end in segments(level))
        for each, n in zip(levels, lengths, strict=True)
    ]
    rows, begin, starts = (
        np.append(0, np.cumsum([len(each) for each in lists])).astype(int)
        for lists in (labels, levels, [range(n) for n in lengths])
    )
    found = TreeLabels(np.array([*chain(*labels)], np.int32), rows, begin, np.array(whole))
    return found, starts, brackets


@given(st.lists(trees, min_size=1, max_size=4))
def test_what_a_network_gives_is_the_tree_again(sentences):
    found, starts, brackets = as_levels(sentences)
    for tree, phrases, whole in zip(
        sentences, found_phrases(found, starts, brackets, "R"), found.whole, strict=True
    ):
        around = [] if whole else [Phrase("S", 0, len(tree.leaves))]
        assert phrases == [Phrase("R", 0, len(tree.leaves)), *around, *tree.phrases[1:]]
        assert build_tree(tree.leaves, phrases).leaves == tree.leaves


def test_deep_trees():
    tree = deep_tree(30)
    assert found_phrases(*as_levels([tree]), "")[0][2:] == tree.phrases[1:]


def test_sentences_without_levels_or_words():
    rows = np.array([0, 0, 0, 2])
    found = TreeLabels(np.array([1, 3], np.int32), rows, rows, np.array([False, False, True]))
    phrases = found_phrases(found, np.array([0, 1, 1, 3]), ["", "(A", "", "", "(A"], "S1")
    assert phrases == [
        [("S1", 0, 1), ("S", 0, 1)], [("S1", 0, 0), ("S", 0, 0)], [("S1", 0, 2), ("A", 0, 2)],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "brackets",
    [
        ["(O)", "A", "(I", "((", "((", ")B", "(B", "(((", "( )"],
        ["", "()", ")", "", "(\n", "(B", "", "", ""],
    ],
)
def test_whatever_brackets_labels_have_in_a_damaged_model(brackets):
    labels = np.array([1, 3, 8, 5, 6, 7], np.int32)
    found = TreeLabels(labels, np.array([0, 6]), np.array([0, 2]), np.array([True]))
    phrases = found_phrases(found, np.array([0, 3]), brackets, "S1")[0]
    tree = build_tree([Leaf("a", "X")] * 3, phrases)
    assert tree.phrases == phrases
    assert Tree.parse(str(tree)).leaves == tree.leaves
