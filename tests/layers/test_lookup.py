import numpy as np
import pytest

from senna_py.layers.blocks import embed
from senna_py.layers.lookup import ByteRows, ChangedTable, dense


@pytest.mark.parametrize("store", [ByteRows.of, lambda rows: rows.astype(np.float16)])
def test_a_changed_table_is_its_rows(store):
    rng = np.random.default_rng(0)
    base, changed = (store(rng.standard_normal((n, 3))) for n in (9, 2))
    table = ChangedTable(base, np.array([2, 7], np.int32), changed)
    expected = np.array(dense(base), np.float32)
    expected[[2, 7]] = dense(changed)
    assert (table.shape, len(table)) == ((9, 3), 9)
    assert np.array_equal(dense(table), expected)
    other = rng.standard_normal((4, 2)).astype(np.float32)
    index = np.stack([rng.integers(9, size=20), rng.integers(4, size=20)], 1).astype(np.int32)
    assert np.array_equal(embed([other, table], index[:, ::-1]),
                          np.hstack([other[index[:, 1]], expected[index[:, 0]]]))  # fmt: skip
    assert dense(other) is other
