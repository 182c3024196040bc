"""Affixes and shapes of words, as byte ranges to look up, and capitalization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel
from senna_py.kernels.text.tokens import (
    FIRST,
    LOWER,
    UPPER,
    WORD,
    code_point,
    utf8_length,
    whole_entry,
)

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints
    from senna_py.kernels.text.dictionary import Dictionary

SHAPE_LENGTH = 6  # the number of symbols of the longest shape


@kernel
def affix_spans(
    kind: Bytes,
    folded_begin: Ints,
    folded_end: Ints,
    length: int,
    at_end: bool,
    whole: bool,
    begin: Ints,
    end: Ints,
) -> None:
    """Find the byte range of the prefix or suffix of each token in the folded text.

    Args:
        kind: uint8[n_folded]; see `tokens.fold`.
        folded_begin, folded_end: int32[n_tokens].
        length: The number of characters of the affix.
        at_end: Whether to find suffixes instead of prefixes.
        whole: Whether a shorter token is its own affix; otherwise its range is empty.
        begin, end: int32[n_tokens], which are written.
    """
    for t in range(len(begin)):
        first, last = np.int64(folded_begin[t]), np.int64(folded_end[t])
        left = length
        if at_end:
            i = last
            while i > first and left > 0:
                i -= 1
                left -= (kind[i] & FIRST) != 0
            begin[t], end[t] = i, last
        else:
            i = first
            while i < last and (left > 0 or not kind[i] & FIRST):
                left -= (kind[i] & FIRST) != 0
                i += 1
            begin[t], end[t] = first, i
        if left > 0 and not whole:
            end[t] = begin[t]


@kernel
def word_shapes(
    raw: Bytes,
    token_begin: Ints,
    token_end: Ints,
    char_kind: Bytes,
    shapes: Bytes,
    begin: Ints,
    end: Ints,
) -> None:
    """Compute the shape of each token: its character classes without repetitions.

    The symbols are `A` for upper case, `a` for lower case, `0` for ASCII digits, `x`
    for other letters and digits, `_` for blanks and control characters in ASCII, ASCII
    punctuation for itself, and `*` for all other characters. A shape has at most
    SHAPE_LENGTH symbols.

    Args:
        raw: uint8[n_bytes], the text.
        token_begin, token_end: int32[n_tokens], the byte range of each token.
        char_kind: uint8[0x110000], the class of each character.
        shapes: uint8[SHAPE_LENGTH * n_tokens], which is written.
        begin, end: int32[n_tokens], which receive the range of each shape in `shapes`.
    """
    for t in range(len(begin)):
        i, stop = np.int64(token_begin[t]), np.int64(token_end[t])
        n = np.int64(t * SHAPE_LENGTH)
        begin[t] = n
        while i < stop and n < (t + 1) * SHAPE_LENGTH:
            size = utf8_length(raw, i, stop)
            code = code_point(raw, i, size) if size > 0 else np.int64(0xFFFD)
            symbol = symbol_of(code, char_kind[code])
            if n == begin[t] or shapes[n - 1] != symbol:
                shapes[n] = symbol
                n += 1
            i += max(size, 1)
        end[t] = n


@kernel
def symbol_of(code: int, kind: int) -> int:
    """Return the symbol of a character in a shape; see `word_shapes`.

    Args:
        code: The code point.
        kind: The class, from `characters.KIND`.
    """
    if kind & UPPER:
        return 65
    if kind & LOWER:
        return 97
    if 48 <= code <= 57:
        return 48
    if kind & WORD:
        return 120
    if code > 126:
        return 42
    return code if code > 32 else 95


@kernel
def find_spans(
    text: Bytes, begin: Ints, end: Ints, keys: Dictionary, missing: int, out: Ints
) -> None:
    """Look up byte ranges of a text in a Dictionary.

    Args:
        text: uint8[n_bytes].
        begin, end: int32[n], the ranges.
        keys: The Dictionary.
        missing: The index for ranges that are empty or not in the Dictionary.
        out: int32[n], which receives the index of each range.
    """
    for t in range(len(out)):
        index = np.int64(-1)
        if begin[t] < end[t]:
            index = np.int64(
                whole_entry(text, np.int64(begin[t]), np.int64(end[t]), keys)
            )
        out[t] = missing if index < 0 else index


@kernel
def sentence_caps(
    kind: Bytes,
    folded_begin: Ints,
    folded_end: Ints,
    starts: Ints,
    keys: Ints,
    out: Ints,
) -> None:
    """Classify the capitalization of each sentence, and assign the class to its tokens.

    Only tokens that begin with a cased letter count. The class is `upper` if more than
    60% of them contain no lowercase letter, else `title` if more than 60% begin with an
    uppercase letter, else `lower` if none does, and otherwise `mixed`. With fewer than
    two of these tokens, the class is `few`.

    Args:
        kind: uint8[n], the character classes of folded bytes; see `tokens.fold`.
        folded_begin, folded_end: int32[n_tokens], the byte range of each token in the
            folded text.
        starts: int32[n_sentences + 1], where each sentence begins.
        keys: int32[5], the indices of few, lower, mixed, title and upper.
        out: int32[n_tokens], which receives the index of each token's class.
    """
    for s in range(len(starts) - 1):
        n_cased, n_initial, n_upper = 0, 0, 0
        for t in range(starts[s], starts[s + 1]):
            first = kind[folded_begin[t]]
            if first & (UPPER | LOWER) == 0:
                continue
            n_cased += 1
            n_initial += (first & UPPER) != 0
            any_lower = False
            for i in range(folded_begin[t], folded_end[t]):
                any_lower |= (kind[i] & LOWER) != 0
            n_upper += not any_lower
        key = 2
        if n_cased < 2:
            key = 0
        elif 5 * n_upper > 3 * n_cased:
            key = 4
        elif 5 * n_initial > 3 * n_cased:
            key = 3
        elif n_initial == 0:
            key = 1
        out[starts[s] : starts[s + 1]] = keys[key]
