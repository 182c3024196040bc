"""Products of 8 bits: against plain NumPy, and the same bits by all ways that there are
here.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.llvm import int8_tile, matrix_tile
from senna_py.kernels.llvm.int8_tile import WAYS
from senna_py.kernels.nn.int8 import (
    BLOCK,
    linear_of_int8,
    linear_of_words,
    pack,
    round_to_words,
    ways_here,
    words_of_row,
)
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.naive_int8 import rounded_rows

EACH = pytest.mark.parametrize("way", range(len(WAYS)), ids=[way.name for way in WAYS])
SIZES = [(1, 1), (16, 16), (31, 33), (64, 32), (100, 70), (192, 800)]
EXTREME = [127, -127, 0, 126, -1]


def layer(x, numbers, scale, bias, way):
    """Outputs of a linear layer by a way of compiled kernels, or the fallbacks (-1).

    They are the same if the rows are rounded before, for several layers.
    """
    with fixed_kernels(way < 0):
        if way not in ways_here():
            pytest.skip("this processor has no such products")
        out = np.full((len(x), len(bias)), np.nan, np.float32)
        weight = pack(numbers, scale, bias, way)
        linear_of_int8(x, weight, out)
        words = np.empty(x.shape, np.float32)
        if way >= 0:
            room = np.full(
                (len(x) + BLOCK, words_of_row(x.shape[1], way)), -1, np.int32
            )
            words = room[: len(x)]
        scales, later = np.empty(len(x), np.float32), np.empty_like(out)
        round_to_words(x, 0, x.shape[1], way, words, scales)
        linear_of_words(words, scales, weight, later)
        assert np.array_equal(out, later, equal_nan=True)
    return out


def arrays(rng, n, n_in, n_out):
    """Rows of inputs of many sizes, numbers and scales of columns, and a bias."""
    x, scale, bias = (
        rng.standard_normal(s).astype(np.float32) for s in ((n, n_in), n_out, n_out)
    )
    x *= np.float32(10) ** rng.integers(-3, 4, (n, 1)).astype(np.float32)
    return x, rng.integers(-127, 128, (n_in, n_out)).astype(np.int8), scale, bias


def naive(x, numbers, scale, bias):
    """The same in double precision, of rows that are rounded by definition."""
    return (rounded_rows(x) @ numbers.astype(float)) * scale.astype(float) + bias


@EACH
@pytest.mark.parametrize(("n_in", "n_out"), SIZES)
@pytest.mark.parametrize("n", [0, 1, 33, 97, 200])
def test_a_layer_is_bias_and_scaled_products_of_rounded_numbers(way, n_in, n_out, n):
    given = arrays(np.random.default_rng(n_in), n, n_in, n_out)
    found, expected = layer(*given, way), naive(*given)
    size = (
        np.abs(rounded_rows(given[0]))
        @ np.abs(given[1].astype(float))
        * np.abs(given[2])
    )
    assert (np.abs(found - expected) <= 1e-6 * (size + np.abs(expected))).all()


@EACH
@given(st.integers(0, 99), st.integers(1, 150), st.integers(1, 40), st.booleans())
def test_all_ways_give_the_same_bits(way, seed, n_in, n_out, extreme):
    rng = np.random.default_rng(seed)
    x, numbers, scale, bias = arrays(rng, 13, n_in, n_out)
    if extreme:
        x[:] = rng.choice(np.float32(EXTREME), x.shape)
        numbers[:] = rng.choice(np.int8(EXTREME[:2]), numbers.shape)
    expected = layer(x, numbers, scale, bias, -1)
    assert np.array_equal(layer(x, numbers, scale, bias, way), expected)


@EACH
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("n_in", [1040, 1041, 5000])
def test_the_largest_sums_are_exact(way, sign, n_in):
    x = np.full((40, n_in), 2, np.float32)
    numbers = np.full((n_in, 33), sign * 127, np.int8)
    numbers[::2, 1] *= -1
    numbers[0] = sign * 126
    one, bias = np.ones(33, np.float32), np.zeros(33, np.float32)
    found = layer(x, numbers, one, bias, way)
    expected = np.float32(127 * numbers.sum(axis=0, dtype=int)) * (
        np.float32(2) / np.float32(127)
    )
    assert np.array_equal(found, np.tile(expected, (40, 1)))
    assert np.array_equal(found, layer(x, numbers, one, bias, -1))


@EACH
def test_a_row_does_not_depend_on_others(way):
    x, *weight = arrays(np.random.default_rng(1), 130, 100, 70)
    x[3], x[5, 0], x[7, -1], x[9] = 0, np.inf, np.nan, 1e-40
    with np.errstate(invalid="ignore"):
        expected = layer(x, *weight, -1)
    finite = np.isfinite(x).all(axis=1)
    assert np.isfinite(expected[finite]).all()
    for a, b in ((0, 130), (0, 1), (3, 9), (31, 130)):
        found = layer(x[a:b], *weight, way)
        assert np.array_equal(found[finite[a:b]], expected[a:b][finite[a:b]])
        assert not np.isfinite(found[~finite[a:b]]).any()


@EACH
def test_ties_are_rounded_to_even(way):
    x = np.float32([[127, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5]])
    expected = [127, 0, 2, 2, 0, -2, 126]
    eye, one = np.eye(7, dtype=np.int8), np.ones(7, np.float32)
    for each in (-1, way):
        assert layer(x, eye, one, 0 * one, each).tolist() == [expected]


def test_sizes_that_do_not_fit_are_refused():
    x, numbers, scale, bias = arrays(np.random.default_rng(0), 9, 40, 20)
    with fixed_kernels(plain=False):
        panels, correction, *others = weight = pack(numbers, scale, bias)
        out = np.empty((9, 20), np.float32)
        wide = np.zeros((9, 400), np.float32)
        for wrong in (
            (x, (panels[1:], correction, *others), out),
            (x, (panels, correction[:1], *others), out),
            (x, weight, out[1:]),
            (wide, weight, out),
        ):
            with pytest.raises(ValueError, match="do not fit"):
                linear_of_int8(*wrong)


def test_without_a_permission_there_are_no_matrices(monkeypatch):
    may_use = matrix_tile.may_use_matrix_tiles
    with monkeypatch.context() as patch:
        patch.setattr(matrix_tile, "_TILE_DATA", 63)  # which no processor has
        assert not may_use()
    with monkeypatch.context() as patch:
        patch.setattr(matrix_tile.sys, "platform", "win32")
        assert not may_use()
    with monkeypatch.context() as patch:
        patch.setattr(int8_tile, "may_use_matrix_tiles", lambda: False)
        patch.setattr(int8_tile, "has_features", lambda *_: True)
        assert sorted(int8_tile.ways_of_processor.__wrapped__()) == [
            *range(len(WAYS) - 1)
        ]


@pytest.mark.parametrize(
    ("features", "name"),
    [
        ("", "16 bits"),
        ("dotprod", "SDOT"),
        ("avx2", "AVX2"),
        ("avx2 avx512f", "AVX2, 16 bits"),
        ("avx2 avxvnni", "AVX-VNNI"),
        ("avx2 avx512f avx512vnni", "AVX-512 VNNI"),
    ],
)
def test_the_fastest_instructions_of_a_processor_are_the_last(
    features, name, monkeypatch
):
    here = set(features.split())
    monkeypatch.setattr(int8_tile, "has_features", lambda _, *some: here >= {*some})
    ways = int8_tile.ways_of_processor.__wrapped__()
    assert WAYS[ways[-1]].name == name
    # Tests compare all instructions that a processor has.
    assert {*ways} == {k for k, way in enumerate(WAYS) if here >= {*way.features}}
