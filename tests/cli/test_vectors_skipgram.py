"""`senna-py vectors train skipgram`, as a user runs it, and what a user can do
wrong.
"""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.helpers.commands import installed, lm_says, vectors_say
from tests.helpers.small_corpora import corpus

SMALL = ["--dim", 6, "--context", 2, "--subsample", 0.01, "--epochs", 3, "--jobs", 1]


def train(directory, text, *options, code=0):
    return vectors_say(
        "train", "skipgram", directory, text, *SMALL, *options, code=code
    )


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("given") / "text.txt"
    lines = (" ".join(row[0] for row in rows) for rows in corpus(600, seed=4))
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory):
    """Directory of a finished run, with the text that its corpus was made from."""
    directory = tmp_path_factory.mktemp("run") / "run"
    said = train(directory, f"{text}=2")
    assert "100.00% of them among the" in said and said.endswith("done\n")
    return directory


def test_the_run_is_no_language_model(trained):
    assert "which makes word vectors, not a" in lm_says("score", trained, code=1)


def test_covered_words_come_first(text, trained, tmp_path):
    whole = (trained / "corpus" / "words.tsv").read_text().lower().splitlines()[2:]
    rare = min((line.split("\t") for line in whole), key=lambda row: int(row[1]))[0]
    (tmp_path / "labelled").write_text(f"{rare} X\n\nabsent Y\n")
    options = ["--corpus", trained / "corpus", "--size", 5, "--min-count", 1]
    for name, more in (("with", ["--cover", tmp_path / "labelled"]), ("without", [])):
        train(tmp_path / name, text, *options, *more, "--threads", 2)
        vectors_say("export", tmp_path / name, tmp_path / f"{name}.npy", "--to", "npy")
        words = (tmp_path / f"{name}.words").read_text().split()
        assert len(words) == 5 and (rare in words) == bool(more)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cover", "none.tsv"], "none.tsv: No such file or directory"),
        (
            ["--min-count", 1_000_000],
            "no word of the training text occurs 1000000 times",
        ),
        (["--rate", 1e30], "the weights have overflowed; lower --rate"),
    ],
)
def test_what_a_user_can_do_wrong(text, options, message, tmp_path):
    assert message in train(tmp_path / "run", text, *options, code=1)


def test_a_corpus_of_a_few_sentences(tmp_path):
    (tmp_path / "text.txt").write_text("the cat sees the dog .\n" * 3)
    said = train(tmp_path / "run", tmp_path / "text.txt")
    assert "no sentence is held out: validation uses training sentences" in said
    assert said.endswith("done\n")


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_survives_a_run_that_is_killed(number, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("He reads a book in Chicago , and so does she .\n" * 50_000)
    command = [
        installed("senna-py"),
        "vectors",
        "train",
        "skipgram",
        tmp_path / "run",
        text,
    ]
    process = subprocess.Popen([*command, "--jobs", "3"], stderr=subprocess.DEVNULL)
    group, until = (
        f"/proc/{process.pid}/task/{process.pid}/children",
        time.monotonic() + 200,
    )
    while len(children := Path(group).read_text().split()) < 3:
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    process.wait(150)
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < until
        time.sleep(0.1)
