"""Files of language models: what is damaged or foreign is refused with its name."""

import gzip

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.model_files import check_target, is_arpa
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import WordList
from senna_py.models.tensors import write_tensors


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
