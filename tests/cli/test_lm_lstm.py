"""senna-lm train char, word and morph: from text to probabilities, vectors and
errors.
"""

import importlib.util
import json
import re

import numpy as np
import pytest
from test_lm_nplm import SENTENCES, perplexity

from senna_py.lm.lstm.lexicon import read_morphemes
from tests.helpers.commands import (
    assert_one_line_error,
    lm,
    lm_says,
    vectors,
    vectors_say,
)

SMALL = [
    "--hidden",
    12,
    "--bptt",
    6,
    "--batch",
    4,
    "--spread",
    0.3,
    "--rate",
    0.5,
    "--least-gain",
    0,
    "--dropout",
    0,
    "--epochs",
    3,
]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join([*SENTENCES * 15, "señor hat Käse"]) + "\n")
    return path


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory):
    """Directory of a finished run, and what it printed."""
    directory = tmp_path_factory.mktemp("run") / "run"
    said = lm_says(
        "train", "char", directory, text, "--valid", text, *SMALL, "--epochs", 6
    )
    return directory, said


@pytest.fixture(scope="module")
def trained_on_words(text, tmp_path_factory):
    """Directory of a finished run, with picture.png if it can be drawn."""
    directory = tmp_path_factory.mktemp("run") / "words"
    drawn = (
        ["--plot", directory / "picture.png"]
        if importlib.util.find_spec("matplotlib")
        else []
    )
    directory.mkdir()
    lm_says(
        "train", "word", directory, text, "--valid", text, *SMALL, "--dim", 5, *drawn
    )
    return directory


@pytest.mark.extra
def test_a_picture_of_the_run(trained_on_words):
    pytest.importorskip("matplotlib")
    assert (trained_on_words / "picture.png").stat().st_size > 1000


def test_training_scoring_and_information_agree(trained, text):
    directory, printed = trained
    best = float(re.search(r"best validation perplexity ([\d.]+)", printed).group(1))
    assert perplexity(directory, text) == pytest.approx(best, abs=0.006)
    assert best < 4  # by chance 16, by frequency about 7
    info = lm_says("info", directory)
    assert "kind: LSTM language model" in info and "input: characters of words" in info
    parameters = re.search(r"^parameters: ([\d,]+)$", info, re.MULTILINE).group(1)
    assert f"\n{parameters} parameters\n" in printed
    assert (
        "filters: 1:25 2:50 3:75 4:100 5:125 6:150" in info
        and "1 highway layer\n" in info
    )
    told = float(re.search(r"validation perplexity: ([\d.]+)", info).group(1))
    assert told == pytest.approx(best, abs=0.006)
    rows = [
        json.loads(line) for line in (directory / "log.jsonl").read_text().splitlines()
    ]
    assert [row["epoch"] for row in rows if row["valid"]] == [1, 2, 3, 4, 5, 6]


def test_unknown_words_are_read_by_their_characters(text, tmp_path):
    options = ["--size", 3, "--spell-unknown", "--final-rate", 0.1]
    run = tmp_path / "run"
    said = lm_says("train", "char", run, text, "--valid", text, *SMALL, *options)
    assert "6 different" in said
    lm_says("train", "char", run, text, "--valid", text, *SMALL, *options, "--resume")
    lm_says("export", run, tmp_path / "half.lm", "--to", "lm", "--half")
    info = lm_says("info", tmp_path / "half.lm")
    assert (
        "unknown words: read by their characters" in info and "final_rate: 0.1" in info
    )
    assert perplexity(tmp_path / "half.lm", text) == pytest.approx(
        perplexity(run, text), rel=0.01
    )
    (tmp_path / "new.txt").write_text("qwe the\nrty the\n" * 20)
    for jobs in (1, 4):
        lm_says(
            "score",
            run,
            tmp_path / "new.txt",
            "--independent-lines",
            "--jobs",
            jobs,
            "-o",
            tmp_path / f"scores-{jobs}",
        )
    one, four = ((tmp_path / f"scores-{jobs}").read_text() for jobs in (1, 4))
    rows = [line.split("\t") for line in one.splitlines() if line.startswith("the\t")]
    assert one == four and len(rows) == 40 and len({row[1] for row in rows}) == 2
    assert lm_says("generate", run, "qwe\u00a0rty", "--length", 3).startswith(
        "qwe\u00a0rty "
    )


