"""Units are runs of letters or digits, and other single characters, with their marks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.text.units import LabelMeanings, find_units, unit_label


def units(text):
    data = text if isinstance(text, bytes) else text.encode()
    begin, end, counts = find_units(
        data, np.zeros(1, np.int32), np.array([len(data)], np.int32)
    )
    assert counts.tolist() == [len(begin)]
    return [
        data[i:j].decode("utf-8", "replace") for i, j in zip(begin, end, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop", "Don ' t stop"),
        ("12.5km", "12 . 5 km"),
        ("nai\u0308ve", "nai\u0308ve"),
        ("- \u0301a", "- \u0301 a"),
        ("...", ". . ."),
        ("ที่ดี", "ที่ ดี"),
        ("東京へgo", "東 京 へ go"),
        ("👩\u200d🚀 ❤\ufe0f", "👩\u200d 🚀 ❤\ufe0f"),
        ("한국어", "한국어"),
        (b"a\xff\xfeb", "a \ufffd \ufffd b"),
        (" \u3000\n", ""),
    ],
)
def test_units_of_a_text(text, expected):
    assert units(text) == expected.split()


@given(st.binary(max_size=30) | st.text(max_size=30).map(str.encode))
def test_units_and_white_space_are_the_text(data):
    ranges = np.zeros(1, np.int32), np.array([len(data)], np.int32)
    with fixed_kernels(plain=False):
        compiled = find_units(data, *ranges)
    with fixed_kernels(plain=True):
        plain = find_units(data, *ranges)
    for one, other in zip(compiled, plain, strict=True):
        np.testing.assert_array_equal(one, other)
    bounds = np.stack([compiled.begin, compiled.end], axis=1).ravel().tolist()
    assert bounds == sorted(bounds) and (compiled.begin < compiled.end).all()
    gaps = zip([0, *bounds[1::2]], [*bounds[::2], len(data)], strict=True)
    for begin, end in gaps:
        assert not data[begin:end].decode("utf-8", "surrogateescape").strip()


def test_ranges_are_apart():
    data = b"ab cd\nef"
    begin, end = np.array([[0, 6], [5, 8]], np.int32)
    found = find_units(data, begin, end)
    assert found.begin.tolist() == [0, 3, 6] and found.counts.tolist() == [2, 1]


def test_labels_mean_what_they_were_made_of():
    for flags in [(False, False), (False, True), (True, False), (True, True)]:
        meanings = LabelMeanings.of(["I", unit_label(*flags)])
        assert [array.tolist() for array in meanings] == [
            [False, True],
            *([False, flag] for flag in flags),
        ]
