"""The installed senna-eval prints what the field's scripts print, and says what is
wrong.
"""

import json

import pytest

from tests.helpers.commands import GOLDEN, assert_one_line_error, printed, run, tag

EVAL = GOLDEN / "eval"
CHUNK = b"_ B-NP B-NP\n_ I-NP B-VP\n\n_ O B-NP\n"


def evaluate(*args, **options):
    return run("senna-eval", *args, **options)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["chunk", EVAL / "chunk.iob2.txt"], "chunk.iob2"),
        (["chunk", "--scheme", "iob2", EVAL / "chunk.iob2.txt"], "chunk.iob2"),
        (["chunk", EVAL / "ner.iob1.txt"], "ner.iob1"),
        (["chunk", "--scheme", "IOB1", EVAL / "ner.iob1.txt"], "ner.iob1"),
        (["chunk", "-r", EVAL / "pos.raw.txt"], "pos.raw"),
        (["srl", EVAL / "srl.gold.props", EVAL / "srl.pred.props"], "srl"),
    ],
)
def test_output_is_that_of_the_scripts(args, expected):
    assert printed(evaluate(*args)) == (EVAL / f"{expected}.expected.txt").read_text()


def test_one_of_the_props_files_may_be_standard_input():
    expected = (EVAL / "srl.expected.txt").read_bytes()
    gold, predicted = EVAL / "srl.gold.props", EVAL / "srl.pred.props"
    assert evaluate("srl", "-", predicted, stdin=gold.read_bytes()).stdout == expected
    assert evaluate("srl", gold, "-", stdin=predicted.read_bytes()).stdout == expected


def test_the_last_two_columns_count():
    expected = (EVAL / "ner.iob1.expected.txt").read_bytes()
    data = (EVAL / "ner.iob1.txt").read_bytes()
    assert evaluate("chunk", stdin=data.replace(b"_ ", b"")).stdout == expected
    assert evaluate("chunk", stdin=data.replace(b"_ ", b"a b c ")).stdout == expected


def shown(*args, **options):
    """Lines that are printed."""
    return printed(evaluate(*args, **options)).splitlines()


def test_token_accuracy():
    lines = shown("token", EVAL / "pos.raw.txt")
    assert lines[:2] == ["processed 3664 tokens; correct: 2986.", "accuracy:  81.50%"]
    # Unlike chunks of one token, tokens tagged O are counted.
    expected = (EVAL / "pos.raw.expected.txt").read_text().splitlines()[2:]
    assert [line for line in lines[2:] if line not in expected] == [
        "                O: precision:   0.00%; recall:   0.00%; FB1:   0.00  523"
    ]
    assert set(expected) < set(lines)


def test_confusions():
    assert shown("chunk", "--confusions", stdin=CHUNK)[4:] == [
        "",
        "             gold  predicted           count",
        "                -  NP                      2",
        "                -  VP                      1",
        "               NP  -                       1",
    ]
    assert shown("token", "--confusions", stdin=CHUNK)[-2:] == [
        "             I-NP  B-VP                    1",
        "                O  B-NP                    1",
    ]


def test_json():
    rates = {"precision": 0, "recall": 0, "f1": 0}
    assert json.loads(
        printed(evaluate("chunk", "--json", "--confusions", stdin=CHUNK))
    ) == {
        "tokens": 3,
        "correct_tokens": 1,
        "accuracy": 100 / 3,
        "gold": 1,
        "predicted": 3,
        "correct": 0,
        **rates,
        "labels": {
            "NP": {"gold": 1, "predicted": 2, "correct": 0, **rates},
            "VP": {"gold": 0, "predicted": 1, "correct": 0, **rates},
        },
        "confusions": [
            {"gold": "-", "predicted": "NP", "count": 2},
            {"gold": "-", "predicted": "VP", "count": 1},
            {"gold": "NP", "predicted": "-", "count": 1},
        ],
    }


def test_json_has_the_numbers_of_the_text():
    files = EVAL / "srl.gold.props", EVAL / "srl.pred.props"
    srl = json.loads(evaluate("srl", "--json", *files).stdout)
    assert [srl[key] for key in ("sentences", "propositions", "correct")] == [
        250,
        1077,
        1535,
    ]
    rates = [round(srl[key], 2) for key in ("perfect", "precision", "recall", "f1")]
    assert rates == [53.67, 77.14, 74.77, 75.93]
    assert srl["labels"]["V"]["correct"] == 1073
    assert "confusions" not in srl


