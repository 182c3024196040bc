"""The installed `senna-eval tree` prints what EVALB prints, and says what is wrong."""

import json

import pytest

from tests.helpers.commands import GOLDEN, assert_one_line_error, printed, run

EVAL = GOLDEN / "eval"
FILES = EVAL / "tree.gold.mrg", EVAL / "tree.pred.mrg"
TREE = "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
COLLINS = "".join(
    f"{line}\n"
    for line in [
        "# as in COLLINS.prm",
        "DEBUG 0",
        "MAX_ERROR 10",
        "CUTOFF_LEN 40",
        "LABELED 1",
        *(
            f"DELETE_LABEL {label}"
            for label in ["TOP", "-NONE-", ",", ":", "``", "''", "."]
        ),
        "DELETE_LABEL_FOR_LENGTH -NONE-",
        "EQ_LABEL ADVP PRT",
    ]
)


def evaluate(*args, **options):
    return run("senna-eval", "tree", *args, **options)


def test_output_is_that_of_evalb(write):
    expected = (EVAL / "tree.expected.txt").read_bytes()
    for options in ([], ["--parameters", write(COLLINS, "COLLINS.prm")]):
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


def test_sentences_that_cannot_be_compared_are_counted_and_left_out(write):
    """...as EVALB does, for which a line is a sentence, and an empty one an empty
    parse.
    """
    gold = "(S (A (P this)) (B (Q is) (A (R a) (T test))))\n"
    others = [
        gold,
        "(S (A (P that)) (B (Q is) (A (R a) (T test))))\n",  # another word
        "(S (A (P this)) (B (Q is) (A (R a))))\n",  # a word less
        "(S (A (P this)) (B (Q is) (A (R a) (T test) (T set))))\n",  # one more
        "(P this) (Q is) (R a) (T test)\n",
        "(S (A (P this) (Q is) (A (R a) (T test)))\n",  # no end
        "\n",
        "(())\n",
        gold,
    ]
    files = write(gold * len(others), "gold"), write("".join(others), "predicted")
    result = evaluate(*files)
    said = [
        line.split("=")
        for line in result.stdout.decode().splitlines()
        if " sentence" in line
    ]
    assert [(name.split()[-2], int(n)) for name, n in said[:4]] == [
        ("of", 9),
        ("Error", 5),
        ("Skip", 2),
        ("Valid", 2),
    ]
    assert result.returncode == 0
    assert b"left out 5 of 9 pairs of trees; the first: " in result.stderr
    assert b"predicted: line 2: expected the word 'this', found 'that'" in result.stderr
    # Blank lines part trees where both files have as many.
    for text in (gold + "\n" + gold, "\n" + gold * 2):
        result = evaluate(write(gold * 2 + "\n", "gold"), write(text, "predicted"))
        assert b"Number of Valid sentence  =      2" in result.stdout


def test_parse_bits_score_like_brackets(write):
    gold = write(f"{TREE}\n", "gold.mrg")
    bits = "It\tPRP\t(S1(S(NP*)\nworks\tVBZ\t(VP*)\n.\t.\t*))\n"
    for name, text in (("bits.tsv", bits), ("senna.txt", f"# word\tpos\ttree\n{bits}")):
        result = evaluate(gold, write(text, name))
        assert b"Bracketing FMeasure       = 100.00" in result.stdout


def test_other_parameters(write):
    parameters = write("CUTOFF_LEN 2\nDELETE_LABEL TOP\n", "a.prm")
    trees = write(f"{TREE}\n(TOP (X (NN a)))\n")
    lines = printed(evaluate(trees, trees, "--parameters", parameters)).splitlines()
    assert "-- len<=2 --" in lines
    assert lines[3].split()[:6] == ["1", "3", "0", "100.00", "100.00", "3"]
    assert lines[-12] == "Number of sentence        =      1"


def test_standard_input_is_named():
    gold, _ = FILES
    result = evaluate(gold, "-", stdin=f"{TREE}\n".encode())
    assert_one_line_error(
        result, "standard input: expected a tree as in line 2 of the other file"
    )


def test_bad_pairs_are_left_out(write):
    gold = write(f"{TREE}\n" * 4, "gold.mrg")
    cut, other = TREE[:-1], TREE.replace("works", "rests")
    predicted = write(f"{TREE}\n{cut}\n{other}\n(())\n", "pred.mrg")
    result = evaluate(gold, predicted)
    assert (result.returncode, result.stderr.decode()) == (
        0,
        f"senna-eval: left out 2 of 4 pairs of trees; the first: {predicted}: line 2: expected ), "
        "found the end: 1 bracket is not closed\n",
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
    assert errors[1]["problem"].endswith(
        "line 3: expected the word 'works', found 'rests'"
    )


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (f"{TREE}{TREE}", "expected one tree, found ( after its end"),
        (TREE.replace("(NP (PRP It))", ""), "expected 2 words to compare, found 1"),
    ],
)
def test_what_is_wrong_with_a_pair(write, bad, problem):
    gold, predicted = (
        write(f"{TREE}\n" * 2, "g.mrg"),
        write(f"{TREE}\n{bad}\n", "p.mrg"),
    )
    result = evaluate(gold, predicted)
    expected = (
        f"senna-eval: left out 1 of 2 pairs of trees; {predicted}: line 2: {problem}\n"
    )
    assert (result.returncode, result.stderr.decode()) == (0, expected)


