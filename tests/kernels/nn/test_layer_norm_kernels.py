import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn.layer_norm import normalize, normalize_rows

pytestmark = pytest.mark.usefixtures("each_way")


@given(st.integers(0, 5), st.integers(1, 200), st.integers(0, 99))
def test_rows_are_normalized(n, dim, seed):
    rng = np.random.default_rng(seed)
    x = (3 * rng.standard_normal((n, dim)) + 2).astype(np.float32)
    gain, shift = rng.standard_normal((2, dim)).astype(np.float32)
    out, normal, scale = np.empty_like(x), np.empty_like(x), np.empty(n, np.float32)
    normalize(x, gain, shift, out, normal, scale)
    exact = x.astype(float)
    expected = (exact - exact.mean(1, keepdims=True)) / np.sqrt(exact.var(1) + 1e-5)[:, None]
    np.testing.assert_allclose(normal, expected, atol=2e-3)
    np.testing.assert_allclose(out, expected * gain + shift, atol=4e-3)
    alone = np.full_like(x, np.nan)
    normalize_rows(x, gain, shift, alone)
    np.testing.assert_allclose(alone, out, atol=1e-5)
    np.testing.assert_allclose(scale, 1 / np.sqrt(exact.var(1) + 1e-5), rtol=2e-3)
