"""Surface tokens of several words in English, by the rules of Universal Dependencies.

Such a token consists of a word and its clitics, which follow without a space: the
possessive *John's*, *don't*, *it's* and *cannot*. The rules are taken from the training
data of UD English EWT and GUM, which treat these tokens alike.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from senna_py.io.numbers import ints_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints

_APOSTROPHE = "['’‛´`′＇ʼ]"
# A clitic that begins with an apostrophe. Others begin with a letter; see `_joins`.
_CLITIC = re.compile(rf"{_APOSTROPHE}(?:s|m|re|ve|ll|d|t)", re.IGNORECASE)
_APOSTROPHE_ALONE = re.compile(_APOSTROPHE)
_OPENS = re.compile(rf"(?<!\w){_APOSTROPHE}(?=\w)")  # in the text of a line
_PLURAL = re.compile(r"\w*[sxzSXZ]")
_ARTICLE = "a"  # as in *alot* and *kinda*, each of which is one word
# The bytes that may begin a clitic: letters, apostrophes, and bytes beyond ASCII.
_MAY_BEGIN = np.zeros(256, bool)
_MAY_BEGIN[[*b"'`"]] = _MAY_BEGIN[ord("A") : ord("Z") + 1] = True
_MAY_BEGIN[ord("a") : ord("z") + 1] = _MAY_BEGIN[128:] = True


def continued_words(
    data: bytes, begin: Ints, end: Ints, line_begin: Ints
) -> NDArray[np.bool_]:
    """Return whether each token is part of the surface token before it: bool[n_tokens].

    Args:
        data: The text.
        begin: int32[n_tokens], the first byte of each token.
        end: int32[n_tokens], the byte after each token.
        line_begin: int32[n_lines], the first byte of each line. Lines do not depend on
            each other.
    """
    raw = np.frombuffer(data, np.uint8)
    continues = np.zeros(len(begin), bool)
    is_near = begin[1:] == end[:-1]
    rows = np.flatnonzero(is_near & _MAY_BEGIN[raw[begin[1:]]]) + 1
    line = np.searchsorted(line_begin, begin[rows], "right") - 1
    in_line = begin[rows - 1] >= line_begin[line]
    rows, line = rows[in_line], line[in_line]
    places = zip(
        ints_of(line),
        ints_of(begin[rows - 1]),
        ints_of(begin[rows]),
        ints_of(end[rows]),
        strict=True,
    )

    @cache  # Each line is searched once, however many apostrophes it has.
    def opening_of(line: int) -> int:
        bounds = line_begin[line : line + 2]
        stop = int(bounds[1]) if len(bounds) > 1 else len(data)
        return _first_opening(data, int(bounds[0]), stop)

    continues[rows] = [
        _joins(data, before, first, after, partial(opening_of, line))
        for line, before, first, after in places
    ]
    return continues


def _first_opening(data: bytes, begin: int, stop: int) -> int:
    """Return the byte after the first opening quote of a line and its next character.

    If there is no opening quote, the result is greater than `stop`.
    """
    # The bytes of the text are counted, so none may be lost in decoding.
    text = data[begin:stop].decode("utf-8", "surrogateescape")
    match = _OPENS.search(text)
    if match is None:
        return stop + 1
    return begin + len(text[: match.end() + 1].encode("utf-8", "surrogateescape"))


def _joins(
    data: bytes, before: int, begin: int, end: int, first_opening: Callable[[], int]
) -> bool:
    """Return whether a word is a clitic of the word directly before it.

    Args:
        data: The text.
        before: The first byte of the word before it.
        begin: The first byte of the word.
        end: The byte after the word.
        first_opening: A function that returns the result of `_first_opening` for the
            line of both words.
    """
    word = data[begin:end].decode("utf-8", "replace")
    host = data[before:begin].decode("utf-8", "replace")
    if word[0].isalpha():
        # Only contractions are split between letters: `can` + `not`, `do` + `n't`.
        is_english = word.isascii() or _APOSTROPHE_ALONE.search(word) is not None
        return is_english and host[-1].isalpha() and word.lower() != _ARTICLE
    if _CLITIC.fullmatch(word):
        return True
    if not _APOSTROPHE_ALONE.fullmatch(word) or not _PLURAL.fullmatch(host):
        return False
    # The apostrophe is the possessive of a plural, unless it closes a quotation.
    return first_opening() > before
