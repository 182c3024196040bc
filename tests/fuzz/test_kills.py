"""Kills at random moments: a few, and many if SENNA_PY_VARIANTS is set."""

import os
import random
import time

import pytest

from tests.fuzz.kills import KilledOutput, jobs, kill_trainer
from tests.helpers.small_trainers import TRAINERS

pytestmark = pytest.mark.fuzz


MANY = "SENNA_PY_VARIANTS" in os.environ


@pytest.mark.parametrize("name", TRAINERS if MANY else ["adagrad", "nplm"])
def test_killed_trainers_end_with_the_same_bits(name, tmp_path):
    kills = 20 if MANY else 1
    assert kill_trainer(name, tmp_path, random.Random(1), kills) == kills


def test_killed_outputs_are_whole_or_absent(tmp_path):
    wanted = jobs(tmp_path) if MANY else jobs(tmp_path, ("tag senna", "model export"), 300)
    for job in wanted:
        job.kill_often(random.Random(2), 20 if MANY else 2)


def test_parts_of_files_are_found(tmp_path):
    def write(path):
        with open(path, "wb") as file:
            for _ in range(40):
                file.write(b"x" * 5000)
                file.flush()
                time.sleep(0.005)  # so that kills come in between, however fast files are written

    job = KilledOutput("parts", write, tmp_path)
    with pytest.raises(AssertionError, match="parts"):
        for _ in range(200):
            job.kill(random.Random())
