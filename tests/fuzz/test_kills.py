"""Kills at random moments: a few, and many if SENNA_PY_VARIANTS is set."""

import os
import random
import time

import pytest

from senna_py.cli.root import command
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.fuzz.cases import call
from tests.fuzz.kills import kill_output, kill_trainer
from tests.helpers.commands import MODEL
from tests.helpers.small_trainers import TRAINERS

pytestmark = pytest.mark.fuzz

MANY = "SENNA_PY_VARIANTS" in os.environ


@pytest.mark.parametrize("name", TRAINERS if MANY else ["adagrad", "nplm"])
def test_killed_trainers_end_with_the_same_bits(name, tmp_path):
    kills = 20 if MANY else 1
    assert kill_trainer(name, tmp_path, random.Random(1), kills) == kills


OUTPUTS = {
    "tag": (
        lambda out: ("tag", "text.txt", "--path", MODEL, "--pos", "--lines", "-o", out),
        None,
    ),
    "import": (lambda out: ("model", "import", MODEL, out), "model.safetensors"),
    "export": (lambda out: ("model", "export", out, "--path", MODEL), "hash/words.lst"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_killed_outputs_are_whole_or_absent(name, tmp_path, monkeypatch):
    arguments, last = OUTPUTS[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("The dog sees a cat in New York City .\n" * 300)

    def write(path):
        assert call(command, *arguments(path)) is None

    with fixed_kernels(plain=False):
        kill_output(write, tmp_path, random.Random(2), 20 if MANY else 2, last)


def test_parts_of_files_are_found(tmp_path):
    def write(path):
        with open(path, "wb") as file:
            for _ in range(40):
                file.write(b"x" * 5000)
                file.flush()
                # So that kills come in between, however fast files are written.
                time.sleep(0.005)

    with pytest.raises(AssertionError):
        kill_output(write, tmp_path, random.Random(), 200)
