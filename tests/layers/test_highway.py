import numpy as np
import pytest

from senna_py.layers.highway import Highway, Plain, initial_highway, initial_plain
from tests.helpers.finite_differences import check_layer


@pytest.mark.parametrize("kind", [Highway, Plain])
def test_gradients(kind):
    rng, n = np.random.default_rng(0), 2 if kind is Highway else 1
    layer = kind("h", rng.normal(size=(4, 4 * n)), rng.normal(size=4 * n))
    check_layer(layer, [rng.normal(size=(5, 4))])


@pytest.mark.parametrize(("kind", "initial"), [(Highway, initial_highway), (Plain, initial_plain)])
def test_it_begins_with_small_numbers_but_for_the_gates(kind, initial):
    layer = kind("h", *initial(np.random.default_rng(0), 0.05, 30))
    weight, bias = layer.parameters().values()
    n = 60 if kind is Highway else 30
    assert (weight.shape, bias.shape) == ((30, n), (n,))
    assert weight.dtype == bias.dtype == np.float32
    bias[30:] += 2  # of the gates
    for array in (weight, bias):
        assert 0.04 < np.abs(array).max() <= 0.05 + 1e-6
        assert array.all() and abs(array.mean()) < 0.01
