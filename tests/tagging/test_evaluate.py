"""Scores of a whole model on labelled files."""

import pytest

from senna_py.models.build import build_model
from senna_py.tagging.evaluate import score_model
from senna_py.tagging.kinds import kind_of
from senna_py.tagging.settings import DataSet
from tests.helpers.small_corpora import corpus, run, settings, write_columns


@pytest.fixture(scope="module")
def model(corpora, tmp_path_factory):
    """Path of a model that has learnt all tasks."""
    place = tmp_path_factory.mktemp("runs")
    tasks = ("pos", "chk", "vbs", "srl")
    for task in tasks:
        run(place / task, settings(task, training={"epochs": 8}), corpora).trainer().run()
    path = place / "all.safetensors"
    build_model(path, [place / task for task in tasks])
    return path


@pytest.mark.parametrize("task", ["pos", "chk", "vbs", "srl"])
def test_a_model_that_knows_all(task, model, corpora):
    (data,) = settings(task).dev
    for found in (False, True) if task == "srl" else (False,):
        scores = score_model(model, task, data, corpora, find_predicates=found)
        assert kind_of(task).headline(scores)[0] == 100


def test_labels_with_other_names(model, tmp_path):
    def scores_of(task, columns, names):
        return score_model(model, task, DataSet(["dev.tsv"], columns, labels=names), tmp_path)

    sentences = [
        [(word, "NOUN" if pos in ("NN", "NNS") else pos, "B-XP") for word, pos, *_ in rows]
        for rows in corpus(9, seed=5)
    ]
    write_columns(tmp_path / "dev.tsv", sentences)
    scores = scores_of("pos", ["word", "pos", "-"], {"NN": "NOUN", "NNS": "NOUN"})
    assert scores.accuracy == 100 and "NOUN" in scores.labels
    assert scores_of("pos", ["word", "pos", "-"], {}).accuracy < 100
    scores = scores_of("chk", ["word", "-", "chk"], {"NP": "XP", "VP": "O"})
    assert set(scores.labels) == {"XP"}
