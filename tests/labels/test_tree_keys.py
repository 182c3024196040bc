"""Constituents of trees, level by level."""

import pytest

from senna_py.corpora.tree_files import parse_tree
from senna_py.labels.tree_keys import frequent_label
from tests.helpers.random_trees import levels_of_tree


def test_levels_of_an_example():
    tree = parse_tree(
        "(TOP (S (NP (DT The) (NN cat)) (VP (VBZ wants) (S (VP (TO to) (VP (VB eat)))))(. .)))"
    )
    assert levels_of_tree(tree) == [
        ["B-NP", "E-NP", "O", "O", "S-VP", "O"],
        ["O", "O", "O", "B-S(VP", "E-S(VP", "O"],
        ["O", "O", "B-VP", "I-VP", "E-VP", "O"],
        ["B-S", "I-S", "I-S", "I-S", "I-S", "E-S"],
    ]


@pytest.mark.parametrize(
    ("label", "at_least", "expected"),
    [
        ("S(VP", 1, "S(VP"),
        ("S(VP", 9, "S(VP"),
        ("S(VP", 10, "S"),  # VP and S occur as often: the outermost
        ("X", 10, "X"),  # one phrase stays
        ("NP(S(VP", 2, "S(VP"),
        ("NP(X(QP", 2, "NP(QP"),
        ("X(FRAG", 2, "FRAG"),
    ],
)
def test_rare_labels_become_their_parts(label, at_least, expected):
    counts = {"S(VP": 9, "S": 20, "VP": 20, "NP": 30, "FRAG": 3, "NP(QP": 4, "NP(S(VP": 1}
    assert frequent_label(label, counts, at_least) == expected
