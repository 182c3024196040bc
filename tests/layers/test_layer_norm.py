import numpy as np

from senna_py.layers.layer_norm import LayerNorm
from tests.helpers.finite_differences import check_layer


def test_gradients():
    rng = np.random.default_rng(0)
    layer = LayerNorm("norm", rng.normal(1, 0.3, 5), rng.normal(size=5))
    check_layer(layer, [rng.normal(size=(7, 5))], close=1e-5)
