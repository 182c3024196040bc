"""Printing of rows of cells as bytes, where each cell is a sequence of pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import utf8_length

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints, Longs

# Pieces that are not indices of texts: WORD is the token of the row, and ZERO - n is
# the number n.
WORD, ZERO = -1, -2
_NEWLINE, _SPACE, _QUOTE, _DIGIT = 10, 32, 34, 48


class Texts(NamedTuple):
    """A list of texts, concatenated: text i is `data[start[i]:start[i + 1]]`.

    Attributes:
        data: uint8[n_bytes].
        start: int32[n_texts + 1].
    """

    data: np.ndarray
    start: np.ndarray


@borrowing_kernel
def _put(data: Bytes, begin: int, end: int, out: Bytes, n: int) -> int:
    for i in range(begin, end):
        out[n] = data[i]
        n += 1
    return n


@borrowing_kernel
def _put_quoted(raw: Bytes, begin: int, end: int, out: Bytes, n: int) -> int:
    """Write a word in quotation marks, with each mark that it contains doubled.

    The result is the next position in `out`.
    """
    out[n] = _QUOTE
    n += 1
    for i in range(begin, end):
        out[n] = raw[i]
        n += 1
        if raw[i] == _QUOTE:
            out[n] = _QUOTE
            n += 1
    out[n] = _QUOTE
    return n + 1


@borrowing_kernel
def _put_word(raw: Bytes, begin: int, end: int, width: int, out: Bytes, n: int) -> int:
    """Write a word, padded on the left, and return the next position in `out`.

    `width` is in characters. If it is 0, words that begin with a quotation mark are
    quoted.
    """
    if width == 0 and raw[begin] == _QUOTE:
        return _put_quoted(raw, begin, end, out, n)
    characters = 0
    i = np.int64(begin)
    while i < end:
        i += max(utf8_length(raw, i, np.int64(end)), 1)
        characters += 1
    for _ in range(width - characters):
        out[n] = _SPACE
        n += 1
    return _put(raw, begin, end, out, n)


@borrowing_kernel
def _put_integer(value: int, out: Bytes, n: int) -> int:
    digits = 1
    power = 10
    while value >= power:
        digits += 1
        power *= 10
    for k in range(digits - 1, -1, -1):
        out[n + k] = _DIGIT + value % 10
        value //= 10
    return n + digits


@borrowing_kernel
def write_rows(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    starts: Ints,
    width: int,
    texts: Texts,
    piece: Ints,
    first: Longs,
    out: Bytes,
) -> int:
    """Write one row for each token, and an empty row after each sentence.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        starts: int32[n_sentences + 1], where each sentence begins.
        width: The width of words in characters; shorter words are padded on the left.
            If it is 0, words that begin with a quotation mark are quoted as in CSV.
        texts: The Texts.
        piece: int32[n_pieces], each an index of texts, WORD for the token itself, or
            ZERO - n for the number n.
        first: int64[n_cells, n_tokens + 1]; the pieces of cell c of token t are
            `first[c, t]:first[c, t + 1]`.
        out: uint8[n], which must be large enough.

    Returns:
        The number of bytes written.
    """
    n = np.int64(0)
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            for c in range(len(first)):
                for k in range(first[c, t], first[c, t + 1]):
                    i = np.int64(piece[k])
                    if i >= 0:
                        n = _put(texts.data, texts.start[i], texts.start[i + 1], out, n)
                    elif i == WORD:
                        n = _put_word(raw, begin[t], end[t], width, out, n)
                    else:
                        n = _put_integer(ZERO - i, out, n)
            out[n] = _NEWLINE
            n += 1
        out[n] = _NEWLINE
        n += 1
    return n