def test_nothing_to_score(write):
    gold, predicted = write(f"{TREE}\n", "gold.mrg"), write("(())\n", "pred.mrg")
    result = evaluate(gold, predicted)
    assert_one_line_error(result, f"{predicted}: expected a word to score, found none")
    assert b"Number of Skip  sentence  =      1" in result.stdout
    result = evaluate(gold, write("(TOP (NN a))\n", "pred.mrg"))
    assert_one_line_error(result, "left out 1 of 1 pair of trees; ", "found 1")


def test_roots_of_parts_are_no_brackets(write):
    parts = f"(S1 {TREE.replace('TOP', 'S1')} {TREE.replace('TOP', 'S1')})"
    gold = parts.replace("S1", "TOP")
    scores = json.loads(
        evaluate(write(gold, "g.mrg"), write(parts, "p.mrg"), "--json").stdout
    )
    assert (scores["gold"], scores["predicted"], scores["correct"]) == (6, 6, 6)


@pytest.mark.parametrize(
    ("gold", "predicted", "parts"),
    [
        (f"{TREE}\n", "\n", ["p.mrg: expected trees, found none"]),
        (
            f"{TREE}\n{TREE}\n",
            TREE,
            ["p.mrg: expected a tree as in line 2 of", "found the end"],
        ),
        (
            TREE,
            f"(TOP\n{TREE}",
            ["p.mrg: line 1: expected )", "; then ", "g.mrg: expected a tree as"],
        ),
        (
            TREE,
            f"{TREE}\n\n{TREE}",
            ["g.mrg: expected a tree as in line 3 of", "found the end"],
        ),
    ],
)
def test_files_that_cannot_be_compared(write, gold, predicted, parts):
    result = evaluate(write(gold, "g.mrg"), write(predicted, "p.mrg"))
    assert_one_line_error(result, *parts)
    assert result.stdout == b""


def test_other_bad_input(write, tmp_path):
    assert_one_line_error(evaluate(FILES[0], tmp_path / "none"), "none: No such file")
    for columns in (b"It\tPRP\t(TOP(S(NP*)\n", b"# word\tpos\ttree\nIt\tPRP\t*\n"):
        result = evaluate(FILES[0], "-", stdin=columns)
        assert_one_line_error(result, "standard input: columns must come from a file")
    result = evaluate(*FILES, "--parameters", write("\nLABELLED 1\n", "a.prm"))
    assert_one_line_error(
        result, "a.prm: line 2: expected one of LABELED,", "found LABELLED"
    )
    for args in (["-", "-"], [FILES[0]], [*FILES, FILES[0]]):
        result = evaluate(*args)
        assert (result.returncode, result.stderr[:23]) == (
            2,
            b"Usage: senna-eval tree ",
        )


@pytest.fixture
def score(write):
    """Scores a small file by the golden model."""
    path = write(f"{TREE}\n(TOP (NP (NN cat)))\n", "dev.mrg")

    def score(*options):
        columns = ["--columns", "brackets", "-path", GOLDEN / "model"]
        return run("senna-eval", "model", "psg", path, *columns, *options)

    return score


def test_trees_of_a_model(score, write):
    text = printed(score())
    lines = text.splitlines()
    assert lines[:2] == ["-- All --", "Number of sentence        =      2"]
    assert lines[12].startswith("Tagging accuracy          = ")
    parameters = write(COLLINS, "COLLINS.prm")
    more = printed(score("--by-label", "--confusions", "--parameters", parameters))
    assert more.startswith(text)
    assert "gold   predicted   correct" in more and "predicted           count" in more


def test_trees_of_a_model_as_json(score):
    result = json.loads(score("--json", "--confusions").stdout)
    assert (result["sentences"], result["valid_sentences"], result["gold"]) == (2, 2, 4)
    # The full stop is deleted, whatever the model calls it.
    assert result["tokens"] == 3
    assert result["errors"] == [] and "confusions" in result


@pytest.mark.parametrize(
    ("task", "columns", "options", "problem"),
    [
        ("pos", "word,pos", ["--by-label"], "--by-label is for trees"),
        ("pos", "word,pos", ["--parameters", "a.prm"], "--parameters is for trees"),
        (
            "psg",
            "word,parse",
            [],
            "--columns word,parse: psg needs columns `pos` and `parse`, or ",
        ),
        (
            "psg",
            "word,brackets",
            [],
            "--columns word,brackets: psg needs columns `pos` and `parse`",
        ),
        ("psg", "brackets", ["--find-predicates"], "--find-predicates is for roles"),
    ],
)
def test_what_is_for_trees_and_what_for_others(write, task, columns, options, problem):
    result = run("senna-eval", "model", task, write(""), "--columns", columns, *options)
    assert_one_line_error(result, f"Error: {problem}", code=2, is_last=True)


def test_a_malformed_tree_of_a_model_is_named(write):
    path = write(f"{TREE}\n(S (NP a)\n", "a.mrg")
    columns = ["--columns", "brackets", "-path", GOLDEN / "model"]
    result = run("senna-eval", "model", "psg", path, *columns)
    assert_one_line_error(result, path, "line 2", "1 bracket is not closed")
