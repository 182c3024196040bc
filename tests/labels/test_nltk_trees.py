"""Trees of NLTK, which is no dependency."""

import subprocess
import sys

import nltk
import pytest
from hypothesis import given

from senna_py import SennaError, Tree
from senna_py.labels.trees import Leaf
from tests.helpers.random_trees import deep_tree, trees

TEXT = "(S1 (S (NP (PRP It)) (-LRB- -LRB-)))"
IT = nltk.Tree("PRP", ["It"])


@given(trees)
def test_to_nltk_is_what_nltk_reads(tree):
    found = tree.to_nltk()
    assert found == nltk.Tree.fromstring(str(tree))
    assert [node.label() for node in found.subtrees(lambda t: t.height() > 2)] == [
        phrase.label for phrase in tree.phrases
    ]
    assert len(found.leaves()) == len(tree.leaves)


@given(trees)
def test_from_nltk_is_what_is_read(tree):
    assert Tree.from_nltk(tree.to_nltk()) == Tree.parse(str(tree))
    assert Tree.from_nltk(nltk.ParentedTree.fromstring(str(tree))) == Tree.parse(str(tree))


def test_words_of_nltk_have_escapes():
    tree = Tree.from_nltk(nltk.Tree.fromstring(TEXT))
    assert tree.leaves == [Leaf("It", "PRP"), Leaf("(", "-LRB-")]
    assert tree.to_nltk().leaves() == ["It", "-LRB-"]


def test_the_tree_of_no_word():
    assert Tree("S1", ()).to_nltk() == nltk.Tree("S1", [])
    assert Tree.from_nltk(nltk.Tree("S1", [])) == Tree("S1", ())


def test_a_leaf_alone():
    assert Tree.from_nltk(IT) == Tree.parse("(PRP It)") == Tree("", (Leaf("It", "PRP"),))


def test_deep_trees():
    tree = deep_tree(1500)
    assert Tree.from_nltk(tree.to_nltk()) == tree


@pytest.mark.parametrize(
    ("tree", "problem"),
    [
        (nltk.Tree("S", [IT, "works"]), "part of speech above each word, found 'works' alone"),
        (nltk.Tree("S", [("It", "PRP")]), "part of speech above each word, found .'It', 'PRP'."),
        (nltk.Tree("S", [IT, nltk.Tree("NP", [])]), "the phrase NP has neither"),
    ],
)
def test_other_trees_of_nltk(tree, problem):
    with pytest.raises(ValueError, match=problem):
        Tree.from_nltk(tree)


def test_what_is_no_tree_of_nltk():
    with pytest.raises(TypeError, match="expected a tree of NLTK, found str"):
        Tree.from_nltk(TEXT)
    for tree in (nltk.Tree("NN", [3]), nltk.Tree("NP", [IT, None])):
        with pytest.raises(TypeError, match=r"expected a str for each word, found (3|None)"):
            Tree.from_nltk(nltk.Tree("S", [tree]))


def test_without_nltk_an_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tree", None)
    for call in (Tree.parse(TEXT).to_nltk, lambda: Tree.from_nltk(IT)):
        with pytest.raises(SennaError, match="need NLTK: pip install nltk"):
            call()


@pytest.mark.process
def test_nltk_is_imported_for_its_trees_only(golden):
    code = (
        "import sys\n"
        "from senna_py import Tree, load\n"
        "tree = load(sys.argv[1], ['psg'])('He reads .').tree\n"
        "assert Tree.parse(tree.pformat()) == tree\n"
        "assert 'nltk' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(golden / "model")], check=True, timeout=60)
