"""Checkpoints of all trainers: one that is damaged or of another run is not used at
all.
"""

import io
import json
import shutil
import struct
import zipfile

import numpy as np
import pytest

from senna_py.models.checkpoint import read_arrays
from tests.helpers.refusal import refusal
from tests.helpers.small_trainers import TRAINERS


class Checkpoint:
    """The checkpoint of a run after its first batches, and a run that is to go on from
    it.
    """

    def __init__(self, directory, new):
        run = new(directory / "run")
        run.run(time_limit=0)
        self.path = run.checkpoint
        self.data = self.path.read_bytes()
        self.header, self.arrays = read_arrays(self.path)
        self.again = new(directory / "run")
        self.before = {n: a.copy() for n, a in self.again.trainable.arrays().items()}

    def refused(self, header=None, arrays=None, raw=None):
        """The message with which a changed checkpoint is refused, without the name of
        its file.

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
        return refusal(self.path, self.again.resume)

    def untouched(self):
        """Whether no array of the run was changed."""
        now = self.again.trainable.arrays()
        return now.keys() == self.before.keys() and all(
            np.array_equal(array, self.before[name]) for name, array in now.items()
        )


KINDS = (
    "adagrad",
    "joint",
    "ranking",
    "skipgram",
    "clusters",
    "nplm",
    "char",
    "word",
    "morph",
)


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
    for raw in (
        objects.getvalue(),
        npy((1 << 40,)),
        npy((1 << 62, 1 << 62)),
        npy((-1,)),
        b"",
    ):
        assert checkpoint.refused(arrays=others, raw={name: raw}) == DAMAGED
    assert checkpoint.untouched()


DAMAGED = "not a checkpoint, or damaged"


def npy(shape, data=bytes(64)):
    """A file of an array that says it is larger than it is."""
    text = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text + b"\n" + data


def changed_headers(header):
    """Headers of other programs and of other runs."""
    for part in ("settings", "data", "progress", "state"):
        yield {key: value for key, value in header.items() if key != part}
    for part in ("settings", "data"):  # all of them are compared alike
        key, own = next((key, own) for key, own in header[part].items() if own)
        yield header | {part: header[part] | {key: [own]}}
        yield header | {part: {k: v for k, v in header[part].items() if k != key}}
    for key in header["state"]:
        if key != "scale":  # which those who read the vectors look at
            yield header | {
                "state": {k: v for k, v in header["state"].items() if k != key}
            }
    yield header | {"progress": header["progress"] | {"more": 1}}


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
        for name, array in (
            {"meta": np.zeros(1, np.uint8)} | checkpoint.arrays
        ).items():
            one = io.BytesIO()
            np.save(one, array)
            stored.writestr(f"{name}.npy", one.getvalue())
    assert checkpoint.refused_bytes(packed.getvalue()) == DAMAGED
    flipped = bytearray(data)
    flipped[data.index(list(checkpoint.arrays.values())[-1].tobytes()) + 1] ^= 1
    assert checkpoint.refused_bytes(flipped) == DAMAGED
    assert checkpoint.untouched()
