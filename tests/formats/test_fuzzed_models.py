"""A damaged model gives an error that names a file, or any tags: never anything else."""

import os
import random
import subprocess
import sys

from senna_py.annotation import sentences
from senna_py.errors import SennaError
from senna_py.formats.columns import ColumnFormat
from senna_py.model import TASKS
from senna_py.tagger import Tagger

TEXT = "\n".join(
    [
        "The company's shares fell 3.5% to $41.25 , said Mr. Howard .",
        "He can't sleep . She gave the old dog a BONE in Chicago .",
        "é — “x” \x00 AT&T",
        "word",
    ]
).encode()


def damage(random_source, data):
    """Flip bytes of `data`, cut it or make it longer; where sizes and keys stand, if it is long."""
    data = bytearray(data)
    kind = random_source.choice(["flip", "flip", "flip", "start", "number", "cut", "extend"])
    if kind == "cut":
        return data[: random_source.randrange(len(data))]
    if kind == "extend":
        return data + random_source.randbytes(random_source.choice([1, 4, 100]))
    if kind == "number":  # any aligned value may become one that is no number, or a huge one
        at = 4 * random_source.randrange(len(data) // 4)
        values = (b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\xff\xff\xff\x7f", b"\xff\xff\x7f\xff")
        data[at : at + 4] = random_source.choice(values)
        return data
    end = min(len(data), 64) if kind == "start" else len(data)
    for _ in range(random_source.choice([1, 2, 10, 1000])):
        data[random_source.randrange(end)] ^= 1 << random_source.randrange(8)
    return data


def tag(path):
    """Use everything of a model; returns the message of the error, or None."""
    try:
        tagger = Tagger(path, TASKS)
        tokens = tagger.tokenizer.lines(TEXT)
        found = tagger.annotate(tokens)
        ColumnFormat(tagger, offsets=True, scheme="brackets").print(found)
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


def test_damaged_models_never_lead_a_kernel_out_of_bounds(tmp_path):
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         f"{__file__}::{test_damaged_models.__name__}"],
        env=os.environ | environment, check=True, timeout=240,
    )  # fmt: skip
