import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn import updates
from senna_py.kernels.nn.linear import linear_of_rows, panels_of
from senna_py.kernels.nn.products import (
    add_products,
    find_products,
    keep_products,
    score_windows,
)
from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores
from tests.helpers.random_arrays import integers, normal


class Kept:
    """What the kernels keep, and how: small, so that it fills and hashes meet."""

    def __init__(self, columns, capacity, n_seen=64):
        self.columns = np.array(columns, np.int32)
        self.table = np.full(1 << (2 * capacity).bit_length(), -1, np.int32)
        self.keys = np.empty((capacity, len(columns)), np.int32)
        self.rows = np.full((capacity, 1, 2), np.nan, np.float32)
        self.seen = np.zeros(n_seen, np.uint8)
        self.n = 0

    def find(self, index, n_kept=None):
        where, missing = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        n = self.n if n_kept is None else n_kept
        n = find_products(index, self.columns, self.table, self.keys, n, where, missing)
        return where, missing[:n]

    def keep(self, index, missing):
        fresh = products(index[missing])
        self.n = keep_products(
            index,
            self.columns,
            missing,
            fresh,
            self.seen,
            self.table,
            self.keys,
            self.rows,
            self.n,
        )
        return fresh


def products(rows):
    """Something that tells rows apart by their first and last feature."""
    return np.stack([rows[:, 0], rows[:, 2]], axis=1).astype(np.float32)[:, None]


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=30), max_size=8), st.integers(1, 20)
)
def test_rows_are_found_or_missing_once(batches, capacity):
    kept = Kept([0, 2], capacity)
    for n, batch in enumerate(batches):
        index = np.array([[v, n, -v * v] for v in batch], np.int32).reshape(-1, 3)
        where, missing = kept.find(index)
        assert len(set(index[missing, 0].tolist())) == len(missing)
        fresh = kept.keep(index, missing)
        assert kept.n <= capacity
        for row, slot in zip(index, where.tolist(), strict=True):
            found = kept.rows[slot] if slot >= 0 else fresh[-1 - slot]
            assert found.tolist() == [[row[0], row[2]]]


def test_what_comes_twice_is_kept_unless_it_is_full():
    kept = Kept([0, 2], 2, n_seen=1 << 16)
    index = np.arange(12, dtype=np.int32).reshape(4, 3)
    counts = []
    for _ in range(3):
        _, missing = kept.find(index)
        kept.keep(index, missing)
        counts.append((len(missing), kept.n))
    assert counts == [(4, 0), (4, 2), (2, 2)]
    # As another thread may have done meanwhile.
    kept.keep(index, np.array([0, 1], np.int32))
    assert kept.n == 2


def test_rows_that_are_being_written_do_not_count():
    kept = Kept([0, 2], 9, n_seen=1)
    index = np.arange(27, dtype=np.int32).reshape(9, 3)
    kept.seen[:] = 1
    kept.keep(index, np.arange(9, dtype=np.int32))
    where, missing = kept.find(index, n_kept=4)
    assert where[:4].tolist() == [0, 1, 2, 3]
    assert missing.tolist() == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("n_out", [5, 16, 39])
def test_windows_are_summed_and_scored(two, n_out):
    rng = np.random.default_rng(int(two))
    bias, first = integers(rng, n_out), rng.integers(5, size=20).astype(np.int32)
    parts = []
    for _ in range(1 + two):
        where = rng.integers(-4, 6, 7).astype(np.int32)
        parts.append((where, integers(rng, 6, 3, n_out), integers(rng, 4, 3, n_out)))
    expected = [
        bias
        + sum(
            (kept[where[f + k]] if where[f + k] >= 0 else fresh[-1 - where[f + k]])[k]
            for k in range(3)
            for where, kept, fresh in parts
        )
        for f in first
    ]
    nothing = np.empty(0, np.int32), *parts[0][1:]
    out = np.full((20, n_out), np.nan, np.float32)
    add_products(first, bias, *parts[0], *(parts[1] if two else nothing), out)
    assert np.array_equal(out, expected)

    weight, output_bias = integers(rng, n_out, 19), integers(rng, 19)
    hidden = np.empty((7, n_out), np.float32)
    scores = np.full((20, 19), np.nan, np.float32)
    second_layer = weight, panels_of(weight), output_bias
    score_windows(
        first,
        bias,
        *parts[0],
        *(parts[1] if two else nothing),
        second_layer,
        hidden,
        scores,
    )
    assert np.array_equal(scores, output_bias + np.clip(expected, -1, 1) @ weight)


