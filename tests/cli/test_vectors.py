"""`senna-py vectors`, also `cluster`: from raw text to vectors and paths, and wrong
use.
"""

import gzip
import os
import re
import subprocess

import numpy as np
import pytest

from senna_py.io.class_files import read_word_classes
from senna_py.models.embeddings import read_embeddings
from tests.helpers.commands import (
    HEARD,
    VECTORS,
    assert_one_line_error,
    lm_says,
    vectors,
    vectors_say,
)

SMALL = ["--stages", "8,12", "--window", "5", "--dim", "6", "--hidden", "10"]
TEXT = "".join(
    f"I {verb} {place} at {hour}:30 p.m.\n"
    for hour in range(1, 9)
    for verb in ("like", "see", "leave")
    for place in ("Paris", "Rome", "Oslo")
)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    return path


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory):
    """Directory of a finished run."""
    directory = tmp_path_factory.mktemp("run") / "run"
    vectors_say("train", "ranking", directory, text, *SMALL, "--examples", 30_000)
    return directory


def test_from_text_to_neighbours(trained):
    out = vectors_say("neighbors", trained, "paris", "see", "-n", 2)
    blocks = out.split("\n\n")
    assert blocks[0].startswith("euclidean:\nparis  see\n")
    assert blocks[1].startswith("cosine:\nparis  see\n")
    first = out.splitlines()[4].split()
    assert first[0] in ("rome", "oslo")
    assert first[1] in ("like", "leave")


def test_neighbours_of_words_from_standard_input(trained):
    problem = vectors_say(
        "neighbors", trained, "Rome", "-", stdin="Berlin LIKE\n", code=1
    )
    assert problem.endswith("not in the dictionary: Berlin")
    options = "--metric", "cosine", "-n", 1
    out = vectors_say("neighbors", trained, "-", *options, stdin="Rome LIKE 7:30")
    assert out.splitlines()[1].split() == ["rome", "like", "0:0"]


def test_export_half_and_import(trained, write, tmp_path):
    vectors_say(
        "export", trained, tmp_path / "v.npy", "--to", "npy", "--half", "--top", 10
    )
    assert np.load(tmp_path / "v.npy").shape == (10, 6)
    assert np.load(tmp_path / "v.npy").dtype == np.float16
    assert len((tmp_path / "v.words").read_text().splitlines()) == 10
    out = vectors_say(
        "import", write("the 1 2\nThe 3 4\n2,000 5 6\n"), tmp_path / "own"
    )
    assert "own.npy: 4 words of 2 dimensions\n" in out
    assert out.endswith("own.npy: left out: 1 word, read like an earlier one\n")
    out = vectors_say("import", tmp_path / "own.npy", tmp_path / "again.npy")
    assert out == f"{tmp_path}/again.npy: 4 words of 2 dimensions\n"
    assert (tmp_path / "own.words").read_text() == "PADDING\nUNKNOWN\nthe\n0\n"


@pytest.mark.parametrize(
    ("target", "more", "problem", "code"),
    [
        ("v.txt.gz", (), "v.txt.gz: output is not compressed", 2),
        ("v", ("--half",), "--half is for the format npy", 2),
        ("", (), "not written: Is a directory", 1),
    ],
)
def test_what_cannot_be_written_is_told_before_vectors_are_read(
    target, more, problem, code, tmp_path
):
    result = vectors("export", "gone.txt", tmp_path / target, "--to", "glove", *more)
    assert_one_line_error(result, problem, code=code)
    assert not [*tmp_path.iterdir()]


def test_export_leaves_out_what_files_cannot_hold(tmp_path):
    source = tmp_path / "a.npy"
    np.save(source, np.arange(10, dtype=np.float32).reshape(5, 2) / 3)
    (tmp_path / "a.words").write_text("one\nNew York\n\ntwo\nx\u00a0y\n")
    for form in ("glove", "word2vec", "word2vec-binary", "npy"):
        target = tmp_path / (f"b.{form}" if form != "npy" else "b.npy")
        out = vectors_say("export", source, target, "--to", form)
        assert out == (
            f"{target}: 2 words of 2 dimensions\n"
            f"{target}: left out: 3 words, empty or with white space\n"
        )
    found = read_embeddings(tmp_path / "b.word2vec-binary", "word2vec-binary")
    assert found.words == ["one", "two"]
    assert np.array_equal(found.vectors, np.load(source)[[0, 3]])
    more = vectors_say("export", source, tmp_path / "c", "--to", "glove", "--top", 1)
    assert "left out" not in more
    np.save(source, np.ones((1, 2), np.float32))
    (tmp_path / "a.words").write_text("New York\n")
    message = vectors_say("export", source, tmp_path / "d", "--to", "glove", code=1)
    assert "no word without white space" in message


