import numpy as np
import pytest

from senna_py.layers.blocks import embed
from senna_py.layers.byte_rows import ByteRows
from senna_py.layers.lookup import ChangedTable, SpelledTable, dense, with_rows
from tests.helpers.random_networks import window_network


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


def test_a_spelled_table_has_the_rows_of_a_batch():
    rng = np.random.default_rng(0)
    network = window_network(rng, 3, [7, 4], [2, 3], 5, 4)
    empty = SpelledTable(3)
    assert (empty.shape, len(empty), dense(empty).any()) == ((1, 3), 1, False)
    network.tables[1] = empty
    assert with_rows(network, {}) is network
    rows = rng.standard_normal((6, 3)).astype(np.float32)
    filled = with_rows(network, {1: rows})
    assert network.tables[1] is empty
    index = np.array([[0, 5], [6, 0], [2, 5]], np.int32)
    expected = np.hstack([network.tables[0][index[:, 0]], rows[index[:, 1]]])
    assert np.array_equal(embed(filled.tables, index), expected)


def test_rows_of_another_batch_are_refused():
    out = np.empty((2, 3), np.float32)
    SpelledTable(3).lookup(np.zeros(2, np.int32), out, 0)
    with pytest.raises(IndexError, match="with_rows"):
        SpelledTable(3).lookup(np.array([0, 1], np.int32), out, 0)
