import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from senna_py.errors import SennaError
from senna_py.layers.lookup import ByteRows

shapes = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=5)
MOST = 2.0**127
any_rows = arrays.arrays(
    np.float32, shapes, elements=st.floats(-MOST, MOST, width=32) | st.just(0.0)
)
usual_rows = arrays.arrays(
    np.float32,
    shapes,
    elements=st.floats(2.0**-13, 2.0**15, width=32).map(lambda x: np.float32(x) - np.float32(1)),
)


def same(one, other):
    return np.array_equal(one.numbers, other.numbers) and np.array_equal(one.scales, other.scales)


def naive(row):
    """Numbers and scale of a row, one by one; only divisions are in single precision."""
    ideal = float(max(map(abs, row), default=np.float32(0)) / np.float32(127))
    if ideal == 0:
        return [0] * len(row), 0.0
    unit = 2.0 ** (math.frexp(ideal)[1] - 9)  # the last of nine bits
    scale = round(ideal / unit) * unit
    return [round(float(x / np.float32(scale))) for x in row], scale


@given(usual_rows)
def test_rows_are_rounded(rows):
    found = ByteRows.of(rows)
    assert (found.numbers.dtype, found.scales.dtype) == (np.int8, np.float32)
    assert found.shape == rows.shape
    for row, numbers, scale in zip(rows, found.numbers, found.scales, strict=True):
        assert (numbers.tolist(), scale) == naive(row)


@given(any_rows)
def test_numbers_are_near(rows):
    found = ByteRows.of(rows)
    dense = found.dense()
    assert dense.dtype == np.float32 and np.isfinite(dense).all()
    assert np.array_equal(dense, found.numbers.astype(float) * found.scales[:, None])  # exactly
    bound = found.scales.astype(float)[:, None] / 2 * (1 + 1e-6) + 127 * 2.0**-126
    assert (np.abs(dense.astype(float) - rows) <= bound).all()
    largest = np.abs(found.numbers.astype(int)).max(axis=1, initial=0)
    assert np.array_equal(largest, np.where((found.scales > 0) & (rows.shape[1] > 0), 127, 0))


@given(any_rows)
def test_rounding_again_changes_nothing(rows):
    once = ByteRows.of(rows)
    assert same(ByteRows.of(once.dense()), once)
    assert not once.differs(ByteRows.of(once.dense())).any()


@given(usual_rows)
def test_nor_does_float16_in_between(rows):
    once = ByteRows.of(rows)
    once = once[np.abs(once.dense()).max(axis=1, initial=0) > 2.0**-13]
    assert same(ByteRows.of(once.dense().astype(np.float16)), once)


def test_rows_that_differ():
    one = ByteRows.of(np.array([[1, 2], [3, 4], [5, 6]], np.float32))
    other = ByteRows.of(np.array([[1, 2], [6, 8], [6, 5]], np.float32))
    assert np.array_equal(one[[1]].numbers, other[[1]].numbers)
    assert one.differs(other).tolist() == [False, True, True]


def test_rows_that_have_moved():
    before = np.array([[100, 0], [100, 0], [0, 0], [0, 0]], np.float32)
    after = np.array([[105, 0], [107, 0], [0.1, 0], [0, 0]], np.float32)
    assert ByteRows.of(after).moved(ByteRows.of(before)).tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("scales", "problem"),
    [
        (np.ones(3, np.float32), r"float32\[3\], for int8\[2, 4\]: expected a float32 for each"),
        (np.ones((2, 1), np.float32), r"float32\[2, 1\], for int8"),
        (np.ones(2, np.float16), r"float16\[2\], for int8"),
        (np.array([1, np.nan], np.float32), "negative, too large or not finite"),
        (np.array([1, np.inf], np.float32), "negative, too large or not finite"),
        (np.array([1, 3e36], np.float32), "negative, too large or not finite"),
        (np.array([1, -1], np.float32), "negative, too large or not finite"),
    ],
)
def test_what_is_wrong_with_scales(scales, problem):
    rows = ByteRows(np.full((2, 4), -128, np.int8), scales)
    with pytest.raises(SennaError, match=problem):
        rows.checked()


def test_scales_that_are_usable():
    rows = ByteRows(np.full((2, 4), -128, np.int8), np.array([0, 2.6e36], np.float32))
    assert rows.checked() is rows
    assert np.isfinite(rows.dense()).all()
