"""senna-lm train ngram, score and info, as a user runs them, and what a user can do
wrong.
"""

import gzip
import json
import subprocess

import pytest

from tests.helpers.commands import (
    assert_one_line_error,
    installed,
    lm,
    lm_says,
    vectors,
)

TEXT = "the cat sat on the mat\nthe dog sat\n\na dog ran on the mat\n" * 20
CLASSES = "00\tthe\t80\n00\ta\t20\n01\tcat\t20\n01\tdog\t40\n01\tmat\t40\n1\tsat\n1\tran\n1\ton\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Directory with text, held-out text, classes and a trained model."""
    directory = tmp_path_factory.mktemp("lm")
    (directory / "text").write_text(TEXT)
    (directory / "valid").write_text("the cat ran\nthe bird sat\n")
    (directory / "classes").write_text(CLASSES)
    (directory / "text.gz").write_bytes(gzip.compress(TEXT.encode()))
    lm_says("train", "ngram", directory / "m.lm", directory / "text")
    classes = "--classes", directory / "classes"
    lm_says("train", "ngram", directory / "c.lm", directory / "text", *classes)
    return directory


def test_train_on_a_prepared_corpus(tmp_path):
    (tmp_path / "raw.txt").write_text("The cat slept. A dog lay on it.\n" * 300)
    vectors("prepare", tmp_path / "corpus", tmp_path / "raw.txt", "--jobs", 1)
    notes = lm_says("train", "ngram", tmp_path / "m.lm", tmp_path / "corpus")
    # Tokens and ends of sentences of a line.
    n_lines, n_valid, n_tokens = (
        300,
        1,
        10 + 2,
    )
    assert notes.startswith(
        f"{(n_lines - n_valid) * n_tokens:,} training and {n_valid * n_tokens} validation words, "
    )
    assert notes.splitlines()[-1].startswith(
        f"validation: 2 lines, {n_valid * n_tokens} tokens"
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.lm", ""),
        ("b.arpa", "--order 4"),
        ("c.arpa.gz", "--one-stream"),
        ("d.lm", "--smoothing interpolated --one-stream --min-count 2"),
        ("e.lm", "--classes {}/classes --order 2"),
        ("f.lm", "--size 5"),
    ],
)
def test_train_score_and_info(files, tmp_path, name, options):
    options = options.format(files).split()
    model, valid = tmp_path / name, files / "valid"
    notes = lm_says(
        "train", "ngram", model, files / "text.gz", "--valid", valid, *options
    )
    validation = notes.splitlines()[-1].removeprefix("validation: ")
    assert "1 unknown" in validation or "--size" in options
    notes = lm_says("score", model, valid, "-o", tmp_path / "out")
    # A stream without marks has no lines to count.
    assert notes.splitlines()[-1].removeprefix("2 lines, ") == validation.removeprefix(
        "2 lines, "
    )
    rows = [row.split("\t") for row in (tmp_path / "out").read_text().splitlines()]
    n_marks = 0 if "--one-stream" in options else 2
    assert [len(row) for row in rows].count(3) == 6 + n_marks
    assert [len(row) for row in rows].count(5) == 2
    info = lm_says("info", model)
    assert info.startswith("kind: ")
    assert "\norder: " in info


def test_a_vocabulary(files, tmp_path):
    (tmp_path / "words").write_text("the\ncat\nunseen\n")
    args = ("--one-stream", "--vocabulary", tmp_path / "words")
    notes = lm_says("train", "ngram", tmp_path / "m", files / "text", *args)
    assert "300 training and 0 validation words, 4 different" in notes
    scored = lm("score", tmp_path / "m", "--format", "jsonl", stdin=b"the unseen dog\n")
    assert json.loads(scored.stdout)["unknown"] == [2]
    summary = lm(
        "score", tmp_path / "m", "--format", "summary", stdin=b"the unseen dog\n"
    )
    assert (summary.stdout, summary.stderr) == (scored.stderr, b"")
    assert summary.stdout.startswith(
        b"1 line, 3 tokens, 1 unknown, perplexity without unknown wo"
    )


def test_export_to_arpa_and_back(files, tmp_path):
    lm_says("export", files / "m.lm", tmp_path / "m.arpa", "--to", "arpa")
    lm_says("export", tmp_path / "m.arpa", tmp_path / "again.lm", "--to", "lm")
    outputs = set()
    for model in (files / "m.lm", tmp_path / "m.arpa", tmp_path / "again.lm"):
        lm_says("score", model, files / "valid", "-o", tmp_path / "out")
        outputs.add((tmp_path / "out").read_text())
    assert len(outputs) == 1
    piped = lm("info", "-", stdin=(tmp_path / "m.arpa").read_bytes())
    assert b"order: 3\n" in piped.stdout


