"""Words and their bigrams out of text and prepared corpora."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.lm.brown.clustering import bigrams, read_words
from senna_py.lm.text.corpus import Preparation, prepare


@pytest.fixture
def text(write):
    return write("a b a\nB <unk> 12 a\n\n34 b\n")


def spelled(words):
    return " ".join("|" if i < 0 else words.words[i] for i in words.stream)


def test_sentences(text):
    words = read_words([text])
    assert words.words == ["a", "b", "12", "34", "B"]
    assert words.counts.tolist() == [3, 2, 1, 1, 1]
    assert spelled(words) == "a b a | B | 12 a | | 34 b |"


def test_one_stream(text):
    assert spelled(read_words([text, text], one_stream=True)) == " ".join(
        ["a b a B | 12 a 34 b"] * 2
    )


def test_look_up_forms(text):
    words = read_words([text], lower=True)
    assert words.words == ["a", "b", "0"]
    assert spelled(words) == "a b a | b | 0 a | | 0 b |"


def test_fewer_words(text, write):
    assert spelled(read_words([text], min_count=2)) == "a b a | | | | a | | | b |"
    assert spelled(read_words([text], size=1)) == "a | a | | | | a | | | | |"
    vocabulary = write("B\n34\nc\n", "list")
    assert spelled(read_words([text], vocabulary=vocabulary)) == "| | | | B | | | | | 34 | |"


def test_less_text(text):
    words = read_words([text], limit=4)
    assert spelled(words) == "a b a | B"
    assert words.counts.tolist() == [2, 1, 1]
    assert spelled(read_words([text], limit=99)) == spelled(read_words([text]))


def test_a_prepared_corpus(write, tmp_path):
    raw = write("See Rome 3 times. See it!\nRome, rome.\n")
    prepare([raw], tmp_path / "c", Preparation(min_count=2), 1)
    words = read_words([tmp_path / "c"])
    assert words.words == ["rome", ".", "see"]
    assert spelled(words) == "see rome | | . | see | | | rome | rome . |"
    assert spelled(read_words([tmp_path / "c"], limit=6)) == "see rome | | . | see"
    assert spelled(read_words([tmp_path / "c"], one_stream=True, min_count=3)) == (
        "| rome | | | | | | rome | rome |"
    )


@given(st.lists(st.integers(-1, 4), min_size=2, max_size=40))
def test_bigrams(stream):
    table = np.zeros((5, 5), int)
    for first, second in pairwise(stream):
        if first >= 0 and second >= 0:
            table[first, second] += 1
    if not table.any():
        return
    found = bigrams(np.array(stream, np.int32), 5)
    for start, other, count, expected in (
        (found.next_start, found.next_word, found.next_count, table),
        (found.previous_start, found.previous_word, found.previous_count, table.T),
    ):
        again = np.zeros_like(table)
        for word in range(5):
            for e in range(start[word], start[word + 1]):
                again[word, other[e]] += count[e]
        assert np.array_equal(again, expected)
        assert (count > 0).all()
