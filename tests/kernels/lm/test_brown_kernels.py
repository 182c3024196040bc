"""Losses of average mutual information, against sums over whole tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.lm import brown as kernels
from senna_py.kernels.lm.brown import SCALE, Classes


def fixed(x):
    """What the kernels take for x log x: an int."""
    return round(x * math.log(x) * SCALE) if x else 0


def naive_information(after):
    """N times the average mutual information, less F(N), which no merge changes: an
    int.
    """
    cells = sum(fixed(int(x)) for x in after.ravel())
    sums = [*after.sum(0), *after.sum(1)]
    return cells - sum(fixed(int(x)) for x in sums)


def naive_merge(after, a, b):
    """The table with class a in class b, and without a."""
    after = np.array(after, np.int64)
    after[b] += after[a]
    after[:, b] += after[:, a]
    kept = [c for c in range(len(after)) if c != a]
    return after[np.ix_(kept, kept)]


def make(after, room=None, n_logs=16):
    """Classes of a table of counts, with all losses."""
    n = len(after)
    room = room or n
    counts = np.zeros((room, room), np.int32)
    counts[:n, :n] = after
    logs = np.empty(n_logs, np.int64)
    kernels.fill_logs(logs)
    classes = Classes(
        counts,
        counts.T.copy(),
        counts.sum(1, np.int64),
        counts.sum(0, np.int64),
        np.zeros((room, room), np.int64),
        logs,
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty((2, room), np.int32),
    )
    kernels.all_losses(classes, n)
    return classes


def assert_up_to_date(classes, size):
    """All arrays are what they would be if they were made anew."""
    anew = make(classes.after[:size, :size])
    assert np.array_equal(classes.before[:size, :size], anew.before)
    assert np.array_equal(classes.n_first[:size], anew.n_first)
    assert np.array_equal(classes.n_second[:size], anew.n_second)
    assert np.array_equal(
        np.tril(classes.loss[:size, :size], -1), np.tril(anew.loss, -1)
    )


@st.composite
def tables(draw, smallest=2, largest=7):
    """Counts of a few classes, many of them 0, some beyond the table of logarithms."""
    n = draw(st.integers(smallest, largest))
    count = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 10, 100, 12345])
    rows = draw(
        st.lists(st.lists(count, min_size=n, max_size=n), min_size=n, max_size=n)
    )
    return np.array(rows)


def test_logarithms():
    logs = np.empty(9, np.int64)
    kernels.fill_logs(logs)
    assert logs.tolist() == [fixed(x) for x in range(9)]
    assert logs[2] / SCALE == pytest.approx(2 * np.log(2), abs=1e-7)


@given(tables())
def test_losses(after):
    classes, whole = make(after), naive_information(after)
    for a in range(len(after)):
        for b in range(a):
            expected = whole - naive_information(naive_merge(after, a, b))
            assert classes.loss[a, b] == expected
            assert expected > -100  # it is none, up to the rounding of F


def test_losses_are_of_mutual_information():
    after = np.random.default_rng(0).integers(0, 50, (6, 6))
    classes = make(after)

    def information(table):
        p = table / table.sum()
        terms = p * np.log(
            p / np.outer(p.sum(1), p.sum(0)), where=p > 0, out=np.zeros_like(p)
        )
        return table.sum() * terms.sum()

    for a in range(6):
        for b in range(a):
            loss = information(after) - information(naive_merge(after, a, b))
            assert classes.loss[a, b] / SCALE == pytest.approx(loss, abs=1e-5)


@given(tables(3), st.data())
def test_merge(after, data):
    n = len(after)
    classes = make(after)
    a = data.draw(st.integers(1, n - 1))
    b = data.draw(st.integers(0, a - 1))
    kept, gone = kernels.merge(classes, n, a, b)
    assert_up_to_date(classes, n - 1)
    # Where the classes are now: the last has moved to the slot that is free.
    old = {c: c for c in range(n - 1) if c not in (a, b)}
    if n - 1 not in (a, b):
        old[gone] = n - 1
    old.pop(kept, None)
    slots = [kept, *sorted(old)]
    parts = [[a, b], *([old[slot]] for slot in sorted(old))]
    assert sorted(slots) == list(range(n - 1))
    expected = [[sum(after[i, j] for i in p for j in q) for q in parts] for p in parts]
    assert np.array_equal(classes.after[np.ix_(slots, slots)], expected)


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_words_are_sorted_in_where_least_is_lost(n_classes, seed):
    """Each step is the best of all merges, and leaves all losses as if they were made
    anew.
    """
    rng = np.random.default_rng(seed)
    n_words = n_classes + 6
    pairs = rng.integers(0, 3, (n_words, n_words)) * rng.integers(
        0, 2, (n_words, n_words)
    )
    found = bigrams_of(pairs)
    class_of = np.full(n_words, -1, np.int32)
    class_of[:n_classes] = np.arange(n_classes)
    classes = make(pairs[:n_classes, :n_classes], n_classes + 1)
    for word in range(n_classes, n_words):
        before = [np.flatnonzero(class_of == c).tolist() for c in range(n_classes)] + [
            [word]
        ]
        kernels.sort_in(classes, n_classes, found, word, word + 1, class_of)
        assert_up_to_date(classes, n_classes)
        after = [np.flatnonzero(class_of == c).tolist() for c in range(n_classes)]
        known = [pairs[np.ix_(p, q)].sum() for p in before for q in before]
        table = np.array(known).reshape(n_classes + 1, -1)
        merges = {}
        for a in range(n_classes + 1):
            for b in range(a):
                rest = [part for c, part in enumerate(before) if c not in (a, b)]
                parts = [*rest, sorted(before[a] + before[b])]
                merges[frozenset(map(tuple, parts))] = naive_information(
                    naive_merge(table, a, b)
                )
        assert merges[frozenset(map(tuple, after))] == max(merges.values())


def bigrams_of(pairs):
    """A `Bigrams` of a table of counts."""
    first, second = np.nonzero(pairs)
    by_second = np.lexsort((first, second))
    counts = pairs[first, second].astype(np.int32)

    def starts(words):
        return np.append(0, np.cumsum(np.bincount(words, minlength=len(pairs)))).astype(
            np.int64
        )

    return kernels.Bigrams(
        starts(first),
        second.astype(np.int32),
        counts,
        starts(second),
        first[by_second].astype(np.int32),
        counts[by_second],
    )


@given(tables(1))
def test_the_tree_merges_what_loses_least(after):
    n = len(after)
    merges = np.empty((n - 1, 2), np.int64)
    kernels.merge_all(make(after), n, merges)
    members, left, table = {c: c for c in range(n)}, list(range(n)), np.array(after)
    for k, (first, second) in enumerate(merges.tolist()):
        assert first < second
        size = len(left)
        a, b = left.index(members[first]), left.index(members[second])
        tried = [naive_merge(table, p, q) for p in range(size) for q in range(p)]
        found = naive_merge(table, a, b)
        assert naive_information(found) == max(map(naive_information, tried))
        table, members[n + k] = found, members[second]
        left.pop(a)
    assert len(left) == 1


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_the_best_of_equal_pairs_is_the_last(size, seed):
    loss = np.random.default_rng(seed).integers(-2, 3, (size + 1, size + 1))
    a, b = kernels.best_pair(loss, size)
    pairs = [(loss[p, q], -p, -q) for p in range(size) for q in range(p)]
    assert (a, b) == tuple(-x for x in min(pairs)[1:])
