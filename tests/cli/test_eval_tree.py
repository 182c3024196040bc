"""The installed `senna-eval tree` prints what EVALB prints, and says what is wrong."""

import json

import pytest

from tests.helpers.commands import GOLDEN, assert_one_line_error, run

EVAL = GOLDEN / "eval"
FILES = EVAL / "tree.gold.mrg", EVAL / "tree.pred.mrg"
TREE = "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
COLLINS = "".join(
    f"{line}\n"
    for line in [
        "# as in COLLINS.prm", "DEBUG 0", "MAX_ERROR 10", "CUTOFF_LEN 40", "LABELED 1",
        *(f"DELETE_LABEL {label}" for label in ["TOP", "-NONE-", ",", ":", "``", "''", "."]),
        "DELETE_LABEL_FOR_LENGTH -NONE-", "EQ_LABEL ADVP PRT",
    ]
)  # fmt: skip


def evaluate(*args, **options):
    return run("senna-eval", "tree", *args, **options)


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_output_is_that_of_evalb(write):
    expected = (EVAL / "tree.expected.txt").read_bytes()
    for options in ([], ["--parameters", write("COLLINS.prm", COLLINS)]):
        result = evaluate(*FILES, *options)
        assert (result.returncode, result.stderr, result.stdout) == (0, b"", expected)


def test_one_of_the_files_may_be_standard_input():
    expected = (EVAL / "tree.expected.txt").read_bytes()
    gold, predicted = FILES
    assert evaluate("-", predicted, stdin=gold.read_bytes()).stdout == expected
    assert evaluate(gold, "-", stdin=predicted.read_bytes()).stdout == expected


def test_labels_and_confusions_follow():
    expected = (EVAL / "tree.expected.txt").read_bytes()
    result = evaluate(*FILES, "--by-label", "--confusions")
    assert result.stdout.startswith(expected)
    lines = result.stdout[len(expected) :].decode().splitlines()
    assert [line.split() for line in lines[:4]] == [
        [],
        ["gold", "predicted", "correct", "rec.", "prec.", "F1"],
        ["-" * 65],
        ["NP", "1460", "1302", "1263", "86.51", "97.00", "91.46"],
    ]
    assert ["NP", "-", "126"] in [line.split() for line in lines]


def test_parse_bits_score_like_brackets(write):
    gold = write("gold.mrg", f"{TREE}\n")
    bits = "It\tPRP\t(S1(S(NP*)\nworks\tVBZ\t(VP*)\n.\t.\t*))\n"
    for name, text in (("bits.tsv", bits), ("senna.txt", f"# word\tpos\ttree\n{bits}")):
        result = evaluate(gold, write(name, text))
        assert b"Bracketing FMeasure       = 100.00" in result.stdout


def test_other_parameters(write):
    parameters = write("a.prm", "CUTOFF_LEN 2\nDELETE_LABEL TOP\n")
    result = evaluate(
        *[write("a.mrg", f"{TREE}\n(TOP (X (NN a)))\n")] * 2, "--parameters", parameters
    )
    lines = result.stdout.decode().splitlines()
    assert "-- len<=2 --" in lines
    assert lines[3].split()[:6] == ["1", "3", "0", "100.00", "100.00", "3"]
    assert lines[-12] == "Number of sentence        =      1"


def test_standard_input_is_named():
    gold, _ = FILES
    result = evaluate(gold, "-", stdin=f"{TREE}\n".encode())
    assert_one_line_error(result, "standard input: expected a tree as in line 2 of the other file")


def test_bad_pairs_are_left_out(write):
    gold = write("gold.mrg", f"{TREE}\n" * 4)
    cut, other = TREE[:-1], TREE.replace("works", "rests")
    predicted = write("pred.mrg", f"{TREE}\n{cut}\n{other}\n(())\n")
    result = evaluate(gold, predicted)
    assert result.returncode == 0
    assert result.stderr.decode() == (
        f"senna-eval: left out 2 of 4 pairs of trees; the first: {predicted}: line 2: expected ) "
        "for each ( of a tree, found 1 bracket without\n"
    )
    lines = result.stdout.decode().splitlines()
    assert [line.split()[2] for line in lines[3:7]] == ["0", "1", "1", "2"]
    assert lines[12:16] == [
        "Number of sentence        =      4",
        "Number of Error sentence  =      2",
        "Number of Skip  sentence  =      1",
        "Number of Valid sentence  =      1",
    ]
    errors = json.loads(evaluate(gold, predicted, "--json").stdout)["errors"]
    assert [error["sentence"] for error in errors] == [2, 3]
    assert errors[1]["problem"].endswith("line 3: expected the word 'works', found 'rests'")


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (f"{TREE}{TREE}", "expected one tree, found ( after its end"),
        (TREE.replace("(NP (PRP It))", ""), "expected 2 words to compare, found 1"),
    ],
)
def test_what_is_wrong_with_a_pair(write, bad, problem):
    gold, predicted = write("g.mrg", f"{TREE}\n" * 2), write("p.mrg", f"{TREE}\n{bad}\n")
    result = evaluate(gold, predicted)
    assert result.returncode == 0
    expected = f"left out 1 of 2 pairs of trees; {predicted}: line 2: {problem}"
    assert result.stderr.decode() == f"senna-eval: {expected}\n"


