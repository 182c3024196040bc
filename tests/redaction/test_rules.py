"""What rules find in text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.redaction.findings import Finding, without_overlaps
from senna_py.redaction.rules import find_by_rules
from senna_py.redaction.type_names import OF_RULES


def found(text):
    findings = without_overlaps(text, find_by_rules(text, OF_RULES))
    return [(finding.type, text[finding.start : finding.end]) for finding in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mail ann.lee+x@mail.example.org.", [("EMAIL", "ann.lee+x@mail.example.org")]),
        (
            "<jörg@straße.de>, a@b.org",
            [("EMAIL", "jörg@straße.de"), ("EMAIL", "a@b.org")],
        ),
        (
            "See https://example.org/a_(b)?c=d#e.",
            [("URL", "https://example.org/a_(b)?c=d#e")],
        ),
        ("(see www.example.org/x)", [("URL", "www.example.org/x")]),
        ("at example.com, e.g. here", [("URL", "example.com")]),
        ("card 4111 1111 1111 1111 12/25", [("CARD", "4111 1111 1111 1111")]),
        ("card 4111-1111-1111-1111.", [("CARD", "4111-1111-1111-1111")]),
        ("order 4111 1111 1111 1112", []),
        (
            "iban DE89 3704 0044 0532 0130 00, BIC",
            [("IBAN", "DE89 3704 0044 0532 0130 00")],
        ),
        ("de89370400440532013000", [("IBAN", "de89370400440532013000")]),
        ("DE89 3704 0044 0532 0130 02", []),
        ("from 192.168.0.1:80 to fe80::1", [("IP", "192.168.0.1"), ("IP", "fe80::1")]),
        ("version 1.2.3.4.5, 300.1.1.1, 10:11:12, std::vector", []),
        ("SSN 078-05-1120", [("SSN", "078-05-1120")]),
        ("her social security number is 078 05 1120", [("SSN", "078 05 1120")]),
        ("id 000-12-3456", []),
        ("+49 (0)30 1234567", [("PHONE", "+49 (0)30 1234567")]),
        ("+1-212-555-0187 ext. 12!", [("PHONE", "+1-212-555-0187 ext. 12")]),
        ("(212) 555-0187", [("PHONE", "(212) 555-0187")]),
        ("020 7946 0958", [("PHONE", "020 7946 0958")]),
        ("01 23 45 67 89", [("PHONE", "01 23 45 67 89")]),
        ("Tel.: 555-0187", [("PHONE", "555-0187")]),
        ("on 2012-05-03, 03/05/2012 or 03-05-2012", []),
        ("pages 212-555, 1,000,000 or 0.123456789", []),
        ("call by 03/05/2012", []),
    ],
)
def test_what_is_found(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize("around", ["{}", "😀 {} 😀", "\u2028{}\r\n", "«{}»"])
def test_characters_around_do_not_matter(around):
    for text in ("a.b@example.org", "https://example.org", "+49 30 1234567"):
        assert [each for _, each in found(around.format(text))] == [text]


@given(st.text("0123456789 .-/()+@:a\n", max_size=60))
def test_findings_are_ranges_of_one_line(text):
    for start, end, _ in find_by_rules(text, OF_RULES):
        assert 0 <= start < end <= len(text)
        assert "\n" not in text[start:end]


@given(st.lists(st.text("0123 .-@a:", max_size=30), max_size=4))
def test_lines_do_not_influence_each_other(lines):
    alone = [each for line in lines for each in found(line)]
    assert found("\n".join(lines)) == alone


@pytest.mark.parametrize(
    "piece", ["1 ", "1", "a@", "a.", "www.", "::1", "0 ", "+1", "AA11"]
)
def test_long_texts_take_linear_time(piece):
    find_by_rules(piece * 20_000, OF_RULES)


RANGES = st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from("AB"))


@given(st.lists(RANGES, max_size=8))
def test_findings_that_overlap(ranges):
    text = "abcd efgh. " * 3
    findings = [Finding(start, start + n, name) for start, n, name in ranges]
    chosen = without_overlaps(text, findings)
    assert chosen == sorted(chosen)
    for one, other in pairwise(chosen):
        assert one.end <= other.start
    covered = {i for each in chosen for i in range(each.start, each.end)}
    meant = {i for each in findings for i in range(each.start, each.end)}
    assert covered <= meant
    assert {i for i in meant if text[i].isalpha()} <= covered