def test_scores_of_lines_do_not_depend_on_what_is_read_at_once(trained, tmp_path):
    lines = b"cats like corn\nzebras like milk\n\ndogs see meat\n"
    out = lm("score", trained[0], stdin=lines).stdout.decode()
    rows = [line.split("\t") for line in out.splitlines() if line]
    assert [row[0] for row in rows[:4]] == ["cats", "like", "corn", "</s>"]
    assert sum(float(row[1]) for row in rows[:4]) == pytest.approx(
        float(rows[4][1]), abs=1e-5
    )
    assert [row[2] for row in rows[5:8]] == ["1", "0", "0"]
    many = tmp_path / "many"
    many.write_bytes(lines * 500)  # more than is scored at once
    several = lm(
        "score", trained[0], many, "--jobs", 2, "--format", "jsonl"
    ).stdout.splitlines()
    assert len(several) == 1500
    first = json.loads(several[0])
    assert first["log10"] == pytest.approx(
        [float(row[1]) for row in rows[:4]], abs=2e-5
    )
    # The state is carried over the ends of sentences.
    assert json.loads(several[3])["log10"] != first["log10"]


@pytest.mark.slow
def test_vectors_of_any_words(trained, trained_on_words):
    words = ["cats", "catsss", "señor", "猫", "-"]
    out = vectors_say("print", trained[0], *words, stdin="more\nwords")
    rows = [line.split(" ") for line in out.splitlines()]
    assert [row[0] for row in rows] == [
        "cats",
        "catsss",
        "señor",
        "猫",
        "more",
        "words",
    ]
    found = np.array([row[1:] for row in rows], np.float32)
    assert found.shape == (6, 525) and np.isfinite(found).all()
    before = vectors_say("print", trained[0], "cats", "--before").split()[1:]
    assert np.abs(np.array(before, np.float32)).max() <= 1  # of tanh
    assert not np.allclose(found[0], np.array(before, np.float32))
    assert len(vectors_say("print", trained_on_words, "cats").split()) == 6
    assert "zebra" in vectors_say("print", trained_on_words, "cats", "zebra", code=1)


def test_neighbours_of_known_and_unknown_words(trained):
    options = "-n", 3, "--metric", "cosine"
    out = vectors_say(
        "neighbors", "--from", "lm", trained[0], "cats", "catsss", *options
    )
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["cosine:"] and rows[1] == ["cats", "catsss"]
    columns = list(zip(*rows[4:7], strict=True))
    assert "cats" not in columns[0] and columns[1][0] == "cats"
    assert "euclidean:" in vectors_say(
        "neighbors", "--from", "lm", trained[0], "cats", "--before"
    )
    assert_one_line_error(
        vectors("neighbors", trained[0], "cats", "--before"), "--from lm", code=2
    )


def test_what_knows_no_word_vectors_says_what_does(trained, tmp_path):
    for args in (
        ["export", trained[0], tmp_path / "v", "--to", "npy"],
        ["neighbors", trained[0], "cats"],
    ):
        problem = vectors_say(*args, code=1)
        assert "characters" in problem and "neighbors --from lm" in problem
    scored = lm_says("score", trained[0], "--unknown-vectors", stdin="a\n", code=1)
    assert "`train nplm`" in scored


@pytest.mark.parametrize("word", ["", "New York", "a\tb"])
def test_vectors_and_neighbours_of_what_is_no_word(trained, word):
    assert "not a word" in vectors_say("print", trained[0], word, code=2)
    assert "not a word" in vectors_say(
        "neighbors", "--from", "lm", trained[0], word, code=2
    )


def test_white_space_within_words_is_that_of_text(trained, tmp_path):
    word = "10\u00a0000"
    assert vectors_say("print", trained[0], word).startswith(word)
    assert vectors_say("print", trained[0], "-", stdin=word).startswith(word)
    (tmp_path / "segments").write_text(f"{word} 10 000 10\n", encoding="utf-8")
    found = read_morphemes(tmp_path / "segments", ["10", word])
    assert (found.names, found.starts.tolist()) == (["10", "000"], [0, 0, 2])


