"""Abbreviations, initials and their periods, in the bytes of a text; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.characters import (
    APOSTROPHE,
    BEGINS,
    BLANK,
    DIGIT,
    LETTER,
    WORD,
    capitals_end,
    character_end,
    hyphens_end,
    is_small_or_digit,
    is_trailing,
    letters_end,
    opens_quote,
    past_blank,
    run_end,
)
from senna_py.kernels.text.known_texts import (
    ABBREVIATIONS,
    ALWAYS,
    AROUND,
    CALLED,
    COUNTED,
    DETERMINER,
    EPITHET,
    EPITHET_END,
    FOLLOWER,
    INNER,
    LETTERED,
    MEASURE,
    NAME,
    NEWSPAPER,
    NUMBERED,
    ORDINARY,
    SMALL,
    STARTERS,
    VALUE,
    VERSE,
    listed,
    longest_entry,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes


@borrowing_kernel
def _ends_sentence(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], starters: bool
) -> bool:
    """Return whether a sentence may end before `i`, or after closing marks at `i`.

    A sentence may end if the line ends, or if a capitalized word follows. If `starters`
    is true, this must be a word of STARTERS, otherwise any word whose second letter is
    not a capital.
    """
    while is_trailing(raw, kind, i):
        i = character_end(kind, i)
    while kind[i] & BLANK and raw[i] != 10:
        i += 1
    if opens_quote(raw, i):
        i += 3
    elif raw[i] in (34, 39, 40):  # " ' (
        i += 1
    if starters:
        return raw[i] == 10 or longest_entry(raw, kind, i, trie, STARTERS)[1] != 0
    if kind[i] & (LETTER | BEGINS) != (LETTER | BEGINS):
        return raw[i] == 10
    return not 65 <= raw[character_end(kind, i)] <= 90


@borrowing_kernel
def _is_ordinary(
    raw: Bytes, kind: Bytes, begin: int, i: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether the text before a period is a word, not an abbreviation.

    The text begins at `begin`, and the period is before `i`.
    """
    value = listed(raw, begin, i - 1, trie, ORDINARY)
    if value == 0 or raw[i] in (44, 58, 59):  # , : ;
        return False
    c = raw[begin - 1]
    # ( [ and comma
    if value & NAME and (c in (40, 91) or (c == 32 and raw[begin - 2] == 44)):
        return False
    if value & SMALL:
        return True
    if value & NAME:
        return _ends_sentence(raw, kind, i, trie, np.bool_(True))
    called = value & CALLED and _word_before(raw, kind, begin, trie) & DETERMINER
    return _ends_sentence(raw, kind, i, trie, called != 0)