def test_the_ending_of_scores_says_their_format(files, tmp_path):
    score = "score", files / "m.lm", files / "valid", "-o"
    for name, first in (("x.jsonl", "{"), ("x.json", "{"), ("x.tsv", "t"), ("x", "t")):
        lm_says(*score, tmp_path / name)
        assert (tmp_path / name).read_text().startswith(first)
    lm_says(*score, tmp_path / "x.json", "--format", "columns")
    assert (tmp_path / "x.json").read_text() == (tmp_path / "x").read_text()
    assert_one_line_error(lm(*score, tmp_path / "x.tsv.gz"), "not compressed", code=2)


@pytest.mark.process
def test_a_line_is_scored_before_the_next_is_written(files):
    with subprocess.Popen(
        [installed("senna-lm"), "score", files / "m.lm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(b"the cat\n")
        process.stdin.flush()
        rows = [process.stdout.readline() for _ in range(5)]
        assert [row.split(b"\t")[0] for row in rows] == [
            b"the",
            b"cat",
            b"</s>",
            b"",
            b"\n",
        ]
        process.stdin.close()
        process.wait(60)


@pytest.mark.process
def test_a_reader_that_leaves(files, tmp_path):
    (tmp_path / "long").write_text(TEXT * 500)
    command = f"{installed('senna-lm')} score {files / 'm.lm'} {tmp_path / 'long'} | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, check=False, timeout=120
    )
    assert done.stderr == b""
    assert done.stdout.startswith(b"the\t")


# --- what a user can do wrong
# ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "code", "problem"),
    [
        ("train ngram x none", 1, "none: No such file or directory"),
        ("train ngram x empty", 1, "empty: no words in the text"),
        ("train ngram x marks", 1, "marks: line 3: <s> is a mark"),
        ("train ngram valid text", 1, "is not a language model: not overwritten"),
        ("train ngram . text", 1, ": Is a directory"),
        ("train ngram no/x/ text --valid none", 1, "none: No such file"),
        ("train ngram text/x text", 1, "text/x: not written: "),
        (
            "train ngram x text --vocabulary twice",
            1,
            "twice: line 2: the word 'a' occurs twice",
        ),
        (
            "train ngram x text --classes text",
            1,
            "text: line 1: expected class, word and count",
        ),
        ("train ngram x text --smoothing interpolated", 2, "give --valid"),
        ("train ngram x.arpa text --classes classes", 2, "ARPA format is for"),
        (
            "train ngram x text --classes c --smoothing interpolated --valid v",
            2,
            "--classes cannot be used with",
        ),
        ("score text text", 1, "not an ARPA file"),
        ("score none text", 1, "none: No such file"),
        ("score . text", 1, "not a language model: it has no model.lm"),
        ("score m.lm none", 1, "none: No such file"),
        ("score m.lm marks", 1, "marks: line 3: <s> is a mark"),
        ("score m.lm valid -o valid", 2, "the same file"),
        ("score m.lm empty", 1, "empty: no words in the text"),
        ("score m.lm", 1, "standard input: no words in the text"),
        ("score m.lm empty -", 1, "2 files: no words in the text"),
        ("score -", 2, "cannot both be standard input"),
        ("info text", 1, "not an ARPA file, nor a model of senna-lm"),
        ("train ngram x - --valid -", 2, "input can be read only once"),
        ("export m.lm x --to arpa --half", 2, "--half is for models of"),
        ("export c.lm x.arpa --to arpa", 1, "cannot hold a model of the kind"),
        ("export m.lm x --to lm --half", 2, "--half is for models of"),
    ],
)
def test_one_line_errors(files, command, code, problem):
    (files / "empty").write_text("\n")
    (files / "marks").write_text("a\n\na <s>\n")
    (files / "twice").write_text("a\na\n")
    output = ["-o", "out"] * (command.startswith("score") and "-o" not in command)
    result = lm(*command.split(), *output, cwd=files)
    assert_one_line_error(result, problem, code=code, is_last=True)


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--one-stream",
        "--smoothing interpolated --valid valid",
        "--classes classes --order 2",
    ],
)
def test_generate(files, tmp_path, options):
    lm("train", "ngram", tmp_path / "m.lm", "text", *options.split(), cwd=files)
    args = ["generate", tmp_path / "m.lm", "the dog", "--length", 5]
    first = lm_says(*args, "--seed", 2)
    assert lm_says(*args, "--seed", 2) == first
    words = first.split()
    assert words[:2] == ["the", "dog"] and len(words) <= 7
    assert {*words} <= {*TEXT.split()}
    assert lm_says(*args, "--temperature", 0) == lm_says(
        *args, "--temperature", 0, "--seed", 9
    )
