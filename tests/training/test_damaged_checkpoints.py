"""Checkpoints of all trainers: whatever is changed in one, nothing of it is used."""

import io
import json
import shutil
import struct
import zipfile

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.models.checkpoint import read_arrays
from tests.helpers.small_trainers import TRAINERS


class Checkpoint:
    """The checkpoint of a run after its first batches, and a run that is to go on from it."""

    def __init__(self, directory, new):
        run = new(directory / "run")
        run.run(time_limit=0)
        self.path = run.checkpoint
        self.data = self.path.read_bytes()
        self.header, self.arrays = read_arrays(self.path)
        self.again = new(directory / "run")
        self.before = {n: a.copy() for n, a in self.again.trainable.arrays().items()}

    def refused(self, header=None, arrays=None, raw=None):
        """The message with which a changed checkpoint is refused, without the name of its file.

        raw: {name: bytes} of members that no array could be written as.
        """
        header = self.header if header is None else header
        arrays = self.arrays if arrays is None else arrays
        meta = np.frombuffer(json.dumps(header).encode(), np.uint8)
        file = io.BytesIO()
        np.savez(file, meta=meta, **arrays)
        if raw:
            with zipfile.ZipFile(file, "a") as stored:
                for name, data in raw.items():
                    stored.writestr(f"{name}.npy", data)
        return self.refused_bytes(file.getvalue())

    def refused_bytes(self, data):
        self.path.write_bytes(data)
        with pytest.raises(SennaError) as error:
            self.again.resume()
        text = str(error.value)
        assert text.startswith(f"{self.path}: ") and "\n" not in text
        return text.removeprefix(f"{self.path}: ")

    def untouched(self):
        """Whether no array of the run was changed."""
        now = self.again.trainable.arrays()
        return now.keys() == self.before.keys() and all(
            np.array_equal(array, self.before[name]) for name, array in now.items()
        )


KINDS = "adagrad", "joint", "ranking", "skipgram", "clusters", "nplm", "char", "word", "morph"