def test_what_senna_tag_writes_can_be_scored(write):
    text = (GOLDEN / "prose.txt").read_bytes()
    roles = tag("-pos", "-srl", "--format", "conll", "--header", stdin=text).stdout
    predicates = sum(
        line.split(b"\t")[2:3] not in ([], [b"-"]) for line in roles.splitlines()[1:]
    )
    lines = evaluate("srl", write(roles), "-", stdin=roles).stdout.splitlines()
    assert lines[1].split() == [
        b"Number",
        b"of",
        b"Propositions",
        b":",
        b"%d" % predicates,
    ]
    assert lines[2] == b"Percentage of perfect props : 100.00"
    assert lines[6].split()[-1] == b"100.00"
    tags = tag("-chk", "-ner", "-pt0", "--format", "conll", stdin=text).stdout
    assert evaluate("chunk", stdin=tags).returncode == 0


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"O\n", ["line 1", "expected at least 2 columns, found 1"]),
        (b"_ O O\n\n_ NN NN\n", ["line 3", "'NN'", "-r"]),
        (b"_ O \xff\x1b\n", ["line 1", "'\\udcff\\x1b'"]),
        (b"", ["found no token"]),
    ],
)
def test_unreadable_columns(write, data, parts):
    path = write(data)
    result = evaluate("chunk", path)
    assert_one_line_error(result, path, *parts)
    assert result.stdout == b""
    assert_one_line_error(evaluate("chunk", stdin=data), "standard input", *parts)


def test_an_empty_word_is_named(write):
    path = write(b"EU\tNNP\tB-NP\n\tVBZ\tB-VP\n")
    model = ("--path", GOLDEN / "model", "--columns", "word,pos,-")
    for command in (("text", path, *model), ("model", "pos", path, *model)):
        assert_one_line_error(evaluate(*command), f"{path}: line 2: an empty word")
    path.write_bytes(b"NNP\tNNP\n\tVBZ\n")
    for command in (("token", path), ("chunk", "-r", path)):
        assert_one_line_error(evaluate(*command), f"{path}: line 2: column 1 is empty")


def test_other_tag_schemes_are_read(tmp_path):
    pairs = b"U-A S-A\nB-A B-A\nM-A I-A\nL-A E-A\nO O\nB B\nI I\n"
    (tmp_path / "a").write_bytes(pairs)
    assert b"FB1: 100.00" in evaluate("chunk", tmp_path / "a").stdout.splitlines()[1]
    for column in (0, 1):
        tags = [line.split()[column] + b"\n" for line in pairs.splitlines()]
        (tmp_path / f"{column}").write_bytes(b"".join(tags))
    files = [tmp_path / name for name in "010"]
    found = printed(evaluate("compare", "--samples", "100", *files))
    assert found.count("100.00   100.00 to 100.00") == 2
    (tmp_path / "1").write_bytes(b"B-A\n" * 6 + b"B-\n")
    assert_one_line_error(
        evaluate("compare", *files), f"{files[1]}: line 7: expected O or a tag"
    )
    assert b"are scored with --kind token" in evaluate("compare", *files).stderr


@pytest.mark.parametrize(
    ("scheme", "tags", "message"),
    [
        ("iob1", "I-A B-A B-B", "line 4: expected I-B in IOB1, found B-B"),
        ("iob2", "B-A O I-A", "line 4: expected B-A in IOB2, found I-A"),
        ("iobes", "S-A B-A I-A", "line 4: expected E-A in IOBES, found I-A"),
        ("ioe", "I-A O B-A", "line 4: expected I-A in IOE, found B-A"),
    ],
)
def test_gold_tags_of_another_scheme(scheme, tags, message):
    data = "O I-B\n" + "".join(f"{tag} O\n" for tag in tags.split())
    result = evaluate("chunk", "--scheme", scheme, stdin=data.encode())
    assert_one_line_error(result, f"standard input: {message}")
    assert evaluate("chunk", stdin=data.encode()).returncode == 0


@pytest.mark.parametrize(
    ("gold", "predicted", "parts"),
    [
        (
            "p (V*) *\nq * (V*)\n",
            "p (V*) *\n",
            ["p.props: line 1: expected a sentence of 2 tok"],
        ),
        (
            "p *\n",
            "p (V*) *\n",
            ["p.props: line 1", "2 columns in a sentence of 1 predicate, f"],
        ),
        (
            "-\n",
            "-\n-\n",
            ["p.props: line 1", "1 token as in line 1 of", "g.props, found 2"],
        ),
        (
            "-\n\n-\n",
            "-\n",
            ["p.props: expected a sentence as in line 3 of", "found the end"],
        ),
        (
            "-\n",
            "-\n\n\n-\n",
            ["g.props: expected a sentence as in line 4 of", "found the end"],
        ),
        ("", "", ["g.props", "found no token"]),
    ],
)
def test_props_that_cannot_be_compared(write, gold, predicted, parts):
    result = evaluate("srl", write(gold, "g.props"), write(predicted, "p.props"))
    assert_one_line_error(result, *parts)
    assert result.stdout == b""


def test_predicates_that_only_the_prediction_has(write):
    gold = write("- (A0*)\nsleep (V*)\n- *\n")
    predicted = write("- (A0*) *\nsleep (V*) (A1*)\nhere * (V*)\n", "p.props")
    exact = evaluate("srl", gold, gold)
    result = evaluate("srl", gold, predicted)
    assert (result.returncode, result.stdout) == (0, exact.stdout)
    assert b"p.props: left out 1 predicate that GOLD lacks" in result.stderr
    scores = json.loads(
        printed(evaluate("srl", "--extra-predicates", "--json", gold, predicted))
    )
    assert (scores["gold"], scores["predicted"], scores["correct"]) == (1, 2, 1)
    assert (scores["labels"]["V"]["predicted"], scores["extra_propositions"]) == (2, 1)


