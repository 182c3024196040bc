"""SENNA's tokens from bytes: UTF-8, folding, and lookup of words.

Words are looked up in folded text, in which every number is `0`, letters are in lower
case, and typographic quotes and dashes have their ASCII form. The array `origin` maps
folded bytes to raw bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, extend_hash, find

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Bytes, Ints
    from senna_py.kernels.text.dictionary import Dictionary

# The bits of the class of a character in `kind`.
SPACE = 1  # one of the six ASCII characters that separate tokens
BLANK = 2  # white space of any script
WORD = 4  # a letter, a digit, or a combining mark after one
UPPER = 8
LOWER = 16
FIRST = 32  # set by `fold` on the first byte of each character
DOUBLED = 64  # the folded character is doubled, as in `--` for an em dash

# How `tokenize` finds the tokens of a range.
SENNA = 0  # the longest words in the dictionary
WHITESPACE = 1  # separated by ASCII white space
GIVEN = 2  # the range is one token


@borrowing_kernel
def utf8_length(raw: Bytes, i: int, end: int) -> int:
    """Return the length in bytes of the UTF-8 character at `raw[i]`, 0 if invalid.

    See table 3-7 of the Unicode Standard. The text ends at `end`.
    """
    c = raw[i]
    if c < 0x80:
        return 1
    if c < 0xC2 or c > 0xF4:
        return 0
    size = 2 if c < 0xE0 else (3 if c < 0xF0 else 4)
    if i + size > end:
        return 0
    low, high = 0x80, 0xBF
    if c == 0xE0:
        low = 0xA0
    elif c == 0xED:
        high = 0x9F
    elif c == 0xF0:
        low = 0x90
    elif c == 0xF4:
        high = 0x8F
    if raw[i + 1] < low or raw[i + 1] > high:
        return 0
    for k in range(2, size):
        if raw[i + k] & 0xC0 != 0x80:
            return 0
    return size


@borrowing_kernel
def code_point(raw: Bytes, i: int, size: int) -> int:
    """Return the code point of the valid UTF-8 character at `raw[i]`.

    Its length in bytes is `size`.
    """
    if size == 1:
        return raw[i] & 0x7F
    code = np.int64(raw[i] & (0x3F >> (size - 1)))
    for k in range(1, size):
        code = (code << 6) | np.int64(raw[i + k] & 0x3F)
    return code


@borrowing_kernel
def unknown_block(raw: Bytes, known: Bools) -> int:
    """Return the index of the first block of 256 code points that is not known, or -1.

    Blocks are searched in the order in which their characters occur in the text.

    Args:
        raw: uint8[n], the text, whose ASCII characters are always known.
        known: bool[0x1100], whether each block is known.
    """
    i = np.int64(0)
    n = np.int64(len(raw))
    while i < n:
        size = np.int64(1)
        if raw[i] >= 0x80:
            size = utf8_length(raw, i, n)
            if size and not known[code_point(raw, i, size) >> 8]:
                return code_point(raw, i, size) >> 8
        i += max(size, 1)
    return -1


@borrowing_kernel
def _put_code_point(code: int, folded: Bytes, n: int) -> int:
    """Write a code point as UTF-8 at `folded[n]`, and return the number of bytes."""
    if code < 0x80:
        folded[n] = code
        return 1
    if code < 0x800:
        folded[n] = 0xC0 | (code >> 6)
        folded[n + 1] = 0x80 | (code & 0x3F)
        return 2
    if code < 0x10000:
        folded[n] = 0xE0 | (code >> 12)
        folded[n + 1] = 0x80 | ((code >> 6) & 0x3F)
        folded[n + 2] = 0x80 | (code & 0x3F)
        return 3
    folded[n] = 0xF0 | (code >> 18)
    folded[n + 1] = 0x80 | ((code >> 12) & 0x3F)
    folded[n + 2] = 0x80 | ((code >> 6) & 0x3F)
    folded[n + 3] = 0x80 | (code & 0x3F)
    return 4


@borrowing_kernel
def _digits_end(raw: Bytes, i: int, end: int) -> int:
    while i < end and 48 <= raw[i] <= 57:
        i += 1
    return i


@borrowing_kernel
def _number_end(raw: Bytes, i: int, end: int) -> int:
    """Return the end of the longest `[+-]?[.,]?[0-9]+([.,][0-9]+)*` at `i`, or `i`."""
    j = i
    if raw[j] in (43, 45):
        j += 1
    if j < end and raw[j] in (44, 46):
        j += 1
    k = _digits_end(raw, j, end)
    if k == j:
        return i
    while k + 1 < end and raw[k] in (44, 46) and 48 <= raw[k + 1] <= 57:
        k = _digits_end(raw, k + 1, end)
    return k


@borrowing_kernel
def fold(
    raw: Bytes,
    begin: int,
    end: int,
    numbers: bool,
    char_kind: Bytes,
    char_lower: Ints,
    folded: Bytes,
    kind: Bytes,
    origin: Ints,
    n: int,
) -> int:
    """Append the folded form of `raw[begin:end]`, and return the new length.

    A byte that is not part of valid UTF-8 is unchanged and counts as a character. An
    ASCII character folds to one byte.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: The byte range to fold.
        numbers: Whether numbers are replaced by `0`.
        char_kind: uint8[0x110000], the class of each character.
        char_lower: int32[0x110000], the folded form of each character.
        folded, kind: uint8[2 * n_bytes + 1], which receive the folded bytes and the
            class of the character of each one.
        origin: int32[2 * n_bytes + 1], which receives the raw position of each folded
            byte, and `end` after the last one.
        n: The length of the folded text so far.
    """
    i = begin
    while i < end:
        c = raw[i]
        if numbers and (c == 43 or 44 <= c <= 46 or 48 <= c <= 57):
            j = _number_end(raw, i, end)
            if j > i:
                folded[n] = 48
                kind[n] = WORD | FIRST
                origin[n] = i
                n += 1
                i = j
                continue
        if c < 0x80:
            folded[n] = char_lower[c]
            kind[n] = char_kind[c] | FIRST
            origin[n] = i
            n += 1
            i += 1
            continue
        size = utf8_length(raw, i, end)
        if size == 0:
            folded[n] = c
            kind[n] = FIRST
            origin[n] = i
            n += 1
            i += 1
            continue
        code = code_point(raw, i, size)
        flags = char_kind[code]
        width = _put_code_point(char_lower[code], folded, n)
        if flags & DOUBLED:
            width += _put_code_point(char_lower[code], folded, n + width)
        for k in range(width):
            kind[n + k] = flags
            origin[n + k] = i
        kind[n] = flags | FIRST
        n += width
        i += size
    origin[n] = end
    return n


@borrowing_kernel
def _longest_entry(
    folded: Bytes,
    kind: Bytes,
    i: int,
    stop: int,
    shortest: int,
    words: Dictionary,
    hashes: NDArray[np.uint64],
) -> tuple[int, int]:
    """Return the length and index of the longest key that begins at `i`, or (0, -1).

    Args:
        folded, kind: See `fold`.
        i, stop: The begin of the key, and the position beyond which it may not extend.
        shortest: The minimum number of bytes of the key.
        words: The Dictionary.
        hashes: uint64[words.longest], scratch.
    """
    value = EMPTY_HASH
    for k in range(i, stop):
        value = extend_hash(value, folded[k])
        hashes[k - i] = value
    for k in range(stop, i + shortest - 1, -1):
        if kind[k] & FIRST:
            index = find(words, hashes[k - i - 1], folded, i, k)
            if index >= 0:
                return k - i, index
    return 0, -1


@borrowing_kernel
def whole_entry(folded: Bytes, i: int, stop: int, words: Dictionary) -> int:
    """Return the index of the key `folded[i:stop]` in a Dictionary, or -1."""
    if stop - i > words.longest:
        return -1
    value = EMPTY_HASH
    for k in range(i, stop):
        value = extend_hash(value, folded[k])
    return find(words, value, folded, i, stop)


@borrowing_kernel
def _next_token(
    folded: Bytes,
    kind: Bytes,
    i: int,
    n: int,
    words: Dictionary,
    hashes: NDArray[np.uint64],
) -> tuple[int, int]:
    """Return the end of SENNA's token at `i`, and its index in the Dictionary or -1."""
    run = i
    while run < n and kind[run] & WORD:
        run += 1
    stop = i
    while stop < n and stop - i < words.longest and not kind[stop] & BLANK:
        stop += 1
    length, index = _longest_entry(
        folded, kind, i, stop, max(run - i, 1), words, hashes
    )
    if length > 0:
        return i + length, index
    if run > i:
        return run, -1
    run = i + 1
    while run < n and not kind[run] & FIRST:
        run += 1
    return run, -1


