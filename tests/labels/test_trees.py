"""Trees as values."""

import copy
import pickle

import pytest
from hypothesis import given

from senna_py.labels.trees import (
    EMPTY,
    Leaf,
    Phrase,
    Tree,
    bare_tree,
    build_tree,
    tree_of_bits,
)
from tests.helpers.random_trees import bits_of, deep_tree, trees

IT, WORKS, TRACE = Leaf("It", "PRP"), Leaf("works", "VBZ"), Leaf("*T*-1", "-NONE-")


def test_leaves_and_phrases():
    tree = Tree("S", (Tree("NP", (IT,)), Tree("VP", (WORKS,))))
    assert tree.leaves == [IT, WORKS]
    assert tree.phrases == [Phrase("S", 0, 2), Phrase("NP", 0, 1), Phrase("VP", 1, 2)]
    assert tree.phrases == [("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)]
    assert repr(tree) == "<Tree S: It works>"


@given(trees)
def test_leaves_and_phrases_make_the_tree_again(tree):
    again = build_tree(tree.leaves, tree.phrases)
    assert again == tree
    assert hash(again) == hash(tree)


@given(trees, trees)
def test_equal_trees_are_equal_all_over(one, other):
    assert (one == other) == (
        (one.label, one.children) == (other.label, other.children)
    )


def test_a_tree_is_no_other_kind_of_thing():
    assert Tree("NP", (IT,)) != "NP"
    assert Tree("NP", (IT,)) != Tree("VP", (IT,))


def test_trees_deeper_than_the_stack_of_the_interpreter():
    tree = deep_tree(3000)
    assert tree == deep_tree(3000)
    assert len(tree.leaves) == 3002
    assert len(bare_tree(tree).phrases) == len(tree.phrases) == 6001


def test_deep_trees_can_be_pickled_and_copied():
    tree = deep_tree(1500)
    assert pickle.loads(pickle.dumps(tree)) == copy.deepcopy(tree) == tree
    assert pickle.loads(pickle.dumps(EMPTY)) == EMPTY


def test_no_phrase_is_empty_but_the_root_of_no_word():
    with pytest.raises(ValueError, match="NP has neither"):
        Tree("NP", ())
    with pytest.raises(ValueError, match="root S1, below TOP, has no word"):
        Tree("TOP", (Tree("S1", ()), IT))
    assert Tree("S1", ()) == EMPTY
    assert Tree("TOP", ()) != EMPTY
    assert (EMPTY.leaves, EMPTY.phrases) == ([], [Phrase("S1", 0, 0)])


@pytest.mark.parametrize("children", [("a",), "a", (IT, None), (("It", "PRP"),)])
def test_children_are_trees_and_leaves(children):
    with pytest.raises(TypeError, match="expected a Tree or a Leaf below S1, found "):
        Tree("S1", children)


@pytest.mark.parametrize("text", [b"(NN a)", None])
def test_text_of_a_tree_is_str(text):
    with pytest.raises(
        TypeError, match=r"expected bracketed text as str, found (bytes|NoneType)"
    ):
        Tree.parse(text)


@pytest.mark.parametrize(
    "phrases",
    [
        [],
        [Phrase("S", 0, 1)],
        [Phrase("S", 0, 3)],
        [Phrase("S", 0, 2), Phrase("NP", 0, 3)],
        [Phrase("S", 0, 2), Phrase("NP", 1, 1)],
        [Phrase("S", 0, 2), Phrase("NP", 1, 2), Phrase("VP", 0, 1)],
        [Phrase("NP", 0, 1), Phrase("VP", 1, 2)],
        [Phrase("S", 0, 2), Phrase("NP", 2, 3)],
    ],
)
def test_phrases_that_are_no_tree(phrases):
    with pytest.raises(ValueError, match=r"expected|overlaps"):
        build_tree([IT, WORKS], phrases)


def test_phrases_that_overlap():
    phrases = [Phrase("S", 0, 3), Phrase("NP", 0, 2), Phrase("VP", 1, 3)]
    with pytest.raises(ValueError, match="overlaps"):
        build_tree([IT, WORKS, IT], phrases)


@pytest.mark.parametrize("root", ["", "TOP", "ROOT", "S1"])
def test_bare_trees_have_no_traces_and_no_function_tags(root):
    subject = Tree("NP-SBJ-1", (IT,))
    predicate = Tree(
        "VP", (WORKS, Tree("NP=2", (TRACE,)), Tree("S", (Tree("NP", (TRACE,)),)))
    )
    sentence = Tree("S", (subject, predicate))
    expected = Tree("TOP", (Tree("S", (Tree("NP", (IT,)), Tree("VP", (WORKS,)))),))
    assert bare_tree(Tree(root, (sentence,))) == expected
    assert bare_tree(sentence) == expected
    assert bare_tree(Tree(root, (Tree("NP", (TRACE,)),))) is None


def test_bare_trees_have_no_roots_of_parts():
    parts = Tree(
        "S1", (Tree("S1", (Tree("S", (IT,)),)), Tree("S1", (Tree("NP", (IT, WORKS)),)))
    )
    assert str(bare_tree(parts)) == "(TOP (S (PRP It)) (NP (PRP It) (VBZ works)))"
    below = Tree("S1", (Tree("S", (Tree("S1", (IT,)),)),))
    assert str(bare_tree(below)) == "(TOP (S (S1 (PRP It))))"


@given(trees)
def test_a_bare_tree_stays_as_it_is(tree):
    assert bare_tree(tree) == tree


@given(trees)
def test_parse_bits_say_what_the_tree_says(tree):
    bits = bits_of(tree)
    assert tree_of_bits(tree.leaves, bits) == tree
    parts = (
        ["*"] if isinstance(each, Leaf) else bits_of(each) for each in tree.children
    )
    without_top = [bit for part in parts for bit in part]
    assert tree_of_bits(tree.leaves, without_top) == tree


def test_malformed_bits_name_the_token():
    with pytest.raises(
        ValueError, match="expected at most 1 closing bracket, found"
    ) as error:
        tree_of_bits([IT, WORKS], ["(S*", "*))"])
    assert error.value.args[0] == 1


def test_trees_are_found_by_their_label():
    tree = Tree.parse(
        "(S (NP (NP (DT a) (NN dog)) (PP (IN of) (NP (NNP Rome)))) (VP (VBD ran)))"
    )
    assert [each.label for each in tree.subtrees()] == [
        "S",
        "NP",
        "NP",
        "PP",
        "NP",
        "VP",
    ]
    assert next(tree.subtrees()) is tree
    words = [[leaf.word for leaf in found.leaves] for found in tree.find("NP")]
    assert words == [["a", "dog", "of", "Rome"], ["a", "dog"], ["Rome"]]
    assert tree.find("S") == [tree] and tree.find("NN") == []
    deep = Tree("NP", (Leaf("it", "PRP"),))
    for _ in range(5000):
        deep = Tree("NP", (deep,))
    assert len(deep.find("NP")) == 5001
