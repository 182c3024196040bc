"""Products of bfloat16: against plain NumPy, and the same bits by all ways that there are here."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from senna_py.kernels.llvm import matrix_tile
from senna_py.kernels.llvm.bfloat16 import linear_of_words, ways_here
from senna_py.kernels.llvm.bfloat16_words import (
    MATRICES,
    NUMBERS,
    PAIRS,
    pack_weight,
    round_rows,
)
from senna_py.kernels.runtime.jit import plain_way, runs_plain
from tests.helpers.naive_bfloat16 import rounded

SPECIAL = [
    0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.4e38, -3.4e38, 1.17e-38, -1.17e-38, 1.1755e-38,
    1e-40, -1e-45, 1.00390625, 1.01171875, 1.0039063, -257.0, 255.5,
]  # fmt: skip
WAYS = pytest.mark.parametrize("way", [NUMBERS, PAIRS, MATRICES], ids=["one", "two", "matrix"])
EACH_WAY = pytest.mark.usefixtures("each_way")


def need(way):
    """Skip a test of a way that this processor, or this system, does not have."""
    if way not in ways_here():
        pytest.skip("this processor has no such products")


def numbers_of(words, n, dim, way):
    """The rows of `round_rows` as float32[n, dim]."""
    if runs_plain():
        return words.view(np.float32)[:, :dim]
    words = words[:n]
    if way == NUMBERS:
        return words.view(np.float32)[:, :dim]
    low, high = words << np.uint32(16), words & np.uint32(0xFFFF0000)
    if way == PAIRS:
        found = np.stack([high, low], axis=2)
    else:
        found = np.stack([half.reshape(n, -1, 16) for half in (low, high)], axis=2)
    return np.ascontiguousarray(found).reshape(n, -1).view(np.float32)[:, :dim]


def layer(x, weight, bias, way):
    """Outputs of a linear layer of rounded rows and weights."""
    packed, out = (
        pack_weight(weight, bias, len(weight), way),
        np.full((len(x), len(bias)), np.nan, np.float32),
    )
    linear_of_words(round_rows(x, way), len(x), packed, out)
    return out


def arrays(rng, n, n_in, n_out):
    shapes = (n, n_in), (n_in, n_out), (n_out,)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def same(a, b):
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a), np.signbit(b))


@EACH_WAY
@WAYS
@given(st.lists(st.floats(width=32), min_size=1, max_size=70), st.integers(1, 3))
@example(SPECIAL, 1)
def test_rows_are_rounded_to_the_nearest(way, values, n):
    need(way)
    x = np.array(values * n, np.float32).reshape(n, -1)
    found = numbers_of(round_rows(x, way), n, x.shape[1], way)
    assert np.array_equal(found, rounded(x), equal_nan=True)
    number = ~np.isnan(x)
    assert np.array_equal(np.signbit(found[number]), np.signbit(x[number]))


@EACH_WAY
@WAYS
@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (16, 16), (31, 33), (32, 32), (100, 70)])
@pytest.mark.parametrize("n", [0, 1, 33, 97, 200])
def test_a_layer_is_bias_and_products_of_rounded_numbers(way, n_in, n_out, n):
    need(way)
    x, weight, bias = arrays(np.random.default_rng(n_in), n, n_in, n_out)
    expected = bias + rounded(x).astype(float) @ rounded(weight).astype(float)
    np.testing.assert_allclose(layer(x, weight, bias, way), expected, rtol=1e-5, atol=1e-5)


def in_order(x, weight, bias):
    """One sum as documented, with sums of exact products rounded once."""
    total = np.float32(bias)
    x, weight = (np.pad(rounded(a), (0, -len(a) % 32)).astype(float) for a in (x, weight))
    for step in range(0, len(x), 32):
        halves = []
        for half in (step, step + 16):
            partial = np.float32(0)
            for k in range(half, half + 16):
                # Exact in double precision for numbers of similar size.
                partial = np.float32(partial + x[k] * weight[k])
            halves.append(partial)
        total = total + (halves[0] + halves[1])
    return total


@WAYS
@pytest.mark.parametrize("n_in", [5, 16, 40, 96, 100])
def test_sums_are_added_in_the_order_that_is_documented(way, n_in):
    need(way)
    rng = np.random.default_rng(n_in)
    x, weight, bias = arrays(rng, 100, n_in, 40)
    x, weight = x + np.sign(x), weight + np.sign(weight)  # none is small, so all sums are exact
    with plain_way(False):
        found = layer(x, weight, bias, way)
    for t, j in ((0, 0), (1, 39), (57, 17), (99, 32)):
        assert found[t, j] == in_order(x[t], weight[:, j], bias[j])


@WAYS
@pytest.mark.parametrize(("n_in", "n_out"), [(1, 1), (32, 32), (100, 70), (192, 800)])
def test_all_ways_give_the_same_bits_to_a_row_in_any_batch(way, n_in, n_out):
    need(way)
    x, weight, bias = arrays(np.random.default_rng(n_out), 130, n_in, n_out)
    x[3], x[5, 0], x[7, -1] = 0, np.inf, np.nan
    with plain_way(False):
        expected = layer(x, weight, bias, NUMBERS)
        assert same(layer(x, weight, bias, way), expected)
        for a, b in ((0, 1), (3, 9), (31, 130)):
            assert same(layer(x[a:b], weight, bias, way), expected[a:b])


@WAYS
def test_values_that_are_no_numbers_or_tiny(way):
    need(way)
    x = np.array(SPECIAL, np.float32)[:, None] * np.ones(3, np.float32)
    weight = np.eye(3, dtype=np.float32)
    weight[1:] = 0
    bias = np.zeros(3, np.float32)
    with plain_way(False), np.errstate(invalid="ignore"):
        found = layer(x, weight, bias, way)[:, 0]
    expected = rounded(x)[:, 0] + 0
    expected[~np.isfinite(expected)] = np.nan  # their products with the zeros
    finite = np.isfinite(expected)
    assert np.array_equal(found[finite], expected[finite])
    assert not np.isfinite(found[~finite]).any()


def test_sizes_that_do_not_fit_are_refused():
    x, weight, bias = arrays(np.random.default_rng(0), 9, 40, 20)
    with plain_way(False):
        words, packed = round_rows(x, NUMBERS), pack_weight(weight, bias, 40, NUMBERS)
        panels, *others, sums = packed
        out = np.empty((9, 20), np.float32)
        for wrong in (
            (words[:9], 9, packed, out),
            (words, 9, (panels[1:], *others, sums), out),
            (words, 9, (panels, *others, sums[1:]), out),
            (words, 9, packed, out[1:]),
        ):
            with pytest.raises(ValueError, match="do not fit"):
                linear_of_words(*wrong)


def test_the_plain_way_multiplies_numbers():
    with plain_way():
        assert ways_here() == [NUMBERS]


def test_without_a_permission_there_are_no_matrices(monkeypatch):
    may_use = matrix_tile.may_use_matrix_tiles.__wrapped__
    with monkeypatch.context() as patch:
        patch.setattr(matrix_tile, "_TILE_DATA", 63)  # which no processor has
        assert not may_use()
    with monkeypatch.context() as patch:
        patch.setattr(matrix_tile.sys, "platform", "win32")
        assert not may_use()
