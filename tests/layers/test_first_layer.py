import numpy as np
import pytest

from senna_py.kernels.llvm.int8_tile import WAYS, ways_of_processor
from senna_py.kernels.nn import input_sums
from senna_py.kernels.nn.input_sums import BLOCK
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.blocks import embed
from senna_py.layers.first_layer import InputRows, InputSums
from senna_py.layers.lookup import ByteRows, ChangedTable

ROWS = np.array([1, 5], np.int32)


def make(n_out, dims=(40, 9, 3), n=2 * BLOCK + 1):
    rng = np.random.default_rng((n_out, *dims))
    tables = [rng.standard_normal((50, dim)).astype(np.float32) for dim in dims]
    weight = rng.standard_normal((sum(dims), n_out)).astype(np.float32)
    bias = rng.standard_normal(n_out).astype(np.float32)
    index = rng.integers(0, 50, (n, len(dims))).astype(np.int32)
    return tables, weight, bias, index


def exact_sums(tables, weight, index):
    """The sums of integers, and the factor of each of them."""
    scales = np.abs(weight).max(axis=0) / np.float32(4095)
    numbers = np.rint(weight / scales).astype(np.int64)
    most = min(32767, (2**31 - 1) // np.abs(numbers).sum(axis=0).max())
    largest = np.float32(max(np.abs(table).max() for table in tables))
    rounded = np.rint(embed(tables, index) * (np.float32(most) / largest))
    sums = rounded.astype(np.int64) @ numbers
    assert np.abs(sums).max() < 2**31
    return sums, scales * (largest / np.float32(most))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("n_out", [1, 16, 21, 256])
@pytest.mark.parametrize("dims", [(1,), (40, 9, 3), (63, 64, 300, 700)])
def test_sums_are_exact(n_out, dims, plain):
    tables, weight, bias, index = make(n_out, dims)
    sums, scale = exact_sums(tables, weight, index)
    with fixed_kernels(plain):
        layer = InputSums(tables, weight, bias)
        assert np.array_equal(layer.over(range(len(tables)))(index), sums)
        expected = sums.astype(np.int32).astype(np.float32) * scale + bias
        found = layer(index)
        assert np.array_equal(layer(index[3:5]), expected[3:5])
        assert layer(index[:0]).shape == (0, n_out)
    assert np.array_equal(found, expected)
    floats = embed(tables, index).astype(float) @ weight + bias
    assert np.abs(found - floats).max() < 0.005 * np.sqrt(len(weight))


@pytest.mark.parametrize("plain", [False, True])
def test_sums_over_some_tables_and_over_the_others_add_up(plain):
    tables, weight, bias, index = make(21)
    with fixed_kernels(plain):
        layer = InputSums(tables, weight, bias)
        words, others = layer.over([0, 2]), layer.rows_of([1])
        sums = words(index[:, [0, 2]].copy())
        place = np.arange(len(index), dtype=np.int32)
        place[::3] = -1 - place[::3]
        rows = InputRows(place, sums, sums, index[:, 1:2], others)
        assert np.array_equal(layer(rows), layer(index))
        some = np.array([1, 5, 2])
        assert np.array_equal(layer(rows[some]), layer(index[some]))


@pytest.mark.parametrize("way", [k for k in ways_of_processor() if WAYS[k].bits == 16])
def test_the_same_by_all_instructions(way, monkeypatch):
    tables, weight, bias, index = make(33)
    expected = InputSums(tables, weight, bias)(index)
    monkeypatch.setattr(input_sums, "ways_here", lambda: [way])
    assert np.array_equal(InputSums(tables, weight, bias)(index), expected)


@pytest.mark.parametrize("of", [lambda rows: rows.astype(np.float16), ByteRows.of])
def test_tables_of_fewer_bits(of):
    (table, *tables), weight, bias, index = make(21)
    rows = of(np.concatenate([table, 5 * table[ROWS]]))
    tables = [ChangedTable(rows[:50], ROWS, rows[50:]), *tables]
    exact = embed(tables, index).astype(float) @ weight + bias
    np.testing.assert_allclose(InputSums(tables, weight, bias)(index), exact, atol=0.02)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
def test_numbers_that_are_not_finite_are_not_hidden(number, plain):
    tables, weight, bias, index = make(21)
    tables[1][7, 2] = number
    with fixed_kernels(plain):
        assert np.isnan(InputSums(tables, weight, bias)(index)).all()
    tables[1][7, 2], weight[3, 4] = 1, number
    with fixed_kernels(plain), np.errstate(invalid="ignore"):
        found = InputSums(tables, weight, bias)(index)
    assert np.isnan(found[:, 4]).all()
    assert np.isfinite(np.delete(found, 4, axis=1)).all()
