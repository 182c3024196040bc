"""Numbers in files: by one rule."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.io.numbers import float_of, floats_of, int_of

NO_NUMBERS = ["", " 1", "1 ", "1_0", "１", "٣", "x", "0x10", "1\n", "--1", "1" * 18 + "_1"]


@pytest.mark.parametrize("text", [*NO_NUMBERS, "-1", "+1", "1.0", "1" * 19, "9" * 5000])
def test_no_whole_numbers(text):
    for field in (text, text.encode()):
        with pytest.raises(ValueError):
            int_of(field)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_no_numbers(text):
    for field in (text, text.encode()):
        with pytest.raises(ValueError):
            float_of(field)
    with pytest.raises(ValueError):
        floats_of([b"1", text.encode(), b"2"])


@given(st.integers(0, 10**18 - 1))
def test_whole_numbers(number):
    assert int_of(str(number)) == int_of(str(number).encode()) == number


@given(st.lists(st.floats(allow_nan=False)))
def test_numbers(numbers):
    assert floats_of([str(number).encode() for number in numbers]) == numbers
    assert [float_of(str(number)) for number in numbers] == numbers


def test_numbers_that_are_not_finite():
    assert math.isnan(float_of("nan"))
    assert float_of(b"-inf") == -math.inf
    assert float_of("9" * 5000) == math.inf
