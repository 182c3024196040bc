"""Splitting of text into units: runs of letters or digits, and single other characters.

`text.units` explains units, which do not contain white space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import code_point, utf8_length

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints

# The classes of characters. SINGLE is also the class of bytes outside valid UTF-8.
SINGLE, BLANK, LETTER, DIGIT, MARK = 0, 1, 2, 3, 4


@borrowing_kernel
def find_units(
    raw: Bytes,
    range_begin: Ints,
    range_end: Ints,
    char_class: Bytes,
    begin: Ints,
    end: Ints,
    counts: Ints,
) -> int:
    """Find the units of ranges of a text, and return their number.

    A unit is a run of letters, a run of digits, or any other character except white
    space. A unit includes the combining marks that follow it.

    Args:
        raw: uint8[n_bytes], the text.
        range_begin, range_end: int32[n_ranges], the ranges, in ascending order.
        char_class: uint8[0x110000], the class of each character.
        begin, end: int32[n_bytes], which receive the byte range of each unit.
        counts: int32[n_ranges], which receives the number of units of each range.
    """
    n = 0
    for r in range(len(range_begin)):
        first = n
        # The class of the run that the previous character belongs to; BLANK after
        # white space and at the beginning.
        run = BLANK
        i = range_begin[r] + 0
        stop = range_end[r] + 0
        while i < stop:
            size = 1
            if raw[i] < 0x80:
                category = char_class[raw[i]] + 0
            else:
                size = utf8_length(raw, i, stop)
                category = SINGLE
                if size > 0:
                    category = char_class[code_point(raw, i, size)] + 0
                size = max(size, 1)
            if category == BLANK:
                run = BLANK
            elif run != BLANK and (
                category == MARK or (category == run and category >= LETTER)
            ):
                end[n - 1] = i + size
            else:
                begin[n] = i
                end[n] = i + size
                n += 1
                run = SINGLE if category == MARK else category
            i += size
        counts[r] = n - first
    return n
