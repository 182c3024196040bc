import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.max_over_time import max_over_predicates, max_over_sentences


def direct(x, bias):
    """Definition, over all pairs of positions; float32, so that even the rounding is the same."""
    n, m = len(x), len(bias) // 2
    out = np.empty_like(x)
    for w in range(n):
        distance = np.clip(np.arange(n) - w, -m, m) + m
        out[w] = (x + bias[distance]).max(axis=0)
    return out


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


lengths = st.lists(st.integers(1, 12), min_size=1, max_size=4)


@given(lengths, st.integers(0, 8), st.integers(1, 4), st.integers(0, 999))
def test_max_over_sentences(lengths, m, n_hidden, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    x, bias = normal(rng, starts[-1], n_hidden), normal(rng, 2 * m + 1, n_hidden)
    out = np.full_like(x, np.nan)
    max_over_sentences(x, starts, bias, out)
    parts = [direct(x[a:b], bias) for a, b in itertools.pairwise(starts)]
    assert np.array_equal(out, np.concatenate(parts))


@pytest.mark.parametrize("m", [0, 1, 5, 49, 50, 51, 99, 100])
def test_sentences_longer_than_the_table(m):
    rng = np.random.default_rng(m)
    x, bias = normal(rng, 100, 3), normal(rng, 2 * m + 1, 3)
    out = np.full_like(x, np.nan)
    max_over_sentences(x, np.array([0, 100], np.int32), bias, out)
    assert np.array_equal(out, direct(x, bias))


@given(lengths, st.integers(0, 8), st.integers(1, 4), st.integers(0, 999))
def test_max_over_predicates(lengths, m, n_hidden, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    words = normal(rng, starts[-1], n_hidden)
    verb_bias, word_bias = normal(rng, 2 * m + 1, n_hidden), normal(rng, 2 * m + 1, n_hidden)
    predicate = np.flatnonzero(rng.random(starts[-1]) < 0.4).astype(np.int32)
    sentence = (np.searchsorted(starts, predicate, side="right") - 1).astype(np.int32)

    expected = [np.empty((0, n_hidden), np.float32)]
    for s, v in zip(sentence, predicate, strict=True):
        a, b = starts[s], starts[s + 1]
        distance = np.clip(np.arange(a, b) - v, -m, m) + m
        expected.append(direct(words[a:b] + verb_bias[distance], word_bias))
    out = np.full((sum(map(len, expected)), n_hidden), np.nan, np.float32)
    max_over_predicates(words, starts, sentence, predicate, verb_bias, word_bias, out)
    assert np.array_equal(out, np.concatenate(expected))
