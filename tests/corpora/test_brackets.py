"""Bracketed trees, and files of them."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import bracket_texts, parse_tree, read_tree_records
from senna_py.errors import SennaError
from senna_py.labels.trees import Leaf, Tree
from tests.helpers.random_trees import format_tree, trees
from tests.helpers.refusal import refusal


@given(trees)
def test_what_is_written_is_read(tree):
    assert parse_tree(format_tree(tree)) == tree


@given(trees, st.integers(20, 80))
def test_a_tree_over_several_lines(tree, margin):
    from nltk import Tree as NltkTree

    pattern = r"[^()\t\n\v\f\r ]+"
    text = NltkTree.fromstring(
        format_tree(tree), leaf_pattern=pattern, node_pattern=pattern
    )
    lines = [
        line.encode("utf-8", "surrogatepass")
        for line in text.pformat(margin).split("\n")
    ]
    # A word may have a line break of Unicode.
    if all(line.startswith(b" ") for line in lines[1:]):
        ((line, found),) = bracket_texts(lines, "f")
        assert line == 1
        assert len(parse_tree(found).leaves) == len(tree.leaves)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(S (-LRB- -LRB-) (-RRB- -RRB-))", ["(", ")"]),
        ("(S (NN -LSB-) (NN -RSB-) (NN -LCB-) (NN -RCB-))", ["[", "]", "{", "}"]),
        ("(S (UH :-RRB-) (NN f-LRB-x-RRB-))", [":)", "f(x)"]),
        (r"(S (CD 1\/2) (SYM \*))", ["1/2", "*"]),
        ("(S (NN a\u00a0b) (NN \u3000))", ["a\u00a0b", "\u3000"]),
    ],
)
def test_words_are_without_escapes(text, words):
    tree = parse_tree(text)
    assert [leaf.word for leaf in tree.leaves] == words
    assert parse_tree(format_tree(tree)) == tree


@pytest.mark.parametrize(
    "text", ["(())", "()", "( ( ) )", "(TOP)", "(TOP ())", "(S1)", "((()))"]
)
def test_empty_parses(text):
    assert parse_tree(text) is None


@pytest.mark.parametrize(
    ("text", "label"),
    [("( (S (NN a)))", ""), ("((S (NN a)))", ""), ("(ROOT (S (NN a)))", "ROOT")],
)
def test_outer_brackets(text, label):
    tree = parse_tree(text)
    assert (tree.label, tree.children[0].label) == (label, "S")


def test_a_single_leaf():
    assert parse_tree("(NN a)") == Tree("", (Leaf("a", "NN"),))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (
            "(S (NN a)",
            0,
            "1 bracket is not closed",
        ),
        ("(S\n  (NN a)", 0, "1 bracket is not closed"),
        ("(S (NN a)))", 0, "expected one tree, found ) after its end"),
        ("(S (NN a)) (S (NN b))", 0, "expected one tree, found ( after its end"),
        ("(S\n  (NN a b))", 1, "expected ) after (NN a, found 'b'"),
        ("(S (NP (NN a) b))", 0, "expected ( or ) after the phrases of (NP, found 'b'"),
        ("(S (NN a (NN b)))", 0, "expected ) after (NN a, found ("),
        ("(S (NP) (NN b))", 0, "expected a word or a phrase after (NP, found )"),
        ("(word)", 0, "expected a word or a phrase after (word"),
        ("(S ((NN a)))", 0, "expected a label after each ("),
        ("It works", 0, "expected a tree in brackets, found 'It'"),
        (")", 0, "expected a tree in brackets, found ')'"),
    ],
)
def test_malformed_trees(text, line, problem):
    with pytest.raises(ValueError, match="expected") as error:
        parse_tree(text)
    assert error.value.args[0] == line
    assert problem in error.value.args[1]


@given(st.text("()AB \n", max_size=12))
def test_any_text_is_a_tree_or_names_its_line(text):
    try:
        tree = parse_tree(text)
        assert tree is None or parse_tree(format_tree(tree)) == tree
    except ValueError as error:
        assert 0 <= error.args[0] <= text.count("\n")


def test_texts_of_a_file():
    lines = [
        b"",
        b"( (S",
        b"    (NN a)",
        b"",
        b"  )",
        b")",
        b"",
        b"(())",
        b"(S (NN cut)",
        b"(S (NN b))",
        b"  (S",
        b"    (NN c))",
    ]
    assert list(bracket_texts(lines, "f")) == [
        (2, "( (S\n    (NN a)\n\n  )\n)"),
        (8, "(())"),
        (9, "(S (NN cut)"),
        (10, "(S (NN b))"),
        (11, "  (S\n    (NN c))"),
    ]


@pytest.mark.parametrize(
    ("lines", "line"),
    [([b"(" * (1 << 19)], 1), ([b"(" * 99, *[b" (" * 99] * (1 << 12)], 1325)],
)
def test_trees_that_are_longer_than_any(lines, line):
    with pytest.raises(
        SennaError, match=f"f: line {line}: a tree of more than 262,144 bytes"
    ):
        list(bracket_texts(lines, "f"))
    many = [b"(X " + b"y" * 1000 + b")"] * 1000
    assert len(list(bracket_texts(many, "f"))) == 1000


TREE = "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
COLUMNS = "It\tPRP\t(TOP(S(NP*)\t-\nworks\tVBZ\t(VP*)\twork.01\n.\t.\t*))\t-\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{TREE}\n",
        TREE,
        f"\n\n{TREE}\r\n\n",
        "(TOP\n  (S (NP (PRP It))\n     (VP (VBZ works))\n\n  (. .)))\n",
        COLUMNS,
        COLUMNS.replace("\t", " "),
        "\n" + COLUMNS.replace("(TOP(S", "(S").replace("*))", "*)"),
        COLUMNS.replace("(TOP(S", "(S1(S"),
        COLUMNS.replace("(NP*", "(NP-SBJ*"),
        "# word\ttree\tpos\nIt\t(S1(S(NP*)\tPRP\nworks\t(VP*)\tVBZ\n.\t*))\t.\n",
    ],
)
def test_the_same_tree(write, text):
    (record,) = read_tree_records(write(text))
    assert format_tree(record.tree) == TREE


def test_lines_and_empty_parses(write):
    path = write(gzip.compress(f"{TREE}\n(())\n\n{TREE}\n".encode()), "trees.mrg.gz")
    tree = parse_tree(TREE)
    assert list(read_tree_records(path)) == [
        (1, tree, None),
        (2, None, None),
        (4, tree, None),
    ]


def test_traces_are_no_columns(write):
    (record,) = read_tree_records(write("(S (NP (-NONE- *)) (VP (TO to)))\n"))
    assert record.tree == parse_tree("(S (NP (-NONE- *)) (VP (TO to)))")
    with pytest.raises(SennaError, match="expected at least 3 columns, found 2"):
        list(read_tree_records(write("(: (S*\nx *)\n")))


def test_malformed_trees_are_told_and_the_rest_is_read(write):
    path = write(f"(S (NN cut)\n{TREE}\n(S\n  (NN a b))\n{TREE}\n")
    first, second, third, fourth = read_tree_records(path)
    assert (second.tree, fourth.tree) == (parse_tree(TREE), parse_tree(TREE))
    assert (first.line, first.tree) == (1, None)
    assert first.problem == (
        f"{path}: line 1: expected ), found the end: 1 bracket is not closed"
    )
    assert third.problem == f"{path}: line 4: expected ) after (NN a, found 'b'"


def test_malformed_bits_are_told_and_the_rest_is_read(write):
    bad = COLUMNS.replace("*))", "*)))")
    first, second = read_tree_records(write(f"{bad}\n{COLUMNS}"))
    assert "line 3: expected at most 2 closing brackets, found '*)))'" in first.problem
    assert second.tree == parse_tree(TREE)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", "expected trees, found none"),
        ("\n \n", "expected trees, found none"),
        (
            "# word\tpos\nIt\tPRP\n",
            "line 1: expected a column named tree, found word, pos",
        ),
        ("a (S*)\n", "line 1: expected at least 3 columns, found 2"),
    ],
)
def test_files_without_trees(write, data, problem):
    path = write(data)
    assert refusal(path, list, read_tree_records(path)) == problem
