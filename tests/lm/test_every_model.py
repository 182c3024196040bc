"""What language models of every kind have in common; files of them, and damaged
ones.
"""

import gzip
import json
import os
import struct

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.model_files import check_target, is_arpa, open_model
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import score_text
from senna_py.lm.word_list import WordList
from senna_py.models.embeddings import read_embeddings
from senna_py.models.tensors import read_tensors, write_tensors
from tests.helpers.language_models import KINDS, language_models
from tests.helpers.refusal import refusal

IDS = np.array([1, 3, 4, 5, 2, 1, 0, 7, 2, 1, 9, 9, 9, 3, 2] * 60, np.int32)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Models, and the Paths of their files, by kind."""
    models = language_models(tmp_path_factory.mktemp("models"))
    return {path.stem: (path, model) for path, model in models.items()}


@pytest.mark.parametrize("kind", [*KINDS, "spelled"])
def test_a_stream_in_parts_has_the_same_probabilities(kind, files):
    _, model = files[kind]
    whole, scorer = model.log10_probabilities(IDS), model.scorer()
    assert (whole[IDS == 1] == 0).all() and (whole[IDS != 1] < 0).all()
    parts = [scorer.take(part) for part in np.split(IDS, [0, 1, 2, 2, 3, 50, 51, 700])]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)
    np.testing.assert_allclose(
        model.log10_probabilities(IDS[5:], IDS[:5]), whole[5:], atol=1e-5
    )


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_of_all_words_are_those_of_each(kind, files):
    _, model = files[kind]
    for before in ([1], [1, 3, 4], [1, 9, 9, 9], [3, 4, 5], [9, 2, 1, 5]):
        p = model.probabilities(before)
        assert p.sum() == pytest.approx(1, rel=1e-5)
        for word in range(len(p)):
            if word != model.word_list.begin:
                (found,) = model.log10_probabilities(np.int32([word]), np.int32(before))
                assert 10**found == pytest.approx(p[word], rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_gives_the_same_model(kind, files, tmp_path):
    path, model = files[kind]
    again = open_model(path)
    assert (
        again.describe() == model.describe()
        and again.word_list.words == model.word_list.words
    )
    expected = model.log10_probabilities(IDS)
    np.testing.assert_array_equal(again.log10_probabilities(IDS), expected)
    again.write(path.with_name("again"))
    assert path.with_name("again").read_bytes() == path.read_bytes()
    if model.network:
        model.write(tmp_path / "half.lm", half=True)
        half = open_model(tmp_path / "half.lm").log10_probabilities(IDS)
        assert not np.array_equal(half, expected)
        np.testing.assert_allclose(half, expected, atol=0.02)
        assert (tmp_path / "half.lm").stat().st_size < path.stat().st_size


@pytest.fixture(scope="module")
def model():
    words = WordList.of_words(["a", "b", "c", "d"], True)
    return train_kneser_ney(np.array([1, 3, 4, 5, 6, 2] * 3, np.int32), 3, words)


def test_names_of_arpa_files():
    assert all(map(is_arpa, ("m.arpa", "m.arpa.gz", "dir/m.ARPA.xz", "m.arpa.bz2")))
    assert not any(map(is_arpa, ("m.lm", "arpa", "m.gz", "m.arpa.lm", "x.arpa/m.lm")))


def test_only_models_are_overwritten(model, tmp_path):
    check_target(tmp_path / "none")
    model.write(tmp_path / "m")
    check_target(tmp_path / "m")
    (tmp_path / "empty").touch()
    check_target(tmp_path / "empty")
    (tmp_path / "arpa").write_text("# comment\n\\data\\\n")
    check_target(tmp_path / "arpa")
    (tmp_path / "text").write_text("some text of mine\n")
    (tmp_path / "text.arpa").write_text("some text of mine\n")
    write_tensors(tmp_path / "tagger", {"format": "senna-py"}, {})
    for name in ("text", "text.arpa", "tagger"):
        with pytest.raises(
            SennaError, match=f"{name}: exists and is not a language model"
        ):
            check_target(tmp_path / name, arpa=is_arpa(name))


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.lm.xz"])
def test_names_of_arpa_files_are_for_them_alone(tmp_path, name):
    check_target(tmp_path / name, arpa=True)
    with pytest.raises(UsageError, match=name):
        check_target(tmp_path / name)


def test_compressed_files_are_looked_into(tmp_path):
    for name, text in (("m.gz", b"\\data\\\n"), ("text.gz", b"my text\n")):
        (tmp_path / name).write_bytes(gzip.compress(text))
    check_target(tmp_path / "m.gz", arpa=True)
    with pytest.raises(SennaError, match="not a language model"):
        check_target(tmp_path / "text.gz", arpa=True)


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
            changes = [
                each for each in changes if each.ndim != 1 or len(each) >= len(array)
            ]
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
        ("kind", "x", "unknown kind of language model: 'x'"),
        ("info", "[", "info: not JSON"),
        ("info", "[]", "info: not a JSON object"),
    ):
        assert problem in file.refused(metadata=file.metadata | {key: value})


@pytest.mark.parametrize(("kind", "word"), [("spelled", ""), ("word", "spelled")])
def test_what_a_file_may_say_of_unknown_words(tmp_path, kind, word):
    file = File(tmp_path, kind)
    assert "expected spelled" in file.refused(
        metadata=file.metadata | {"unknown": word}
    )


NUMBERS = [
    ("ngram", "prob", 0.5, "a number 0.5, expected -inf to 0.001"),
    ("classes", "share", 0.5, "a number 0.5, expected -inf to 0.001"),
    ("interpolated", "prob", 1.5, "a number 1.5, expected 0 to 1"),
    ("interpolated", "prob", -0.5, "a number -0.5, expected 0 to 1"),
    ("interpolated", "weights", 0.9, "a row that does not sum to 1"),
    ("interpolated", "total", -1, "impossible frequencies"),
    ("mixture", "weights", 0.9, "a row that does not sum to 1"),
    ("mixture", "weights", -0.1, "a number -0.1, expected 0 to 1"),
]


@pytest.mark.parametrize(("kind", "name", "number", "message"), NUMBERS)
def test_numbers_that_are_no_probabilities(tmp_path, kind, name, number, message):
    file = File(tmp_path, kind)
    broken = file.arrays[name].copy()
    broken.reshape(-1)[-1] = number
    assert file.refused(file.arrays | {name: broken}).endswith(
        f"array {name!r}: {message}"
    )


@pytest.mark.parametrize(
    ("kind", "name", "number"), [("ngram", "backoff", 5), ("word", None, 3e38)]
)
def test_what_only_together_is_no_probability(tmp_path, kind, name, number):
    file = File(tmp_path, kind)
    arrays = {
        n: np.full_like(a, number) if a.dtype == np.float32 and name in (None, n) else a
        for n, a in file.arrays.items()
    }
    write_tensors(file.path, file.metadata, arrays)
    (tmp_path / "text").write_text("b a c d b\na a a\n")
    with (
        pytest.raises(
            SennaError, match=r"lm: damaged: it gives a word the log10 probability"
        ),
        np.errstate(all="ignore"),
    ):
        score_text(open_model(file.path), [tmp_path / "text"], output=tmp_path / "out")


def test_vectors_of_damaged_models(tmp_path):
    """`export` and `neighbors` read files without opening the model."""
    file = File(tmp_path, "morph")
    for name in (
        "words",
        "vectors",
        "morpheme_vectors",
        "word_morphemes",
        "morpheme_starts",
    ):
        for changed in (
            file.arrays[name][..., None],
            file.arrays[name].astype(np.int8),
        ):
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
    with pytest.raises(
        SennaError, match=r"m\.lm: needs about 1,024\.0 GiB of memory; there are"
    ):
        open_model(path)
