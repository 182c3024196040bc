"""Numbering of the words of tokenized text, which are separated by white space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, enter, extend_hash

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints

LINE_END = -1
_NEWLINE, _TAB, _RETURN, _SPACE = 10, 9, 13, 32


@kernel
def number_words(
    raw: Bytes, slots: Ints, begin: Ints, end: Ints, out: Ints
) -> tuple[int, int]:
    """Number the distinct words of a text in the order of their first occurrence.

    Words are separated by ASCII white space.

    Args:
        raw: uint8[n], the text.
        slots: int32[2**k], a hash table with -1 everywhere, and more than twice as many
            elements as there are words.
        begin, end: int32[n // 2 + 1], which receive the byte range of each distinct
            word.
        out: int32[n], which receives the number of each word, and LINE_END for each
            newline.

    Returns:
        The number of elements of `out`, and the number of distinct words.
    """
    n_out = n_words = i = 0
    while i < len(raw):
        byte = raw[i]
        if byte == _SPACE or _TAB <= byte <= _RETURN:
            if byte == _NEWLINE:
                out[n_out] = LINE_END
                n_out += 1
            i += 1
            continue
        value = EMPTY_HASH
        begin[n_words] = i
        while i < len(raw) and raw[i] != _SPACE and not _TAB <= raw[i] <= _RETURN:
            value = extend_hash(value, raw[i])
            i += 1
        end[n_words] = i
        found = enter(raw, begin, end, slots, n_words, value)
        out[n_out] = found
        n_out += 1
        n_words += found == n_words
    return n_out, n_words
