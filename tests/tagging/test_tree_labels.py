"""What networks learn of trees, and which of their labels there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import parse_tree
from senna_py.errors import SennaError
from senna_py.labels.tree_keys import (
    brackets_of_keys,
    constituents_of_tree,
    keys_of_brackets,
    keys_of_types,
)
from senna_py.tagging.kinds import kind_of
from tests.helpers.random_trees import trees

TREE = parse_tree("(TOP (S (NP (DT a) (NN b)) (VP (VB c) (S (VP (TO d) (NP (NN e)))))))")


def kind(labels, min_count=1):
    """The kind of trees with the keys of some."""
    found = kind_of("psg")
    found.find_keys(labels, min_count)
    return found


def learned(kind, labels):
    """The Constituents that a network learns of trees."""
    return kind.targets(labels, None).trees


def test_keys_are_in_the_order_of_the_types():
    keys = kind([TREE]).keys
    assert keys[:5] == ["O", "B-NP", "I-NP", "E-NP", "S-NP"]
    assert keys[1::4] == ["B-NP", "B-S", "B-S(VP", "B-VP"]


def test_rare_chains_are_reduced():
    found = kind([TREE], min_count=2)
    assert found.keys[1::4] == ["B-NP", "B-S", "B-VP"]
    # S(VP is S, the outer one of as frequent parts
    assert learned(found, [TREE]).label.tolist() == [1, 0, 2, 1, 0]


def test_constituents_are_in_order():
    found = learned(kind([TREE]), [TREE, parse_tree("(TOP (X a))"), TREE])
    assert found.starts.tolist() == [0, 5, 5, 10]
    assert found.begin[:5].tolist() == [0, 0, 2, 3, 4]
    assert found.end[:5].tolist() == [5, 2, 5, 5, 5]
    assert found.label[5:].tolist() == [1, 0, 3, 2, 0]
    assert {array.dtype for array in found[1:4]} == {np.dtype(np.int32)}
    assert found.take(np.array([2])).begin.tolist() == found.begin[:5].tolist()


def test_what_training_has_not_seen():
    known = kind([TREE])
    tree = parse_tree("(TOP (S (VP (NP (NN a)))) (QP (CD b)))")
    found = learned(known, [tree])
    assert (found.begin.tolist(), found.end.tolist()) == ([0], [1])
    assert known.keys[1 + 4 * found.label[0]] == "B-S(VP"  # a part of S(VP(NP
    assert known.unknown(tree) == [("QP", 1)]
    assert known.unknown(TREE) == []


def test_types_of_another_network():
    known = kind([TREE], min_count=2)
    assert known.lacking(keys_of_types(["S(VP", "NP", "VP"])) == {"S"}
    known.take_keys(keys_of_types(["S(VP", "NP", "VP", "X"]))
    assert known.keys[1::4] == ["B-S(VP", "B-NP", "B-VP", "B-X"]
    # However rare they are; S is left out.
    assert learned(known, [TREE]).label.tolist() == [1, 2, 0, 1]
    assert known.unknown(TREE) == []


def test_no_constituents_at_all():
    tree = parse_tree("(TOP (X a))")
    with pytest.raises(SennaError, match="no phrase below the roots"):
        kind([tree])
    assert [len(array) for array in learned(kind([TREE]), [tree])[:4]] == [2, 0, 0, 0]


def test_brackets():
    left, right = brackets_of_keys(["O", "B-S(VP", "I-S(VP", "E-S(VP", "S-S(VP"])
    assert left == ["", "(S(VP", "", "", "(S(VP"]
    assert right == ["", "", "", "))", "))"]


@given(st.lists(trees, min_size=1, max_size=4))
def test_no_label_of_the_training_trees_is_unknown(sentences):
    known = kind([TREE, *sentences])
    assert keys_of_brackets(known.of_model()[0]) == known.keys
    assert not any(known.unknown(tree) for tree in sentences)
    found = [known.keys[1 + 4 * label] for label in learned(known, sentences).label]
    assert found == [f"B-{each.label}" for tree in sentences for each in constituents_of_tree(tree)]
