"""Memory of the training of language models: estimated before a network is made."""

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


def nplm(**changes):
    return NplmTraining(streams(), NplmSettings(**changes))


def lstm(**changes):
    return LstmTraining(streams(), LstmSettings(batch=2, **changes))


def ranking(**changes):
    check_ranking(RankingSettings(examples=100, **changes))


def skipgram(size=100):
    check_skipgram(SkipGramSettings(), size)


def clustering(clusters=200):
    words = Words([f"w{i}" for i in range(400)], np.ones(400, int), np.arange(400, dtype=np.int32))
    BrownClustering(words, clusters)


@pytest.mark.parametrize(
    ("train", "given", "name", "value", "mib"),
    [
        *((nplm, {"output": output}, name, HUGE, 100)
          for output in ("softmax", "classes", "energy") for name in ("hidden", "dim")),
        (nplm, {}, "batch", 60_000, 10),
        (lstm, {"input": "word"}, "dim", 1 << 14, 100),
        (lstm, {"input": "word"}, "hidden", 1 << 14, 100),
        (lstm, {"input": "char", "hidden": 10}, "hidden", 1 << 14, 100),
        (lstm, {"input": "word", "dim": 8, "hidden": 10}, "steps", 4000, 10),
        *((ranking, {}, name, HUGE + 1, 100) for name in ("dim", "hidden", "window")),
        (skipgram, {}, "size", HUGE, 100),
        (clustering, {}, "clusters", 300, 1),
    ],
)  # fmt: skip
def test_the_setting_that_needs_too_much_is_named(train, given, name, value, mib, monkeypatch):
    monkeypatch.setattr("senna_py.io.memory.memory_limit", lambda: mib << 20)
    train(**given)
    wanted = rf"^--{name}: [0-9,]+ needs about .* of memory; there"
    with pytest.raises(SettingError, match=wanted):
        train(**given | {name: value})
