"""Memory of the training of taggers: estimated before a network is made."""

from dataclasses import fields

import numpy as np
import pytest

from senna_py.errors import SennaError, SettingError
from senna_py.networks.registry import network_class
from senna_py.tagging import experiment, shared_data
from senna_py.tagging.build import check_training
from senna_py.tagging.inputs import constraints
from tests.helpers.small_corpora import run, settings


@pytest.mark.parametrize("roles", [False, True])
@pytest.mark.parametrize("approach", ["window", "sentence", "dilated", "chart"])
def test_planned_shapes_are_those_of_the_network(approach, roles):
    cls = network_class(approach)
    if roles and "roles" not in cls.tasks:
        return
    small = {"width": 10, "hidden": 7, "conv": 6, "reach": 3, "distance": 4, "window": 3,
             "kernel": [3, 5], "dilations": [1, 2]}  # fmt: skip
    names = [field.name for field in fields(cls.settings)]
    given = cls.settings(**{name: value for name, value in small.items() if name in names})
    tables = [np.zeros((5, 4), np.float32), np.zeros((6, 3), np.float32)]
    n_tags = 9
    rng = np.random.default_rng(1)
    network = cls.initialise(given, tables, np.zeros(2, np.int32), {"tags": n_tags}, rng, roles)
    planned = cls.planned_shapes(given, {"input": 7, "tags": n_tags}, roles)
    for name, array in network.arrays().items():
        assert array.shape == planned[name], name


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"network": {"hidden": 10**12}}, "network.window.hidden"),
        ({"network": {"approach": "sentence", "conv": 10**12}}, "network.sentence.conv"),
        ({"network": {"approach": "sentence", "distance": 10**12}}, "network.sentence.distance"),
        ({"network": {"approach": "sentence", "reach": 10**12}}, "network.sentence.reach"),
        ({"network": {"approach": "dilated", "width": 10**9}}, "network.dilated.width"),
        ({"features": {"caps": 10**12}}, "features.caps"),
    ],
)
def test_settings_beyond_memory_are_named(changes, name, corpora, tmp_path):
    with pytest.raises(SettingError, match=rf"^{name}: 1,000,.* needs about .* of memory; there"):
        run(tmp_path, settings(**changes), corpora)


def test_batches_and_means_beyond_memory(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr("senna_py.io.memory.memory_limit", lambda: 1 << 20)
    run(tmp_path, settings(), corpora)
    for changes, name in (
        ({"training": {"batch": 50}, "network": {"hidden": 200}}, "network.window.hidden"),
        ({"training": {"average": 3000, "epochs": 3000}}, "training.average"),
    ):
        with pytest.raises(SettingError, match=rf"^{name}: "):
            run(tmp_path, settings(**changes), corpora)


def test_labels_beyond_memory_are_named():
    with pytest.raises(SettingError, match=r"^labels: 1,000,000,000 needs about"):
        check_training(settings(), {"word": (5, 4)}, 10**9, 10, 100)


def test_random_vectors_beyond_memory():
    config = settings(network={"vectors": "random", "word_size": 10**12})
    with pytest.raises(SettingError, match=r"^network\.word_size: 1,000,.* needs about"):
        shared_data._embeddings(config, None, ())


def test_too_many_labels_are_refused_before_their_transitions(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "MOST_TAGS", 5)
    with pytest.raises(SennaError, match=r"^train\.tsv: 6 labels; the limit is 5$"):
        run(tmp_path, settings("chk"), corpora)


def test_constraints_of_many_labels():
    keys = ["O", *(f"{kind}-{k}" for k in range(300) for kind in "BIES")]
    begins, follows, ends = constraints(keys)
    assert begins.sum() == ends.sum() == 601
    assert follows.sum() == 601 * 601 + 600 * 2
