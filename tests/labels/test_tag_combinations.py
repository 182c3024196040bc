"""Combinations of labels as a resource of a model."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features.combination_lists import CombinationLists
from senna_py.labels.tag_combinations import TagCombinations

ROWS = [("DT", "DET"), ("NN", "NOUN"), ("NNS", "NOUN")]
COMBINATIONS = TagCombinations(["pos", "upos"], ROWS)


def test_they_are_stored_as_lines():
    array = COMBINATIONS.array
    assert array.tobytes() == b"pos\tupos\nDT\tDET\nNN\tNOUN\nNNS\tNOUN\n"
    again = TagCombinations.from_array(array, "x")
    assert (again.tasks, again.rows) == (("pos", "upos"), ROWS)
    resource_type = CombinationLists()
    described = {"tags": resource_type.describe(again)}
    assert resource_type.lines(described) == ["combinations of pos, upos: 3"]


@pytest.mark.parametrize(
    "data", [b"", b"pos\n", b"pos\tupos\nDT\n", b"pos\tupos", b"pos\tupos\n\xff\t\n"]
)
def test_damaged(data):
    with pytest.raises(SennaError, match="tags: not "):
        TagCombinations.from_array(np.frombuffer(data, np.uint8), "tags")


def test_they_are_learned_from_sentences_with_all_labels():
    tags = {
        "pos": {0: ["NN", "DT"], 1: ["NN"], 3: ["VB"]},
        "upos": {0: ["NOUN", "DET"], 1: ["NOUN"], 2: ["X"]},
    }
    learned = TagCombinations.learned(["pos", "upos"], tags)
    assert learned.rows == [("DT", "DET"), ("NN", "NOUN")]


def test_numbers_are_those_of_labels():
    numbers = COMBINATIONS.numbers([["NN", "DT"], ["NOUN", "DET"]])
    assert numbers.tolist() == [[1, 1], [0, 0]]
    assert COMBINATIONS.numbers([[], []]).shape == (0, 2)
