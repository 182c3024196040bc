"""Layers of few lines. Others are tested in networks."""

import numpy as np
import pytest

from senna_py.layers.activations import Dropout
from senna_py.layers.declarations import initial_uniform, initial_weight
from senna_py.layers.distance import DistanceConvolution
from senna_py.layers.gradients import Gradients
from senna_py.layers.highway import Highway, Plain
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import Lookup
from tests.helpers.finite_differences import check_layer, whole_gradients


def normal(*shape):
    return np.random.default_rng(shape).normal(size=shape)


@pytest.mark.parametrize(
    ("layer", "close"),
    [
        (Linear("linear", normal(4, 3), normal(3), blas), 1e-6),
        (Highway("highway", normal(4, 8), normal(8)), 1e-6),
        (Plain("plain", normal(4, 4), normal(4)), 1e-6),
        (LayerNorm("norm", normal(4), normal(4)), 1e-5),  # it has constants of single precision
    ],
)
def test_gradients(layer, close):
    check_layer(layer, [normal(5, 4)], close=close)


def test_initial_weights():
    for limit, made in (
        (0.2, initial_uniform(np.random.default_rng(0), 0.2, 30, 40)),
        (0.5, initial_weight(np.random.default_rng(0), 12, 30, 40)),
    ):
        assert (made.dtype, made.shape) == (np.float32, (30, 40))
        assert 0.99 * limit < made.max() <= limit and -limit <= made.min() < -0.99 * limit


def test_dropout():
    x = np.ones((100, 100), np.float32)
    out, factors = Dropout(np.random.default_rng(0), 0.25).forward(x)
    assert out is x and np.array_equal(out, factors)
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.2 < (out == 0).mean() < 0.3
    d_x = Dropout(None, 0.25).backward(np.full_like(x, 3), factors)
    assert np.array_equal(d_x, 3 * factors)
    assert Dropout(None).forward(x) == (x, None)


def test_lookup():
    rng = np.random.default_rng(0)
    layer = Lookup.numbered([rng.normal(size=(4, 2)), rng.normal(size=(3, 1))])
    index = np.array([[1, 0], [3, 2], [1, 2]], np.int32)
    x, trace = layer.forward(index)
    tables = layer.parameters()
    for row, (i, j) in zip(x, index, strict=True):
        assert row.tolist() == [*tables["tables/0"][i], *tables["tables/1"][j]]
    for fixed in ((), ("tables/1",)):
        gradients = Gradients(fixed)
        layer.backward(np.arange(9.0).reshape(3, 3), trace, gradients)
        found = whole_gradients(gradients, tables)
        assert found["tables/0"].tolist() == [[0, 0], [6, 8], [0, 0], [3, 4]]
        assert found["tables/1"].ravel().tolist() == ([0, 0, 0] if fixed else [2, 0, 13])


def test_distances_that_no_sentence_has_are_left_out():
    table, weight = np.ones((5, 2), np.float32), np.ones((6, 3), np.float32)
    layer = DistanceConvolution("d", table, weight)
    assert [len(layer.forward(longest)[0]) for longest in (1, 2, 9)] == [3, 5, 7]
