"""`senna-lm train encoder`, as a user runs it, and what a user can do wrong."""

import numpy as np
import pytest
from click.testing import CliRunner

from senna_py.cli.lm import command
from senna_py.lm.model_files import open_model
from senna_py.models.embeddings import read_embeddings
from tests.helpers.small_corpora import WORDS, write_vectors
from tests.helpers.small_encoders import write_text

SMALL = ["--width", 8, "--dilations", "1,2", "--projection", 4, "--output", 9, "--drawn", 6,
         "--batch", 60, "--epoch", 600, "--feature", "caps=2", "--processes", 1]  # fmt: skip


def invoke(*args, code=0):
    """Run senna-lm in this process; returns its output, or the message of its error."""
    result = CliRunner().invoke(command, list(map(str, args)))
    assert (result.exit_code != 0) == (code != 0), (result.output, result.exception)
    return result.output if code == 0 else f"{result.exception} {result.output}"


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Text and vectors."""
    directory = tmp_path_factory.mktemp("given")
    return write_text(directory / "text.txt", 300), write_vectors(directory / "vectors.txt")


def train(directory, text, vectors, *options, code=0):
    args = [directory, text, "--vectors", vectors, *SMALL, *options]
    return invoke("train", "encoder", *args, code=code)


def test_from_text_to_vectors(given, tmp_path):
    text, vectors = given
    train(tmp_path / "run", f"{text}=0.5", vectors, "--time-limit", "0.01s")
    train(tmp_path / "run", f"{text}=0.5", vectors, "--resume", "--threads", 2)
    said = invoke("info", tmp_path / "run")
    assert "kind: encoder" in said and "dilations: 1 2" in said and "passes: 1.0" in said
    model = open_model(tmp_path / "run")
    found = read_embeddings(tmp_path / "run")
    assert found.words == WORDS and np.array_equal(found.vectors, model.arrays["vectors"])
    train(tmp_path / "next", text, vectors, "--corpus", tmp_path / "run" / "corpus",
          "--words", "fixed", "--passes", 0.2)  # fmt: skip
    assert not (tmp_path / "next" / "corpus").exists()
    message = invoke("score", tmp_path / "run", text, "-o", tmp_path / "out", code=1)
    assert "an encoder predicts hidden words from both sides: it scores no text" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kernel", 4], "--kernel 4: it must be odd"),
        (["--feature", "caps"], "'caps' is not a feature and a size"),
        (["--feature", "pos=3"], "pos: an encoder cannot use this feature"),
        (["--dilations", "1,0"], "'1,0' is not a list of numbers"),
        (["--same", 0.6, "--other", 0.6], "--same 0.6 and --other 0.6 are more than all"),
        (["--shortest", 9, "--longest", 8], "no sentence of 9 to 8 words"),
        (["--shortest", 50], "no sentence of 50 to 64 words in the train text"),
    ],
)
def test_what_a_user_can_do_wrong(given, options, message, tmp_path):
    text, vectors = given
    assert message in train(tmp_path / "run", text, vectors, *options, code=1)


def test_paths_and_weights(given, tmp_path):
    text, vectors = given
    for path, message in (
        (f"{text}=x", "'x' is no weight"), (f"{text}=0", "'0' is no weight"),
        ("none.txt", "none.txt: no such file"),
    ):  # fmt: skip
        assert message in train(tmp_path / "run", path, vectors, code=1)
    again = train(tmp_path / "run", text, vectors, text, code=1)
    assert "a file is given twice" in again
