"""Numbers with their units, years and telephone numbers; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.abbreviations import abbreviation_end, sentence_goes_on
from senna_py.kernels.text.characters import (
    APOSTROPHE,
    BLANK,
    CONTINUED,
    DIGIT,
    LONGEST_NAME,
    WORD,
    character_end,
    opens_quote,
    run_end,
)
from senna_py.kernels.text.known_texts import (
    ABBREVIATIONS,
    AMOUNT,
    ANY_NUMBER,
    HOUR,
    LONG_NUMBER,
    MEDIUM_NUMBER,
    SHORT_NUMBER,
    UNITS,
    listed,
    longest_entry,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes


@borrowing_kernel
def phone_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the telephone number or date at `i`, or `i` if it is neither.

    Both consist of digits and hyphens, with two or more hyphens, or with one hyphen and
    four digits after it but not before it. Other numbers with one hyphen are ranges.
    """
    j = run_end(kind, i, DIGIT)
    n_first, n_groups, n_last = j - i, 1, j - i
    while raw[j] == 45 and kind[j + 1] & DIGIT:
        k = run_end(kind, j + 1, DIGIT)
        n_last = k - j - 1
        n_groups += 1
        j = k
    if kind[j] & WORD or (raw[j] == 45 and kind[j + 1] & WORD):
        return i
    return j if n_groups > 2 or (n_groups == 2 and n_last == 4 and n_first != 4) else i


@borrowing_kernel
def decade_end(raw: Bytes, kind: Bytes, i: int, run: int) -> int:
    """Return the end of a decade such as `60's` at `i`, or `i` if there is none."""
    if raw[run - 1] != 48 or run == i + 1 or not kind[run] & APOSTROPHE:
        return i
    j = character_end(kind, run)
    if raw[j] != 115 or kind[j + 1] & WORD or run_end(kind, i, DIGIT) < run:
        return i
    return j + 1


@borrowing_kernel
def is_currency(raw: Bytes, i: int) -> bool:
    """Return whether `$`, `¢` to `¥` or a sign in U+20A0-20BF is before `i`.

    There may be a space between them.
    """
    i -= raw[i - 1] == 32
    if raw[i - 1] == 36 or (raw[i - 2] == 0xC2 and 0xA2 <= raw[i - 1] <= 0xA5):
        return True
    return raw[i - 3] == 0xE2 and raw[i - 2] == 0x82 and raw[i - 1] >= 0xA0


@borrowing_kernel
def _is_unit(
    raw: Bytes,
    kind: Bytes,
    i: int,
    j: int,
    trie: NDArray[np.int16],
    value: int,
    end: int,
) -> bool:
    """Return whether the text from `j` to `end` is a unit of the number at `i`.

    `value` is the value of the text in UNITS.
    """
    if listed(raw, i, end, trie, UNITS) and kind[i - 1] & BLANK:  # 3M
        return False
    if listed(raw, i, end, trie, ABBREVIATIONS):  # a user's own
        return False
    n_digits = 0
    for k in range(i, j):
        n_digits += (kind[k] & (DIGIT | CONTINUED)) == DIGIT
    # 19 20
    century = (raw[i] == 49 and raw[i + 1] == 57) or (raw[i] == 50 and raw[i + 1] == 48)
    year = century and n_digits == 4 and j == i + 4
    if value & ANY_NUMBER or (value & LONG_NUMBER and n_digits > 1 and not year):
        return True
    if (value & SHORT_NUMBER and n_digits < 3) or (
        value & MEDIUM_NUMBER and 1 < n_digits < 4
    ):
        return True
    return (value & AMOUNT) != 0 and is_currency(raw, i)


