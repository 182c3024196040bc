"""Products of matrices by tiles, against NumPy in double precision."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.llvm.matrix_product import (
    WIDTH,
    multiply_columns,
    multiply_packed,
    pack_columns,
)


def matrices(m, k, n, turn_a, turn_b, seed=0):
    """Two matrices, as they are given, and their product in double precision."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(k, m) if turn_a else (m, k)).astype(np.float32)
    b = rng.normal(size=(n, k) if turn_b else (k, n)).astype(np.float32)
    return a, b, np.float64(a.T if turn_a else a) @ np.float64(b.T if turn_b else b)


def product(a, turn_a, b, turn_b, shape, *ends):
    out = np.full(shape, np.nan, np.float32)
    ends = ends or (0, shape[1])
    for first, last in pairwise(ends):
        multiply_columns(a, turn_a, b, turn_b, out, first, last)
    return out


def close(found, expected, k):
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6 * (k + 10))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 45), st.integers(1, 50), st.integers(1, 80), st.booleans(), st.booleans())
def test_small_products(m, k, n, turn_a, turn_b):
    a, b, expected = matrices(m, k, n, turn_a, turn_b, m + 100 * k)
    close(product(a, turn_a, b, turn_b, (m, n)), expected, k)


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize("shape", [(21, 1500, 70), (2013, 33, 40)])  # deeper, higher than blocks
def test_products_of_several_blocks(shape, turn_a, turn_b):
    m, k, n = shape
    a, b, expected = matrices(m, k, n, turn_a, turn_b)
    close(product(a, turn_a, b, turn_b, (m, n)), expected, k)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("m", [1, 20, 23])
def test_panels_made_before(m, turned):
    k, n = 49, 75
    a, b, expected = matrices(m, k, n, False, turned)
    panels, out = np.empty(3 * WIDTH * k, np.float32), np.empty((m, n), np.float32)
    pack_columns(b, turned, panels)
    for first, last in ((0, WIDTH), (WIDTH, n)):
        multiply_packed(a, panels, out, first, last)
    close(out, expected, k)
    np.testing.assert_array_equal(out, product(a, False, b, turned, (m, n)))


def test_a_sum_has_the_same_bits_whatever_is_computed_beside_it():
    a, b, _ = matrices(23, 800, 100, False, False)
    whole = product(a, False, b, False, (23, 100))
    parts = product(a, False, b, False, (23, 100), 0, 32, 96, 100)
    np.testing.assert_array_equal(whole, parts)
    alone = product(a[7:9].copy(), False, b, False, (2, 100))
    np.testing.assert_array_equal(whole[7:9], alone)
    turned = product(a.T.copy(), True, b.T.copy(), True, (23, 100))
    np.testing.assert_array_equal(whole, turned)
