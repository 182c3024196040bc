"""Settings of trainings that do not go with each other."""

import pytest

from senna_py.errors import UsageError
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.ranking.settings import RankingSettings

CASES = [
    (NplmSettings, {"output": "energy", "direct": True}, "has no direct connections"),
    (NplmSettings, {"samples": 5}, "--softmax-samples needs"),
    (NplmSettings, {"hidden": 0}, "needs direct connections"),
    (NplmSettings, {"hidden": 0, "output": "energy"}, "needs direct connections"),
    (NplmSettings, {"own_weights": True}, "--own-weights needs"),
    (NplmSettings, {"optimizer": "sdg"}, "optimizer: expected one of"),
    (NplmSettings, {"output": "classes", "classes": 0}, "classes: expected 1 at least"),
    (NplmSettings, {"classes": 5}, "--classes needs"),
    (LstmSettings, {"input": "morph"}, "morphemes need a --segmentation"),
    (LstmSettings, {"segmentation": "x"}, "and only they do"),
    (RankingSettings, {"examples": 9, "stages": ((20, 1), (10, 1))}, "must grow"),
    (RankingSettings, {"examples": 9, "stages": ((2, 1),)}, "4 at least"),
    (RankingSettings, {}, "either --examples or --duration"),
    (RankingSettings, {"examples": 9, "seconds": 5.0}, "either --examples or --duration"),
    (RankingSettings, {"examples": 9, "window": 4}, "odd"),
]


@pytest.mark.parametrize(("kind", "given", "message"), CASES)
def test_settings_that_make_no_sense(kind, given, message):
    with pytest.raises(UsageError, match=message):
        kind(**given)
