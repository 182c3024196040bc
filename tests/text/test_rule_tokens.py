"""The opinion of rules about units: where they end tokens, stretch by stretch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.features.gap import gap_codes
from senna_py.features.registry import find_feature
from senna_py.text.equal_texts import group_texts
from senna_py.text.rule_tokens import RULE_KINDS, rule_ends, rule_ranges
from senna_py.text.units import find_units


def pieces(text, kind):
    """The units of a text, joined where the rules do not end a token."""
    data = text if isinstance(text, bytes) else text.encode()
    units = find_units(data, np.zeros(1, np.int32), np.array([len(data)], np.int32))
    starts = np.array([0, len(units.begin)] if len(units.begin) else [0], np.int32)
    gaps = gap_codes(units.begin, units.end, starts)
    ends = rule_ends(data, units.begin, units.end, gaps, kind)
    found, begin = [], None
    for i, j, is_end in zip(units.begin, units.end, ends, strict=True):
        begin = i if begin is None else begin
        if is_end:
            found.append(data[begin:j])
            begin = None
    assert begin is None, "the last unit of a stretch ends a token"
    return b" ".join(found).decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("BBC1, le 3ydd (Co2)", "unicode", "BBC1 , le 3ydd ( Co2 )"),
        ("l'étudiant(e) vient.", "french", "l' étudiant(e) vient ."),
        ("He (not I) paid $5.", "english", "He ( not I ) paid $ 5 ."),
        ("word", "unicode", "word"),
        ("", "unicode", ""),
    ],
)
def test_where_rules_end_tokens(text, kind, expected):
    assert pieces(text, kind) == expected


@given(
    st.text(st.sampled_from("a1B.,'- \u00e9(\u0e17"), max_size=40),
    st.sampled_from(RULE_KINDS),
)
def test_a_stretch_is_seen_alone(text, kind):
    stretches = text.split()
    alone = [pieces(stretch, kind) for stretch in stretches]
    assert pieces(text, kind) == " ".join(alone)


@given(st.binary(max_size=30), st.sampled_from(RULE_KINDS))
def test_any_bytes(data, kind):
    assert len(pieces(data, kind)) >= len(data.split())


@given(st.text(st.sampled_from("ab1,:;. "), max_size=30), st.sampled_from(RULE_KINDS))
def test_the_quick_test_agrees_with_the_rules(text, kind):
    """A word before a comma is not given to the rules, which would split it, too."""
    for stretch in text.split():
        if len(stretch) > 1 and stretch[:-1].isalpha() and stretch[-1] in ",;:":
            _, ends = rule_ranges(stretch.encode(), kind)
            assert len(stretch) - 1 in ends


def test_equal_texts():
    begin = np.array([0, 3, 6, 9], np.int32)
    first, group = group_texts(b"ab cd ab cd", begin, begin + np.int32(2))
    assert first.tolist() == [0, 1] and group.tolist() == [0, 1, 0, 1]


def test_rules_have_names():
    assert find_feature("rules.french").kind == "french"
    with pytest.raises(
        SennaError, match="no such rules: 'klingon'; there are treebank"
    ):
        find_feature("rules.klingon")
