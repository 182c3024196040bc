"""Parts and shapes of words, as spans of bytes that are looked up."""

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

SHAPE_LENGTH = 6  # symbols in the longest shape


@kernel
def affix_spans(kind, folded_begin, folded_end, length, at_end, whole, begin, end):
    """Places of the first or the last `length` characters of each token in the folded
    text.

    kind: uint8[n_folded], see `tokens.fold`; at_end: whether the last are meant; whole:
    whether a shorter token is its own affix, or has none; all places: int32[n_tokens];
    out: begin, end.
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
def word_shapes(raw, token_begin, token_end, char_kind, shapes, begin, end):
    """Write the shape of each token: what its characters are, runs of a symbol only
    once.

    `A` stands for upper case, `a` for lower case, `0` for ASCII digits, `x` for other
    letters, `_` for white space, `*` for what else is not ASCII, and ASCII punctuation
    for itself. raw: uint8; token_begin, token_end: int32[n_tokens] bytes; char_kind:
    uint8[0x110000]; out: shapes: uint8[SHAPE_LENGTH * n_tokens], and begin, end:
    int32[n_tokens] in it.
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
def symbol_of(code, kind):
    """Symbol of a character in a shape: its code point and kind, see
    `characters.KIND`.
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
def find_spans(text, begin, end, keys, missing, out):
    """Index of each span of `text` in the Dictionary `keys`; `missing` if empty or not
    in it.

    text: uint8; begin, end, out: int32[n].
    """
    for t in range(len(out)):
        index = np.int64(-1)
        if begin[t] < end[t]:
            index = np.int64(
                whole_entry(text, np.int64(begin[t]), np.int64(end[t]), keys)
            )
        out[t] = missing if index < 0 else index


@kernel
def sentence_caps(kind, folded_begin, folded_end, starts, keys, out):
    """Classify how much of its sentence is capitalized, the same for all tokens of a
    sentence.

    Of the tokens that begin with a letter with case: `upper` if more than 60% have no
    lower case, `title` if more than 60% begin with upper case, `lower` if none does,
    else `mixed`; `few` if there are less than two. kind: uint8[n]; folded_begin,
    folded_end, out: int32[n_tokens]; starts: int32[n_sentences + 1]; keys: int32[5],
    the indices of few, lower, mixed, title, upper.
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