def test_nothing_to_score(write):
    gold, predicted = write("gold.mrg", f"{TREE}\n"), write("pred.mrg", "(())\n")
    result = evaluate(gold, predicted)
    assert_one_line_error(result, f"{predicted}: expected a word to score, found none")
    assert b"Number of Skip  sentence  =      1" in result.stdout
    result = evaluate(gold, write("pred.mrg", "(TOP (NN a))\n"))
    assert_one_line_error(result, "left out 1 of 1 pair of trees; ", "found 1")


def test_roots_of_parts_are_no_brackets(write):
    parts = f"(S1 {TREE.replace('TOP', 'S1')} {TREE.replace('TOP', 'S1')})"
    gold = parts.replace("S1", "TOP")
    scores = json.loads(evaluate(write("g.mrg", gold), write("p.mrg", parts), "--json").stdout)
    assert (scores["gold"], scores["predicted"], scores["correct"]) == (6, 6, 6)


@pytest.mark.parametrize(
    ("gold", "predicted", "parts"),
    [
        (f"{TREE}\n", "\n", ["p.mrg: expected trees, found none"]),
        (f"{TREE}\n{TREE}\n", TREE, ["p.mrg: expected a tree as in line 2 of", "found the end"]),
        (
            TREE,
            f"(TOP\n{TREE}",
            [
                "p.mrg: line 1: expected ) for each (",
                "; then ",
                "g.mrg: expected a tree as in line 2 of",
                "found the end",
            ],
        ),
        (TREE, f"{TREE}\n\n{TREE}", ["g.mrg: expected a tree as in line 3 of", "found the end"]),
    ],
)
def test_files_that_cannot_be_compared(write, gold, predicted, parts):
    result = evaluate(write("g.mrg", gold), write("p.mrg", predicted))
    assert_one_line_error(result, *parts)
    assert result.stdout == b""


def test_other_bad_input(write, tmp_path):
    assert_one_line_error(evaluate(FILES[0], tmp_path / "none"), "none: No such file")
    for columns in (b"It\tPRP\t(TOP(S(NP*)\n", b"# word\tpos\ttree\nIt\tPRP\t*\n"):
        result = evaluate(FILES[0], "-", stdin=columns)
        assert_one_line_error(result, "standard input: columns must come from a file")
    result = evaluate(*FILES, "--parameters", write("a.prm", "\nLABELLED 1\n"))
    assert_one_line_error(result, "a.prm: line 2: expected one of LABELED,", "found LABELLED")
    for args in (["-", "-"], [FILES[0]], [*FILES, FILES[0]]):
        result = evaluate(*args)
        assert (result.returncode, result.stderr[:23]) == (2, b"Usage: senna-eval tree ")


@pytest.fixture
def score(write):
    """Scores a small file by the golden model."""
    path = write("dev.mrg", f"{TREE}\n(TOP (NP (NN cat)))\n")

    def score(*options):
        columns = ["--columns", "brackets", "-path", GOLDEN / "model"]
        return run("senna-eval", "model", "psg", path, *columns, *options)

    return score


def test_trees_of_a_model(score, write):
    result = score()
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    assert lines[:2] == ["-- All --", "Number of sentence        =      2"]
    assert lines[12].startswith("Tagging accuracy          = ")
    more = score("--by-label", "--confusions", "--parameters", write("COLLINS.prm", COLLINS))
    assert more.stdout.startswith(result.stdout)
    printed = more.stdout.decode()
    assert "gold   predicted   correct" in printed and "predicted           count" in printed


def test_trees_of_a_model_as_json(score):
    result = json.loads(score("--json", "--confusions").stdout)
    assert (result["sentences"], result["valid_sentences"], result["gold"]) == (2, 2, 4)
    assert result["tokens"] == 3  # the full stop is deleted, whatever the model calls it
    assert result["errors"] == [] and "confusions" in result


def test_options_of_trees_are_for_trees(write):
    path = write("a.tsv", "a\tX\n")
    for option in (["--by-label"], ["--parameters", "a.prm"]):
        result = run("senna-eval", "model", "pos", path, "--columns", "word,pos", *option)
        assert result.returncode == 2
        assert f"Error: {option[0]} is for trees".encode() in result.stderr
    for columns in ("word,parse", "word,brackets"):
        result = run("senna-eval", "model", "psg", path, "--columns", columns)
        problem = f"--columns {columns}: psg needs columns `pos` and `parse`, or `brackets` alone"
        assert problem.encode() in result.stderr


def test_predicates_are_for_roles(write):
    path = write("a.mrg", TREE)
    result = run("senna-eval", "model", "psg", path, "--columns", "brackets", "--find-predicates")
    assert result.returncode == 2
    assert b"Error: --find-predicates is for roles" in result.stderr


def test_a_malformed_tree_of_a_model_is_named(write):
    path = write("a.mrg", f"{TREE}\n(S (NP a)\n")
    columns = ["--columns", "brackets", "-path", GOLDEN / "model"]
    result = run("senna-eval", "model", "psg", path, *columns)
    assert_one_line_error(result, path, "line 2", "found 1 bracket without")
