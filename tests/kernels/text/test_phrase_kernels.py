"""Paths in trees, against a search through lists of spans."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.features.phrase import Above, labels_going_on
from senna_py.kernels.runtime.jit import plain_way
from senna_py.kernels.text.phrases import FARTHEST_UP, path_rows, shared_with_previous
from senna_py.labels.tree_keys import keys_of_types

KEYS = keys_of_types(["NP", "S", "VP"])


def nested(begin, end, depth=0):
    """Lists of spans (begin, end, type), the outer ones first, none crossing another."""
    if end - begin < 1 or depth > 9:
        return st.just([])
    one = st.tuples(st.integers(begin, end - 1), st.integers(1, end - begin), st.integers(0, 2))
    inner = one.flatmap(lambda found: _with_span(begin, end, depth, *found))
    return st.one_of(st.just([]), inner)


def _with_span(begin, end, depth, first, length, kind):
    last = min(first + length, end)
    parts = nested(first, last, depth + 1), nested(begin, first, depth), nested(last, end, depth)
    return st.tuples(*parts).map(lambda found: [(first, last, kind), *chain(*found)])


sentences = st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), nested(0, n)))


def label_at(span, t):
    begin, end, kind = span
    place = "S" if end - begin == 1 else "B" if t == begin else "E" if t == end - 1 else "I"
    return 1 + 4 * kind + "BIES".index(place)


def around(spans, *words):
    """The spans above all of some words, the outermost first."""
    return [span for span in spans if all(span[0] <= t < span[1] for t in words)]


def above_of(trees, n_above=12):
    starts = np.append(0, np.cumsum([n for n, _ in trees])).astype(np.int32)
    labels = np.zeros((starts[-1], n_above), np.int32)
    for (n, spans), begin in zip(trees, starts[:-1], strict=True):
        for t in range(n):
            found = [label_at(span, t) for span in around(spans, t)][::-1][:n_above]
            labels[begin + t, : len(found)] = found
    shared = np.empty(starts[-1], np.int32)
    shared_with_previous(labels, labels_going_on(KEYS), starts, shared)
    return Above(labels, shared), starts


@pytest.mark.parametrize("plain", [False, True])
@given(st.lists(sentences, min_size=1, max_size=3))
@settings(max_examples=60)
def test_paths_are_those_of_the_spans(plain, trees):
    with plain_way(plain):
        above, starts = above_of(trees)
        predicate = np.arange(starts[-1], dtype=np.int32)
        sentence = np.repeat(np.arange(len(trees)), [n for n, _ in trees]).astype(np.int32)
        out = np.empty((sum(n * n for n, _ in trees), 3), np.int32)
        path_rows(above.labels, above.shared, starts, sentence, predicate, out)
    expected = []
    for n, spans in trees:
        for p in range(n):
            for t in range(n):
                both, of_word = around(spans, t, p), around(spans, t)
                largest = label_at(of_word[len(both)], t) if len(of_word) > len(both) else 0
                smallest = label_at(both[-1], p) if both else 0
                steps = min(len(around(spans, p)) - len(both), FARTHEST_UP)
                expected.append([largest, smallest, steps + (FARTHEST_UP + 1) * (t > p)])
    assert out.tolist() == expected


def test_trees_deeper_than_what_is_kept_of_them():
    n = 9
    spans = [(0, n - k, 0) for k in range(n)]
    above, starts = above_of([(n, spans)], n_above=3)
    predicate, sentence = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
    out = np.full((n * n, 3), -1, np.int32)
    path_rows(above.labels, above.shared, starts, sentence, predicate, out)
    assert out[:, :2].min() >= 0 and out[:, :2].max() < len(KEYS)
    assert out[:, 2].min() >= 0 and out[:, 2].max() < 2 * FARTHEST_UP + 2
