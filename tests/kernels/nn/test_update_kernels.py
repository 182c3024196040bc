import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn import updates
from tests.helpers.random_arrays import normal


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
