"""Constituents above words, from labels as text."""

import numpy as np

from senna_py.features.phrase import MOST_ABOVE
from senna_py.labels.tree_keys import keys_of_types
from tests.helpers.labels_above import above_of

KEYS = keys_of_types(["NP", "S"])
STARTS = np.array([0, 3, 3, 4], np.int32)


def labels(above):
    return [[KEYS[i] for i in row if i] for row in above.labels.tolist()]


def test_constituents_that_go_on_are_shared():
    above = above_of(["B-NP B-S", "E-NP I-S", "E-S", "S-S"], KEYS, STARTS)
    assert above.labels.shape == (4, MOST_ABOVE)
    assert labels(above) == [["B-NP", "B-S"], ["E-NP", "I-S"], ["E-S"], ["S-S"]]
    assert above.shared.tolist() == [0, 2, 1, 0]


def test_words_outside_of_any_constituent():
    above = above_of(["", "B-S", "E-S", ""], KEYS, STARTS)
    assert labels(above) == [[], ["B-S"], ["E-S"], []]
    assert above.shared.tolist() == [0, 0, 1, 0]


def test_no_words():
    above = above_of([], KEYS, np.zeros(1, np.int32))
    assert above.labels.shape == (0, MOST_ABOVE)
    assert above.shared.shape == (0,)
