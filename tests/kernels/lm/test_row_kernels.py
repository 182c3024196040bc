import numpy as np

from senna_py.kernels.lm.rows import add_scaled, dot


def test_rows_are_those_of_plain_numpy():
    x, y = np.random.default_rng(0).normal(size=(2, 37)).astype(np.float32)
    np.testing.assert_allclose(dot(x, y), x @ y, rtol=1e-5)
    total = y.copy()
    add_scaled(total, np.float32(0.3), x)
    np.testing.assert_allclose(total, y + np.float32(0.3) * x, rtol=1e-5)
