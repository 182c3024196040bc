"""Files of trees."""

import gzip

import pytest

from senna_py.corpora.tree_files import parse_tree, read_tree_records
from tests.helpers.random_trees import format_tree
from tests.helpers.refusal import refusal

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
    assert list(read_tree_records(path)) == [(1, tree, None), (2, None, None), (4, tree, None)]


def test_traces_are_no_columns(write):
    (record,) = read_tree_records(write("(S (NP (-NONE- *)) (VP (TO to)))\n"))
    assert record.tree == parse_tree("(S (NP (-NONE- *)) (VP (TO to)))")


def test_malformed_trees_are_told_and_the_rest_is_read(write):
    path = write(f"(S (NN cut)\n{TREE}\n(S\n  (NN a b))\n{TREE}\n")
    first, second, third, fourth = read_tree_records(path)
    assert (second.tree, fourth.tree) == (parse_tree(TREE), parse_tree(TREE))
    assert (first.line, first.tree) == (1, None)
    assert first.problem == (
        f"{path}: line 1: expected ) for each ( of a tree, found 1 bracket without"
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
        ("# word\tpos\nIt\tPRP\n", "line 1: expected a column named tree, found word, pos"),
        ("a (S*)\n", "line 1: expected at least 3 columns, found 2"),
    ],
)
def test_files_without_trees(write, data, problem):
    path = write(data)
    assert refusal(path, list, read_tree_records(path)) == problem
