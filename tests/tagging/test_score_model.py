"""Scores of a whole model on labelled files; networks of taggers that are too large."""

import pytest

from senna_py.errors import SennaError
from senna_py.evaluation.layers import headline
from senna_py.labels.tasks import find_task
from senna_py.models.build import build_model
from senna_py.tagging import dictionary, keys
from senna_py.tagging.score_model import score_model
from senna_py.tagging.sentences import Sentences
from senna_py.tagging.settings import DataSet
from tests.helpers.small_corpora import corpus, run, settings, write_columns


@pytest.fixture(scope="module")
def model(corpora, tmp_path_factory):
    """Path of a model that has learnt all tasks."""
    place = tmp_path_factory.mktemp("runs")
    tasks = ("pos", "chk", "vbs", "srl")
    for task in tasks:
        run(
            place / task, settings(task, training={"epochs": 8}), corpora
        ).trainer().run()
    path = place / "all.safetensors"
    build_model(path, [place / task for task in tasks])
    return path


@pytest.mark.slow
@pytest.mark.parametrize("task", ["pos", "chk", "vbs", "srl"])
def test_a_model_that_knows_all(task, model, corpora):
    (data,) = settings(task).dev
    for found in (False, True) if task == "srl" else (False,):
        scores = score_model(model, task, data, corpora, find_predicates=found)
        assert headline(find_task(task), scores)[0] == 100


def test_labels_with_other_names(model, tmp_path):
    def scores_of(task, columns, names):
        return score_model(
            model, task, DataSet(["dev.tsv"], columns, labels=names), tmp_path
        )

    sentences = [
        [
            (word, "NOUN" if pos in ("NN", "NNS") else pos, "B-XP")
            for word, pos, *_ in rows
        ]
        for rows in corpus(9, seed=5)
    ]
    write_columns(tmp_path / "dev.tsv", sentences)
    scores = scores_of("pos", ["word", "pos", "-"], {"NN": "NOUN", "NNS": "NOUN"})
    assert scores.accuracy == 100 and "NOUN" in scores.labels
    assert scores_of("pos", ["word", "pos", "-"], {}).accuracy < 100
    scores = scores_of("chk", ["word", "-", "chk"], {"NP": "XP", "VP": "O"})
    assert set(scores.labels) == {"XP"}


@pytest.mark.parametrize(
    ("changes", "shape"),
    [
        ({"network": {"hidden": 10**12}}, "[0-9]+ x 1,000,000,000,000"),
        (
            {"network": {"approach": "sentence", "reach": 10**12}},
            "2,000,000,000,[0-9]+ x [0-9]+",
        ),
        (
            {"network": {"approach": "dilated", "width": 10**9}},
            "3,000,000,000 x 2,000,000,000",
        ),
    ],
)
def test_networks_beyond_memory_are_refused(changes, shape, corpora, tmp_path):
    wanted = (
        rf"^a network with an array of {shape}: needs about .* of memory; there are"
    )
    with pytest.raises(SennaError, match=wanted):
        run(tmp_path, settings(**changes), corpora).trainer()


def test_networks_whose_arrays_fit_one_by_one_only(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: 1 << 20)
    own = {"approach": "dilated", "width": 80}
    run(tmp_path, settings(network=own | {"dilations": [1]}), corpora).trainer()
    with pytest.raises(
        SennaError, match=r"^a network with an array of 240 x 160: needs about"
    ):
        run(
            tmp_path, settings(network=own | {"dilations": [1] * 10}), corpora
        ).trainer()


def test_random_vectors_beyond_memory():
    config = settings(network={"vectors": "random", "word_size": 10**12})
    with pytest.raises(SennaError, match="x 1,000,000,000,000: needs about"):
        dictionary.read_dictionary(config, None, Sentences(), None)


def test_too_many_labels_are_refused_before_their_transitions(
    corpora, tmp_path, monkeypatch
):
    monkeypatch.setattr(keys, "MOST_TAGS", 5)
    with pytest.raises(SennaError, match=r"^train\.tsv: 6 labels; the limit is 5$"):
        run(tmp_path, settings("chk"), corpora)
