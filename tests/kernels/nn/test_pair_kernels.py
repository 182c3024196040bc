import numpy as np
import pytest

from senna_py.kernels.nn.pairs import pair_units, rows_of_predicates

pytestmark = pytest.mark.usefixtures("each_way")


def test_units_of_pairs():
    rng = np.random.default_rng(0)
    firsts, seconds, table = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((4, 6), (2, 6), (5, 3))
    )
    i, j, k = (rng.integers(n, size=9).astype(np.int32) for n in (4, 2, 5))
    out = np.empty((9, 3), np.float32)
    pair_units(firsts, seconds, table, i, j, k, out)
    for t in range(9):
        a, p = np.split(firsts[i[t]].astype(float), 2)
        b, q = np.split(seconds[j[t]].astype(float), 2)
        np.testing.assert_allclose(out[t], a + b + table[k[t]] + p * q, atol=1e-5)


def test_rows_of_predicates():
    starts = np.array([0, 3, 3, 5], np.int32)
    sentence, predicate = np.array([0, 0, 2], np.int32), np.array([0, 2, 4], np.int32)
    rows = np.empty((3, 8), np.int32)
    rows_of_predicates(starts, sentence, predicate, 5, 1, *rows)
    assert rows.tolist() == [
        [0, 1, 2, 0, 1, 2, 3, 4],
        [5, 5, 5, 6, 6, 6, 7, 7],
        [1, 2, 2, 0, 0, 1, 0, 1],
    ]
