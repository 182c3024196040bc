"""Trees as text: on one line, on several, and read again; constituents level by
level.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from senna_py import Tree
from senna_py.corpora.tree_files import parse_tree
from senna_py.labels.tree_keys import frequent_label
from senna_py.labels.trees import Leaf
from tests.helpers.random_trees import deep_tree, levels_of_tree, trees

IT, WORKS = Leaf("It", "PRP"), Leaf("works", "VBZ")
TREE = Tree(
    "S1", (Tree("S", (Tree("NP", (IT,)), Tree("VP", (WORKS,)), Leaf(".", "."))),)
)
TEXT = "(S1 (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
INDENTED = """\
(S1
  (S
    (NP (PRP It))
    (VP (VBZ works))
    (. .)))"""


def test_what_brackets_cannot_say_is_written_all_the_same():
    leaf = Leaf("New  York(s)", "(")
    tree = Tree(
        "", (leaf, Tree("", (Leaf("", ""),)), Tree("N P", (Leaf("\x85", "X"),)))
    )
    assert str(tree) == "( (-LRB- New_York-LRB-s-RRB-) (_ (_ _)) (N_P (X _)))"
    assert [len(node.leaves) for node in (tree, Tree.parse(str(tree)))] == [3, 3]


def test_lines():
    assert str(TREE) == TEXT
    assert TREE.pformat() == TREE.pformat(len(TEXT) + 1) == TEXT
    assert TREE.pformat(len(TEXT)) == "(S1\n  " + TEXT[4:]
    assert TREE.pformat(22) == INDENTED
    assert TREE.pformat(0).split("\n")[2:4] == ["    (NP", "      (PRP It))"]


@given(trees, st.integers(0, 60))
@example(deep_tree(40), 70)
def test_lines_say_what_one_line_says(tree, margin):
    lines = tree.pformat(margin).split("\n")
    assert " ".join(line.strip(" ") for line in lines) == str(tree)
    assert Tree.parse(tree.pformat(margin)) == Tree.parse(str(tree))
    for line in lines:
        whole = line.rstrip(")").count("(") > 1
        assert not whole or len(line.rstrip(")")) < margin


@given(trees, st.integers(30, 80))
def test_lines_are_those_of_nltk(tree, margin):
    deepest = max(len(str(Tree("", (leaf,)))) for leaf in tree.leaves)
    depth = 2 * len(tree.phrases)
    margin += deepest + depth  # NLTK has words that do not fit on lines of their own
    import nltk

    assert tree.pformat(margin) == nltk.Tree.fromstring(str(tree)).pformat(margin)


@given(trees)
def test_what_is_written_is_read(tree):
    again = Tree.parse(str(tree))
    assert again.phrases == tree.phrases
    assert str(again) == str(tree)
    if all("_".join(leaf.word.split()) == leaf.word for leaf in tree.leaves):
        assert [leaf.word for leaf in again.leaves] == [
            leaf.word for leaf in tree.leaves
        ]


@pytest.mark.parametrize("text", ["", " \n", "()", "(())", "(S1)", "(TOP ())"])
def test_the_tree_of_no_word(text):
    tree = Tree.parse(text)
    assert tree == Tree("S1", ())
    assert (tree.leaves, tree.phrases) == ([], [("S1", 0, 0)])
    assert (str(tree), tree.pformat(), repr(tree)) == ("", "", "<Tree S1:>")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "(S (NP (NN a)",
            "line 1: expected ), found the end: 2 brackets are not closed",
        ),
        ("(S\n(NN a))\n(S (NN b))", "line 3: expected one tree, found ( after its end"),
    ],
)
def test_other_text_is_no_tree(text, problem):
    with pytest.raises(ValueError, match="expected") as error:
        Tree.parse(text)
    assert str(error.value) == problem


def test_trees_deeper_than_the_stack_of_the_interpreter():
    tree = deep_tree(1500)
    assert Tree.parse(str(tree)) == Tree.parse(tree.pformat()) == tree


def test_levels_of_an_example():
    tree = parse_tree(
        "(TOP (S (NP (DT The) (NN cat)) (VP (VBZ wants) (S (VP (TO to) (S (VP (VB eat))))))(. .)))"
    )
    assert levels_of_tree(tree) == [
        ["B-NP", "E-NP", "O", "O", "S-S(VP", "O"],
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
    counts = {
        "S(VP": 9,
        "S": 20,
        "VP": 20,
        "NP": 30,
        "FRAG": 3,
        "NP(QP": 4,
        "NP(S(VP": 1,
    }
    assert frequent_label(label, counts, at_least) == expected
