"""Labels of networks for trees, from trees."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import parse_tree
from senna_py.labels.tree_keys import (
    brackets_of_keys,
    constituents_of_tree,
    keys_of_brackets,
    keys_of_types,
)
from senna_py.tagging.trees import ConstituentTypes
from tests.helpers.random_trees import trees

TREE = parse_tree("(TOP (S (NP (DT a) (NN b)) (VP (VB c) (S (VP (TO d) (NP (NN e)))))))")


def test_keys_are_in_the_order_of_the_types():
    keys = ConstituentTypes([TREE]).keys
    assert keys[0] == "O"
    assert keys[1:5] == ["B-NP", "I-NP", "E-NP", "S-NP"]
    assert [key[2:] for key in keys[1::4]] == ["NP", "S", "S(VP", "VP"]


def test_rare_chains_are_reduced():
    types = ConstituentTypes([TREE], min_count=2)
    assert [key[2:] for key in types.keys[1::4]] == ["NP", "S", "VP"]
    found = types.constituents([TREE])
    assert found.label.tolist() == [1, 0, 2, 1, 0]  # S(VP is S, the outer one of as frequent parts


def test_constituents_are_in_order():
    found = ConstituentTypes([TREE]).constituents([TREE, parse_tree("(TOP (X a))"), TREE])
    assert found.starts.tolist() == [0, 5, 5, 10]
    assert found.begin[:5].tolist() == [0, 0, 2, 3, 4]
    assert found.end[:5].tolist() == [5, 2, 5, 5, 5]
    assert found.label[5:].tolist() == [1, 0, 3, 2, 0]
    assert {array.dtype for array in found[1:4]} == {np.dtype(np.int32)}
    assert found.take(np.array([2])).begin.tolist() == found.begin[:5].tolist()


def test_what_training_has_not_seen():
    types = ConstituentTypes([TREE])
    tree = parse_tree("(TOP (S (VP (NP (NN a)))) (QP (CD b)))")
    found = types.constituents([tree])
    assert (found.begin.tolist(), found.end.tolist()) == ([0], [1])
    assert types.keys[1 + 4 * found.label[0]] == "B-S(VP"  # a part of S(VP(NP
    assert [label for label, _ in types.unknown(tree)] == ["QP"]
    assert types.unknown(TREE) == []


def test_types_of_another_network():
    types = ConstituentTypes([TREE], min_count=2)
    types.take_keys(keys_of_types(["S(VP", "NP", "VP", "X"]))
    assert [key[2:] for key in types.keys[1::4]] == ["S(VP", "NP", "VP", "X"]
    assert types.constituents([TREE]).label.tolist() == [1, 2, 0, 1]  # however rare; S is left out
    assert types.unknown(TREE) == []


def test_no_constituents_at_all():
    tree = parse_tree("(TOP (X a))")
    types = ConstituentTypes([tree])
    assert types.keys == ["O"]
    assert [len(array) for array in types.constituents([tree])[:4]] == [2, 0, 0, 0]


def test_brackets():
    left, right = brackets_of_keys(["O", "B-S(VP", "I-S(VP", "E-S(VP", "S-S(VP"])
    assert left == ["", "(S(VP", "", "", "(S(VP"]
    assert right == ["", "", "", "))", "))"]


@given(st.lists(trees, min_size=1, max_size=4))
def test_no_label_of_the_training_trees_is_unknown(sentences):
    types = ConstituentTypes(sentences)
    assert keys_of_brackets(brackets_of_keys(types.keys)[0]) == types.keys
    assert not any(types.unknown(tree) for tree in sentences)
    found = types.constituents(sentences)
    numbers = iter(found.label.tolist())
    for tree in sentences:
        for constituent in constituents_of_tree(tree):
            assert types.keys[1 + 4 * next(numbers)] == f"B-{constituent.label}"
    assert next(numbers, None) is None
