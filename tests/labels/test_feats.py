"""Features are text, and values by name."""

import json
import pickle

import pytest

from senna_py.labels.feats import Feats


def test_features_are_text_and_values_by_name():
    feats = Feats("Case=Acc,Dat|Number=Plur|Person=3")
    assert feats == "Case=Acc,Dat|Number=Plur|Person=3" and isinstance(feats, str)
    assert feats["Number"] == "Plur" and feats.get("Case") == "Acc,Dat"
    assert feats.get("Tense") is None and feats.get("Tense", "-") == "-"
    assert feats.to_dict() == {"Case": "Acc,Dat", "Number": "Plur", "Person": "3"}
    assert feats[0] == "C" and feats[:4] == "Case"
    assert pickle.loads(pickle.dumps(feats)) == feats
    assert json.loads(json.dumps(feats)) == feats
    with pytest.raises(KeyError, match="Tense: the features are Case="):
        feats["Tense"]


def test_a_word_without_features_has_no_values():
    assert Feats("_").to_dict() == {} and Feats("_").get("Number") is None
