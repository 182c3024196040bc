"""`senna-py vectors cluster`: from text to paths, and what a user can do wrong."""

import os
import re

import numpy as np
import pytest

from senna_py.io.class_files import read_word_classes
from tests.helpers.commands import assert_one_line_error, vectors, vectors_say


def cluster(*args, **options):
    return vectors("cluster", *args, **options)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """Text of 400 words in sentences of ten."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(1, 401)
    tokens = [f"W{i}" for i in rng.choice(400, 9000, p=p / p.sum())]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    lines = (" ".join(tokens[i : i + 10]) for i in range(0, len(tokens), 10))
    path.write_text("\n".join(lines))
    return path


def test_output(text, tmp_path):
    result = cluster(tmp_path / "paths.tsv", text, "--clusters", 20, "--min-count", 2)
    assert result.returncode == 0, result.stderr
    assert result.stdout == b""
    said = result.stderr.decode().splitlines()
    assert re.fullmatch(r"[\d,]+ occurrences of \d+ words, 20 classes", said[0])
    assert re.fullmatch(r"100\.0%  (\d+) of \1 words  [\d,]+/s  0\.\d{4} bits", said[-2])
    assert re.fullmatch(r"average mutual information: 0\.\d{4} bits", said[-1])
    rows = list(read_word_classes(tmp_path / "paths.tsv"))
    assert len({path for path, _, _ in rows}) == 20
    assert all(set(path) <= {"0", "1"} for path, _, _ in rows)
    assert rows == sorted(rows, key=lambda row: (row[0], -row[2]))
    counts = {word: count for _, word, count in rows}
    tokens = text.read_text().split()
    assert counts == {w: n for w in set(tokens) if (n := tokens.count(w)) > 1}
    assert [file.name for file in tmp_path.iterdir()] == ["paths.tsv"]


def test_standard_input(tmp_path):
    options = "--lower", "--clusters", 3
    vectors_say("cluster", tmp_path / "a", "-", *options, stdin="a B\nb A 1 c 2\n")
    assert {word: n for _, word, n in read_word_classes(tmp_path / "a")} == {
        "a": 2, "b": 2, "0": 2, "c": 1,
    }  # fmt: skip


def test_resumed_it_writes_the_same(text, tmp_path):
    args = (text, "--clusters", 10, "--one-stream", "--size", 300, "--tokens", 8000)
    first = cluster(tmp_path / "a", *args, "--time-limit", "0.001s")
    checkpoint = tmp_path / "a.run" / "checkpoint.npz"
    assert first.stderr.endswith(b"stopped; continue with --resume\n")
    assert first.returncode == 0
    assert not (tmp_path / "a").exists()
    assert_one_line_error(cluster(tmp_path / "a", *args), checkpoint, "continue it with --resume")
    assert cluster(tmp_path / "a", *args, "--resume").returncode == 0
    begun = cluster(tmp_path / "b", *args, "--resume")  # nothing is there: a run begins
    assert b"no checkpoint to resume from; a run begins" in begun.stderr
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert not checkpoint.parent.exists()


@pytest.mark.parametrize(
    ("given", "options", "problem"),
    [
        (None, [], "t: No such file"),
        ("a b\nc <s> d\n", [], "t: line 2: <s>"),
        ("\n", [], "no words in the text"),
        ("a\nb\n", ["--min-count", 2], "t: no word is left to cluster"),
        ("a\nb\n", ["--vocabulary", "none"], "none: No such file"),
        ("a\nb\n", [], "0 pairs of adjacent words"),
    ],
)
def test_errors(given, options, problem, tmp_path):
    if given is not None:
        (tmp_path / "t").write_text(given)
    said = vectors_say("cluster", tmp_path / "out", tmp_path / "t", *options, code=1)
    assert problem in said.splitlines()[-1]


def test_a_place_that_cannot_be_written_is_told_before_the_work(text):
    said = vectors_say("cluster", os.devnull + "/paths", text, code=1)
    assert "/dev/null/paths.run: no place for a run: /dev/null is a file" in said
    said = vectors_say("cluster", text.parent, text, code=2)
    assert "is a directory" in said
    assert not text.parent.with_name(f"{text.parent.name}.run").exists()
