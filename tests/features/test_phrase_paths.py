"""Constituents above words, from labels as text."""

import numpy as np

from senna_py.features.phrase import MOST_ABOVE, above_read
from senna_py.labels.tree_keys import keys_of_types

KEYS = keys_of_types(["NP", "S"])
STARTS = np.array([0, 3, 3, 4], np.int32)


def labels(above):
    return [[KEYS[i] for i in row if i] for row in above.labels.tolist()]


def test_constituents_that_go_on_are_shared():
    above = above_read(["B-NP B-S", "E-NP I-S", "E-S", "S-S"], KEYS, STARTS)
    assert above.labels.shape == (4, MOST_ABOVE)
    assert labels(above) == [["B-NP", "B-S"], ["E-NP", "I-S"], ["E-S"], ["S-S"]]
    assert above.shared.tolist() == [0, 2, 1, 0]


def test_words_outside_of_any_constituent():
    above = above_read(["", "B-S", "E-S", ""], KEYS, STARTS)
    assert labels(above) == [[], ["B-S"], ["E-S"], []]
    assert above.shared.tolist() == [0, 0, 1, 0]


def test_types_that_are_not_known_are_left_out():
    known = above_read(["B-NP B-S", "E-NP I-S", "E-S", "S-S"], KEYS, STARTS)
    paths = ["B-NP B-X B-S", "E-NP E-X I-S", "S-X E-S", "S-S S-X"]
    for found, expected in zip(above_read(paths, KEYS, STARTS), known, strict=True):
        assert np.array_equal(found, expected)


def test_no_words():
    above = above_read([], KEYS, np.zeros(1, np.int32))
    assert above.labels.shape == (0, MOST_ABOVE)
    assert above.shared.shape == (0,)
