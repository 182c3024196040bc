"""Fallbacks for `kernels.text.units`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.text import units as kernels

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints


def find_units(
    raw: Bytes,
    range_begin: Ints,
    range_end: Ints,
    char_class: Bytes,
    begin: Ints,
    end: Ints,
    counts: Ints,
) -> int:
    data, n = raw.tobytes(), 0
    ranges = zip(range_begin.tolist(), range_end.tolist(), strict=True)
    for r, (start, stop) in enumerate(ranges):
        first, run, position = n, kernels.BLANK, start
        for char in data[start:stop].decode("utf-8", "surrogateescape"):
            size, category = 1, kernels.SINGLE
            if not 0xDC80 <= ord(char) <= 0xDCFF:  # a byte outside valid UTF-8
                size, category = len(char.encode()), int(char_class[ord(char)])
            if category == kernels.BLANK:
                run = category
            elif run != kernels.BLANK and (
                category == kernels.MARK
                or (category == run and category >= kernels.LETTER)
            ):
                end[n - 1] = position + size
            else:
                begin[n], end[n] = position, position + size
                n += 1
                run = kernels.SINGLE if category == kernels.MARK else category
            position += size
        counts[r] = n - first
    return n
