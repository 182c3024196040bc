"""Scores of a whole model on labelled files."""

import pytest

from senna_py.models.build import build_model
from senna_py.tagging.evaluate import score_model
from senna_py.tagging.settings import DataSet
from tests.helpers.small_corpora import corpus, run, settings, write_columns

COLUMNS = ["word", "pos", "chk", "ner", "parse", "predicate", "roles"]


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


def data_set(columns, labels=None, part=(0.0, 1.0)):
    return DataSet(["dev.tsv"], columns, list(part), labels=labels or {})


def figure(scores):
    return scores.accuracy if hasattr(scores, "accuracy") else scores.overall.f1


@pytest.mark.parametrize("task", ["pos", "chk", "vbs", "srl"])
def test_a_model_that_knows_all(task, model, corpora):
    columns = [name if name in ("word", task, "predicate", "roles") else "-" for name in COLUMNS]
    if task not in ("vbs", "srl"):
        columns[5:] = ["-", "-"]
    elif task == "vbs":
        columns[6] = "-"
    data = data_set(columns)
    assert figure(score_model(model, task, data, corpora)) == 100
    if task == "srl":
        assert figure(score_model(model, task, data, corpora, find_predicates=True)) == 100


def test_labels_with_other_names(model, corpora, tmp_path):
    sentences = [
        [(word, "NOUN" if pos in ("NN", "NNS") else pos, "B-XP") for word, pos, *_ in rows]
        for rows in corpus(9, seed=5)
    ]
    write_columns(tmp_path / "dev.tsv", sentences)
    names = {"NN": "NOUN", "NNS": "NOUN"}
    scores = score_model(model, "pos", data_set(["word", "pos", "-"], names), tmp_path)
    assert scores.accuracy == 100
    assert "NOUN" in scores.labels
    scores = score_model(model, "pos", data_set(["word", "pos", "-"]), tmp_path)
    assert scores.accuracy < 100
    names = {"NP": "XP", "VP": "O"}
    scores = score_model(model, "chk", data_set(["word", "-", "chk"], names), tmp_path)
    assert set(scores.labels) == {"XP"}