@borrowing_kernel
def _word_before(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the value in AROUND of the word before the space before `i`.

    The result is 0 if no space precedes `i`, or if the word is not in AROUND.
    """
    j = i - 1
    while kind[j - 1] & WORD:
        j -= 1
    return listed(raw, j, i - 1, trie, AROUND) if raw[i - 1] == 32 else 0


@borrowing_kernel
def _is_within(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether `i` is after an opening bracket, or a word or comma and a space."""
    if raw[i - 1] in (40, 91):
        return True
    return raw[i - 1] == 32 and (raw[i - 2] == 44 or (kind[i - 2] & WORD) != 0)


@borrowing_kernel
def _names_part(
    raw: Bytes, kind: Bytes, begin: int, i: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether a letter or numeral at `i` names a part, as in `Fig. A`.

    The abbreviation begins at `begin`.
    """
    j = run_end(kind, i, WORD)
    if kind[j] & APOSTROPHE or not 65 <= raw[i] & 0xDF <= 90:
        return False
    if raw[i] in (65, 73, 97, 105) and j == i + 1:  # A I a i
        capital = 65 <= raw[begin] <= 90
        return (capital and _is_within(raw, kind, begin)) or _is_no_word(
            raw, kind, j, trie
        )
    k = i + 1
    while 48 <= raw[k] <= 57:  # S1
        k += 1
    if k == i + 1 and j > k:
        k = i
        while _is_roman(raw[k]) and raw[k] & 0x20 == raw[i] & 0x20:
            k += 1
    return k == j and (j > i + 1 or raw[i] not in (111, 117, 120))  # o u x


@borrowing_kernel
def _is_no_word(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> bool:
    """Return whether the `A` or `I` before `i` names a part and is not a word.

    Examples are `A for`, `A)`, and `A` at the end of a line.
    """
    # ) . : ; ]
    if raw[i] in (41, 46, 58, 59, 93) or raw[past_blank(raw, kind, i)] == 10:
        return True
    if raw[i] != 32:
        return False
    j = run_end(kind, i + 1, WORD)
    of = j == i + 3 and raw[i + 1] == 111 and raw[i + 2] == 102
    article = raw[i - 1] in (65, 97)
    return of or (article and listed(raw, i + 1, j, trie, AROUND) & FOLLOWER != 0)


@borrowing_kernel
def _is_roman(c: int) -> bool:
    """Return whether a byte is one of I V X L C, or of i v x."""
    return c in (67, 73, 76, 86, 88, 105, 118, 120)


@borrowing_kernel
def _is_verse(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether a chapter and a verse are at `i`, as in `5:3`."""
    j = run_end(kind, i, DIGIT)
    return j > i and raw[j] in (46, 58) and (kind[j + 1] & DIGIT) != 0


@borrowing_kernel
def _keeps_period(
    raw: Bytes, kind: Bytes, begin: int, i: int, trie: NDArray[np.int16], value: int
) -> bool:
    """Return whether an abbreviation keeps its period, the character before `i`.

    The abbreviation begins at `begin` and has the value `value`. Numbers, letters and
    verses that allow the period are not considered; see `_is_counted`.
    """
    if raw[i] == 46 or is_small_or_digit(raw, kind, i):
        return False
    goes_on = (
        sentence_goes_on(raw, kind, i) and not kind[past_blank(raw, kind, i)] & DIGIT
    )
    if value & MEASURE and goes_on and _is_measured(raw, kind, begin):
        return True
    if value & NEWSPAPER and _word_before(raw, kind, begin, trie) & DETERMINER:
        return False
    if value & INNER:
        return sentence_goes_on(raw, kind, i) and not listed(
            raw, begin, i - 1, trie, ORDINARY
        )
    return (value & ALWAYS) != 0 and not _is_ordinary(raw, kind, begin, i, trie)


@borrowing_kernel
def sentence_goes_on(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether neither a capital nor the end of the line follows at `i`.

    A blank at `i` is skipped.
    """
    j = past_blank(raw, kind, i)
    return raw[j] != 10 and kind[j] & (LETTER | BEGINS) != (LETTER | BEGINS)


@borrowing_kernel
def _is_measured(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether the abbreviation at `i` is a unit after a number.

    A blank or hyphen may separate them, and also an abbreviation such as `sq.`, as in
    `5 sq. in.`. After a unit and a slash, as in `lb./sq. in.`, no number is needed.
    """
    j = i
    if raw[j - 1] == 32 and raw[j - 2] == 46 and kind[j - 3] & kind[j - 4] & LETTER:
        if raw[j - 5] == 47:  # lb./sq. in.
            return True
        j -= 4 if raw[j - 5] == 32 else 0
    if j == i and raw[j - 1] not in (32, 45):
        return kind[j - 1] & DIGIT
    j -= 1
    if kind[j - 1] & DIGIT:
        return True
    if raw[j - 2] == 0xC2:  # ¼ ½ ¾
        return 0xBC <= raw[j - 1] <= 0xBE
    return raw[j - 3] == 0xE2 and raw[j - 2] == 0x85 and 0x90 <= raw[j - 1] <= 0x9E  # ⅓


@borrowing_kernel
def _is_counted(
    raw: Bytes, kind: Bytes, begin: int, i: int, trie: NDArray[np.int16], value: int
) -> bool:
    """Return whether a number, letter or verse follows the period at `i`.

    The abbreviation begins at `begin`, and its value must allow this.
    """
    j = past_blank(raw, kind, i + 1)
    if kind[j] & DIGIT:
        return (value & NUMBERED) != 0 or _is_verse(raw, kind, j)
    return (
        (value & LETTERED) != 0 and j > i + 1 and _names_part(raw, kind, begin, j, trie)
    )


@borrowing_kernel
def abbreviation_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the abbreviation at `i` with its period, or `i` if there is none.

    The longest abbreviation that keeps its period according to `_keeps_period` takes
    precedence over the longest one that keeps it only before a number, letter or verse.
    """
    always = numbered = j = i
    node = trie[ABBREVIATIONS, raw[i]]
    while node >= 0:
        j += 1
        if raw[j] == 46:
            value = trie[node, VALUE]
            if _keeps_period(raw, kind, i, j + 1, trie, value):
                always = j + 1
            if value & (NUMBERED | LETTERED | VERSE) and _is_counted(
                raw, kind, i, j, trie, value
            ):
                numbered = (
                    j + 1 if listed(raw, i, j, trie, ORDINARY) != SMALL else numbered
                )
        node = trie[node, raw[j]]
    return always if always > i else numbered


@borrowing_kernel
def range_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the hyphen and word at `i`, and of more of them, or `i`.

    Words may be abbreviations, as in `-Thurs.`.
    """
    while raw[i] == 45 and kind[i + 1] & WORD:
        j = abbreviation_end(raw, kind, i + 1, trie)
        i = j if j > i + 1 else run_end(kind, i + 1, WORD)
    return i


@borrowing_kernel
def _ticker_end(raw: Bytes, i: int, run: int) -> int:
    """Return the end of a ticker symbol at `i`, as in `(GOOGL.O)`, or `i`.

    Its first word ends at `run`.
    """
    if run < i + 2 or capitals_end(raw, i) < run:
        return i
    j = capitals_end(raw, run + 1)
    return j if run + 1 < j <= run + 3 and raw[j] == 41 else i


@borrowing_kernel
def abbreviated_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the abbreviation or initial at `i`, or `i` if there is none.

    Letters with periods (`U.S.`), ticker symbols (`GOOGL.O`) and the initial of a genus
    (`e. coli`) are included. The first word ends at `run`. `split` is whether hyphens
    separate words; otherwise words that hyphens join to it are included.
    """
    end = abbreviation_end(raw, kind, i, trie)
    if end > i:
        return end if split else range_end(raw, kind, end, trie)
    if raw[run] != 46:
        return i
    end = letters_end(raw, kind, i, split)
    if end == i:
        end = _ticker_end(raw, i, run)
    if end > i or run > i + 1:
        return end
    if 65 <= raw[i] <= 90 and not (raw[i - 1] == 0xB0 and raw[i - 2] == 0xC2):  # 5 °C.
        return _initial_end(raw, kind, i, trie, split)
    genus = (
        97 <= raw[i] <= 122 and raw[i - 1] == 32 and _is_epithet(raw, kind, i + 2, trie)
    )
    return i + 2 if genus else i


@borrowing_kernel
def _is_epithet(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> bool:
    """Return whether a space and the name of a species are at `i`, as in `e. coli`."""
    if raw[i] != 32:
        return False
    j = k = i + 1
    while 97 <= raw[j] <= 122:
        j += 1
    if j == k or kind[j] & WORD:
        return False
    value = listed(raw, k, j, trie, AROUND)
    if value:
        return (value & EPITHET) != 0
    return j > k + 4 and (listed(raw, j - 2, j, trie, AROUND) & EPITHET_END) != 0


@borrowing_kernel
def _initial_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the initial at `i` with its period, or `i` if there is none.

    A capital is an initial if it is followed by a comma, colon or semicolon; by a
    hyphen or apostrophe and a word; directly by another capital; or by a word that
    continues a name (see `_is_name_going_on`). After a comma in a list of names, or
    before a closing bracket, it is an initial unless it seems to end a sentence. `I` is
    an initial only before a comma, colon, semicolon or apostrophe, or between two
    names.
    """
    j = i + 2
    # , : ;
    if raw[j] in (44, 58, 59) or (
        kind[j] & APOSTROPHE and kind[character_end(kind, j)] & LETTER
    ):
        return j
    if raw[i] == 73:  # `I` is a word
        return j if _is_middle_initial(raw, kind, i, trie) else i
    if raw[j] == 45 and kind[j + 1] & WORD:
        return j if split else hyphens_end(raw, kind, j)
    k = past_blank(raw, kind, j)
    if k == j and 65 <= raw[k] <= 90:
        return j
    if k > j and _is_name_going_on(raw, kind, i, k, trie):
        return j
    listed_name = raw[i - 2] == 44 and raw[i - 1] == raw[j] == 32
    within = (listed_name or raw[j] in (41, 93)) and not _ends_sentence(
        raw, kind, j, trie, np.bool_(False)
    )
    return j if within else i


@borrowing_kernel
def _is_name_going_on(
    raw: Bytes, kind: Bytes, i: int, k: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether a name with an initial at `i` continues at `k`, as in `E. coli`.

    If a word in lower case precedes the initial, a word of STARTERS at `k` begins a
    sentence instead: `a plan B. Then`.
    """
    small = 97 <= raw[k] <= 122 and (kind[k + 1] & WORD) != 0
    if not small and not 65 <= raw[k] <= 90:
        return False
    if raw[i - 1] == 32:
        if small and kind[i - 2] & DIGIT:  # 5 V. and
            return False
        j = i - 1
        while kind[j - 1] & WORD:
            j -= 1
        if 65 <= raw[j] <= 90:
            return True
    stop = run_end(kind, k, WORD)
    if not small and (
        raw[stop] == 46 or raw[i - 1] != 32 or not 97 <= raw[i - 2] <= 122
    ):
        return True
    node = trie[STARTERS, raw[k] - 32 * small]
    return node < 0 or listed(raw, k + 1, stop, trie, np.int64(node)) == 0


@borrowing_kernel
def _is_middle_initial(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether `I.` at `i` follows a first name or initial, before a name."""
    k = past_blank(raw, kind, i + 2)
    name_follows = 65 <= raw[k] <= 90 and 97 <= raw[k + 1] <= 122
    if (
        raw[i - 1] != 32
        or k == i + 2
        or not name_follows
        or longest_entry(raw, kind, k, trie, STARTERS)[1]
    ):
        return False
    if raw[i - 2] == 46:
        return 65 <= raw[i - 3] <= 90 and not kind[i - 4] & WORD
    j = i - 1
    while kind[j - 1] & WORD:
        j -= 1
    if j > i - 3 or not (65 <= raw[j] <= 90 and 97 <= raw[i - 2] <= 122):
        return False
    return not (
        listed(raw, j, i - 1, trie, STARTERS)
        or listed(raw, j, i - 1, trie, AROUND) & COUNTED
    )
