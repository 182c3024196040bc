"""Trees out of columns and of bracketed text, and files that cannot be used."""

import gzip

import pytest

from senna_py.errors import SennaError
from senna_py.tagging.data import read_sentences
from senna_py.tagging.kinds import kind_of
from senna_py.tagging.settings import DataSet
from tests.helpers.random_trees import format_tree

COLUMNS = ["word", "pos", "parse"]
BITS = "It PRP (TOP(S(NP-SBJ*)\nworks VBZ (VP*)\n. . *))\n\nYes UH (INTJ*)\n"
LINES = (
    "( (S (NP-SBJ-1 (PRP It))\n     (VP (VBZ works)\n       (NP (-NONE- *-1)))\n     (. .)))\n"
    "(())\n\n"
    "(TOP (INTJ (UH Yes)))\n(TOP (NP (-NONE- *)))\n"
)
TREES = ["(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))", "(TOP (INTJ (UH Yes)))"]


def read(directory, text, columns=("brackets",), features=(), **options):
    (directory / "a.mrg").write_text(text)
    data = DataSet(["a.mrg"], list(columns), **options)
    return read_sentences([data], {"psg": kind_of("psg")}, directory, features)


@pytest.mark.parametrize(("text", "columns"), [(BITS, COLUMNS), (LINES, ["brackets"])])
def test_both_formats_give_bare_trees(text, columns, tmp_path):
    found = read(tmp_path, text, columns, ["caps", "pos", "chk"])
    assert [format_tree(tree) for tree in found.labels["psg"]] == TREES
    assert found.words == [["It", "works", "."], ["Yes"]]
    assert found.columns == {"pos": [["PRP", "VBZ", "."], ["UH"]]}
    lines = [[*lines] for _, lines in found.place]
    assert lines == ([[1, 2, 3], [5]] if columns == COLUMNS else [[1, 1, 1], [7]])
    assert found.take([1]).labels["psg"] == found.labels["psg"][1:]


def test_parts_of_compressed_files(tmp_path):
    with gzip.open(tmp_path / "a.mrg.gz", "wt") as file:
        file.write(TREES[0] + "\n" + TREES[1] + "\n")
    data = DataSet(["*.gz"], ["brackets"], part=[0.5, 1.0])
    found = read_sentences([data], {"psg": kind_of("psg")}, tmp_path)
    assert [format_tree(tree) for tree in found.labels["psg"]] == TREES[1:]
    assert found.columns == {}


def test_other_names_of_phrases(tmp_path):
    labels = {"NP": "N", "VP": "O", "TOP": "X"}
    for text, columns in ((BITS, COLUMNS), (LINES, ["brackets"])):
        found = read(tmp_path, text, columns, labels=labels)
        assert format_tree(found.labels["psg"][0]) == "(TOP (S (N (PRP It)) (VBZ works) (. .)))"


@pytest.mark.parametrize(
    ("text", "columns", "line", "problem"),
    [
        ("a X (S*\nb Y *))\n", COLUMNS, 2, "expected at most 1 closing bracket, found '*))'"),
        ("a X (S*\nb Y *\n", COLUMNS, 2, "expected S to end in its sentence"),
        ("a X (S*)\n\nb Y NP\n", COLUMNS, 3, "expected a parse bit such as (NP* or *"),
        ("a X (S*\nb Y (*))\n", COLUMNS, 2, "expected a label after each (, found none"),
        ("a X (S*\n* -NONE- *)\n", COLUMNS, 2, "expected a word, found a trace (-NONE-)"),
        ("a X\n", COLUMNS, 1, "expected at least 3 columns, found 2"),
        ("(S (X a))\n(S (NP (X b)\n", ["brackets"], 2, "found 2 brackets without"),
        ("(S (X a))\n(S (X b)))\n", ["brackets"], 2, "found ) after its end"),
        ("(S\n  (X a)\n  (NP b c))\n", ["brackets"], 3, "expected ) after (NP b, found 'c'"),
    ],
)  # fmt: skip
def test_errors_name_file_and_line(text, columns, line, problem, tmp_path):
    with pytest.raises(SennaError) as error:
        read(tmp_path, text, columns)
    assert str(error.value).startswith(f"{tmp_path / 'a.mrg'}: line {line}: ")
    assert problem in str(error.value)


def test_a_file_without_trees(tmp_path):
    with pytest.raises(SennaError, match="no sentence"):
        read(tmp_path, "(())\n")
    with pytest.raises(SennaError, match="No such file"):
        read_sentences([DataSet(["b.mrg"], ["brackets"])], {"psg": kind_of("psg")}, tmp_path)
