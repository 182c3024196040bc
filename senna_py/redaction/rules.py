"""Rules that find addresses and numbers which have a form of their own.

Numbers with check digits are only found if these are right. All patterns take time that
is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.redaction.checks import iban_length, is_card, is_iban, is_ssn
from senna_py.redaction.findings import Finding
from senna_py.redaction.type_names import CARD, EMAIL, IBAN, IP, PHONE, SSN, URL
from senna_py.text.looks import like_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Place = tuple[int, int]

_DIGITS = re.compile(r"[0-9]+")

_EMAIL = re.compile(
    r"(?<![\w.%+-])[\w%+-][\w.%+'-]{0,63}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w@])"
)

# A URL with a scheme or `www.`, and other words that may be host names.
_URL = re.compile(r"(?<![\w.@])(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[^\s<>\"]+", re.I)
_WORD_WITH_DOT = re.compile(r"(?<![\w.@])[\w-]{1,63}\.[^\s<>()\[\]{}\",;@]+")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_ENDS = ".,;:!?'\"’”»*_"

# The groups of digits of a card number, separated by single spaces or hyphens.
_GROUPS = re.compile(r"(?<![\w.,-])[0-9]+(?:[ -][0-9]+)*(?![\w-])")
_CARD_LENGTHS = range(13, 20)

_IBAN = re.compile(r"(?<![^\W_])([A-Z]{2})[0-9]{2}(?=[ -]?[0-9A-Z])", re.I)

_IP4 = re.compile(r"(?<![\w.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![\w-]|\.[0-9])")
_IP6 = re.compile(r"(?<![\w:.])[0-9a-f:]{2,39}(?:\.[0-9.]{1,12})?(?![\w:])", re.I)
_FEWEST_COLONS = 2

_SSN = re.compile(r"(?<![\w-])([0-9]{3}-[0-9]{2}-[0-9]{4})(?![\w-])")
# Without hyphens, only words before the number tell what it is.
_NAMED_SSN = re.compile(
    r"\b(?:SSN|social[ -]security)\b[^\d\n]{0,24}([0-9]{3}[ .]?[0-9]{2}[ .]?[0-9]{4})(?![\w-])",
    re.I,
)

_BEFORE_PHONE = r"(?<![\w.,/$€£-])(?<![$€£0-9] )"
_AFTER_PHONE = r"(?![\w-]|[.,/:][0-9])"
_EXTENSION = r"(?:,? ?(?:ext\.?|extension|x) ?[0-9]{1,5})?"
_PHONES = tuple(
    re.compile(f"{_BEFORE_PHONE}({number}{_EXTENSION}){_AFTER_PHONE}", re.I)
    for number in (
        # With the code of a country.
        r"(?:\+|00)[1-9][0-9]{0,2}[ ./-]{0,2}(?:\(0?[0-9]{1,4}\)[ ./-]?)?[0-9]{1,5}"
        r"(?:[ ./-]?[0-9]{1,5}){1,6}",
        # In North America.
        r"(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}([ .-]))[2-9][0-9]{2}[ .-][0-9]{4}",
        # In other countries, where long-distance numbers begin with zero.
        r"\(?0[1-9][0-9]{1,4}\)?[ /-]{1,3}[0-9]{3,4}(?:[ -]?[0-9]{2,4}){1,3}",
        r"0[1-9](?:([ .-])[0-9]{2})(?:\2[0-9]{2}){3}",
        r"0[1-9][0-9]{8,10}",
        # Within an area of North America.
        r"[2-9][0-9]{2}-[0-9]{4}",
    )
)
# Shorter numbers, after a word that announces them.
_NAMED_PHONE = re.compile(
    r"\b(?:tele?phone|phone|tel|fax|mobile|cell|call|text|dial|ring|whatsapp)\b"
    r"(?:[.:?]| number| no\.?| us| me| him| her| them| at| on| is|[ \t]){0,6}[ \t]?"
    rf"(\(?[0-9][0-9 ()./-]{{4,18}}[0-9]{_EXTENSION}){_AFTER_PHONE}",
    re.I,
)
_PHONE_LENGTHS = range(6, 16)
_DATE = re.compile(
    r"(?:[0-9]{1,2}[./-][0-9]{1,2}[./-](?:19|20)?[0-9]{2}|(?:19|20)[0-9]{2}[./-][0-9]{1,2}"
    r"[./-][0-9]{1,2})(?![0-9])"
)


def find_by_rules(text: str, types: Sequence[str]) -> list[Finding]:
    """Return what the rules of some types find; earlier findings take precedence.

    Args:
        text: The text.
        types: The types; those without rules are ignored.
    """
    return [
        Finding(start, end, name)
        for name, find in _RULES.items()
        if name in types
        for start, end in find(text)
    ]


def _emails(text: str) -> Iterator[Place]:
    if "@" in text:
        yield from (match.span() for match in _EMAIL.finditer(text))


def _urls(text: str) -> Iterator[Place]:
    for match in _URL.finditer(text):
        start, end = match.start(), _end_of_url(match[0]) + match.start()
        # What follows the scheme must be more than punctuation.
        if text[end - 1 : end].isalnum() or text[end - 1 : end] in "/=#)":
            yield start, end
    for match in _WORD_WITH_DOT.finditer(text):
        end = _end_of_url(match[0])
        if like_url(match[0][:end]):
            yield match.start(), match.start() + end


def _end_of_url(word: str) -> int:
    """Return the end of a URL without the punctuation of the sentence around it."""
    end = len(word)
    while end:
        last = word[end - 1]
        unopened = last in _CLOSING and word.count(_CLOSING[last], 0, end) < word.count(
            last, 0, end
        )
        if last not in _ENDS and not unopened:
            break
        end -= 1
    return end


def _cards(text: str) -> Iterator[Place]:
    """Yield whole groups of digits that are together the number of a card."""
    for match in _GROUPS.finditer(text):
        groups = [*_DIGITS.finditer(text, *match.span())]
        first = 0
        while first < len(groups):
            last = _end_of_card(groups, first)
            if last is not None:
                yield groups[first].start(), groups[last].end()
                first = last
            first += 1


def _end_of_card(groups: Sequence[re.Match[str]], first: int) -> int | None:
    """Return the last group of the longest card number that begins at a group."""
    found, digits = None, ""
    for last in range(first, len(groups)):
        digits += groups[last][0]
        if len(digits) >= _CARD_LENGTHS.stop:
            break
        if len(digits) in _CARD_LENGTHS and is_card(digits):
            found = last
    return found


def _ibans(text: str) -> Iterator[Place]:
    for match in _IBAN.finditer(text):
        length = iban_length(match[1])
        if length is None:
            continue
        written = "".join(_first_letters_and_digits(text, match.start(), length))
        kept = written.replace(" ", "").replace("-", "")
        end = match.start() + len(written)
        if is_iban(kept.upper()) and not text[end : end + 1].isalnum():
            yield match.start(), end


def _first_letters_and_digits(text: str, start: int, number: int) -> Iterator[str]:
    """Yield characters up to the last of a number of letters and digits.

    Between them there may be single spaces or hyphens.
    """
    at = start
    while number and at < len(text):
        character = text[at]
        if character.isalnum():
            number -= 1
        elif character not in " -" or not text[at + 1 : at + 2].isalnum():
            return
        yield character
        at += 1


def _ips(text: str) -> Iterator[Place]:
    for match in _IP4.finditer(text):
        if all(int(part) < 256 for part in match[0].split(".")):
            yield match.span()
    for match in _IP6.finditer(text):
        word = match[0]
        if word.count(":") < _FEWEST_COLONS or not any(map(str.isdigit, word)):
            continue
        from ipaddress import AddressValueError, IPv6Address  # noqa: PLC0415 - few texts need it

        try:
            IPv6Address(word)
        except AddressValueError:
            continue
        yield match.span()


def _ssns(text: str) -> Iterator[Place]:
    for pattern in (_SSN, _NAMED_SSN):
        for match in pattern.finditer(text):
            if is_ssn(_digits(match[1])):
                yield match.span(1)


def _phones(text: str) -> Iterator[Place]:
    for pattern in (*_PHONES, _NAMED_PHONE):
        for match in pattern.finditer(text):
            number = match[1]
            if len(_digits(number)) in _PHONE_LENGTHS and not _DATE.match(number):
                yield match.span(1)


def _digits(text: str) -> str:
    return "".join(_DIGITS.findall(text))


# The rules by type. What an earlier rule finds is not found again by later ones.
_RULES: dict[str, Callable[[str], Iterator[Place]]] = {
    EMAIL: _emails,
    URL: _urls,
    IBAN: _ibans,
    CARD: _cards,
    IP: _ips,
    SSN: _ssns,
    PHONE: _phones,
}
