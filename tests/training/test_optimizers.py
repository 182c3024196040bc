import numpy as np
import pytest

from senna_py.layers.gradients import Gradients
from senna_py.training.optimizers import OPTIMIZERS, Sgd
from senna_py.training.schedules import Halving, clipped_rate, inverse_rate


class Naive:
    """The same steps in plain NumPy, on dense gradients."""

    def __init__(self, kind, decay):
        self.kind, self.decay, self.n = kind, decay, 0
        self.square, self.mean = {}, {}

    def step(self, rate, n, arrays, gradients):
        self.n += 1
        for name in arrays:
            x = arrays[name]
            g = gradients[name] + (0 if name.endswith("_bias") else self.decay * n * x)
            if self.kind == "sgd":
                arrays[name] = x - rate * g
            elif self.kind == "adagrad":
                self.square[name] = self.square.get(name, 1) + g * g
                arrays[name] = x - rate * g / np.sqrt(self.square[name])
            else:
                self.mean[name] = 0.9 * self.mean.get(name, 0) + 0.1 * g
                self.square[name] = 0.999 * self.square.get(name, 0) + 0.001 * g * g
                mean = self.mean[name] / (1 - 0.9**self.n)
                arrays[name] = x - rate * mean / (
                    np.sqrt(self.square[name] / (1 - 0.999**self.n)) + 1e-8
                )


@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("decay", [0, 0.01])
def test_steps_are_those_of_plain_numpy(kind, decay):
    rng = np.random.default_rng(0)
    names = {"weight": (1100, 3), "one_bias": (1100,), "table": (6, 2)}
    arrays = {
        name: rng.normal(size=size).astype(np.float32) for name, size in names.items()
    }
    expected = {name: a.astype(float) for name, a in arrays.items()}
    start = 1.0 if kind == "adagrad" else 0.0
    optimizer, naive = OPTIMIZERS[kind](arrays, None, decay, start), Naive(kind, decay)
    for number in range(4):
        left = rng.normal(size=(5, 1100)).astype(np.float32)
        right = rng.normal(size=(5, 3)).astype(np.float32)
        bias = rng.normal(size=1100).astype(np.float32)
        # Adam keeps the moments of absent rows, so all occur here; the order and
        # repeats are any.
        index = np.array([3, 0, 1, 5, 2, 4, 3, 3], np.int32)
        by_row = rng.normal(size=(8, 2)).astype(np.float32)
        table = np.zeros((6, 2))
        np.add.at(table, index, by_row)
        rate = 0.1 / (1 + 0.25 * number)
        naive.step(
            rate,
            5,
            expected,
            {"weight": left.T @ right, "one_bias": bias, "table": table},
        )
        gradients = Gradients()
        gradients.product("weight", left, right)
        gradients.add("one_bias", bias)
        gradients.rows("table", 6, index, by_row)
        optimizer.step(gradients, rate, 5)
    for name, array in arrays.items():
        np.testing.assert_allclose(
            array, expected[name], rtol=1e-3, atol=2e-4, err_msg=name
        )


def test_rows_that_are_not_used_decay_and_biases_do_not():
    table, bias, left = (
        np.ones((3, 2), np.float32),
        np.ones(3, np.float32),
        np.ones((3, 2)),
    )
    parameters = {
        "vectors": table,
        "output_bias": bias,
        "left": left.astype(np.float32),
    }
    gradients = Gradients()
    one = np.array([1], np.int32), np.ones((1, 2), np.float32)
    gradients.rows("vectors", 3, *one)
    gradients.distinct_rows("left", *one)  # whose other rows are left alone
    gradients.add("output_bias", np.zeros(3, np.float32))
    Sgd(parameters, None, decay=0.1).step(gradients, 0.5, 2)
    np.testing.assert_allclose(table, [[0.9, 0.9], [0.4, 0.4], [0.9, 0.9]], rtol=1e-6)
    np.testing.assert_allclose(
        parameters["left"], [[1, 1], [0.4, 0.4], [1, 1]], rtol=1e-6
    )
    np.testing.assert_array_equal(bias, 1)


def test_rates_are_divided_by_fan_in():
    x, gradients = np.zeros(4, np.float32), Gradients()
    gradients.add("x", np.full(4, 4, np.float32))
    Sgd({"x": x}, {"x": 8}).step(gradients, 0.5)
    np.testing.assert_array_equal(x, np.float32(-0.25))


def test_inverse_rate_of_one_example_and_of_many():
    assert inverse_rate(0.5, 0.0, 10) == 0.5
    np.testing.assert_allclose(
        inverse_rate(0.5, 0.1, np.array([0, 10, 90])), [0.5, 0.25, 0.05]
    )


def test_clipping_shortens_long_gradients_only():
    assert clipped_rate(0.5, 4.0, 5.0) == 0.5
    assert clipped_rate(0.5, 10.0, 5.0) == 0.25


def test_halving_goes_by_the_epoch_before():
    schedule, rates = Halving(1.0, 1.0), []
    for cost in (100.0, 90.0, 95.0, None, 93.5, 93.0):
        schedule.end_epoch(cost)
        rates.append(schedule.rate)
    assert rates == [1, 1, 0.5, 0.5, 0.5, 0.25]
    again = Halving(1.0, 1.0)
    again.restore(schedule.state())
    schedule.end_epoch(92.9)
    again.end_epoch(92.9)
    assert again.rate == schedule.rate == 0.125
