"""Occurrences of the phrases of a gazetteer in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import fold

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints


@borrowing_kernel
def join_tokens(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    char_kind: Bytes,
    char_lower: Ints,
    joined: Bytes,
    kind: Bytes,
    origin: Ints,
    first: Ints,
    last: Ints,
) -> None:
    """Write all tokens in lower case, with a space after each token.

    Numbers are not replaced.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        char_kind, char_lower: The tables of `text.characters`.
        joined, kind: uint8[2 * n_bytes + n_tokens], which receive the tokens and the
            classes of their characters.
        origin: int32[2 * n_bytes + n_tokens], scratch.
        first, last: int32[n_tokens], which receive the range of each token in `joined`.
    """
    n = np.int64(0)
    for t in range(len(begin)):
        first[t] = n
        n = fold(
            raw,
            np.int64(begin[t]),
            np.int64(end[t]),
            np.bool_(False),
            char_kind,
            char_lower,
            joined,
            kind,
            origin,
            n,
        )
        last[t] = n
        joined[n] = 32
        n += 1


@borrowing_kernel
def _first_not_less(
    lines: Bytes,
    low: int,
    high: int,
    skip: int,
    key: Bytes,
    begin: int,
    end: int,
    stop: int,
) -> int:
    """Return the first of some sorted lines that is not less than a key.

    Args:
        lines: uint8[n_bytes], sorted lines.
        low, high: The byte range of the lines to search.
        skip: The number of bytes at which all of them agree, and which are not
            compared.
        key: uint8[n], a text with the rest of the key.
        begin, end: The byte range of the rest of the key.
        stop: A byte that follows the key, or 0.

    Returns:
        The offset of the line, or `high`.
    """
    while low < high:
        first = (low + high) >> 1
        while first > low and lines[first - 1] != 10:
            first -= 1
        at, i = first + skip, begin
        while i < end and at < len(lines) and lines[at] == key[i] and lines[at] != 10:
            at, i = at + 1, i + 1
        wanted = np.int64(key[i]) if i < end else stop
        ended = at >= len(lines) or lines[at] == 10
        is_less = not ended and np.int64(lines[at]) < wanted
        if ended and (i < end or stop > 0):
            is_less = True
        if is_less:
            low = at
            while low < high and lines[low] != 10:
                low += 1
            low = min(low + 1, high)
        else:
            high = first
    return low


@borrowing_kernel
def _next_not_less(
    lines: Bytes,
    low: int,
    high: int,
    skip: int,
    key: Bytes,
    begin: int,
    end: int,
    stop: int,
) -> int:
    """Return the result of `_first_not_less`, which is probably near `low`."""
    size = np.int64(128)
    while low + size < high:
        middle = low + size
        while middle < high and lines[middle - 1] != 10:
            middle += 1
        found = _first_not_less(lines, low, middle, skip, key, begin, end, stop)
        if found < middle:
            return found
        low, size = middle, 4 * size
    return _first_not_less(lines, low, high, skip, key, begin, end, stop)


@borrowing_kernel
def _end_of_match(
    lines: Bytes, first: int, skip: int, key: Bytes, begin: int, end: int
) -> int:
    """Return the offset behind a key with which a line begins, or -1.

    Args:
        lines, skip, key, begin, end: See `_first_not_less`.
        first: The offset of the line, or the number of bytes for no line.
    """
    at, i = first + skip, begin
    while i < end and at < len(lines) and lines[at] == key[i] and lines[at] != 10:
        at, i = at + 1, i + 1
    return at if i >= end else np.int64(-1)


@borrowing_kernel
def find_phrases(
    joined: Bytes, first: Ints, last: Ints, order: Ints, lines: Bytes, found: Ints
) -> None:
    """Find the phrases of a gazetteer that begin with each token.

    Args:
        joined, first, last: From `join_tokens`.
        order: int32[n_tokens], the tokens in the byte order of their texts.
        lines: uint8[n_bytes], phrases in lower case, one per line, in byte order, with
            one space between tokens.
        found: int32[n_tokens, 3], which receives the byte range of the lines that begin
            with the token and a space, and 1 if the token itself is a line, or else 0.
    """
    size, none, near = np.int64(len(lines)), np.int64(0), np.int64(0)
    for t in order:
        begin, end = np.int64(first[t]), np.int64(last[t])
        found[t] = 0
        near = _next_not_less(lines, near, size, none, joined, begin, end, none)
        at = _end_of_match(lines, near, none, joined, begin, end)
        if near == size or at < 0 or begin == end:
            continue
        low = near
        if at == size or lines[at] == 10:
            found[t, 2] = 1
            low = min(at + 1, size)
        for k in range(2):
            stop = np.int64(32 + k)
            low = _next_not_less(lines, low, size, none, joined, begin, end, stop)
            found[t, k] = low


class Phrases(NamedTuple):
    """A gazetteer, and what `find_phrases` finds for the tokens of a batch.

    Attributes:
        lines: uint8[n_bytes]; see `find_phrases`.
        place: int32[n_tokens], where the result for each token is: k >= 0 is row k of
            `kept`, and k < 0 is row -1 - k of `new`.
        kept, new: int32[n, 3]; see `find_phrases`.
    """

    lines: np.ndarray
    place: np.ndarray
    kept: np.ndarray
    new: np.ndarray


@borrowing_kernel
def _longest_phrase(
    joined: Bytes, first: Ints, last: Ints, t: int, end: int, phrases: Phrases
) -> int:
    """Return the end of the longest phrase that begins at token t, or t.

    Args:
        joined, first, last: From `join_tokens`.
        t: The index of the token.
        end: The token index of the end of the sentence.
        phrases: The gazetteer.
    """
    row, lines = np.int64(phrases.place[t]), phrases.lines
    rows = phrases.kept if row >= 0 else phrases.new
    row = row if row >= 0 else -1 - row
    low, high = np.int64(rows[row, 0]), np.int64(rows[row, 1])
    stop = t + 1 if rows[row, 2] else t
    if low == high or t + 1 == end:
        return stop
    # The lines begin with the token and a space. What follows is searched.
    skip, begin = np.int64(first[t + 1] - first[t]), np.int64(first[t + 1])
    for u in range(t + 1, end):
        key_end = np.int64(last[u])
        if u == t + 1:
            low = _first_not_less(
                lines, low, high, skip, joined, begin, key_end, np.int64(0)
            )
        else:  # The lines that begin with the previous tokens begin at `low`.
            low = _next_not_less(
                lines, low, high, skip, joined, begin, key_end, np.int64(0)
            )
        if low == high:
            break
        at = _end_of_match(lines, low, skip, joined, begin, key_end)
        if at < 0:
            break
        if at == len(lines) or lines[at] == 10:
            stop = u + 1
        elif lines[at] > 32:
            break  # Lines that go on with a space would stand before this one.
    return stop


@borrowing_kernel
def gazetteer_places(
    joined: Bytes,
    first: Ints,
    last: Ints,
    starts: Ints,
    phrases: Phrases,
    keys: Ints,
    longest: Ints,
    out: Ints,
) -> None:
    """Write the IOBES class of each token in the longest listed phrase around it.

    If two phrases that contain a token have the same length, the first one counts.

    Args:
        joined, first, last: From `join_tokens`.
        starts: int32[n_sentences + 1], where each sentence begins.
        phrases: The gazetteer.
        keys: int32[5], the values to write for O, B, I, E and S.
        longest: int32[n_tokens], scratch.
        out: int32[n_tokens], which is written.
    """
    out[:] = keys[0]
    longest[:] = 0
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            stop = _longest_phrase(
                joined, first, last, t, np.int64(starts[s + 1]), phrases
            )
            for k in range(t, stop):
                if stop - t > longest[k]:
                    longest[k] = stop - t
                    if stop - t == 1:
                        out[k] = keys[4]
                    elif k == t:
                        out[k] = keys[1]
                    else:
                        out[k] = keys[3] if k == stop - 1 else keys[2]
