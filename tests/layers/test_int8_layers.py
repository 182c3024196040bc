import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from senna_py.errors import SennaError
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.int8 import ByteColumns, Int8Weight, RoundedRows
from senna_py.layers.lookup import ByteRows
from tests.helpers.naive_int8 import rounded_columns, rounded_rows


@pytest.mark.parametrize("plain", [False, True])
def test_a_layer_rounds_inputs_and_weights_but_not_the_bias(plain):
    rng = np.random.default_rng(0)
    x, weight, bias = (
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((50, 20), (20, 70), (70,))
    )
    weight[:, 3] = 0
    with fixed_kernels(plain):
        found = Int8Weight(weight, bias)(x)
        of_strided = Int8Weight(weight, bias)(np.repeat(x, 2, axis=1)[:, ::2])
    expected = rounded_rows(x) @ rounded_columns(weight) + bias
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    assert np.array_equal(found, of_strided)


def test_fallbacks_keep_a_packed_weight_when_it_is_used_again():
    rng = np.random.default_rng(2)
    weight, bias = rng.standard_normal((20, 7)).astype(np.float32), np.zeros(7, "f4")
    x = rng.standard_normal((5, 20)).astype(np.float32)
    with fixed_kernels(plain=True):
        layer = Int8Weight(weight, bias)
        first, again, after = (layer.arrays[0] for _ in range(3))
        assert first is not again
        assert again is after
        assert np.array_equal(layer(x), Int8Weight(weight, bias)(x))


@pytest.mark.parametrize("plain", [False, True])
def test_rows_are_rounded_once_for_several_layers(plain):
    rng = np.random.default_rng(1)
    x, bias = rng.standard_normal((50, 20)).astype(np.float32), np.zeros(7, np.float32)
    some = np.array([49, 3, 3, 0])
    with fixed_kernels(plain):
        rows = RoundedRows.empty(50, 20)
        rows.round(0, x[:30])
        rows.round(30, x[30:])
        for _ in range(2):
            layer = Int8Weight(rng.standard_normal((20, 7)).astype(np.float32), bias)
            assert np.array_equal(layer(rows), layer(x))
            assert np.array_equal(layer(rows[11:49]), layer(x[11:49]))
            assert np.array_equal(layer(rows[some][1:]), layer(x[some[1:]]))


def test_each_column_of_weights_has_its_scale():
    weight = np.float32([[1, -3, 0], [-2, 1.5, 0]])
    found = ByteColumns.of(weight)
    assert (found.numbers.dtype, found.scales.dtype, found.shape) == (
        np.int8,
        np.float32,
        (2, 3),
    )
    assert found.numbers.tolist() == [[64, -127, 0], [-127, 64, 0]]
    np.testing.assert_allclose(found.scales, [2 / 127, 3 / 127, 1], rtol=1e-7)
    np.testing.assert_allclose(found.dense(), [[1, -3, 0], [-2, 1.5, 0]], atol=3 / 254)
    assert ByteColumns.of(found) is found


def same(one, other):
    return np.array_equal(one.numbers, other.numbers) and np.array_equal(
        one.scales, other.scales
    )


SHAPES = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=5)
ANY = arrays.arrays(
    np.float32, SHAPES, elements=st.floats(-65504, 65504, width=32) | st.just(0.0)
)


@given(ANY)
def test_rounding_again_changes_nothing(weight):
    once = ByteColumns.of(weight)
    assert same(ByteColumns.of(once.dense()), once)
    assert once.checked() is once
    large = np.abs(once.dense()).max(axis=0, initial=0) > 2.0**-13
    once = ByteColumns(once.numbers[:, large], once.scales[large])
    assert same(ByteColumns.of(once.dense().astype(np.float16)), once)


@given(ANY)
def test_numbers_are_near(weight):
    found = ByteColumns.of(weight)
    most = np.abs(weight).max(axis=0, initial=0)
    assert (np.abs(found.dense() - weight) <= most / 253 + 2.0**-119).all()


