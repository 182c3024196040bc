"""Spellings that are replaced before look-up: escapes, apostrophes, soft hyphens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.labels.brackets import BRACKETS

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTES = b"``", b"''"
# The escapes of the Penn Treebank, and the marks that they replace.
_ESCAPES = {
    **dict.fromkeys(_QUOTES, b'"'),
    **{form.encode(): mark.encode() for mark, form in BRACKETS.items()},
}
_ESCAPED_MARK = re.compile(rb"\\([/*])")
_CUT = re.compile(rb"-\s")
# Apostrophes that folding, which follows SENNA, does not replace by `'`. A backtick
# before a letter is an apostrophe, too, unless it is the whole token: n`t, `s.
_ODD_APOSTROPHE = re.compile(
    "´|ʼ|＇|(?<=[A-Za-z])`(?=[A-Za-z])|^`(?=[A-Za-z])".encode()
)
_BACKTICK = re.compile(rb"`(?<=[A-Za-z]`)(?=[A-Za-z])")
# The soft hyphen and the word joiner, which UAX 29 ignores inside words.
_INVISIBLE_MARKS = "\u00ad".encode(), "\u2060".encode()
_INVISIBLE = re.compile(b"|".join(_INVISIBLE_MARKS))
_ODD_MARKS = "´".encode(), "ʼ".encode(), "＇".encode(), *_INVISIBLE_MARKS
_ODD = re.compile(b"|".join(_ODD_MARKS))


def places_of_escapes(data: bytes) -> list[int]:
    """Return the byte offsets of Treebank escapes and invisible characters."""
    # To search for each mark alone is faster than to search for a pattern.
    marks = _QUOTES if data.isascii() else _QUOTES + _INVISIBLE_MARKS
    places = [place for mark in marks for place in _places_of(mark, data)]
    ends = (place - 3 for place in _places_of(b"B-", data))
    places += [first for first in ends if data[first : first + 5] in _ESCAPES]
    if b"\\" in data:
        places += _places(_ESCAPED_MARK, data)
    return places


def unescaped_form(token: bytes) -> bytes:
    """Return a token without Treebank escapes and invisible characters.

    A token that consists of invisible characters does not change.
    """
    if token in _ESCAPES:
        return _ESCAPES[token]
    return _INVISIBLE.sub(b"", _ESCAPED_MARK.sub(rb"\1", token)) or token


def odd_places(data: bytes, english: bool) -> list[int]:
    """Return the byte offsets of invisible characters and, in English, odd apostrophes.

    Odd apostrophes are apostrophes that folding does not replace by `'`.
    """
    places: list[int] = []
    if not data.isascii():
        marks = _ODD_MARKS if english else _INVISIBLE_MARKS
        if any(mark in data for mark in marks):
            places += _places(_ODD if english else _INVISIBLE, data)
    if english and b"`" in data:
        places += _places(_BACKTICK, data)
    return places


def plain_form(token: bytes, english: bool) -> bytes:
    """Return a token without line-break hyphens and invisible characters.

    In English, odd apostrophes become `'`.
    """
    form = _INVISIBLE.sub(b"", _CUT.sub(b"", token)) or token
    return _ODD_APOSTROPHE.sub(b"'", form) if english else form


def _places(pattern: re.Pattern[bytes], data: bytes) -> list[int]:
    return [match.start() for match in pattern.finditer(data)]


def _places_of(mark: bytes, data: bytes) -> Iterator[int]:
    """Yield the byte offsets of a mark."""
    place = data.find(mark)
    while place >= 0:
        yield place
        place = data.find(mark, place + len(mark))