@pytest.mark.parametrize(
    "command",
    [
        "chunk --scheme bio",
        "chunk -r --scheme iob2",
        "srl - -",
        "srl one",
        "chunk one two",
        "lemma",
    ],
)
def test_wrong_usage(command):
    result = evaluate(*command.split())
    assert (result.returncode, result.stderr[:17]) == (2, b"Usage: senna-eval")
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("task", "columns", "options", "problem"),
    [
        ("chk", "word,-,-", [], "--columns word,-,-: chk needs a column `chk`"),
        ("pos", "-,pos", [], "--columns -,pos: there is no `word`"),
        ("pos", "brackets", [], "--columns brackets: `brackets` is for psg only"),
        (
            "srl",
            "word,roles,predicate",
            [],
            "--columns word,roles,predicate: a name occurs twice",
        ),
        (
            "pos",
            "word,pos",
            ["--part", "0.9", "0.1"],
            "--part: expected two fractions such",
        ),
    ],
)
def test_usage_errors_name_the_option_as_it_was_written(
    task, columns, options, problem
):
    result = evaluate("model", task, "f", "--columns", columns, *options)
    assert_one_line_error(result, f"Error: {problem}", code=2, is_last=True)


def test_strict_scoring():
    rows = b"B-A B-A\nI-A I-A\nO O\nB-A I-A\n\nB-B B-B\nO I-B\n"
    for options, found in (
        ((), "3 phrases; correct: 2."),
        (("--strict",), "2 phrases; correct: 1."),
    ):
        first, *_ = shown("chunk", *options, stdin=rows)
        assert first == f"processed 6 tokens with 3 phrases; found: {found}"
    found = evaluate("chunk", "--strict", "--scheme", "iobes", stdin=rows)
    assert_one_line_error(found, "line 2: expected E-A in IOBES, found I-A")
    for args in (("-r",), ("--scheme", "iob1")):
        assert evaluate("chunk", "--strict", *args, stdin=rows).returncode == 2


def test_strict_scoring_of_a_model(write):
    text = (GOLDEN / "prose.txt").read_bytes()
    path = write(tag("-chk", "--format", "conll", stdin=text).stdout)  # not well formed
    model = (
        "model",
        "chk",
        path,
        "--columns",
        "word,chk",
        "--path",
        GOLDEN / "model",
        "--json",
    )
    lenient = json.loads(evaluate(*model).stdout)
    strict = json.loads(evaluate(*model, "--strict").stdout)
    assert lenient["correct"] == lenient["predicted"] == strict["gold"] == 348
    assert strict["correct"] == strict["predicted"] == 54
    same = json.loads(evaluate(*model, "--strict", "--label", "X=Y").stdout)
    assert [same[key] for key in ("gold", "predicted")] == [348, 54]
    pos = (
        "model",
        "pos",
        path,
        "--columns",
        "word,pos",
        "--path",
        GOLDEN / "model",
        "--strict",
    )
    assert_one_line_error(evaluate(*pos), "strict scoring is for segments", code=2)


def test_labels_with_equals_signs_are_renamed(tmp_path):
    """What stands before any = may be the label, as in features."""
    path = tmp_path / "gold.tsv"
    path.write_text("He\tA=B=C\nruns\tN\n\n")
    model = (
        "model",
        "pos",
        path,
        "--columns",
        "word,pos",
        "--path",
        GOLDEN / "model",
        "--json",
    )
    for option, both in (("A=B=C=X=Y", {"X=Y", "N"}), ("N=2=3", {"A=B=C", "2=3"})):
        found = json.loads(evaluate(*model, "--label", option).stdout)
        assert both <= found["labels"].keys()
    assert b"--label =A: expected A=B" in evaluate(*model, "--label", "=A").stderr


def test_systems_are_compared_by_the_predicates_of_gold(write):
    gold = write("- *\np (V*)\n- (A1*)\n")
    extra = write("q (V*) *\np (A0*) (V*)\n- * (A1*)\n", "extra")
    compare = (
        "compare",
        "--samples",
        "100",
        "--kind",
        "srl",
        "--json",
        gold,
        gold,
        extra,
    )
    assert json.loads(evaluate(*compare).stdout)["b"]["f1"] == 100


def test_a_column_of_predictions_that_is_missing_is_named():
    wrong = evaluate("chunk", stdin=b"He B-NP\nran B-VP\n")
    assert_one_line_error(
        wrong, "found 'He': a column of predictions seems to be missing"
    )
    assert b"-r" not in wrong.stderr
    assert_one_line_error(evaluate("chunk", stdin=b"NN NN\n"), "are scored with -r")
