"""Checks of numbers by their digits."""

from __future__ import annotations

# The countries whose IBANs have each length, by the register of ISO 13616.
_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO FK GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_IBAN_LENGTHS = {
    country: length
    for length, countries in _COUNTRIES.items()
    for country in countries.split()
}
_SHORTEST_CARD, _LONGEST_CARD = 13, 19


def is_card(digits: str) -> bool:
    """Return whether digits may be the number of a payment card.

    Such numbers have 13 to 19 digits, begin with a digit of their industry (2 to 6),
    and fulfill Luhn's formula.
    """
    return (
        _SHORTEST_CARD <= len(digits) <= _LONGEST_CARD
        and digits[0] in "23456"
        and len(set(digits)) > 1
        and fulfills_luhn(digits)
    )


def fulfills_luhn(digits: str) -> bool:
    """Return whether the last digit is the check digit of Luhn's formula (ISO 7812)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) << (place & 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban_length(country: str) -> int | None:
    """Return the length of the IBANs of a country, or None if it has none."""
    return _IBAN_LENGTHS.get(country.upper())


def is_iban(text: str) -> bool:
    """Return whether a text without spaces is an IBAN (ISO 13616).

    The letters count from 10, and the remainder of the whole number by 97 is 1 after
    the first four characters have moved to the end.
    """
    if not text.isascii() or not text.isalnum() or len(text) != iban_length(text[:2]):
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def is_ssn(digits: str) -> bool:
    """Return whether nine digits can be a social security number of the US.

    No number has an area of 000, 666 or 900 to 999, a group of 00, or a serial number
    of 0000.
    """
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return (
        len(digits) == 9
        and area not in ("000", "666")
        and area[0] != "9"
        and group != "00"
        and serial != "0000"
    )
