import numpy as np

from senna_py.layers.layer_norm import LayerNorm
from tests.helpers.finite_differences import check_layer


def test_gradients():
    rng = np.random.default_rng(0)
    layer = LayerNorm("norm", rng.normal(1, 0.3, 5), rng.normal(size=5))
    check_layer(layer, [rng.normal(size=(7, 5))], close=1e-5)


def test_rows_have_no_mean_and_the_variance_one():
    x = np.random.default_rng(1).normal(3, 2, (6, 50))
    out, _ = LayerNorm("norm", np.ones(50), np.zeros(50)).forward(x)
    np.testing.assert_allclose(out.mean(1), 0, atol=1e-6)
    np.testing.assert_allclose(out.var(1), 1, rtol=1e-4)
