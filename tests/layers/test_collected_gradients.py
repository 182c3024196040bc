import numpy as np
import pytest

from senna_py.layers.gradients import Gradients, Weighted
from senna_py.training.optimizers import Sgd
from tests.helpers.finite_differences import whole_gradients


def float32(numbers):
    """Rows of the type for which kernels are compiled."""
    return np.array(numbers, np.float32)


def test_norm_and_steps_of_gradients():
    gradients = Gradients()
    gradients.add("a", float32([3, 0]))
    gradients.rows("b", 3, np.array([2, 0, 2], np.int32), float32([[1], [0], [3]]))
    assert gradients.norm() == 5
    parameters = {"a": np.ones(2, np.float32), "b": np.ones((3, 1), np.float32)}
    Sgd(parameters, None).step(gradients, 0.5)
    assert parameters["a"].tolist() == [-0.5, 1] and parameters["b"].ravel().tolist() == [1, 1, -1]


def test_gradients_as_whole_arrays():
    rng = np.random.default_rng(0)
    left, right, more = rng.normal(size=(5, 3)), rng.normal(size=(5, 2)), rng.normal(size=(3, 2))
    gradients = Gradients()
    gradients.product("matrix", left, right)
    gradients.add("matrix", more)
    gradients.distinct_rows("bias", np.array([2, 0], np.int32), np.array([1.0, 5.0]))
    index = np.array([1, 1, 0], np.int32)
    for n_rows in (2, 9, 2):  # scratch is kept, and grows
        gradients.rows(f"table {n_rows}", n_rows, index, np.ones((3, 2), np.float32))
    parameters = {"matrix": more, "bias": np.zeros(3), "other": np.zeros(1)}
    parameters |= {"table 2": np.zeros((2, 2)), "table 9": np.zeros((9, 2))}
    found = whole_gradients(gradients, parameters)
    np.testing.assert_allclose(found["matrix"], left.T @ right + more)
    assert found["bias"].tolist() == [5, 0, 1] and found["other"].tolist() == [0]
    assert found["table 9"][:3].tolist() == [[1, 1], [2, 2], [0, 0]]
    assert found["table 2"].tolist() == [[2, 2], [4, 4]]


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_of_one_of_several_costs(weight):
    gradients = Gradients()
    gradients.add("one", np.ones(2))
    sink = Weighted(gradients, weight, {"a": "one", "b": "b", "c": "task/c"})
    sink.add("a", np.full(2, 2.0))
    sink.product("b", np.ones((1, 2)), np.ones((1, 3)))
    sink.rows("c", 3, np.array([2], np.int32), float32([[4]]))
    parameters = {"one": np.zeros(2), "b": np.zeros((2, 3)), "task/c": np.zeros((3, 1))}
    found = whole_gradients(gradients, parameters)
    assert found["one"].tolist() == [1 + 2 * weight] * 2 and found["b"].sum() == 6 * weight
    assert found["task/c"].ravel().tolist() == [0, 0, 4 * weight]
