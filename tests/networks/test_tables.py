import numpy as np

from senna_py.networks.blocks import embed
from senna_py.networks.tables import ChangedTable, dense


def test_a_changed_table_is_its_rows():
    rng = np.random.default_rng(0)
    base, changed = (rng.standard_normal((n, 3)).astype(np.float16) for n in (9, 2))
    table = ChangedTable(base, np.array([2, 7], np.int32), changed)
    expected = base.astype(np.float32)
    expected[[2, 7]] = changed
    assert (table.shape, len(table)) == ((9, 3), 9)
    assert np.array_equal(dense(table), expected)
    other = rng.standard_normal((4, 2)).astype(np.float32)
    index = np.stack([rng.integers(9, size=20), rng.integers(4, size=20)], 1).astype(np.int32)
    assert np.array_equal(embed([other, table], index[:, ::-1]),
                          np.hstack([other[index[:, 1]], expected[index[:, 0]]]))  # fmt: skip
    assert dense(other) is other
