"""Trie lookups and numbering of words, against dictionaries and str.split."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.lm.ngrams import find_child
from senna_py.kernels.lm.word_stream import LINE_END, number_words
from senna_py.lm.ngram.counts import count_ngrams, make_trie
from senna_py.lm.word_list import WordList

WORDS = WordList.of_words(["a", "b", "c", "d"], False)


@given(
    stream=st.lists(st.integers(0, 4), min_size=1, max_size=30), order=st.integers(1, 4)
)
def test_every_ngram_of_a_stream_is_found_and_no_other(stream, order):
    trie, starts = make_trie(count_ngrams(np.array(stream, np.int32), order, WORDS))
    present = {
        tuple(stream[i : i + k])
        for k in range(1, order + 1)
        for i in range(len(stream) - k + 1)
    }
    present |= {(w,) for w in range(5)}
    found, todo = {}, [((), 0)]
    while todo:
        gram, node = todo.pop()
        for word in range(5):
            child = find_child(trie, np.int64(node), np.int64(word))
            if child >= 0:
                found[(*gram, word)] = child
                todo.append(((*gram, word), child))
    assert found.keys() == present
    assert sorted(found.values()) == list(range(1, len(trie.word)))
    for gram, node in found.items():
        assert starts[len(gram)] <= node < starts[len(gram) + 1]
        assert trie.word[node] == gram[-1]
    assert find_child(trie, np.int64(-1), np.int64(2)) == -1


@given(text=st.text("ab \t\n\r\v\f", max_size=40))
def test_words_are_numbered_in_order(text):
    raw = np.frombuffer(text.encode(), np.uint8)
    begin, end = np.empty((2, len(raw) // 2 + 1), np.int32)
    out = np.empty(len(raw), np.int32)
    n_out, n_words = number_words(raw, np.full(128, -1, np.int32), begin, end, out)
    words, expected = {}, []
    for i, line in enumerate(text.encode().split(b"\n")):
        expected += [LINE_END] * (i > 0)
        expected += [words.setdefault(word, len(words)) for word in line.split()]
    assert out[:n_out].tolist() == expected
    assert [
        text.encode()[i:j] for i, j in zip(begin[:n_words], end[:n_words], strict=True)
    ] == [*words]
