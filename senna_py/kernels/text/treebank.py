"""Treebank tokens of raw text, on its bytes; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.abbreviations import abbreviated_end
from senna_py.kernels.text.addresses import (
    address_end,
    directory_end,
    entity_end,
    hardware_end,
    name_end,
    option_end,
    tag_end,
)
from senna_py.kernels.text.characters import (
    APOSTROPHE,
    BLANK,
    DIGIT,
    LETTER,
    LONGEST_NAME,
    WORD,
    capitals_end,
    character_end,
    past_blank,
    run_end,
)
from senna_py.kernels.text.known_texts import CLITICS, OPERATORS, WHOLE, longest_entry
from senna_py.kernels.text.numbers import (
    decade_end,
    measured_end,
    number_end,
    phone_end,
    unit_end,
    year_end,
)
from senna_py.kernels.text.signs import (
    emoticon_end,
    keycap_end,
    marks_end,
    operator_end,
)
from senna_py.kernels.text.words import (
    chemical_end,
    dropped_end,
    first_half,
    joined_end,
    locants_end,
    signs_end,
    slashed_end,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes, Ints


@borrowing_kernel
def _word_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the token at `i`, which begins with a character of WORD."""
    run = run_end(kind, i + 1, WORD)
    # Most words end here.
    if kind[run] & BLANK and not (kind[i - 1] | kind[i]) & DIGIT:
        end = first_half(raw, kind, i, trie)
        return end if end > i else run
    c = raw[run]
    if c == 96:
        _take_backtick(raw, kind, run, trie)
    end = _special_end(raw, kind, i, run, trie, split)
    if end > i:
        return end
    if kind[run] & APOSTROPHE:
        end = dropped_end(raw, kind, i, run, trie)
        if end > i:
            return end
    end = first_half(raw, kind, i, trie)
    if end > i or kind[run] & BLANK:
        return end if end > i else run
    if c in (45, 46):
        end = abbreviated_end(raw, kind, i, run, trie, split)
    elif c == 47 and raw[i - 1] != 47:
        end = slashed_end(raw, kind, i, run, trie)
    elif c == 36 and run <= i + 2 and capitals_end(raw, i) == run:
        end = run + 1  # US$
    elif (c == 44 or kind[run] & APOSTROPHE) and run == i + 1 and 65 <= raw[i] <= 90:
        end = locants_end(raw, kind, i, trie)
    if end > i:
        return end
    end = joined_end(raw, kind, i, run, trie, split)
    return (
        signs_end(raw, kind, i, end, trie, split)
        if raw[end] in (35, 42, 43, 45)
        else end
    )


