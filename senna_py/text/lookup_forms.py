"""Tokens whose look-up forms differ from their spelling."""

from __future__ import annotations

import re

from senna_py.labels.brackets import BRACKETS

# The marks for which the Penn Treebank writes something else.
_ESCAPES = {
    b"``": b'"',
    b"''": b'"',
    **{form.encode(): mark.encode() for mark, form in BRACKETS.items()},
}
_ESCAPED_MARK = re.compile(rb"\\([/*])")
_ESCAPED = re.compile(rb"``|''|-[LR][RSC]B-|\\[/*]")
_CUT = re.compile(rb"-\s")
# Other apostrophes are folded to `'`, as by SENNA. A backtick within a token is an
# apostrophe, too: n`t, `s.
_ODD_APOSTROPHE = re.compile(
    "´|ʼ|＇|(?<=[A-Za-z])`(?=[A-Za-z])|^`(?=[A-Za-z])".encode()
)
_BACKTICK = re.compile(rb"`(?<=[A-Za-z]`)(?=[A-Za-z])")
# The soft hyphen and the word joiner, which UAX 29 ignores.
_INVISIBLE = re.compile("\u00ad|\u2060".encode())
_ODD = re.compile("´|ʼ|＇|\u00ad|\u2060".encode())


def places_of_escapes(data: bytes) -> list[int]:
    """Return where escapes of the Treebank and invisible characters are in a text."""
    places = _places(_ESCAPED, data)
    if not data.isascii():
        places += _places(_INVISIBLE, data)
    return places


def unescaped_form(token: bytes) -> bytes:
    """Return the text that a token of a treebank stands for."""
    if token in _ESCAPES:
        return _ESCAPES[token]
    return _INVISIBLE.sub(b"", _ESCAPED_MARK.sub(rb"\1", token)) or token


def odd_places(data: bytes, english: bool) -> list[int]:
    """Return where apostrophes (in English) and invisible characters are in a text."""
    places: list[int] = []
    if not data.isascii():
        places += _places(_ODD if english else _INVISIBLE, data)
    if english and b"`" in data:
        places += _places(_BACKTICK, data)
    return places


def plain_form(token: bytes, english: bool) -> bytes:
    """Return a token without line breaks and, in English, with plain apostrophes."""
    form = _INVISIBLE.sub(b"", _CUT.sub(b"", token)) or token
    return _ODD_APOSTROPHE.sub(b"'", form) if english else form


def _places(pattern: re.Pattern[bytes], data: bytes) -> list[int]:
    return [match.start() for match in pattern.finditer(data)]