@given(ANY)
def test_weights_side_by_side(weight):
    twice = np.concatenate([weight, weight[:, ::-1]], axis=1)
    joined = ByteColumns.joined([ByteColumns.of(weight), weight[:, ::-1]])
    assert same(joined, ByteColumns.of(twice))


def test_a_column_that_is_not_finite():
    found = ByteColumns.of(np.float32([[1, np.inf, np.nan], [2, 1, 1]]))
    assert found.numbers.tolist() == [[64, 0, 0], [127, 0, 0]]
    assert np.isfinite(found.scales).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("numbers", "scales", "problem"),
    [
        (
            np.ones((4, 2)),
            np.ones(3),
            r"float32\[3\], for int8\[4, 2\]: expected a float32 for each",
        ),
        (np.ones(2), np.ones(0), r"float32\[0\], for int8\[2\]"),
        (np.ones((4, 2)), [1, -1], "negative, too large or not finite"),
        (np.ones((4, 2)), [1, np.nan], "negative, too large or not finite"),
        (np.ones((4, 2)), [516, 1], "negative, too large or not finite"),
        (np.full((4, 2), -128), [1, 1], "it scales numbers below -127"),
    ],
)
def test_what_is_wrong_with_a_weight(numbers, scales, problem):
    weight = ByteColumns(np.int8(numbers), np.float32(scales))
    with pytest.raises(SennaError, match=problem):
        weight.checked()


# A thread that was there before the permission, one after it, and a child process.
RUN = """
import os, threading
import numpy as np
ready = threading.Event()
def run():
    from senna_py.layers.int8 import Int8Weight
    x = np.ones((40, 40), np.float32)
    found.append(Int8Weight(x, x[0])(x))
found = []
early = threading.Thread(target=lambda: (ready.wait(), run()))
early.start()
run()
ready.set()
early.join()
late = threading.Thread(target=run)
late.start()
late.join()
child = os.fork() if hasattr(os, "fork") else None
if child != 0:
    assert child is None or os.waitpid(child, 0)[1] == 0
else:
    run()
assert len(found) == (3 if child != 0 else 4) and all(abs(each - 41).max() < 1e-4 for each in found)
"""


@pytest.mark.process
def test_threads_and_child_processes_may_use_what_the_process_may(tmp_path):
    # Elsewhere, so that a checkout does not take the place of the installed package.
    subprocess.run([sys.executable, "-c", RUN], check=True, cwd=tmp_path)


shapes = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=5)
MOST = 2.0**127
any_rows = arrays.arrays(
    np.float32, shapes, elements=st.floats(-MOST, MOST, width=32) | st.just(0.0)
)
usual_rows = arrays.arrays(
    np.float32,
    shapes,
    elements=st.floats(2.0**-13, 2.0**15, width=32).map(
        lambda x: np.float32(x) - np.float32(1)
    ),
)


def naive(row):
    """Numbers and scale of a row, one by one; only divisions are in single
    precision.
    """
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
def test_numbers_of_rows_are_near(rows):
    found = ByteRows.of(rows)
    dense = found.dense()
    assert dense.dtype == np.float32 and np.isfinite(dense).all()
    # Exactly.
    assert np.array_equal(dense, found.numbers.astype(float) * found.scales[:, None])
    bound = found.scales.astype(float)[:, None] / 2 * (1 + 1e-6) + 127 * 2.0**-126
    assert (np.abs(dense.astype(float) - rows) <= bound).all()
    largest = np.abs(found.numbers.astype(int)).max(axis=1, initial=0)
    assert np.array_equal(
        largest, np.where((found.scales > 0) & (rows.shape[1] > 0), 127, 0)
    )


@given(any_rows)
def test_rounding_rows_again_changes_nothing(rows):
    once = ByteRows.of(rows)
    assert same(ByteRows.of(once.dense()), once)
    assert not once.differs(ByteRows.of(once.dense())).any()


@given(usual_rows)
def test_nor_does_float16_in_between_rows(rows):
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
    assert ByteRows.of(after).moved(ByteRows.of(before)).tolist() == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("scales", "problem"),
    [
        (
            np.ones(3, np.float32),
            r"float32\[3\], for int8\[2, 4\]: expected a float32 for each",
        ),
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
