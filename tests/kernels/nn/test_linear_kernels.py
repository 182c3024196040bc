import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn.linear import convolve, hardtanh, linear, linear_of_rows, panels_of
from tests.helpers.random_arrays import integers, normal

pytestmark = pytest.mark.usefixtures("each_way")

sizes = st.integers(1, 11)


def run_linear(x, weight, bias):
    out = np.full((len(x), len(bias)), np.nan, np.float32)
    linear(x, weight, bias, out)
    return out


def run_convolve(x, first, weight, bias):
    out = np.full((len(first), len(bias)), np.nan, np.float32)
    convolve(x, np.asarray(first, np.int32), weight, bias, out)
    return out


@given(st.integers(0, 200), sizes, st.integers(1, 50), st.integers(0, 999))
def test_linear_is_bias_plus_product(n, n_in, n_out, seed):
    rng = np.random.default_rng(seed)
    x, weight, bias = integers(rng, 50, n_in), integers(rng, n_in, n_out), integers(rng, n_out)
    rows = rng.integers(50, size=n)
    expected = bias + x[rows] @ weight
    for panels in (panels_of(weight), np.empty(0, np.float32)):
        out = np.full((n, n_out), np.nan, np.float32)
        linear_of_rows(x, rows, weight, panels, bias, out)
        assert np.array_equal(out, expected)
    assert np.array_equal(run_linear(x[rows], weight, bias), expected)


@given(st.integers(0, 11), sizes, sizes, sizes, sizes, st.integers(0, 999))
def test_convolve_is_linear_on_windows(n, n_rows, window, dim, n_out, seed):
    rng = np.random.default_rng(seed)
    x = integers(rng, n_rows + window - 1, dim)
    weight, bias = integers(rng, window * dim, n_out), integers(rng, n_out)
    first = rng.integers(n_rows, size=n)
    expected = [bias + x[f : f + window].ravel() @ weight for f in first]
    found = run_convolve(x, first, weight, bias)
    assert np.array_equal(found, np.array(expected, np.float32).reshape(n, n_out))


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (7, 3), (50, 33), (101, 300)])
def test_values_of_any_size(n_in, n_out):
    rng = np.random.default_rng(n_in)
    x, weight, bias = normal(rng, 9, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    expected = bias + x.astype(float) @ weight.astype(float)
    assert np.allclose(run_linear(x, weight, bias), expected, rtol=1e-4, atol=1e-4)


@given(st.integers(0, 9), sizes, st.integers(0, 999))
def test_hardtanh_clips(n, m, seed):
    x = 2 * normal(np.random.default_rng(seed), n, m)
    expected = np.clip(x, -1, 1)
    hardtanh(x)
    assert np.array_equal(x, expected)


def test_hardtanh_of_special_values():
    x = np.array([[-np.inf, -1, -0.5, 0.5, 1, np.inf]], np.float32)
    hardtanh(x)
    assert x.tolist() == [[-1, -1, -0.5, 0.5, 1, 1]]
