from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.lm.arrays import Arrays, as_lines
from senna_py.lm.lstm.lexicon import PADDING, UNKNOWN_CHARACTER, Alphabet
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

# Words as text has them: bytes outside UTF-8 are lone surrogates, white space is between them.
TEXT_WORDS = st.binary(min_size=1, max_size=12).map(
    lambda b: "".join(b.decode("utf-8", "surrogateescape").split())
)


@given(st.lists(TEXT_WORDS.filter(lambda w: w and "\n" not in w)))
def test_an_alphabet_spells_what_it_is_made_of_and_survives_a_file(words):
    alphabet = Alphabet(sorted(set("".join(words))))
    again = Alphabet(Arrays({"x": as_lines(alphabet.characters)}).take_lines("x"))
    assert again.characters == alphabet.characters
    assert len(again) == len(alphabet) == Alphabet.n_special + len(alphabet.characters)
    characters, starts = again.spell(words, 5)
    assert (characters.dtype, starts.dtype) == (np.int32, np.int64)
    assert len(starts) == len(words) + 1 and starts[-1] == len(characters)
    for word, a, b in zip(words, starts[:-1], starts[1:], strict=True):
        spelled = characters[a:b].tolist()
        assert len(spelled) == len(word) + 2 + 5
        assert spelled[0] == 1 and spelled[len(word) + 1] == 2
        assert set(spelled[len(word) + 2 :]) <= {PADDING}
        inner = "".join(
            alphabet.characters[c - Alphabet.n_special] for c in spelled[1 : len(word) + 1]
        )
        assert inner == word


def test_damaged_alphabets():
    for text in (b"a\na\n", b"ab\n", b"\n"):
        with pytest.raises(SennaError, match="different single characters"):
            Alphabet(Arrays({"x": np.frombuffer(text, np.uint8)}).take_lines("x"))


def test_unknown_characters_and_marks():
    alphabet = Alphabet.of_words([UNKNOWN, BEGIN, END, "cat"])
    assert alphabet.characters == ["a", "c", "t"]
    characters, starts = alphabet.spell(["cöt", UNKNOWN, END, BEGIN], 1)
    parts = [characters[a:b].tolist() for a, b in pairwise(starts)]
    assert parts[0] == [1, 7, UNKNOWN_CHARACTER, 8, 2, 0]
    assert parts[1] == [1, 4, 2, 0] and parts[2] == parts[3] == [1, 5, 2, 0]