@pytest.fixture(scope="module", params=KINDS)
def checkpoint(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp(request.param.replace(" ", "-"))
    yield Checkpoint(directory, TRAINERS[request.param](directory))
    shutil.rmtree(directory)


def changed_arrays(array):
    """Arrays that are not what one of a checkpoint may be."""
    yield array[:-1]
    yield np.concatenate([array, array[:1]])
    yield array[..., None]
    yield array.reshape(-1)[0]  # without dimensions
    yield array.astype(np.float64)
    yield array.astype(np.complex64)
    yield array.astype("S4")
    yield array.view([("x", array.dtype)])
    if array.ndim > 1 and array.shape != array.T.shape:
        yield array.T
    if array.dtype == np.float32:
        for number in (np.nan, np.inf):
            broken = array.copy()
            broken.reshape(-1)[-1] = number
            yield broken


@pytest.mark.slow
def test_every_array_is_compared_with_that_of_the_run(checkpoint):
    for place, (name, array) in enumerate(checkpoint.arrays.items()):
        changes = list(changed_arrays(array))
        if place:  # all changes of the first array, one of each of the others
            changes = [changes[place % len(changes)]]
        for changed in changes:
            message = checkpoint.refused(arrays=checkpoint.arrays | {name: changed})
            assert message.startswith(f"damaged: {name} "), changed.dtype
    assert checkpoint.untouched()


def test_there_are_no_fewer_arrays_nor_more(checkpoint):
    name, array = list(checkpoint.arrays.items())[-1]
    others = {n: a for n, a in checkpoint.arrays.items() if n != name}
    assert checkpoint.refused(arrays=others) == f"damaged: the array {name} is missing"
    assert "more" in checkpoint.refused(arrays=checkpoint.arrays | {"more": array})
    objects = io.BytesIO()
    np.save(objects, np.array([print], object), allow_pickle=True)
    for raw in (objects.getvalue(), npy((1 << 40,)), npy((1 << 62, 1 << 62)), npy((-1,)), b""):
        assert checkpoint.refused(arrays=others, raw={name: raw}) == DAMAGED
    assert checkpoint.untouched()


DAMAGED = "not a checkpoint, or damaged"


def npy(shape, data=bytes(64)):
    """A file of an array that says it is larger than it is."""
    text = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text + b"\n" + data


def test_words_and_sums_of_squares(checkpoint):
    constant = [n for n in checkpoint.arrays if n in checkpoint.again.trainable.constant_arrays]
    squares = checkpoint.again.trainable.never_negative()
    assert squares <= checkpoint.arrays.keys()
    for name in constant:
        changed = checkpoint.arrays[name].copy()
        changed[-1] ^= 1
        message = checkpoint.refused(arrays=checkpoint.arrays | {name: changed})
        assert message == f"damaged: {name} is not that of this run"
    for name in squares:
        changed = -1 - checkpoint.arrays[name]
        message = checkpoint.refused(arrays=checkpoint.arrays | {name: changed})
        assert message == f"damaged: {name} has numbers below 0"
    assert checkpoint.untouched()


NUMBERS = (None, "x", [1], {"a": 1}, True, -1, float("nan"), 1 << 70)
IMPOSSIBLE = (
    {"batch": 1 << 40, "steps": 1 << 40}, {"epoch": 1 << 40, "steps": 1 << 41, "batch": 0},
    {"best_epoch": 3}, {"waited": 1}, {"n_costs": 1 << 40}, {"span": 1e9},
)  # fmt: skip
# What may be none, any cost, which only the log shows, and numbers that nothing speaks against.
POSSIBLE = [
    ["best", None],
    ["last", None],
    ["cost", -1],
    ["last", 1 << 70],
    ["random", [1]],
    ["scale", 1 << 70],
]


def changed_headers(header):
    """Headers that no such run writes."""
    for part in header:
        yield {key: value for key, value in header.items() if key != part}
        for value in (None, [], "x", float("nan")):
            yield header | {part: value}
    for part in ("settings", "data"):  # all of them are compared alike
        key, own = next((key, own) for key, own in header[part].items() if own)
        yield header | {part: header[part] | {key: [own]}}
        yield header | {part: {k: v for k, v in header[part].items() if k != key}}
    for part in ("progress", "state"):
        yield header | {part: header[part] | {"more": 1}}
        for place, key in enumerate(header[part]):
            yield header | {part: {k: v for k, v in header[part].items() if k != key}}
            # All of them for what each trainer looks at itself.
            for value in NUMBERS if part == "state" else NUMBERS[place % 8 :][:2]:
                if [key, value] not in POSSIBLE:
                    yield header | {part: header[part] | {key: value}}
    for change in IMPOSSIBLE:
        yield header | {"progress": header["progress"] | change}


@pytest.mark.slow
def test_the_header_is_compared_with_that_of_the_run(checkpoint):
    for header in changed_headers(checkpoint.header):
        assert checkpoint.refused(header=header), header
    assert checkpoint.refused_bytes(b"x" * 100) == DAMAGED
    assert checkpoint.untouched()


def test_no_half_of_a_file_is_used(checkpoint):
    data = checkpoint.data
    for size in (0, 1, len(data) // 3, len(data) - 1):
        assert checkpoint.refused_bytes(data[:size]) == DAMAGED
    packed = io.BytesIO()  # a little file may unpack to any size
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as stored:
        for name, array in ({"meta": np.zeros(1, np.uint8)} | checkpoint.arrays).items():
            one = io.BytesIO()
            np.save(one, array)
            stored.writestr(f"{name}.npy", one.getvalue())
    assert checkpoint.refused_bytes(packed.getvalue()) == DAMAGED
    flipped = bytearray(data)
    flipped[data.index(list(checkpoint.arrays.values())[-1].tobytes()) + 1] ^= 1
    assert checkpoint.refused_bytes(flipped) == DAMAGED
    assert checkpoint.untouched()


def test_the_whole_file_is_used(checkpoint):
    checkpoint.path.write_bytes(checkpoint.data)
    checkpoint.again.resume()
    now = checkpoint.again.trainable.arrays()
    assert all(np.array_equal(now[n], a) for n, a in checkpoint.arrays.items() if n in now)
    assert now.keys() <= checkpoint.arrays.keys()
