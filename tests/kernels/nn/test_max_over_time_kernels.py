import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn import max_over_time
from tests.helpers.random_arrays import normal

pytestmark = pytest.mark.usefixtures("each_way")


def sums(x, bias):
    """What is compared for each word: float32[n, n_hidden], which rounds as the kernels
    do.
    """
    n, m = len(x), len(bias) // 2
    for w in range(n):
        yield x + bias[np.clip(np.arange(n) - w, -m, m) + m]


def direct(x, bias):
    """Definition, over all pairs of positions."""
    return np.array([each.max(axis=0) for each in sums(x, bias)])


lengths = st.lists(st.integers(1, 20), min_size=1, max_size=4)
widths = st.sampled_from([1, 3, 16, 19, 32])


@given(lengths, st.integers(0, 8), widths, st.integers(0, 999))
def test_max_over_sentences(lengths, m, n_hidden, seed):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    x, bias = normal(rng, starts[-1], n_hidden), normal(rng, 2 * m + 1, n_hidden)
    out = np.full_like(x, np.nan)
    max_over_time.max_over_sentences(x, starts, bias, out)
    parts = [direct(x[a:b], bias) for a, b in itertools.pairwise(starts)]
    assert np.array_equal(out, np.concatenate(parts))


def predicates(lengths, m, n_hidden, seed):
    """Random arguments of `max_over_predicates` without its result, and their number of
    rows.
    """
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    biases = [normal(rng, 2 * m + 1, n_hidden) for _ in range(2)]
    predicate = np.flatnonzero(rng.random(starts[-1]) < 0.4).astype(np.int32)
    sentence = (np.searchsorted(starts, predicate, side="right") - 1).astype(np.int32)
    words = normal(rng, starts[-1], n_hidden)
    return (words, starts, sentence, predicate, *biases), int(
        np.diff(starts)[sentence].sum()
    )


def sums_of_predicates(words, starts, sentence, predicate, verb_bias, word_bias):
    """What is compared for each row, float32[length of its sentence, n_hidden]."""
    m = len(verb_bias) // 2
    for s, v in zip(sentence, predicate, strict=True):
        a, b = starts[s], starts[s + 1]
        distance = np.clip(np.arange(a, b) - v, -m, m) + m
        yield from sums(words[a:b] + verb_bias[distance], word_bias)


@given(lengths, st.integers(0, 8), widths, st.integers(0, 999))
def test_max_over_predicates(lengths, m, n_hidden, seed):
    arguments, n_rows = predicates(lengths, m, n_hidden, seed)
    out = np.full((n_rows, n_hidden), np.nan, np.float32)
    max_over_time.max_over_predicates(*arguments, out)
    expected = [each.max(axis=0) for each in sums_of_predicates(*arguments)]
    assert np.array_equal(out, np.array(expected).reshape(out.shape))


def check_maxima(arguments, n_rows):
    """The maxima are those of tagging, to the bit, and stand where NumPy finds the
    first.
    """
    n_hidden = arguments[0].shape[1]
    out, plain = (np.full((n_rows, n_hidden), np.nan, np.float32) for _ in range(2))
    position = np.full((n_rows, n_hidden), -1, np.int32)
    max_over_time.locate_maxima(*arguments, out, position)
    max_over_time.max_over_predicates(*arguments, plain)
    assert np.array_equal(out, plain)
    for row, found in zip(sums_of_predicates(*arguments), position, strict=True):
        assert np.array_equal(found, row.argmax(axis=0))


@pytest.mark.slow
@given(lengths, st.integers(0, 8), widths, st.integers(0, 999))
def test_locate_maxima(lengths, m, n_hidden, seed):
    check_maxima(*predicates(lengths, m, n_hidden, seed))


def test_the_first_of_equal_maxima_counts():
    arguments, n_rows = predicates([40], 3, 2, 0)
    for array in (arguments[0], *arguments[4:]):
        array[:] = 0
    check_maxima(arguments, n_rows)


@pytest.mark.slow
@given(lengths, st.integers(0, 8), widths, st.integers(0, 999))
def test_spread_maxima(lengths, m, n_hidden, seed):
    arguments, n_rows = predicates(lengths, m, n_hidden, seed)
    words, starts, sentence, predicate, verb_bias, word_bias = arguments
    rng = np.random.default_rng(seed)
    position = np.concatenate(
        [np.empty((0, n_hidden), np.int32)]
        + [
            rng.integers(n, size=(n, n_hidden)).astype(np.int32)
            for n in np.diff(starts)[sentence]
        ]
    )
    d_out = normal(rng, n_rows, n_hidden)
    found = [np.zeros_like(array) for array in (words, verb_bias, word_bias)]
    max_over_time.spread_maxima(d_out, position, starts, sentence, predicate, *found)

    expected, row = [np.zeros_like(array) for array in found], 0
    for s, v in zip(sentence, predicate, strict=True):
        for w in range(starts[s], starts[s + 1]):
            for j in range(n_hidden):
                i = starts[s] + position[row, j]
                expected[0][i, j] += d_out[row, j]
                expected[1][np.clip(i - v, -m, m) + m, j] += d_out[row, j]
                expected[2][np.clip(i - w, -m, m) + m, j] += d_out[row, j]
            row += 1
    for array, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(array, wanted, atol=1e-4)