@borrowing_kernel
def _special_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the number, unit, emoticon or address at `i`, or `i`.

    Its first word ends at `run`.
    """
    c = raw[run]
    end = i
    if c in (45, 58):  # - :
        end = hardware_end(raw, kind, i, run)
    if end == i and kind[i] & DIGIT:
        end = _figures_end(raw, kind, i, run, trie, split)
    elif kind[i - 1] & DIGIT:
        end = unit_end(raw, kind, i, trie)
    if end == i and not kind[run] & BLANK:
        if kind[i - 1] & BLANK and (raw[i] >= 0xC2 or run == i + 1):
            end = emoticon_end(raw, kind, i, trie)  # 8-), O:-)
        if end == i and c in (43, 45, 46, 58):  # + - . :
            end = address_end(raw, kind, i, run, trie)
        if end == i and c in (37, 43, 45, 46, 64):  # % + - . @
            end = name_end(raw, kind, i, run, trie)
    return end


@borrowing_kernel
def _take_backtick(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> None:
    """Turn the backtick at `i` into an apostrophe in a contraction (``didn`t``).

    Only `kind` changes. Backticks around code remain backticks.
    """
    negated = (
        raw[i - 1] in (78, 110) and raw[i + 1] in (84, 116) and not kind[i + 2] & WORD
    )
    if not (negated or longest_entry(raw, kind, i + 1, trie, CLITICS)[1]):
        return
    j = i - 1
    while raw[j] != 10 and j > i - LONGEST_NAME:
        if (
            raw[j] == 96
            and not kind[j - 1] & WORD
            and raw[j - 1] != 96
            and raw[j + 1] != 96
        ):
            return
        j -= 1
    kind[i] = APOSTROPHE


@borrowing_kernel
def _figures_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of a special token at `i` that begins with a digit, or `i`.

    Its first word ends at `run`.
    """
    if kind[character_end(kind, i)] & LETTER:
        end = keycap_end(raw, i + 1)
        if end > i + 1:
            return end
    if raw[run] == 44 or kind[run] & APOSTROPHE:
        end = locants_end(raw, kind, i, trie)
        if end > i:
            return end
    end = measured_end(raw, kind, i, trie, split)
    if end > i:
        return end
    if split and raw[run] == 45:
        return phone_end(raw, kind, i)
    return decade_end(raw, kind, i, run)


@borrowing_kernel
def _marked_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the @name, #topic or $STOCK at `i`, or `i` if there is none.

    A name or topic contains a letter. A stock symbol has one to five capitals, and is
    not followed by a word or an amount.
    """
    if kind[i - 1] & WORD:
        return i
    if raw[i] != 36:
        j = run_end(kind, i + 1, DIGIT)
        return run_end(kind, j, WORD) if kind[j] & WORD else i
    j = capitals_end(raw, i + 1)
    amount = kind[j] & WORD or kind[past_blank(raw, kind, j)] & DIGIT
    return i if amount or j == i + 1 or j > i + 6 else j


@borrowing_kernel
def _apostrophe_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the token at `i` that begins with an apostrophe, or `i`."""
    end = first_half(raw, kind, i, trie)
    if end > i:
        return end
    j = character_end(kind, i)
    end, value = longest_entry(raw, kind, j, trie, CLITICS)
    if value:
        return end
    if kind[j] & DIGIT:
        k = year_end(raw, kind, i, j)
        if k > j:
            return k
    end, _ = longest_entry(raw, kind, i, trie, WHOLE)
    return end


@borrowing_kernel
def _whole_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of a longer token at `i` that begins with a mark, or `i`.

    It is a name, path, option, entity, HTML tag or chemical name.
    """
    c = raw[i]
    if c in (35, 36, 64):
        return _marked_end(raw, kind, i)
    if c == 38:
        return entity_end(raw, kind, i, trie)
    if c == 60:
        return tag_end(raw, kind, i, trie)
    if c in (40, 91):
        return chemical_end(raw, kind, i, trie)
    if not kind[i - 1] & BLANK and raw[i - 1] not in (34, 39, 40, 91, 96):  # "'([`
        return i
    return option_end(raw, kind, i) if c == 45 else directory_end(raw, kind, i, trie)


@borrowing_kernel
def _mark_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the token at `i` that begins with a mark."""
    c = raw[i]
    end = i
    if c in (43, 44, 45, 46):
        end = number_end(raw, kind, i, trie, split)
    # ( : ; < = ^
    if end == i and (kind[i - 1] & BLANK or c in (40, 58, 59, 60, 61, 94)):
        end = (
            i if kind[i + 1] & BLANK and c < 0xC2 else emoticon_end(raw, kind, i, trie)
        )
    # #$&(-./<@[\~
    if end == i and c in (
        35,
        36,
        38,
        40,
        45,
        46,
        47,
        60,
        64,
        91,
        92,
        126,
    ):
        end = _whole_end(raw, kind, i, trie)
    if end == i and kind[i] & APOSTROPHE:
        end = _apostrophe_end(raw, kind, i, trie)
    if end == i and c < 0x80 and trie[OPERATORS, c] >= 0:
        end = operator_end(raw, kind, i, trie)
    return end if end > i else marks_end(raw, kind, i)


@borrowing_kernel
def _part_underscores(raw: Bytes, kind: Bytes, i: int) -> None:
    """Turn underscores around words at `i` into marks (`_so it is_`).

    This changes `kind`. The underscores of a name such as `__init__` do not change.
    """
    n = 2 if raw[i + 1] == 95 else 1
    if kind[i - 1] & WORD or raw[i + n] == 95 or not kind[i + n] & WORD:
        return
    several = n == 1
    k = i + n
    while raw[k] != 10 and k < i + LONGEST_NAME:
        several = several or (kind[k] & BLANK) != 0
        closes = raw[k] == raw[k + n - 1] == 95 and not (
            kind[k + n] & WORD or kind[k - 1] & BLANK
        )
        if closes and raw[k - 1] != 95:
            if several:
                kind[i : i + n] = kind[k : k + n] = 0
            return
        k += 1


@borrowing_kernel
def find_tokens(
    raw: Bytes,
    kind: Bytes,
    trie: NDArray[np.int16],
    split: bool,
    begin: Ints,
    end: Ints,
) -> int:
    """Find the Treebank tokens of a text.

    A token never depends on the text of other lines.

    Args:
        raw: uint8[n_bytes], which begins and ends with a newline.
        kind: uint8[n_bytes], from `characters`; it is changed where underscores are
            marks and backticks are apostrophes.
        trie: int16[n_nodes, 257]; see VALUE.
        split: Whether hyphens separate words.
        begin, end: int32[n_bytes], which receive the byte range of each token.

    Returns:
        The number of tokens.
    """
    n_tokens = np.int64(0)
    i = np.int64(1)
    while i < len(raw):
        if kind[i] & BLANK:
            i += 1
            continue
        if raw[i] == 95:
            _part_underscores(raw, kind, i)
        if kind[i] & WORD:
            j = _word_end(raw, kind, i, trie, split)
        else:
            j = _mark_end(raw, kind, i, trie, split)
        begin[n_tokens] = i
        end[n_tokens] = j
        n_tokens += 1
        i = j
    return n_tokens
