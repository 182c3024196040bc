import numpy as np
import pytest

from senna_py.lm.nplm.optimizers import OPTIMIZERS, Optimizer


class Naive:
    """The same steps in plain NumPy, on dense gradients."""

    def __init__(self, kind, rate, decrease, decay):
        self.kind, self.rate, self.decrease, self.decay, self.n = kind, rate, decrease, decay, 0
        self.square, self.mean = {}, {}

    def step(self, example, n, arrays, gradients):
        self.n += 1
        rate = self.rate / (1 + self.decrease * example)
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
    arrays = {name: rng.normal(size=size).astype(np.float32) for name, size in names.items()}
    expected = {name: a.astype(float) for name, a in arrays.items()}
    optimizer, naive = (cls(kind, 0.1, 0.05, decay) for cls in (Optimizer, Naive))
    for number in range(4):
        left = rng.normal(size=(5, 1100)).astype(np.float32)
        right = rng.normal(size=(5, 3)).astype(np.float32)
        bias = rng.normal(size=1100).astype(np.float32)
        # Adam keeps the moments of absent rows, so all occur here; the order and repeats are any.
        index = np.array([3, 0, 1, 5, 2, 4, 3, 3], np.int32)
        by_row = rng.normal(size=(8, 2)).astype(np.float32)
        table = np.zeros((6, 2))
        np.add.at(table, index, by_row)
        naive.step(5 * number, 5, expected,
                   {"weight": left.T @ right, "one_bias": bias, "table": table})  # fmt: skip
        step = optimizer.step(5 * number, 5)
        step.product("weight", arrays["weight"], left, right)
        step.dense("one_bias", arrays["one_bias"], bias)
        step.rows("table", arrays["table"], index, by_row)
    for name, array in arrays.items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-3, atol=2e-4, err_msg=name)


def test_rows_that_are_not_used_decay_and_biases_do_not():
    optimizer = Optimizer("sgd", 0.5, 0, 0.1)
    table, bias = np.ones((3, 2), np.float32), np.ones(3, np.float32)
    step = optimizer.step(0, 2)
    step.rows("vectors", table, np.array([1], np.int32), np.ones((1, 2), np.float32))
    step.dense("output_bias", bias, np.zeros(3, np.float32))
    np.testing.assert_allclose(table, [[0.9, 0.9], [0.4, 0.4], [0.9, 0.9]], rtol=1e-6)
    np.testing.assert_array_equal(bias, 1)


def test_state_comes_back():
    optimizer = Optimizer("adam", 0.1, 0, 0)
    x = np.ones(4, np.float32)
    optimizer.step(0, 1).dense("x", x, np.full(4, 2, np.float32))
    other = Optimizer("adam", 0.1, 0, 0)
    other.restore({name: a.copy() for name, a in optimizer.arrays().items()}, optimizer.n_steps)
    y = x.copy()
    optimizer.step(1, 1).dense("x", x, np.full(4, 3, np.float32))
    other.step(1, 1).dense("x", y, np.full(4, 3, np.float32))
    np.testing.assert_array_equal(x, y)
    assert (x < 1).all()
