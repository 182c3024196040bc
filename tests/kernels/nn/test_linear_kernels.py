"""Compiled loops over tiles: a row's bits are those it has alone.

That they stay inside their arrays is tested by guard pages.
"""

import numpy as np
import pytest

from senna_py.kernels.nn.linear import convolve, linear, linear_of_rows, panels_of
from senna_py.kernels.runtime.jit import by_fallbacks
from tests.helpers.random_arrays import normal


@pytest.fixture(autouse=True)
def compiled():
    """NumPy fallbacks have no tiles."""
    with by_fallbacks(False):
        yield


def whole_linear(x, weight, bias):
    out = np.full((len(x), len(bias)), np.nan, np.float32)
    linear(x, weight, bias, out)
    return out


def whole_convolve(x, first, weight, bias):
    out = np.full((len(first), len(bias)), np.nan, np.float32)
    convolve(x, np.asarray(first, np.int32), weight, bias, out)
    return out


@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (1, 16), (50, 33), (99, 70), (101, 300)])
def test_a_row_does_not_depend_on_its_batch(n_in, n_out):
    rng = np.random.default_rng(n_out)
    x, weight, bias = normal(rng, 211, n_in), normal(rng, n_in, n_out), normal(rng, n_out)
    single = np.concatenate([whole_linear(x[k : k + 1], weight, bias) for k in range(len(x))])
    for size in (2, 3, 4, 5, 7, 97, 101, 211):
        parts = [whole_linear(x[a : a + size], weight, bias) for a in range(0, len(x), size)]
        assert np.concatenate(parts).tobytes() == single.tobytes()
    for n in (6, 7, 11, 12, 95, 97, 200):
        rows, out = rng.integers(len(x), size=n), np.full((n, n_out), np.nan, np.float32)
        linear_of_rows(x, rows, weight, panels_of(weight), bias, out)
        assert out.tobytes() == single[rows].tobytes()


def test_layers_that_do_not_fit_are_refused():
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
    rng = np.random.default_rng(n_out)
    x, first = normal(rng, 30, dim), np.arange(30 - window + 1)
    weight, bias = normal(rng, window * dim, n_out), normal(rng, n_out)
    whole = whole_convolve(x, first, weight, bias)
    order = rng.permutation(first)
    assert whole_convolve(x, order, weight, bias).tobytes() == whole[order].tobytes()
    for f in first:
        alone = whole_convolve(x[f : f + window].copy(), [0], weight, bias)
        assert alone[0].tobytes() == whole[f].tobytes()