def test_prepare_reports_coverage(text, write, tmp_path):
    labelled = write("Paris NNP\nBerlin NNP\n")
    out = vectors_say(
        "prepare", tmp_path / "c", text, "--cover", labelled, "--size", 50
    )
    assert "words cover 50.00% of 2 tokens, 50.00% of 2 types" in out
    out = vectors_say("coverage", tmp_path / "c", labelled, "--size", 4)
    assert "4 words cover 0.00% of 2 tokens" in out
    missing = vectors("coverage", tmp_path / "c", tmp_path / "none")
    assert_one_line_error(missing, tmp_path / "none", "No such file")


def test_a_ranking_run_is_no_language_model(trained):
    assert "see `senna-py vectors neighbors`" in lm_says("info", trained, code=1)
    assert "a run of `senna-py vectors train`" in lm_says("score", trained, code=1)


# --- what a user can do wrong
# ------------------------------------------------------------------


def train(tmp_path, path, *args, **options):
    return vectors(
        "train",
        "ranking",
        tmp_path / "run",
        path,
        "--examples",
        30_000,
        *args,
        **options,
    )


def test_damaged_archive(text, tmp_path):
    (tmp_path / "t.gz").write_bytes(text.read_bytes()[:-20])
    assert_one_line_error(
        train(tmp_path, tmp_path / "t.gz"), "t.gz", "damaged compressed file"
    )


def test_corpus_of_a_run_is_not_replaced(text, tmp_path):
    args = ["train", "ranking", tmp_path / "run", text, *SMALL, "--examples", 30_000]
    assert vectors(*args, "--time-limit", "0.01s").returncode == 0
    words = tmp_path / "run" / "corpus" / "words.tsv"
    before = words.read_bytes()
    (tmp_path / "other.txt").write_text("other words " * 9)
    args[3] = tmp_path / "other.txt"
    assert_one_line_error(vectors(*args), "there is a run already")
    assert_one_line_error(
        vectors(*args, "--resume"), "run/corpus: made from other text"
    )
    assert words.read_bytes() == before
    args[3] = tmp_path / "run" / "corpus"
    assert vectors(*args, "--resume").stderr.endswith(b"done\n")


@pytest.mark.process
@pytest.mark.parametrize("number", HEARD)
def test_interrupted_preparation_leaves_nothing_behind(number, tmp_path):
    # A block of its own, after which the first line is told.
    quick = f"{'w' * 9999}\n" * 420
    (tmp_path / "t.txt").write_text(quick + TEXT * 800)
    process = subprocess.Popen(
        [*VECTORS, "prepare", tmp_path / "c", tmp_path / "t.txt", "--jobs", "1"],
        stderr=subprocess.PIPE,
    )
    process.stderr.readline()
    process.send_signal(number)
    # Which would not end before the workers do.
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert b"Traceback" not in rest
    assert not (tmp_path / "c").exists()


def test_stages_are_fitted_to_a_small_corpus(write, tmp_path):
    text = write("the cat sees the dog .\n" * 300)
    sizes = "--examples", 2000, "--dim", 4, "--hidden", 5
    said = vectors_say("train", "ranking", tmp_path / "run", text, *sizes)
    assert "the corpus has 7 words: dictionaries of 7\n" in said
    result = vectors(
        "train", "ranking", tmp_path / "one", write("the the the\n"), *sizes
    )
    assert (
        result.returncode == 1 and b"one/corpus: only one word to rank" in result.stderr
    )


