"""Emoticons, emoji, operators and runs of marks; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.characters import (
    BLANK,
    COMBINING,
    DIGIT,
    LONGEST_NAME,
    WORD,
    character_end,
    is_trailing,
)
from senna_py.kernels.text.known_texts import EMOTICONS, OPERATORS, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes

_LONGEST_EMOTICON = 64  # in bytes


@borrowing_kernel
def _is_open(raw: Bytes, i: int) -> bool:
    """Return whether a parenthesis is open at `i`.

    Only the part of the line before `i` counts, and at most LONGEST_NAME bytes of it.
    Opening parentheses of emoticons are ignored.
    """
    n_open = 0
    j = i
    while raw[j - 1] != 10 and j > i - LONGEST_NAME:
        j -= 1
    while j < i:
        k = j + 2 if raw[j + 1] == 45 else j + 1  # (-:
        if (
            raw[j] == 40
            and raw[j - 1] not in (39, 45, 58, 59, 61)
            and raw[k] not in (58, 59, 61)
        ):
            n_open += 1  # ' - : ; =
        elif raw[j] == 41 and n_open:
            n_open -= 1
        j += 1
    return n_open > 0


@borrowing_kernel
def emoticon_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the emoticon at `i`, before a blank or a mark, or `i`.

    If no blank precedes it, its value must be GLUED. A parenthesis that closes another
    one is not part of it.
    """
    glued = 0 if kind[i - 1] & BLANK else 1
    if (
        kind[i - 1] & WORD
        and not kind[i - 2] & WORD
        and (raw[i] == 60 or raw[i - 1] < 97)
    ):
        return i  # n<3, C:/, 1:)
    end = j = i
    node = trie[EMOTICONS, raw[i]]
    while node >= 0 and j < i + _LONGEST_EMOTICON:
        j += 1
        ends = kind[j] & BLANK or raw[j] in (33, 44, 46, 63)  # ! , . ?
        # not list:("x", "y")
        ends = ends or (raw[j - 1] != 40 and is_trailing(raw, kind, j))
        if ends and trie[node, VALUE] > glued:
            end = j
        node = trie[node, raw[j]]
    # 1 :3
    if end > i and raw[i] == 58 and 48 <= raw[end - 1] <= 57 and kind[i - 2] & DIGIT:
        return i
    if end == i or raw[end - 1] != 41:
        return end
    several = raw[end - 2] == 41 or raw[end] == 41
    while raw[end] == 41:
        end += 1
    if not _is_open(raw, i):
        return end
    return end - 1 if several else (i if glued else end)


@borrowing_kernel
def keycap_end(raw: Bytes, i: int) -> int:
    """Return the end of the combining keycap at `i` (U+20E3), or `i` if there is none.

    U+FE0F may precede it.
    """
    j = i
    if raw[j] == 0xEF and raw[j + 1] == 0xB8 and raw[j + 2] == 0x8F:
        j += 3
    if raw[j] == 0xE2 and raw[j + 1] == 0x83 and raw[j + 2] == 0xA3:
        return j + 3
    return i


@borrowing_kernel
def _is_regional(raw: Bytes, i: int) -> bool:
    """Return whether a letter of a flag is at `i`: U+1F1E6 to U+1F1FF."""
    if raw[i] != 0xF0 or raw[i + 1] != 0x9F or raw[i + 2] != 0x87:
        return False
    return 0xA6 <= raw[i + 3] <= 0xBF


@borrowing_kernel
def _is_modifier(raw: Bytes, i: int) -> bool:
    """Return whether a skin tone (U+1F3FB-1F3FF) or a tag (U+E0000-E007F) is at `i`."""
    if raw[i] == 0xF0 and raw[i + 1] == 0x9F and raw[i + 2] == 0x8F:
        return 0xBB <= raw[i + 3] <= 0xBF
    if raw[i] == 0xF3 and raw[i + 1] == 0xA0 and raw[i + 2] in (0x80, 0x81):
        return 0x80 <= raw[i + 3] <= 0xBF
    return False


@borrowing_kernel
def _picture_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the character at `i` with its modifiers (UTS 51).

    Modifiers are marks (including U+FE0F, U+20E3 and joiners), skin tones, tags, the
    second letter of a flag, and characters that follow the joiner U+200D.
    """
    j = character_end(kind, i)
    if _is_regional(raw, i) and _is_regional(raw, j):
        j += 4
    if raw[i] < 0xC2:
        return j
    while True:
        if not (kind[j] & COMBINING or _is_modifier(raw, j)):
            return j
        joiner = raw[j] == 0xE2 and raw[j + 1] == 0x80 and raw[j + 2] == 0x8D
        j = character_end(kind, j)
        if joiner and raw[j] >= 0xE2 and not kind[j] & (BLANK | WORD):
            j = character_end(kind, j)


@borrowing_kernel
def operator_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the operator or arrow at `i`, as in `->` and `>=`, or `i`.

    `<-` counts only before a blank: in `<-5` the two signs are separate tokens.
    """
    end = j = i
    node = trie[OPERATORS, raw[i]]
    while node >= 0:
        j += 1
        end = j if trie[node, VALUE] else end
        node = trie[node, raw[j]]
    if raw[end] in (43, 45, 60, 61, 62) or (
        raw[i] == 60 and raw[end - 1] == 45 and not kind[end] & BLANK
    ):
        return i
    return end


@borrowing_kernel
def marks_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the marks at `i` that form one token.

    They are a run of `.`, `!` and `?`; a run of one sign, such as `--` or `***`; two
    equal quotation marks; or a single character with its modifiers.
    """
    c = raw[i]
    j = i + 1
    if c in (33, 46, 63):  # ! . ?
        while raw[j] in (33, 46, 63):
            j += 1
        return j
    if c in (42, 35):  # * #
        end = keycap_end(raw, j)
        if end > j:
            return end
    # # $ * + - < = > ^ _ | ~
    if c in (
        35,
        36,
        42,
        43,
        45,
        60,
        61,
        62,
        94,
        95,
        124,
        126,
    ):
        while raw[j] == c:
            j += 1
        return j
    if c in (39, 96) and raw[j] == c:
        return j + 1
    return _picture_end(raw, kind, i)