@borrowing_kernel
def measured_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the number at `i` if a unit follows directly, otherwise `i`.

    Examples are `5pm` and `10km`. A number before `x` and another number, as in `3x4`,
    also counts. `split` is whether hyphens separate words.
    """
    j = run_end(kind, i, DIGIT)
    n_periods = 0
    while not kind[j] & WORD:
        ranged = raw[j] == 45 and not split
        n_periods = 0 if ranged else n_periods + (raw[j] == 46)
        # , . / :
        if n_periods > 1 or not (
            (ranged or raw[j] in (44, 46, 47, 58)) and kind[j + 1] & DIGIT
        ):
            return i
        j = run_end(kind, j + 1, DIGIT)
    if raw[j] == 120 and kind[j + 1] & DIGIT and raw[i] != 48:  # 3x4
        k = run_end(kind, j + 1, DIGIT)
        last = run_end(kind, k, WORD)
        measured = last > k and longest_entry(raw, kind, k, trie, UNITS)[0] == last
        return j if last == k or measured or (raw[k] == 120 and last < i + 20) else i
    end, value = longest_entry(raw, kind, j, trie, UNITS)
    if end == j:
        return i
    if raw[end] == 45 and kind[end + 1] & WORD and not (split or value & HOUR):
        k = run_end(kind, end + 1, DIGIT)
        if k == end + 1 or longest_entry(raw, kind, k, trie, UNITS)[0] == k:
            return i
    return j if _is_unit(raw, kind, i, j, trie, value, end) else i


@borrowing_kernel
def unit_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the unit at `i`, after a number, or `i` if there is none."""
    if raw[i] == 120 and kind[i + 1] & DIGIT:
        return i + 1
    end, _ = longest_entry(raw, kind, i, trie, UNITS)
    if raw[end] != 46 or end == i:
        return end
    if raw[end - 2] == 46 or (
        sentence_goes_on(raw, kind, end + 1)
        and abbreviation_end(raw, kind, i, trie) == end + 1
    ):
        return end + 1  # p.m., 6ft. 2in. tall
    return end


@borrowing_kernel
def number_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the number at `i` that begins with a sign, point or comma.

    The result is `i` if there is none. Words that are joined to the number are
    included, unless they are a unit.
    """
    if kind[i - 1] & WORD or raw[i - 1] in (41, 93):  # ) ]
        return i
    j = i
    if raw[j] in (43, 45):
        behind_mark = raw[j - 1] > 0x7F and not kind[j - 1] & BLANK
        # 2%-3%, 2°-3°
        if raw[j - 1] == 37 or (behind_mark and not opens_quote(raw, j - 3)):
            return i
        j += 1
    if raw[j] in (44, 46):
        j += 1
    if not kind[j] & DIGIT:
        return i
    if split:
        end = phone_end(raw, kind, j)
        if end > j:
            return end
    end = measured_end(raw, kind, j, trie, split)
    if end > j:
        return end
    j = run_end(kind, j, DIGIT)
    while raw[j] in (44, 46, 47, 58) and kind[j + 1] & DIGIT:
        j = run_end(kind, j + 1, DIGIT)
    while True:
        k = j + 1 if raw[j] == 45 and not split else j
        if not kind[k] & WORD:
            return j
        j = run_end(kind, k, WORD)


@borrowing_kernel
def year_end(raw: Bytes, kind: Bytes, i: int, j: int) -> int:
    """Return the end of a year or decade without its century at `j`, or else `j`.

    Examples are `'68` and `'80s`. The apostrophe is at `i`, and does not open a
    quotation.
    """
    k = character_end(kind, j)
    if not kind[k] & DIGIT:
        return j
    k = character_end(kind, k)
    if raw[k] == 115 and not kind[k + 1] & WORD:
        return k + 1
    goes_on = kind[k] & (WORD | APOSTROPHE) or raw[k] in (36, 37)  # $ %
    goes_on = goes_on or (raw[k] in (44, 45, 46, 58) and kind[k + 1] & WORD)  # , - . :
    return j if goes_on or kind[i - 1] & WORD or _is_closed(raw, kind, k) else k


@borrowing_kernel
def _is_closed(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether the next apostrophe, soon after `i`, closes a quotation."""
    j = i
    while raw[j] != 10 and j < i + LONGEST_NAME:
        if kind[j] & APOSTROPHE and kind[j - 1] & BLANK:
            return False
        if kind[j] & APOSTROPHE and not kind[character_end(kind, j)] & WORD:
            return True
        j += 1
    return False
