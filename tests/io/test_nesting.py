"""JSON that is read and written: no deeper than it may be, and nothing but JSON."""

import json
import math

import pytest

from senna_py.io.nesting import DEEPEST, json_text, parse_json


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NaN", "NaN is no value of JSON"),
        ('{"a": [-Infinity]}', "-Infinity is no value of JSON"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than 64 deep"),
        ("[" * 100_000, "nested more than 64 deep"),
        ("[" + "9" * 5000 + "]", "a number of 5,000 digits"),
    ],
)
def test_what_is_not_read(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_json(text)


def test_numbers_that_json_lacks_are_null():
    value = {"a": [1.5, math.nan, (math.inf,)], "b": {"c": -math.inf, "d": "NaN"}, "e": 2}
    expected = {"a": [1.5, None, [None]], "b": {"c": None, "d": "NaN"}, "e": 2}
    assert json.loads(json_text(value), parse_constant=pytest.fail) == expected
    assert json_text({"é": 1}, ensure_ascii=False) == '{"é": 1}'
