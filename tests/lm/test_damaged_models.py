"""Files of language models of every kind: whatever is changed in an array, they are refused."""

import json
import os
import struct

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.model_files import open_model
from senna_py.lm.scoring import score_text
from senna_py.models.embeddings import read_embeddings
from senna_py.models.tensors import read_tensors, write_tensors
from tests.helpers.language_models import KINDS, language_models
from tests.helpers.refusal import refusal


@pytest.fixture(autouse=True, scope="module")
def no_waiting_for_the_disk():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


class File:
    """The file of a model."""

    def __init__(self, directory, kind):
        language_models(directory)
        self.path = directory / f"{kind}.lm"
        self.metadata, arrays = read_tensors(self.path)
        self.arrays = {name: array.copy() for name, array in arrays.items()}

    def refused(self, arrays=None, metadata=None):
        arrays = self.arrays if arrays is None else arrays
        write_tensors(self.path, metadata or self.metadata, arrays)
        return refusal(self.path, open_model, self.path)


@pytest.fixture(scope="module", params=KINDS)
def file(request, tmp_path_factory):
    return File(tmp_path_factory.mktemp("m"), request.param)


def changed_arrays(array):
    """Arrays that are not what one of a file may be."""
    yield array[:-1]
    yield np.concatenate([array, array[:1]])
    yield array[..., None]
    yield array.reshape(-1)[0]  # without dimensions
    yield array[:0]
    yield array.astype(np.int8)
    if array.ndim > 1 and array.shape != array.T.shape:
        yield np.ascontiguousarray(array.T)
    if array.dtype.kind == "f":
        yield array.astype(np.int32)
        for number in (np.nan, np.inf, -np.inf):
            broken = array.copy()
            broken.reshape(-1)[-1] = number
            yield broken
    if array.dtype == np.int32:
        yield array.astype(np.float32)
        broken = array.copy()
        broken[-1] = -2
        yield broken


def test_every_array(file):
    for place, (name, array) in enumerate(file.arrays.items()):
        changes = list(changed_arrays(array))
        if name == "unseen":  # any words may be among them
            changes = [each for each in changes if each.ndim != 1 or len(each) >= len(array)]
        if place:  # all changes of the first array, some of the others
            changes = [changes[-1], changes[place % len(changes)]]
        for changed in changes:
            file.refused(file.arrays | {name: changed})
        file.refused({n: a for n, a in file.arrays.items() if n != name})
    more = file.refused(file.arrays | {"more": np.zeros(3, np.float32)})
    assert more.endswith("array 'more': no such model has one")


def test_metadata(file):
    for place, (key, own) in enumerate(file.metadata.items()):
        file.refused(metadata={k: v for k, v in file.metadata.items() if k != key})
        for value in ("1_0", "1" * 5000, "１", "[" * 5000)[place % 2 :: 2]:
            if value != own:
                file.refused(metadata=file.metadata | {key: value})
    for key, value, problem in (
        ("format", "senna-py", "not a language model: its format is 'senna-py'"),
        ("version", "9", "version '9' of the format; this program reads version 1"),
        ("kind", "x", "a language model of the kind 'x' is not known"),
        ("info", "[", "info: not JSON"),
        ("info", "[]", "info: not a JSON object"),
    ):
        assert problem in file.refused(metadata=file.metadata | {key: value})


@pytest.mark.parametrize(("kind", "word"), [("spelled", ""), ("word", "spelled")])
def test_what_a_file_may_say_of_unknown_words(tmp_path, kind, word):
    file = File(tmp_path, kind)
    assert "expected spelled" in file.refused(metadata=file.metadata | {"unknown": word})


NUMBERS = [
    ("ngram", "prob", 0.5, "a number 0.5, expected -inf to 0.001"),
    ("classes", "share", 0.5, "a number 0.5, expected -inf to 0.001"),
    ("interpolated", "prob", 1.5, "a number 1.5, expected 0 to 1"),
    ("interpolated", "prob", -0.5, "a number -0.5, expected 0 to 1"),
    ("interpolated", "weights", 0.9, "a row that does not sum to 1"),
    ("interpolated", "total", -1, "frequencies that cannot be"),
    ("mixture", "weights", 0.9, "a row that does not sum to 1"),
    ("mixture", "weights", -0.1, "a number -0.1, expected 0 to 1"),
]


@pytest.mark.parametrize(("kind", "name", "number", "message"), NUMBERS)
def test_numbers_that_are_no_probabilities(tmp_path, kind, name, number, message):
    file = File(tmp_path, kind)
    broken = file.arrays[name].copy()
    broken.reshape(-1)[-1] = number
    assert file.refused(file.arrays | {name: broken}).endswith(f"array {name!r}: {message}")


@pytest.mark.parametrize(
    ("kind", "name", "number"), [("ngram", "backoff", 5), ("word", None, 3e38)]
)
def test_what_only_together_is_no_probability(tmp_path, kind, name, number):
    file = File(tmp_path, kind)
    arrays = {n: np.full_like(a, number) if a.dtype == np.float32 and name in (None, n) else a
              for n, a in file.arrays.items()}  # fmt: skip
    write_tensors(file.path, file.metadata, arrays)
    (tmp_path / "text").write_text("b a c d b\na a a\n")
    with (
        pytest.raises(SennaError, match=r"lm: damaged: it gives a word the log10 probability"),
        np.errstate(all="ignore"),
    ):
        score_text(open_model(file.path), [tmp_path / "text"], output=tmp_path / "out")


def test_vectors_of_damaged_models(tmp_path):
    """`export` and `neighbors` read files without opening the model."""
    file = File(tmp_path, "morph")
    for name in ("words", "vectors", "morpheme_vectors", "word_morphemes", "morpheme_starts"):
        for changed in (file.arrays[name][..., None], file.arrays[name].astype(np.int8)):
            write_tensors(file.path, file.metadata, file.arrays | {name: changed})
            with pytest.raises(SennaError, match=r"morph\.lm: "):
                read_embeddings(file.path)
    starts = file.arrays["morpheme_starts"].copy()
    starts[1:] = 1 << 30  # which many words would have to be made room for
    write_tensors(file.path, file.metadata, file.arrays | {"morpheme_starts": starts})
    with pytest.raises(SennaError, match="damaged morphemes"):
        read_embeddings(file.path)


def test_files_larger_than_memory(tmp_path):
    """A file that takes no room on the disk may be larger than memory."""
    n = 1 << 40
    entry = {"dtype": "F32", "shape": [n // 4], "data_offsets": [0, n]}
    head = json.dumps({"__metadata__": {}, "more": entry}).encode()
    head += b" " * (-(8 + len(head)) % 64)
    path = tmp_path / "m.lm"
    path.write_bytes(struct.pack("<Q", len(head)) + head)
    os.truncate(path, 8 + len(head) + n)
    with pytest.raises(SennaError, match=r"m\.lm: needs about 1,024\.0 GiB of memory; there are"):
        open_model(path)