@borrowing_kernel
def tokenize(
    raw: Bytes,
    range_begin: Ints,
    range_end: Ints,
    splitting: int,
    char_kind: Bytes,
    char_lower: Ints,
    words: Dictionary,
    unknown: int,
    hashes: NDArray[np.uint64],
    folded: Bytes,
    kind: Bytes,
    origin: Ints,
    begin: Ints,
    end: Ints,
    folded_begin: Ints,
    folded_end: Ints,
    word: Ints,
    starts: Ints,
    source: Ints,
) -> tuple[int, int, int]:
    """Fold and tokenize ranges of a text; each range with a token becomes a sentence.

    `begin`, `end`, `folded_begin`, `folded_end` and `word` need room for one element
    per byte of `raw`.

    Args:
        raw: uint8[n_bytes], the text.
        range_begin, range_end: int32[n_ranges], byte offsets.
        splitting: SENNA, WHITESPACE or GIVEN.
        char_kind, char_lower: See `fold`.
        words: The Dictionary.
        unknown: The index for words that are not in the Dictionary.
        hashes: uint64[words.longest], scratch.
        folded, kind, origin: See `fold`.
        begin, end: int32[n], which receive the range of each token in `raw`.
        folded_begin, folded_end: int32[n], which receive the range of each token in
            `folded`.
        word: int32[n], which receives the dictionary index of each token.
        starts: int32[n_ranges + 1], which receives the index of the first token of each
            sentence, followed by the number of tokens.
        source: int32[n_ranges], which receives the index of each sentence's range.

    Returns:
        The numbers of tokens, sentences and folded bytes.
    """
    n_tokens = n_sentences = stop = np.int64(0)
    blank = SPACE if splitting == WHITESPACE else BLANK
    starts[0] = 0
    for r in range(len(range_begin)):
        i = stop
        stop = fold(
            raw,
            np.int64(range_begin[r]),
            np.int64(range_end[r]),
            np.bool_(True),
            char_kind,
            char_lower,
            folded,
            kind,
            origin,
            i,
        )
        kind[stop] = FIRST
        while i < stop:
            if splitting == GIVEN:
                j = stop
                index = whole_entry(folded, i, j, words)
            elif kind[i] & blank:
                i += 1
                continue
            elif splitting == WHITESPACE:
                j = i
                while j < stop and not kind[j] & SPACE:
                    j += 1
                index = whole_entry(folded, i, j, words)
            else:
                j, index = _next_token(folded, kind, i, stop, words, hashes)
            begin[n_tokens] = origin[i]
            end[n_tokens] = origin[j]
            folded_begin[n_tokens] = i
            folded_end[n_tokens] = j
            word[n_tokens] = unknown if index < 0 else index
            n_tokens += 1
            i = j
        if n_tokens > starts[n_sentences]:
            source[n_sentences] = r
            n_sentences += 1
            starts[n_sentences] = n_tokens
    return n_tokens, n_sentences, stop


