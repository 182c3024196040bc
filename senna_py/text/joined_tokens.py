"""Join learned tokens: addresses, and abbreviations that a user lists.

A network knows only what its treebank taught it, and few treebanks have many addresses.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.text.characters import byte_offsets
from senna_py.text.known_texts import COLON
from senna_py.text.learned_tokens import LearnedTokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

    from senna_py.text.tokens import Ints

_ADDRESS_SIGNS = (b"@", b"://", b"www.", b"WWW.")  # every address contains one of them
_SPACE = re.compile(rb"[\s\x1c-\x1f]")
_LONGEST_NAME = 64  # in bytes, before the sign
_LONGEST_ADDRESS = 1 << 11  # in bytes, from the sign


def join_addresses(tokens: LearnedTokens, data: bytes) -> LearnedTokens:
    """Return the tokens with each URL and e-mail address as one token.

    Args:
        tokens: The tokens of a text.
        data: The text.
    """
    ranges = np.array([*_addresses(data)], np.int32).reshape(-1, 2)
    if not len(ranges):
        return tokens
    return join_ranges(cut_tokens(tokens, data, ranges.ravel().tolist()), ranges)


def join_abbreviations(
    tokens: LearnedTokens, data: bytes, abbreviations: tuple[str, ...]
) -> LearnedTokens:
    """Return the tokens with the periods of abbreviations joined to them.

    Such a period ends a sentence only at the end of a line.

    Args:
        tokens: The tokens of the lines of a text.
        data: The text.
        abbreviations: The abbreviations, without final periods. COLON among them means
            that letters joined by a colon are one token.
    """
    text = data.decode("utf-8", "surrogateescape")
    pattern = _abbreviation_pattern(abbreviations)
    spans = [match.span() for match in pattern.finditer(text)]
    if not spans:
        return tokens
    ranges = byte_offsets(text)[np.array(spans, np.int32)]
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    line = np.searchsorted(newlines, tokens.begin)
    is_last = np.append(line[1:] != line[:-1], True)
    ends_sentence = tokens.ends_sentence & (
        is_last | ~np.isin(tokens.end, ranges[:, 1])
    )
    return join_ranges(tokens._replace(ends_sentence=ends_sentence), ranges)


@cache
def _address_pattern() -> regex.Pattern[str]:
    """Return the pattern for addresses, which consist of letters and ASCII symbols."""
    import regex  # noqa: PLC0415 - most texts do not need it

    letter = r"\p{Latin}\p{Greek}\p{Cyrillic}\p{M}"
    name = rf"[{letter}0-9_]"
    last = rf"[{letter}0-9_/#$%&*+=@\\^|~-]"
    path = (
        rf"(?:[{letter}!-~--\(\)\[\]\{{\}}<>\"]|\({name}++\))*(?:{last}|\({name}++\))"
    )
    return regex.compile(
        rf"(?V1i)(?<!{name})(?:(?:[a-z][a-z0-9+-]{{0,30}}://|www\.(?={name}))(?:{path})"
        rf"|{name}[{letter}0-9_.+%-]*@{name}++(?:[.-]{name}++)+)"
    )


@cache
def _abbreviation_pattern(abbreviations: tuple[str, ...]) -> regex.Pattern[str]:
    """Return the pattern for abbreviations with their periods; see the caller."""
    import regex  # noqa: PLC0415 - most models do not need it

    colon = r"|\p{L}++(?::\p{L}++)++" if COLON in abbreviations else ""
    return regex.compile(
        rf"(?V1)(?<!\w)(?:(?i:\L<abbreviated>)\.(?!\w|\.\.){colon})",
        abbreviated=[*({*abbreviations} - {COLON})],
        ignore_unused=True,
    )


def _addresses(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the first byte of each address of a text, and the byte after it."""
    done = 0
    signs = sorted(place for sign in _ADDRESS_SIGNS for place in _places(data, sign))
    for place in signs:
        if place < done:
            continue
        before = data[max(done, place - _LONGEST_NAME) : place]
        begin = place - len(_SPACE.split(before)[-1])
        limit = min(len(data), place + _LONGEST_ADDRESS)
        space = _SPACE.search(data, place, limit)
        done = space.start() if space else limit
        piece = data[begin:done].decode("utf-8", "surrogateescape")
        for match in _address_pattern().finditer(piece):
            first, last = (
                begin + len(piece[:i].encode("utf-8", "surrogateescape"))
                for i in match.span()
            )
            yield first, last


def _places(data: bytes, sign: bytes) -> Iterator[int]:
    """Yield the offsets of a byte string in a text."""
    place = data.find(sign)
    while place >= 0:
        yield place
        place = data.find(sign, place + 1)


def cut_tokens(tokens: LearnedTokens, data: bytes, places: list[int]) -> LearnedTokens:
    """Return the tokens, cut at the offsets `places`, which are in ascending order."""
    rows, ends, begins = [], [], []
    for place in places:
        row = int(np.searchsorted(tokens.end, place, "right"))
        if row == len(tokens.end) or tokens.begin[row] >= place:
            continue
        before = data[tokens.begin[row] : place].decode("utf-8", "surrogateescape")
        after = data[place : tokens.end[row]].decode("utf-8", "surrogateescape")
        left = before.rstrip().encode("utf-8", "surrogateescape")
        right = after.lstrip().encode("utf-8", "surrogateescape")
        rows.append(row)
        ends.append(int(tokens.begin[row]) + len(left))
        begins.append(int(tokens.end[row]) - len(right))
    if not rows:
        return tokens
    # The last piece of a token keeps its flags.
    return LearnedTokens(
        np.insert(tokens.begin, np.array(rows) + 1, begins),
        np.insert(tokens.end, rows, ends),
        np.insert(tokens.is_multiword, rows, False),
        np.insert(tokens.ends_sentence, rows, False),
    )


def join_ranges(tokens: LearnedTokens, ranges: Ints) -> LearnedTokens:
    """Return the tokens, joined where a range consists of several tokens.

    ranges: int32[n, 2], the first byte of each range, and the byte after it.
    """
    first = np.searchsorted(tokens.end, ranges[:, 0], "right")
    last = np.searchsorted(tokens.begin, ranges[:, 1], "left") - 1
    goes_on = np.zeros(len(tokens.begin), bool)
    for begin, end in zip(first.tolist(), last.tolist(), strict=True):
        goes_on[begin:end] = True
    follows = np.append(False, goes_on[:-1])
    return LearnedTokens(
        tokens.begin[~follows],
        tokens.end[~goes_on],
        (tokens.is_multiword & ~follows)[~goes_on],
        tokens.ends_sentence[~goes_on],
    )