def test_layers_that_do_not_fit_are_refused():
    x, weight, bias = (np.ones(shape, np.float32) for shape in ((9, 4), (4, 20), 20))
    rows, panels = np.arange(9), panels_of(weight)
    for panels_given, out in (
        (panels[1:], np.ones((9, 20))),
        (panels, np.ones((9, 19))),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            linear_of_rows(x, rows, weight, panels_given, bias, out.astype(np.float32))


@pytest.mark.parametrize("n_words", [1, 7, 512, 1300])
def test_softmax_is_that_of_plain_numpy(n_words):
    rng = np.random.default_rng(n_words)
    scores = rng.normal(0, 8, (5, n_words)).astype(np.float32)
    target = np.array([0, n_words - 1, -1, n_words, n_words // 2])
    largest, total = scores.max(1), np.empty(5)
    expected = np.exp(scores.astype(float) - largest[:, None])
    reached = np.empty(5)
    target_scores(scores, target, reached)
    inside = (target >= 0) & (target < n_words)
    np.testing.assert_array_equal(
        reached, np.where(inside, scores[np.arange(5), target % n_words], 0)
    )
    exp_rows(scores, largest, total)
    np.testing.assert_allclose(scores, expected, rtol=2e-5, atol=1e-37)
    np.testing.assert_allclose(total, expected.sum(1), rtol=1e-6)
    subtract_targets(scores, total, target)
    slopes = expected / expected.sum(1, keepdims=True)
    for i in np.flatnonzero(inside):
        slopes[i, target[i]] -= 1
    np.testing.assert_allclose(scores, slopes, rtol=1e-4, atol=1e-6)


def test_scores_far_below_the_largest_do_not_vanish_or_overflow():
    scores = np.array([[0, -80, -1000, -np.inf]], np.float32)
    total = np.empty(1)
    exp_rows(scores, np.zeros(1, np.float32), total)
    assert scores[0, 0] == 1 and scores[0, 1] == pytest.approx(np.exp(-80), rel=1e-4)
    assert (scores[0, 2:] > 0).all() and (scores[0, 2:] < 1e-37).all() and total[0] == 1


def sgd(x, gradient, rate):
    return [x - rate * gradient]


def adagrad(x, gradient, square, rate):
    square = square + gradient**2
    return [x - rate * gradient / (np.sqrt(square) + 1e-6), square]


def adam(x, gradient, mean, square, rate):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    return [x - rate * mean / (np.sqrt(square) + 1e-8), mean, square]


RATE = np.float32(0.03)
STEPS = [(sgd, 0), (adagrad, 1), (adam, 2)]


def states(rng, count, *shape):
    return [np.abs(normal(rng, *shape)) for _ in range(count)]


@pytest.mark.parametrize(("formula", "slots"), STEPS)
def test_steps(formula, slots):
    rng = np.random.default_rng(1)
    x, gradient, state = normal(rng, 40), normal(rng, 40), states(rng, slots, 40)
    wide = [a.astype(float) for a in (x, gradient, *state)]
    expected = formula(*wide, RATE)
    getattr(updates, formula.__name__)(x, gradient, *state, RATE)
    for found, wanted in zip([x, *state], expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(("formula", "slots"), STEPS)
def test_steps_of_rows(formula, slots):
    rng = np.random.default_rng(2)
    x, state = normal(rng, 9, 5), states(rng, slots, 9, 5)
    rows, gradient = np.array([7, 0, 3], np.int32), normal(rng, 3, 5)
    before = [a.copy() for a in (x, *state)]
    expected = formula(x[rows], gradient, *(s[rows] for s in state), RATE)
    getattr(updates, f"{formula.__name__}_rows")(x, rows, gradient, *state, RATE)
    others = [i for i in range(9) if i not in rows]
    for found, wanted, old in zip([x, *state], expected, before, strict=True):
        np.testing.assert_allclose(found[rows], wanted, rtol=2e-5, atol=1e-6)
        np.testing.assert_array_equal(found[others], old[others])


@given(st.integers(0, 30), st.integers(1, 8), st.integers(1, 4), st.integers(0, 999))
def test_sum_rows(n, n_keys, dim, seed):
    rng = np.random.default_rng(seed)
    index, gradient = rng.integers(n_keys, size=n).astype(np.int32), normal(rng, n, dim)
    total, rows = np.full_like(gradient, np.nan), np.full(n, -7, np.int32)
    row_of = np.full(n_keys, -1, np.int32)
    count = updates.sum_rows(index, gradient, total, row_of, rows)
    expected = np.zeros((n_keys, dim), np.float32)
    np.add.at(expected, index, gradient)
    assert sorted(rows[:count].tolist()) == sorted(set(index.tolist()))
    np.testing.assert_allclose(total[:count], expected[rows[:count]], atol=1e-5)
    assert (row_of == -1).all()
