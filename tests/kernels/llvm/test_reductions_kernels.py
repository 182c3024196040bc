import numba
import numpy as np
import pytest

from senna_py.kernels.llvm.reductions import larger, sum_of_differences, sum_of_squares
from tests.helpers.random_arrays import normal


# The intrinsics are for kernels: these are the smallest ones.
@numba.njit
def larger_of(a, b):
    return larger(a, b)


@numba.njit
def sums(row, mean):
    return sum_of_differences(row, mean), sum_of_squares(row, mean)


def in_64_sums(values):
    """Sum of float32[n], in the order that is promised."""
    whole = len(values) - len(values) % 64
    lanes = np.zeros(64, np.float32)
    for row in values[:whole].reshape(-1, 64):
        lanes += row
    a, b, c, d = lanes.reshape(4, 16)
    a, b, c, d = ((a + b) + (c + d)).reshape(4, 4)
    a, b, c, d = (a + b) + (c + d)
    rest = np.float32(0)
    for value in values[whole:]:
        rest += value
    return ((a + b) + (c + d)) + rest


@pytest.mark.parametrize("n", [0, 1, 63, 64, 100, 128, 192, 300])
def test_sums_have_the_order_that_is_promised(n):
    rng = np.random.default_rng(n)
    row, mean = normal(rng, n), np.float32(0.25)
    differences, squares = sums(row, mean)
    assert differences == in_64_sums(row - mean)
    np.testing.assert_allclose(
        squares, ((row.astype(float) - 0.25) ** 2).sum(), rtol=1e-5
    )


@pytest.mark.parametrize(
    "row", [np.ones(9), np.ones((9, 1), "f"), np.ones(9, "f")[::2]]
)
def test_arrays_of_another_kind_do_not_compile(row):
    with pytest.raises(numba.core.errors.NumbaError, match="expected float32"):
        sums(row, np.float32(0))


def test_larger():
    for a, b in ((1, 2), (2, 1), (-np.inf, 3), (3, -np.inf), (-np.inf, -np.inf)):
        assert larger_of(np.float32(a), np.float32(b)) == max(a, b)
