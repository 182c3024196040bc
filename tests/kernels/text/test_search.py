import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.features.gazetteer import Gazetteer, phrase_lines
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.kernels.text.plain.search import KeySearch, PhraseSearch
from senna_py.text.vocabulary import Vocabulary

# Short, of few bytes, and around the eight bytes that are compared at once.
keys = st.binary(max_size=4) | st.text("ab\0", max_size=18).map(str.encode)
words = st.text("ab\x01é", min_size=1, max_size=3)
phrases = st.lists(words, min_size=1, max_size=4).map(" ".join)


def arrays(keys):
    """Bytes, begin and end of `keys`, with other bytes between them."""
    blob = b"|".join(keys) + b"|"
    end = np.cumsum([len(key) + 1 for key in keys]) - 1
    begin = end - [len(key) for key in keys]
    return blob, begin.astype(np.int32), end.astype(np.int32)


@given(st.lists(keys, min_size=1, max_size=40), st.lists(keys))
def test_key_search(listed, others):
    search = KeySearch(*arrays(listed))
    assert search.longest == max(map(len, listed))
    for key in (*listed, *others, *others):
        assert search.find(key) == (listed.index(key) if key in listed else -1)


@given(st.lists(phrases, max_size=12), st.lists(phrases))
def test_phrase_search(listed, others):
    lines = phrase_lines(listed)
    search = PhraseSearch(np.frombuffer(lines, np.uint8))
    entities = lines.split(b"\n")[:-1]
    for phrase in (*listed, *others):
        for key in (phrase.encode(), phrase.split()[0].encode(), phrase[:-1].encode()):
            expected = -1
            if key in entities:
                expected = 1
            elif any(entity.startswith(key + b" ") for entity in entities):
                expected = 0
            assert search.find(key) == expected


def test_phrase_search_in_long_lines():
    listed = [f"{letter}{'x' * 5000}" for letter in "abc"] + ["b"]
    search = PhraseSearch(np.frombuffer(phrase_lines(listed), np.uint8))
    assert [search.find(phrase.encode()) for phrase in listed] == [1] * 4
    assert search.find(b"bx") == search.find(b"") == search.find(b"d") == -1


@pytest.mark.parametrize("end", ["\n", ""])
def test_phrase_search_in_many_lines(end):
    listed = sorted(f"{i * i} {i % 7}" for i in range(3000))
    search = PhraseSearch(np.frombuffer(("\n".join(listed) + end).encode(), np.uint8))
    assert {search.find(phrase.encode()) for phrase in listed} == {1}
    assert {search.find(phrase.split()[0].encode()) for phrase in listed} == {0}
    assert {search.find(phrase.encode() + b"0") for phrase in listed} == {-1}


@given(st.lists(phrases, max_size=12))
def test_entries_of_a_gazetteer(listed):
    entries = dict(Gazetteer(phrase_lines(listed)).entries())
    search = PhraseSearch(np.frombuffer(phrase_lines(listed), np.uint8))
    assert {key: search.find(key) for key in entries} == entries


def test_both_ways_to_search_a_vocabulary_agree():
    vocabulary = Vocabulary(b" a \nb\n\tc")
    with fixed_kernels(plain=True):
        assert [vocabulary.table.find(key) for key in (b"a", b"b", b"c", b" a")] == [
            0,
            1,
            2,
            -1,
        ]
