"""Checks of numbers by their digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.redaction.checks import fulfills_luhn, is_card, is_iban, is_ssn

CARDS = ["4111111111111111", "5555555555554444", "378282246310005", "30569309025904"]
IBANS = ["DE89370400440532013000", "GB29NWBK60161331926819", "NO9386011117947"]


@pytest.mark.parametrize("digits", CARDS)
def test_card_numbers(digits):
    assert is_card(digits)
    wrong = str((int(digits[-1]) + 1) % 10)
    assert not is_card(digits[:-1] + wrong)


@given(st.text("0123456789", min_size=1, max_size=30))
def test_exactly_one_check_digit_fulfills_luhn(digits):
    fulfilling = [last for last in "0123456789" if fulfills_luhn(digits + last)]
    assert len(fulfilling) == 1


@given(st.text("0123456789", min_size=2, max_size=18), st.data())
def test_luhn_notices_each_wrong_digit(digits, data):
    number = next(n for n in (digits + d for d in "0123456789") if fulfills_luhn(n))
    place = data.draw(st.integers(0, len(number) - 1))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != number[place]]))
    assert not fulfills_luhn(number[:place] + other + number[place + 1 :])


@pytest.mark.parametrize("digits", ["0" * 16, "1234567812345670", "411111111111"])
def test_numbers_that_no_card_has(digits):
    assert not is_card(digits)


@pytest.mark.parametrize("text", IBANS)
def test_ibans(text):
    assert is_iban(text)
    assert not is_iban(text[:-1])
    assert not is_iban(text[:-1] + str((int(text[-1]) + 1) % 10))
    assert not is_iban("XX" + text[2:])


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        ("078051120", True),
        ("000123456", False),
        ("666123456", False),
        ("912345678", False),
        ("123004567", False),
        ("123450000", False),
        ("12345678", False),
    ],
)
def test_social_security_numbers(digits, expected):
    assert is_ssn(digits) == expected
