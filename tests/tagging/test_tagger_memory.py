"""Networks of taggers that are larger than memory, or have too many labels."""

import pytest

from senna_py.errors import SennaError
from senna_py.tagging import dictionary, loading
from senna_py.tagging.data import Sentences
from tests.helpers.small_corpora import run, settings


@pytest.mark.parametrize(
    ("changes", "shape"),
    [
        ({"network": {"hidden": 10**12}}, "[0-9]+ x 1,000,000,000,000"),
        ({"network": {"approach": "sentence", "reach": 10**12}}, "2,000,000,000,[0-9]+ x [0-9]+"),
        ({"network": {"approach": "dilated", "width": 10**9}}, "3,000,000,000 x 2,000,000,000"),
    ],
)
def test_networks_beyond_memory_are_refused(changes, shape, corpora, tmp_path):
    wanted = rf"^a network with an array of {shape}: needs about .* of memory; there are"
    with pytest.raises(SennaError, match=wanted):
        run(tmp_path, settings(**changes), corpora).trainer()


def test_networks_whose_arrays_fit_one_by_one_only(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: 1 << 20)
    own = {"approach": "dilated", "width": 80}
    run(tmp_path, settings(network=own | {"dilations": [1]}), corpora).trainer()
    with pytest.raises(SennaError, match=r"^a network with an array of 240 x 160: needs about"):
        run(tmp_path, settings(network=own | {"dilations": [1] * 10}), corpora).trainer()


def test_random_vectors_beyond_memory():
    config = settings(network={"vectors": "random", "word_size": 10**12})
    with pytest.raises(SennaError, match="x 1,000,000,000,000: needs about"):
        dictionary.read_dictionary(config, None, Sentences(), None)


def test_too_many_labels_are_refused_before_their_transitions(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "MOST_TAGS", 5)
    with pytest.raises(SennaError, match=r"^train\.tsv: 6 labels; the limit is 5$"):
        run(tmp_path, settings("chk"), corpora)
