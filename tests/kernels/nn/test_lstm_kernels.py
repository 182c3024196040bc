import numpy as np

from senna_py.kernels.nn.lstm import add_and_halve, next_cells, step_backward
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.finite_differences import slope_of

BATCH, SIZE = 3, 4


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def reference(arguments, before):
    """Equation (2): h and c of gates' arguments: [batch, 4 * size] and c of the step
    before.
    """
    i, f, o, g = np.split(arguments, 4, axis=1)
    cells = sigmoid(f) * before + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(cells), cells


def forward(arguments, recurrent, before):
    gates, cells = arguments.copy(), np.empty_like(before)
    add_and_halve(gates, recurrent)
    np.tanh(gates, out=gates)
    next_cells(gates, before, cells)
    return gates, cells


def example(dtype=np.float64):
    rng = np.random.default_rng(0)
    shapes = (BATCH, 4 * SIZE), (BATCH, 4 * SIZE), (BATCH, SIZE)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def test_a_step_is_equation_2():
    arguments, recurrent, before = example(np.float32)
    gates, cells = forward(arguments, recurrent, before)
    hidden = gates[:, 2 * SIZE : 3 * SIZE] * np.tanh(cells)
    expected = reference((arguments + recurrent).astype(float), before.astype(float))
    np.testing.assert_allclose(hidden, expected[0], atol=1e-6)
    np.testing.assert_allclose(cells, expected[1], atol=1e-6)
    assert gates.dtype == cells.dtype == np.float32


@fixed_kernels(plain=True)  # double precision is nowhere compiled
def test_backward_is_the_finite_difference():
    arguments, recurrent, before = example()
    rng = np.random.default_rng(1)
    d_hidden, d_cells = rng.normal(size=(2, BATCH, SIZE))

    def cost():
        hidden, cells = reference(arguments + recurrent, before)
        return (hidden * d_hidden).sum() + (cells * d_cells).sum()

    gates, cells = forward(arguments, recurrent, before)
    d_before = d_cells.copy()
    step_backward(gates, before, np.tanh(cells), d_hidden, d_before)
    for array, found in ((arguments, gates), (before, d_before)):
        np.testing.assert_allclose(found, slope_of(cost, array), rtol=0, atol=1e-7)
