"""Language models and word vectors that are larger than memory: refused before they are made."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.brown.clustering import BrownClustering, Words
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.lstm.training import LstmTraining
from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.nplm.training import NplmTraining
from senna_py.lm.ranking.model import new_model
from tests.helpers.small_text import streams

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
)  # fmt: skip
def test_networks_beyond_memory_are_refused(train, given, name, value, kib, monkeypatch):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: kib << 10)
    train(**given)
    wanted = r"^a network with an array of [0-9,x ]+: needs about .* of memory; there are"
    with pytest.raises(SennaError, match=wanted):
        train(**given | {name: value})


def test_classes_beyond_memory_are_refused(monkeypatch):
    monkeypatch.setattr("senna_py.io.system.memory_limit", lambda: 1 << 20)
    words = Words([f"w{i}" for i in range(400)], np.ones(400, int), np.arange(400, dtype=np.int32))
    BrownClustering(words, 200)
    with pytest.raises(SennaError, match=r"^--clusters: 300: needs about 0\.0 GiB of memory"):
        BrownClustering(words, 300)
