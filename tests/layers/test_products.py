"""Products in training: those of tiles and of NumPy are alike, with any number of threads."""

import numpy as np
import pytest

from senna_py.layers.gradients import Gradients
from senna_py.layers.linear import Linear
from senna_py.layers.lstm import LstmLayer, initial_lstm
from senna_py.layers.products import BLAS, Tiles
from senna_py.layers.softmax import Softmax, initial_softmax
from tests.helpers.whole_gradients import whole_gradients

CLOSE = {"rtol": 1e-4, "atol": 1e-5}
KINDS = [Tiles(), Tiles(2), Tiles(3)]


def floats(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
def test_products(turn_a, turn_b):
    a, b = floats(*((9, 30) if turn_a else (30, 9))), floats(*((150, 9) if turn_b else (9, 150)))
    expected = BLAS.times(a, b, turn_a, turn_b)
    found = [tiles.times(a, b, turn_a, turn_b) for tiles in KINDS]
    for one in found:
        np.testing.assert_allclose(one, expected, **CLOSE)
        np.testing.assert_array_equal(one, found[0])
    parts = floats(30, 27)[:, 3:12] if not turn_a else floats(27, 30)[3:12]
    np.testing.assert_allclose(
        KINDS[1].times(parts, b, turn_a, turn_b), BLAS.times(parts, b, turn_a, turn_b), **CLOSE
    )


def test_double_precision_is_left_to_numpy():
    a, b = floats(4, 5).astype(float), floats(6, 5).astype(float)
    found = KINDS[1].times(a, b, turn_b=True)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, a @ b.T)
    out = np.empty((4, 6))
    KINDS[1].by(b, turned=True)(a, out)
    np.testing.assert_allclose(out, a @ b.T)


@pytest.mark.parametrize("turned", [False, True])
def test_many_products_with_one_matrix(turned):
    b, room = floats(*((100, 9) if turned else (9, 100))), {}
    for seed, tiles in enumerate([*KINDS, BLAS]):
        a, out = floats(20, 9, seed=seed), np.empty((20, 100), np.float32)
        b += 1  # what is kept in `room` is not of the matrix as it was
        tiles.by(b, turned, room)(a, out)
        np.testing.assert_allclose(out, a @ (b.T if turned else b), **CLOSE)


def results(products):
    """What layers give forward and backward by these products: a dict of arrays."""
    rng, gradients = np.random.default_rng(1), Gradients()
    lstm = LstmLayer("lstm1", *initial_lstm(rng, 0.5, 12, 40), products)
    linear = Linear("linear", lstm.weight, lstm.bias, products.linear, products)
    softmax = Softmax(*initial_softmax(rng, 0.5, 90, 40), products=products)
    x, state = floats(6 * 10, 12), floats(2, 10, 40)
    gates, _ = linear.forward(x)
    hidden, kept = lstm.forward(gates.reshape(6, 10, 160), state)
    log_p, trace = softmax.forward(hidden.reshape(60, 40), np.arange(60))
    d_hidden = softmax.backward(trace, gradients)
    d_gates = lstm.backward(d_hidden.reshape(6, 10, 40).copy(), kept, gradients)
    d_x = linear.backward(d_gates.reshape(60, 160), x, gradients)
    arrays = lstm.parameters() | linear.parameters() | softmax.parameters()
    del arrays["lstm1_weight"], arrays["lstm1_bias"]  # the same as of `linear`
    return {"log_p": log_p, "d_x": d_x, "state": state} | whole_gradients(gradients, arrays)


def test_layers_by_tiles_and_by_numpy():
    expected, alone = results(BLAS), results(KINDS[0])
    shared = results(KINDS[1])
    for name, array in expected.items():
        np.testing.assert_allclose(alone[name], array, rtol=1e-3, atol=1e-4, err_msg=name)
        np.testing.assert_array_equal(alone[name], shared[name], err_msg=name)
