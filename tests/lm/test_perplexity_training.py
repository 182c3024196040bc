"""Trainings of language models: settings, memory, what all of them learn and go on
from.
"""

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.brown.clustering import BrownClustering, Words
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.lstm.training import LstmTraining
from senna_py.lm.model_files import open_model
from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.nplm.training import NplmTraining
from senna_py.lm.ranking.settings import RankingSettings
from senna_py.lm.ranking.training import new_model
from tests.helpers.small_text import streams
from tests.helpers.small_trainers import lstm_run, nplm_run

RUNS = [
    (nplm_run, {"direct": True}, False),
    (nplm_run, {"hidden": 0, "direct": True}, True),
    (nplm_run, {"output": "classes", "classes": 3}, False),
    (nplm_run, {"output": "classes", "threads": 2}, True),
    (nplm_run, {"output": "energy"}, False),
    (nplm_run, {"output": "energy", "own_weights": True}, True),
    (nplm_run, {"output": "energy", "samples": 6, "own_weights": True}, False),
    (nplm_run, {"optimizer": "adam", "rate": 0.02}, True),
    (
        nplm_run,
        {"optimizer": "sgd", "rate": 0.05, "decrease": 1e-4, "decay": 1e-4},
        False,
    ),
    (nplm_run, {"optimizer": "sgd", "batch": 1, "rate": 0.05, "decay": 1e-4}, True),
    (
        nplm_run,
        {"optimizer": "sgd", "batch": 1, "rate": 0.05, "threads": 2, "direct": True},
        False,
    ),
    (nplm_run, {"dropout": 0.1, "threads": 2}, True),
    (lstm_run, {}, False),
    (lstm_run, {"plain": True}, True),
    (lstm_run, {"output": "clusters"}, True),
    (lstm_run, {"input": "word"}, False),
    (lstm_run, {"input": "morph"}, False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("new", "changes", "marks"), RUNS)
def test_training_learns_the_language(tmp_path, new, changes, marks):
    n_sentences, epochs = (200, 8) if new is nplm_run else (400, 10)
    text = streams(n_sentences, marks=marks)
    run = new(tmp_path, text, epochs=epochs, **changes)
    assert run.run()
    best, epoch = run.best
    # Chance is 9; a model that knows the grammar but not the objects reaches 2.6.
    assert 1 < best < (2.5 if not marks else 2.2) and 1 <= epoch <= epochs
    model = open_model(tmp_path)
    log10 = model.log10_probabilities(text.valid)
    assert 10 ** -log10[text.valid != model.word_list.begin].mean() == pytest.approx(
        best, rel=1e-4
    )
    assert dict(model.describe())["validation perplexity"] == f"{best:.3f}".rstrip("0")


@pytest.mark.parametrize("new", [nplm_run, lstm_run])
def test_a_run_on_other_text_is_not_resumed(tmp_path, new):
    new(tmp_path).run(time_limit=0)
    with pytest.raises(SennaError, match="made with other training text"):
        new(tmp_path, streams(n=201)).resume()


CASES = [
    (NplmSettings, {"output": "energy", "direct": True}, "has no direct connections"),
    (NplmSettings, {"samples": 5}, "--softmax-samples needs"),
    (NplmSettings, {"hidden": 0}, "needs direct connections"),
    (NplmSettings, {"hidden": 0, "output": "energy"}, "needs direct connections"),
    (NplmSettings, {"own_weights": True}, "--own-weights needs"),
    (NplmSettings, {"optimizer": "sdg"}, "optimizer: expected one of"),
    (NplmSettings, {"output": "classes", "classes": 0}, "classes: expected 1 at least"),
    (NplmSettings, {"classes": 5}, "--classes needs"),
    (LstmSettings, {"input": "morph"}, "--segmentation is needed"),
    (LstmSettings, {"segmentation": "x"}, "and only for it"),
    (RankingSettings, {"examples": 9, "stages": ((20, 1), (10, 1))}, "must grow"),
    (RankingSettings, {"examples": 9, "stages": ((2, 1),)}, "at least 4"),
    (RankingSettings, {}, "either --examples or --duration"),
    (
        RankingSettings,
        {"examples": 9, "seconds": 5.0},
        "either --examples or --duration",
    ),
    (RankingSettings, {"examples": 9, "window": 4}, "odd"),
]


@pytest.mark.parametrize(("kind", "given", "message"), CASES)
def test_settings_that_make_no_sense(kind, given, message):
    with pytest.raises(UsageError, match=message):
        kind(**given)


HUGE = 10**12


def nplm(**changes):
    NplmTraining(streams(), NplmSettings(**changes))


def lstm(**changes):
    LstmTraining(streams(), LstmSettings(batch=2, **changes))


def ranking(dim=50, hidden=100, window=11):
    new_model(100, window, dim, hidden, 0.1, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("train", "given", "name", "value", "kib"),
    [
        (nplm, {}, "hidden", HUGE, 100_000),
        (nplm, {}, "batch", 60_000, 1000),
        (lstm, {"input": "char", "hidden": 10}, "hidden", 1 << 14, 100_000),
        (lstm, {"input": "word", "dim": 8, "hidden": 10}, "layers", 64, 200),
        (lstm, {"input": "word", "dim": 8, "hidden": 10}, "steps", 4000, 200),
        (ranking, {}, "window", HUGE + 1, 100_000),
    ],
)
def test_networks_beyond_memory_are_refused(
    train, given, name, value, kib, monkeypatch
):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: kib << 10)
    train(**given)
    wanted = (
        r"^a network with an array of [0-9,x ]+: needs about .* of memory; there are"
    )
    with pytest.raises(SennaError, match=wanted):
        train(**given | {name: value})


def test_classes_beyond_memory_are_refused(monkeypatch):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: 1 << 20)
    words = Words(
        [f"w{i}" for i in range(400)], np.ones(400, int), np.arange(400, dtype=np.int32)
    )
    BrownClustering(words, 200)
    with pytest.raises(
        SennaError, match=r"^--clusters: 300: needs about 0\.0 GiB of memory"
    ):
        BrownClustering(words, 300)
