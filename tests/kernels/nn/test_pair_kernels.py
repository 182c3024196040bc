import numpy as np
import pytest

from senna_py.kernels.nn.pairs import pair_units

pytestmark = pytest.mark.usefixtures("each_way")


@pytest.mark.parametrize("n_rows", [1, 3])
def test_units_of_pairs(n_rows):
    rng = np.random.default_rng(0)
    firsts, seconds, table = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((4, 6), (2, 6), (5, 3))
    )
    i, j = (rng.integers(n, size=9).astype(np.int32) for n in (4, 2))
    k = rng.integers(5, size=(9, n_rows)).astype(np.int32)
    out = np.empty((9, 3), np.float32)
    pair_units(firsts, seconds, table, i, j, k, out)
    for t in range(9):
        a, p = np.split(firsts[i[t]].astype(float), 2)
        b, q = np.split(seconds[j[t]].astype(float), 2)
        np.testing.assert_allclose(out[t], a + b + table[k[t]].sum(axis=0) + p * q, atol=1e-5)