@borrowing_kernel
def caps_feature(
    kind: Bytes, folded_begin: Ints, folded_end: Ints, keys: Ints, out: Ints
) -> None:
    """Classify the capitalization of each token.

    The class is allcaps if a token contains uppercase letters but no lowercase letters,
    initcap if it begins with an uppercase letter, hascap if it contains one elsewhere,
    and otherwise nocaps.

    Args:
        kind: uint8[n], the character classes of folded bytes; see `fold`.
        folded_begin, folded_end: int32[n_tokens].
        keys: int32[4], the indices of allcaps, hascap, initcap and nocaps.
        out: int32[n_tokens], which is written.
    """
    for t in range(len(out)):
        any_upper = False
        any_lower = False
        for i in range(folded_begin[t], folded_end[t]):
            any_upper |= (kind[i] & UPPER) != 0
            any_lower |= (kind[i] & LOWER) != 0
        if any_upper and not any_lower:
            out[t] = keys[0]
        elif kind[folded_begin[t]] & UPPER:
            out[t] = keys[2]
        elif any_upper:
            out[t] = keys[1]
        else:
            out[t] = keys[3]


@borrowing_kernel
def count_characters(
    raw: Bytes, begin: Ints, end: Ints, line_begin: Ints, starts: Ints, out: Ints
) -> None:
    """Compute where each token begins and ends in its line, in characters.

    A byte outside valid UTF-8 counts as one character.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        line_begin: int32[n_sentences], the byte offset of the line of each sentence.
        starts: int32[n_sentences + 1], where each sentence begins.
        out: int32[n_tokens, 2], which is written.
    """
    i = np.int64(0)
    characters = 0
    for s in range(len(starts) - 1):
        # If the sentence is in the same line as the previous one, counting continues.
        if s == 0 or line_begin[s] != line_begin[s - 1]:
            i = np.int64(line_begin[s])
            characters = 0
        for t in range(starts[s], starts[s + 1]):
            for side in range(2):
                position = begin[t] if side == 0 else end[t]
                while i < position:
                    i += max(utf8_length(raw, i, len(raw)), 1)
                    characters += 1
                out[t, side] = characters
