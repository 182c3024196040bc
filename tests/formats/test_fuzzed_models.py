"""A damaged model gives an error that names a file, or any tags: never anything else."""

import json
import os
import random
import struct
import subprocess
import sys

import numpy as np
import pytest
from native_models import all_parts, dilated_parts, joint_parts, model_arguments

from senna_py.errors import SennaError
from senna_py.formats.columns import ColumnFormat
from senna_py.formats.native import write_model
from senna_py.model import TASKS
from senna_py.reading import sentences
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


def tag(path, tasks=TASKS):
    """Use everything of a model; returns the message of the error, or None."""
    try:
        tagger = Tagger(path, tasks)
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


def damage_header(random_source, data):
    """Put another value in place of one anywhere in the header of a native model."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    description = json.loads(header["__metadata__"]["model"])
    if random_source.random() < 0.5:
        replace_value(random_source, description)
        header["__metadata__"]["model"] = json.dumps(description)
    else:
        replace_value(random_source, header)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data[8 + length :]


def replace_value(random_source, value):
    """Change something in nested lists and dicts."""
    key = random_source.choice(list(range(len(value)) if isinstance(value, list) else value))
    inner = value[key]
    if isinstance(inner, list | dict) and inner and random_source.random() < 0.9:
        replace_value(random_source, inner)
    elif random_source.random() < 0.3:
        del value[key]
    elif isinstance(value, list) and random_source.random() < 0.3:
        random_source.shuffle(value)
    elif isinstance(inner, int) and random_source.random() < 0.5:
        value[key] = inner + random_source.choice([-2, -1, 1, 2, 64])
    else:
        others = [None, -1, 0, 3, 1e300, 2**70, "", "pos", "word", "\ud800", [], [1], {}, {"a": 1}]
        value[key] = random_source.choice(others)


def damage_part(random_source, data):
    """Damage the header, an array of indices or of text, or any byte."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    entries = [entry for name, entry in header.items() if name != "__metadata__"]
    places = [(0, 8 + length)]
    for entry in entries:
        begin, end = (8 + length + at for at in entry["data_offsets"])
        places += [(begin, end)] * (1 if entry["dtype"] == "F16" else 3)
    begin, end = random_source.choice([place for place in places if place[1] - place[0] > 4])
    data = bytearray(data)
    data[begin:end] = damage(random_source, data[begin:end])
    return bytes(data)


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


def test_damaged_models_never_lead_a_kernel_out_of_bounds(tmp_path):
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
         *(f"{__file__}::{test.__name__}"
           for test in (test_damaged_models, test_damaged_native_models))],
        env=os.environ | environment, check=True, timeout=600,
    )  # fmt: skip
