"""A damaged model gives an error that names a file, or any tags: never anything else."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from senna_py.corpora.places import Place
from senna_py.errors import SennaError
from senna_py.model import TASKS
from senna_py.models.native import write_model
from senna_py.printers.columns import ColumnPrinter
from senna_py.reading import sentences
from senna_py.tagger import Tagger
from tests.fuzz.damage import damage, damage_header, damage_part
from tests.helpers.native_models import all_parts, dilated_parts, joint_parts, model_arguments

TEXT = "\n".join(
    [
        "The company's shares fell 3.5% to $41.25 , said Mr. Howard .",
        "He can't sleep . She gave the old dog a BONE in Chicago .",
        "é — “x” \x00 AT&T",
        "word",
    ]
).encode()


def tag(path, tasks=TASKS):
    """Use everything of a model; returns the message of the error, or None."""
    try:
        tagger = Tagger(path, tasks)
        tokens = tagger.tokenizer.lines(TEXT)
        found = tagger.annotate(tokens)
        ColumnPrinter(tagger, offsets=True, scheme="brackets").print(found, Place("x"))
        texts = TEXT.decode().split("\n")
        assert len(sentences(tagger, found, dict(enumerate(texts)))) == len(texts)
    except SennaError as error:
        return str(error)
    return None


def test_damaged_models(golden, tmp_path):
    source = golden / "model"
    files = sorted(path.relative_to(source) for path in source.rglob("*.*"))
    for path in files:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        os.symlink(source / path, tmp_path / path)
    assert tag(tmp_path) is None
    random_source = random.Random(1)
    messages = []
    for _ in range(500):
        path = random_source.choice(files)
        (tmp_path / path).unlink()
        (tmp_path / path).write_bytes(damage(random_source, (source / path).read_bytes()))
        message = tag(tmp_path)
        (tmp_path / path).unlink()
        os.symlink(source / path, tmp_path / path)
        messages.append(message)
        if message is not None:
            assert "\n" not in message
            assert f"{tmp_path / path}" in message
    assert 100 < sum(message is None for message in messages) < 400  # both happen
    assert tag(tmp_path) is None


@pytest.mark.parametrize(
    ("parts", "bits", "n"),
    [(all_parts, 16, 800), (all_parts, 8, 300), (dilated_parts, 16, 300), (joint_parts, 16, 300)],
)
def test_damaged_native_models(parts, bits, n, tmp_path):
    path = tmp_path / "model.safetensors"
    write_model(path, *model_arguments(parts(np.random.default_rng(0)), bits))
    data = path.read_bytes()
    tasks = ["pos", "pt0", "srl", "psg"]
    assert tag(tmp_path, tasks) is None
    random_source = random.Random(1)
    messages = []
    for _ in range(n):
        path.unlink()  # what is mapped must not change
        path.write_bytes(
            random_source.choice([damage, damage_part, damage_header])(random_source, data)
        )
        messages.append(tag(tmp_path, tasks))
        if messages[-1] is not None:
            assert "\n" not in messages[-1]
            assert str(path) in messages[-1]
    assert n / 8 < sum(message is None for message in messages) < n * 7 / 8  # both happen
    assert len({message for message in messages if message}) > n / 8


@pytest.mark.process
@pytest.mark.skipif(
    "SENNA_PY_VARIANTS" not in os.environ,
    reason="SENNA_PY_VARIANTS is not set: kernels with bounds checked would have to be compiled",
)
def test_damaged_models_never_lead_a_kernel_out_of_bounds(tmp_path):
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
         *(f"{__file__}::{test.__name__}"
           for test in (test_damaged_models, test_damaged_native_models))],
        env=os.environ | environment, check=True, timeout=600,
    )  # fmt: skip
