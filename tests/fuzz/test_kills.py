"""A few kills; `python -m tests.fuzz.kills` has many."""

import random
import time

import pytest

from tests.fuzz.kills import KilledOutput, kill_trainer, model_jobs, output_jobs

pytestmark = pytest.mark.fuzz


@pytest.mark.parametrize("name", ["adagrad", "nplm"])
def test_killed_trainers_end_with_the_same_bits(name, tmp_path):
    assert kill_trainer(name, tmp_path, random.Random(1), 1) == 1


def test_killed_outputs_are_whole_or_absent(tmp_path):
    job = next(iter(output_jobs(tmp_path, 300)))
    assert job.kill_often(random.Random(2), 2) == 2


def test_a_killed_export_is_whole_or_absent(tmp_path):
    job = next(job for job in model_jobs(tmp_path) if job.name == "senna-model export")
    assert job.kill_often(random.Random(3), 3) == 3


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