@pytest.mark.parametrize(
    "options",
    [
        "--duration 5years",
        "--duration -1s",
        "--checkpoint-every 0s",
        "--stages many",
        "--stages 10:-1",
        "--stages 20,10",
        "--duration 1h",
        "--window 4",
        "--threads 0",
    ],
)
def test_wrong_usage(options, tmp_path):
    result = train(tmp_path, tmp_path, *options.split())
    assert_one_line_error(result, code=2, is_last=True)


def test_missing_files(tmp_path):
    for args in (
        ["neighbors", tmp_path / "none", "word"],
        ["export", tmp_path / "none", tmp_path / "out", "--to", "glove"],
        ["import", tmp_path / "none", tmp_path / "out"],
        ["prepare", tmp_path / "c", tmp_path / "none"],
        ["train", "ranking", tmp_path / "run", tmp_path / "none", "--examples", "9"],
    ):
        assert_one_line_error(
            vectors(*args), tmp_path / "none", "o such file or directory"
        )


def test_half_precision_overflow(write, tmp_path):
    result = vectors(
        "export", write("a 1e9\n"), tmp_path / "v.npy", "--to", "npy", "--half"
    )
    assert_one_line_error(result, "do not fit into float16")


def cluster(*args, **options):
    return vectors("cluster", *args, **options)


@pytest.fixture(scope="module")
def many_words(tmp_path_factory):
    """Text of 400 words in sentences of ten."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(1, 401)
    tokens = [f"W{i}" for i in rng.choice(400, 9000, p=p / p.sum())]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    lines = (" ".join(tokens[i : i + 10]) for i in range(0, len(tokens), 10))
    path.write_text("\n".join(lines))
    return path


def test_output(many_words, tmp_path):
    result = cluster(
        tmp_path / "paths.tsv", many_words, "--clusters", 20, "--min-count", 2
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == b""
    said = result.stderr.decode().splitlines()
    assert re.fullmatch(r"[\d,]+ occurrences of \d+ words, 20 classes", said[0])
    assert re.fullmatch(
        r"100\.0%  (\d+) of \1 words  [\d,]+/s  0\.\d{4} bits", said[-2]
    )
    assert re.fullmatch(r"average mutual information: 0\.\d{4} bits", said[-1])
    rows = list(read_word_classes(tmp_path / "paths.tsv"))
    assert len({path for path, _, _ in rows}) == 20
    assert all(set(path) <= {"0", "1"} for path, _, _ in rows)
    assert rows == sorted(rows, key=lambda row: (row[0], -row[2]))
    counts = {word: count for _, word, count in rows}
    tokens = many_words.read_text().split()
    assert counts == {w: n for w in set(tokens) if (n := tokens.count(w)) > 1}
    assert [file.name for file in tmp_path.iterdir()] == ["paths.tsv"]


def test_standard_input(tmp_path):
    options = "--lower", "--clusters", 3
    vectors_say("cluster", tmp_path / "a", "-", *options, stdin="a B\nb A 1 c 2\n")
    assert {word: n for _, word, n in read_word_classes(tmp_path / "a")} == {
        "a": 2,
        "b": 2,
        "0": 2,
        "c": 1,
    }


def test_resumed_it_writes_the_same(many_words, tmp_path):
    args = (
        many_words,
        "--clusters",
        10,
        "--one-stream",
        "--size",
        300,
        "--tokens",
        8000,
    )
    first = cluster(tmp_path / "a", *args, "--time-limit", "0.001s")
    checkpoint = tmp_path / "a.run" / "checkpoint.npz"
    assert first.stderr.endswith(b"stopped; continue with --resume\n")
    assert first.returncode == 0
    assert not (tmp_path / "a").exists()
    assert_one_line_error(
        cluster(tmp_path / "a", *args), checkpoint, "continue it with --resume"
    )
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


def test_a_place_that_cannot_be_written_is_told_before_the_work(many_words):
    said = vectors_say("cluster", os.devnull + "/paths", many_words, code=1)
    assert "/dev/null/paths.run: no place for a run: /dev/null is a file" in said
    said = vectors_say("cluster", many_words.parent, many_words, code=2)
    assert "is a directory" in said
    assert not many_words.parent.with_name(f"{many_words.parent.name}.run").exists()
