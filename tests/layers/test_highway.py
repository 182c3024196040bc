import numpy as np
import pytest

from senna_py.layers.highway import Highway, Plain
from tests.helpers.finite_differences import check_layer


@pytest.mark.parametrize("kind", [Highway, Plain])
def test_gradients(kind):
    rng, n = np.random.default_rng(0), 2 if kind is Highway else 1
    layer = kind("h", rng.normal(size=(4, 4 * n)), rng.normal(size=4 * n))
    check_layer(layer, [rng.normal(size=(5, 4))])
