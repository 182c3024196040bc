"""Memory of the training of language models: estimated before a network is made."""

from dataclasses import replace

import numpy as np
import pytest

from senna_py.errors import SettingError
from senna_py.lm.brown.clustering import BrownClustering, Words
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.lstm.training import LstmTraining
from senna_py.lm.memory import check_ranking, check_skipgram
from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.nplm.training import NplmTraining
from senna_py.lm.ranking.settings import RankingSettings
from senna_py.lm.skipgram.settings import SkipGramSettings
from tests.helpers.small_text import streams

HUGE = 10**12


def refused(option):
    return pytest.raises(SettingError, match=rf"^{option}: [0-9,]+ needs about .* of memory; there")


@pytest.mark.parametrize("name", ["hidden", "dim"])
@pytest.mark.parametrize("output", ["softmax", "classes", "energy"])
def test_nplm(name, output):
    with refused(f"--{name}"):
        NplmTraining(streams(), NplmSettings(output=output, **{name: HUGE}))


@pytest.mark.parametrize(
    ("kind", "name"), [("word", "dim"), ("word", "hidden"), ("char", "hidden")]
)
def test_lstm(kind, name, monkeypatch):
    monkeypatch.setattr("senna_py.io.memory.memory_limit", lambda: 100 << 20)
    with refused(f"--{name}"):
        LstmTraining(streams(), LstmSettings(input=kind, batch=2, **{name: 1 << 14}))


def test_batches(monkeypatch):
    monkeypatch.setattr("senna_py.io.memory.memory_limit", lambda: 10 << 20)
    NplmTraining(streams(), NplmSettings())
    with refused("--batch"):
        NplmTraining(streams(), NplmSettings(batch=60_000))
    with refused("--steps"):
        LstmTraining(streams(), LstmSettings("word", 8, hidden=10, batch=2, steps=4000))


@pytest.mark.parametrize("name", ["dim", "hidden", "window"])
def test_ranking(name):
    settings = RankingSettings(examples=100)
    check_ranking(settings)
    with refused(f"--{name}"):
        check_ranking(replace(settings, **{name: HUGE + 1}))


def test_skipgram():
    check_skipgram(SkipGramSettings(), 100)
    with refused("--size"):
        check_skipgram(SkipGramSettings(), HUGE)


def test_clustering(monkeypatch):
    words = Words([f"w{i}" for i in range(400)], np.ones(400, int), np.arange(400, dtype=np.int32))
    monkeypatch.setattr("senna_py.io.memory.memory_limit", lambda: 1 << 20)
    BrownClustering(words, 200)
    with refused("--classes"):
        BrownClustering(words, 300)
