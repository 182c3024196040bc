"""Trie lookups and numbering of words, against dictionaries and str.split."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.lm.ngrams import backoff_scores, find_child
from senna_py.kernels.lm.word_stream import LINE_END, number_words
from senna_py.lm.ngram.counts import count_ngrams, make_trie
from senna_py.lm.word_list import WordList

WORDS = WordList.of_words(["a", "b", "c", "d"], False)


@given(stream=st.lists(st.integers(0, 4), min_size=1, max_size=30), order=st.integers(1, 4))
def test_every_ngram_of_a_stream_is_found_and_no_other(stream, order):
    trie, starts = make_trie(count_ngrams(np.array(stream, np.int32), order, WORDS))
    present = {tuple(stream[i : i + k]) for k in range(1, order + 1)
               for i in range(len(stream) - k + 1)}  # fmt: skip
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


@given(
    stream=st.lists(st.integers(0, 4), min_size=1, max_size=20),
    test=st.lists(st.integers(0, 4), max_size=12),
    mark=st.sampled_from([-1, 1]), seed=st.integers(0, 99), data=st.data(),
)  # fmt: skip
def test_backoff_scores(stream, test, mark, seed, data):
    order, rng = 3, np.random.default_rng(seed)
    first = data.draw(st.integers(0, len(test)))
    trie, _ = make_trie(count_ngrams(np.array(stream, np.int32), order, WORDS))
    prob = rng.random(len(trie.word)).astype(np.float32)
    backoff = rng.random(len(trie.begin) - 1).astype(np.float32)

    def node_of(gram):
        node = np.int64(0)
        for word in gram:
            node = find_child(trie, node, np.int64(word))
        return node

    def score(context, word):
        node = node_of((*context, word))
        if node >= 0:
            return prob[node]
        at = node_of(context)
        return (backoff[at] if at >= 0 else 0) + score(context[1:], word)

    expected, context = [], ()
    for word in test:
        expected.append(0 if word == mark else score(context, word))
        context = (word,) if word == mark else (*context, word)[-order + 1 :]
    out = np.empty(len(test) - first)
    ids = np.array(test, np.int32)
    scratch = np.empty(order, np.int64)
    backoff_scores(trie, prob, backoff, ids, np.int64(mark), first, scratch, out)
    np.testing.assert_allclose(out, expected[first:], atol=1e-6)


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
    assert [text.encode()[i:j] for i, j in zip(begin[:n_words], end[:n_words], strict=True)] == [
        *words
    ]
