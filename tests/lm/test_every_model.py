"""What language models of every kind have in common; which files are of one."""

import gzip

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.model_files import check_target, is_arpa, open_model
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import WordList
from senna_py.models.tensors import write_tensors
from tests.helpers.language_models import KINDS, language_models

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
    np.testing.assert_allclose(model.log10_probabilities(IDS[5:], IDS[:5]), whole[5:], atol=1e-5)


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
    assert again.describe() == model.describe() and again.word_list.words == model.word_list.words
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
        with pytest.raises(SennaError, match=f"{name}: is there already and is no language model"):
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
    with pytest.raises(SennaError, match="no language model"):
        check_target(tmp_path / "text.gz", arpa=True)
