"""Classes of characters, and runs of characters of a class, in the bytes of a text.

Positions are byte offsets. A function whose name ends in `_end` returns the end of the
token or part that it recognizes at `i`, or `i` itself if there is none. `raw` is the
text, uint8[n_bytes], and `kind` is the class of the character at each byte,
uint8[n_bytes]. Every byte of a character has the class of the character, so that runs
of characters and characters before a position are found without decoding. The text
begins and ends with a newline, so that no function reads beyond it.

All modules that find treebank tokens follow these conventions: `abbreviations`,
`addresses`, `numbers`, `signs`, `words` and `treebank`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import code_point, utf8_length

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes

# The bits of the class of a character.
BLANK = 1
LETTER = 2  # also numbers that are not decimal digits
DIGIT = np.uint8(4)
UNDERSCORE = 8
WORD = np.uint8(LETTER | DIGIT | UNDERSCORE)
APOSTROPHE = 16
BEGINS = 32  # a capital or a digit of any kind, which begins sentences
COMBINING = 128  # a mark such as an accent
CONTINUED = 64  # set by `characters` on all bytes of a character but the first

# The largest number of bytes that are examined for a name, an address or a tag.
LONGEST_NAME = 256


@borrowing_kernel
def characters(raw: Bytes, char_class: Bytes, out: Bytes) -> None:
    """Write the class of each character at all of its bytes, or 0 for invalid UTF-8.

    A combining mark after a letter, digit or underscore has the class of a letter.

    Args:
        raw: uint8[n_bytes], the text, which begins with a newline.
        char_class: uint8[0x110000], the class of each character.
        out: uint8[n_bytes], which is written.
    """
    i = np.int64(0)
    n = np.int64(len(raw))
    while i < n:
        if raw[i] < 0x80:
            out[i] = char_class[raw[i]]
            i += 1
            continue
        size = utf8_length(raw, i, n)
        flags = char_class[code_point(raw, i, size)] if size else 0
        if flags & COMBINING and out[i - 1] & WORD:
            flags = LETTER
        out[i] = flags
        for k in range(i + 1, i + size):
            out[k] = flags | CONTINUED
        i += max(size, 1)


@borrowing_kernel
def character_end(kind: Bytes, i: int) -> int:
    """Return the end of the character at `i`."""
    i += 1
    while kind[i] & CONTINUED:
        i += 1
    return i


@borrowing_kernel
def run_end(kind: Bytes, i: int, flags: int) -> int:
    """Return the end of the run of characters at `i` whose class has one of `flags`."""
    while kind[i] & flags:
        i += 1
    return i


@borrowing_kernel
def is_small_or_digit(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether there is a small Latin letter of ASCII or a digit at `i`."""
    return 97 <= raw[i] <= 122 or (kind[i] & DIGIT) != 0


@borrowing_kernel
def past_blank(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the blank at `i` if it is not a newline, otherwise `i`."""
    return character_end(kind, i) if kind[i] & BLANK and raw[i] != 10 else i


@borrowing_kernel
def opens_quote(raw: Bytes, i: int) -> bool:
    """Return whether `“` or `‘` is at `i`."""
    return raw[i] == 0xE2 and raw[i + 1] == 0x80 and raw[i + 2] in (0x98, 0x9C)


@borrowing_kernel
def hyphens_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the hyphen and word at `i`, and of more of them, or `i`."""
    while raw[i] == 45 and kind[i + 1] & WORD:
        i = run_end(kind, i + 1, WORD)
    return i


@borrowing_kernel
def letters_end(raw: Bytes, kind: Bytes, i: int, split: bool) -> int:
    """Return the end of letters with periods, as in `U.S.` and `U.S.-based`.

    The last letter needs no period if the word ends there. With fewer than two periods,
    `i` is returned. `split` is whether hyphens separate words.
    """
    j, n = i, 0
    while kind[j] & LETTER:
        k = character_end(kind, j)
        if raw[k] != 46:
            break
        j = k + 1
        n += 1
        # J.-P.
        if (
            raw[j] == 45
            and kind[j + 1] & LETTER
            and raw[character_end(kind, j + 1)] == 46
        ):
            j += 1
    if n < 2:
        return i
    if raw[j] == 45 and kind[j + 1] & WORD:
        return j if split else hyphens_end(raw, kind, j)
    if kind[j] & LETTER:
        k = character_end(kind, j)
        if not kind[k] & WORD and raw[k] != 46:
            return k
    return j


@borrowing_kernel
def capitals_end(raw: Bytes, i: int) -> int:
    """Return the end of the run of letters A to Z at `i`."""
    while 65 <= raw[i] <= 90:
        i += 1
    return i


@borrowing_kernel
def is_trailing(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether the mark at `i` may follow an address without being part of it."""
    c = raw[i]
    if c == 0xE2 and raw[i + 1] == 0x80 and raw[i + 2] == 0x9D:  # ”
        return True
    if kind[i] & APOSTROPHE:
        return True
    return c in (33, 34, 41, 44, 46, 58, 59, 60, 62, 63, 93, 96)  # !"),.:;<>?]`
