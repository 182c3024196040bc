from itertools import pairwise

import numpy as np

from senna_py.lm.lstm.inputs import ragged
from senna_py.lm.lstm.lexicon import UNKNOWN_CHARACTER, Alphabet
from senna_py.lm.word_list import BEGIN, END, UNKNOWN


def test_unknown_characters_and_marks():
    alphabet = Alphabet.of_words([UNKNOWN, BEGIN, END, "cat"])
    assert alphabet.characters == ["a", "c", "t"]
    characters, starts = alphabet.spell(["cöt", UNKNOWN, END, BEGIN], 1)
    parts = [characters[a:b].tolist() for a, b in pairwise(starts)]
    assert parts[0] == [1, 7, UNKNOWN_CHARACTER, 8, 2, 0]
    assert parts[1] == [1, 4, 2, 0] and parts[2] == parts[3] == [1, 5, 2, 0]
    assert alphabet.text(parts[0]) == "ct"


def test_rows_of_ragged_data():
    values, starts = np.array([5, 6, 7, 8]), np.array([0, 1, 1, 4])
    found, begins = ragged(values, starts, np.array([2, 0, 1, 2]))
    assert found.tolist() == [6, 7, 8, 5, 6, 7, 8] and begins.tolist() == [0, 3, 4, 4, 7]
    assert ragged(values, starts, np.array([1]))[0].tolist() == []