def test_word_vectors_have_no_highway_layers_before_them(trained_on_words):
    for command in (["print"], ["neighbors", "--from", "lm"]):
        problem = vectors_say(*command, trained_on_words, "cats", "--before", code=1)
        assert "a model of word vectors, not of `train char`" in problem


def test_morphemes_from_a_file(text, tmp_path):
    segments = tmp_path / "segments"
    segments.write_text("cats cat s\ndogs dog s\nunheard un heard\n\n")
    args = [
        "train",
        "morph",
        tmp_path / "run",
        text,
        "--valid",
        text,
        *SMALL,
        "--dim",
        5,
    ]
    lm_says(*args, "--segmentation", segments)
    info = lm_says("info", tmp_path / "run")
    assert "morphemes: 3" in info and "word and morpheme vectors" in info
    assert perplexity(tmp_path / "run", text) < 10
    vectors_say("export", tmp_path / "run", tmp_path / "v.txt", "--to", "glove")
    exported = dict(
        line.split(" ", 1) for line in (tmp_path / "v.txt").read_text().splitlines()
    )
    for line in vectors_say(
        "print", tmp_path / "run", "cats", "milk", "dogs"
    ).splitlines():
        word, numbers = line.split(" ", 1)  # those of its morphemes included
        found = np.array(exported[word].split(), np.float32)
        np.testing.assert_allclose(
            found, np.array(numbers.split(), np.float32), rtol=1e-5
        )
    for line, part in (
        ("cats cat s\ncats ca ts\n", "line 2"),
        ("cats\n", "no morphemes"),
        ("zebra ze bra\n", "vocabulary"),
    ):
        segments.write_text(line)
        done = lm(*args, "--resume", "--segmentation", segments)
        assert_one_line_error(done, "segments", part, is_last=True)


@pytest.mark.parametrize(
    ("options", "described"),
    [
        ("--plain", "one plain layer"),
        ("--highway 0", "0 highway layers"),
        ("--output-layer clusters", "clusters, then words"),
    ],
)
def test_other_networks(text, tmp_path, options, described):
    lm_says(
        "train", "char", tmp_path / "run", text, *SMALL, "--epochs", 1, *options.split()
    )
    assert described in lm_says("info", tmp_path / "run")


@pytest.mark.slow
def test_the_large_preset_is_table_2(tmp_path, text):
    lm_says(
        "train",
        "char",
        tmp_path / "run",
        text,
        "--preset",
        "large",
        "--time-limit",
        "0.001s",
    )
    arrays = np.load(tmp_path / "run" / "checkpoint.npz")
    shapes = [arrays[f"filter_weight.{w}"].shape for w in range(1, 8)]
    assert shapes == [
        (w, 15, n) for w, n in enumerate((50, 100, 150, 200, 200, 200, 200), 1)
    ]
    assert arrays["highway2_weight"].shape == (1100, 2200)
    assert arrays["lstm2_recurrent"].shape == (650, 2600)


def test_wrong_usage_and_bad_input(text, tmp_path):
    done = lm("train", "char", tmp_path / "r", text, "--plain", "--highway", 1)
    assert_one_line_error(done, "--plain", code=2)
    assert_one_line_error(vectors("print", tmp_path / "gone.lm", "cats"), "gone.lm")


def test_lines_on_their_own(trained):
    lines = [b"cats like milk\n", b"dogs see meat\n"]
    args = "score", trained[0], "--format", "jsonl"
    alone = [lm(*args, stdin=line).stdout for line in lines]
    assert lm(*args, stdin=b"".join(lines)).stdout != b"".join(alone)
    found = lm(*args, "--independent-lines", stdin=b"".join(lines)).stdout.splitlines()
    for line, one in zip(found, alone, strict=True):
        np.testing.assert_allclose(
            json.loads(line)["log10"], json.loads(one)["log10"], atol=1e-5
        )
