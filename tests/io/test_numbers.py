"""Values in files: numbers by one rule, and JSON no deeper than it may be."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.io.nesting import DEEPEST, json_text, parse_json
from senna_py.io.numbers import float_of, floats_of, int_of

NO_NUMBERS = [
    "",
    " 1",
    "1 ",
    "1_0",
    "１",
    "٣",
    "x",
    "0x10",
    "1\n",
    "--1",
    "1" * 18 + "_1",
]


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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NaN", "NaN is not a value of JSON"),
        ('{"a": [-Infinity]}', "-Infinity is not a value of JSON"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than 64 deep"),
        ("[" * 100_000, "nested more than 64 deep"),
        ("[" + "9" * 5000 + "]", "a number of 5,000 digits"),
    ],
)
def test_what_is_not_read(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_json(text)


def test_numbers_that_json_lacks_are_null():
    value = {
        "a": [1.5, math.nan, (math.inf,)],
        "b": {"c": -math.inf, "d": "NaN"},
        "e": 2,
    }
    expected = {"a": [1.5, None, [None]], "b": {"c": None, "d": "NaN"}, "e": 2}
    assert json.loads(json_text(value), parse_constant=pytest.fail) == expected
    assert json_text({"é": 1}, ensure_ascii=False) == '{"é": 1}'
