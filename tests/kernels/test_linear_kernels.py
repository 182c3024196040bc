import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.cold_start.jit import runs_plain
from senna_py.kernels.linear import convolve, hardtanh, linear, linear_of_rows, panels_of

pytestmark = pytest.mark.usefixtures("each_way")

sizes = st.integers(1, 11)


def integers(rng, *shape):
    """Small whole numbers: sums of their products are exact in float32."""
    return rng.integers(-9, 10, shape).astype(np.float32)


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def run_linear(x, weight, bias):
    out = np.full((len(x), len(bias)), np.nan, np.float32)
    linear(x, weight, bias, out)
    return out


def run_convolve(x, first, weight, bias):
    out = np.full((len(first), len(bias)), np.nan, np.float32)
    convolve(x, np.asarray(first, np.int32), weight, bias, out)
    return out


@given(st.integers(0, 11), sizes, sizes, st.integers(0, 999))
def test_linear_is_bias_plus_product(n, n_in, n_out, seed):
    rng = np.random.default_rng(seed)
    x, weight, bias = integers(rng, n, n_in), integers(rng, n_in, n_out), integers(rng, n_out)
    assert np.array_equal(run_linear(x, weight, bias), bias + x @ weight)


@given(st.integers(1, 200), sizes, st.integers(1, 50), st.integers(0, 999))
def test_linear_of_many_rows(n, n_in, n_out, seed):
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


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (6, 5), (50, 33), (99, 70), (101, 300)])
def test_a_row_does_not_depend_on_its_batch(n_in, n_out):
    if runs_plain():
        pytest.skip("BLAS adds in an order that depends on the batch")
    rng = np.random.default_rng(n_out)
    x, weight, bias = normal(rng, 211, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    whole = run_linear(x, weight, bias)
    for size in (1, 2, 3, 4, 5, 7, 97, 101):
        parts = [run_linear(x[a : a + size], weight, bias) for a in range(0, len(x), size)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 16), (50, 33), (101, 300)])
def test_tiles_give_the_bits_of_single_rows(n_in, n_out):
    if runs_plain():
        pytest.skip("has no tiles")
    rng = np.random.default_rng(n_out)
    x, weight, bias = normal(rng, 40, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    single = np.concatenate([run_linear(x[k : k + 1], weight, bias) for k in range(40)])
    for n in (6, 7, 11, 12, 95, 97, 200):
        rows, out = rng.integers(40, size=n), np.full((n, n_out), np.nan, np.float32)
        linear_of_rows(x, rows, weight, panels_of(weight), bias, out)
        assert out.tobytes() == single[rows].tobytes()


def test_layers_that_do_not_fit_are_refused():
    if runs_plain():
        pytest.skip("has no tiles")
    x, weight, bias = (
        np.ones((9, 4), np.float32),
        np.ones((4, 20), np.float32),
        np.ones(20, np.float32),
    )
    rows, panels = np.arange(9), panels_of(weight)
    for panels_given, out in ((panels[1:], np.ones((9, 20))), (panels, np.ones((9, 19)))):
        with pytest.raises(ValueError, match="do not fit"):
            linear_of_rows(x, rows, weight, panels_given, bias, out.astype(np.float32))


@pytest.mark.parametrize(("window", "dim", "n_out"), [(1, 3, 2), (5, 7, 33), (5, 20, 300)])
def test_a_window_does_not_depend_on_its_batch(window, dim, n_out):
    if runs_plain():
        pytest.skip("BLAS adds in an order that depends on the batch")
    rng = np.random.default_rng(n_out)
    x, first = normal(rng, 30, dim), np.arange(30 - window + 1)
    weight, bias = normal(rng, window * dim, n_out), normal(rng, n_out)
    whole = run_convolve(x, first, weight, bias)
    order = rng.permutation(first)
    assert run_convolve(x, order, weight, bias).tobytes() == whole[order].tobytes()
    for f in first:
        alone = run_convolve(x[f : f + window].copy(), [0], weight, bias)
        assert alone[0].tobytes() == whole[f].tobytes()


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
