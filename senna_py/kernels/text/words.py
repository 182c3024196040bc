"""Words that are several tokens, and words joined by hyphens; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.abbreviations import abbreviation_end, range_end
from senna_py.kernels.text.addresses import entity_end
from senna_py.kernels.text.characters import (
    APOSTROPHE,
    BLANK,
    CONTINUED,
    DIGIT,
    LETTER,
    LONGEST_NAME,
    WORD,
    capitals_end,
    character_end,
    hyphens_end,
    is_small_or_digit,
    letters_end,
    past_blank,
    run_end,
)
from senna_py.kernels.text.known_texts import (
    CHARACTERS,
    CLITICS,
    HALVES,
    IONS,
    KEYS,
    LATER,
    NEIGHBORS,
    NOT_HABIT,
    PREFIXES,
    SLASHED,
    WHOLE,
    listed,
    longest_entry,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes


@borrowing_kernel
def _is_parted(
    raw: Bytes, kind: Bytes, i: int, end: int, trie: NDArray[np.int16], value: int
) -> bool:
    """Return whether the word at `i`, which is in HALVES, is two tokens here.

    This is only for words with conditions: `value` is greater than CHARACTERS.
    """
    if value & LATER:
        return (kind[i - 1] & LETTER) != 0
    last, following = longest_entry(
        raw, kind, past_blank(raw, kind, end), trie, NEIGHBORS
    )
    if raw[last] == 45:  # its so-called
        following = 0
    if not value & NOT_HABIT:
        return following & value != 0
    j = i - 1
    while kind[j - 1] & WORD:
        j -= 1
    preceding = listed(raw, j, i - 1, trie, NEIGHBORS) if kind[i - 1] & BLANK else 0
    return not (following | preceding) & NOT_HABIT


@borrowing_kernel
def first_half(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the first token of a word that is two tokens, otherwise `i`.

    A word such as `wanna` is one token if a hyphen joins it to another word.
    """
    end, value = longest_entry(raw, kind, i, trie, HALVES)
    if end == i:
        return i
    if value > CHARACTERS and not _is_parted(raw, kind, i, end, trie, value):
        return i
    if raw[end] == 45 and kind[end + 1] & WORD and run_end(kind, i, LETTER) == end:
        return i
    for _ in range(value & CHARACTERS):
        i = character_end(kind, i)
    return i


@borrowing_kernel
def _is_not(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether `'t` ends a word at `i`, after an `n`."""
    if not kind[i] & APOSTROPHE or raw[i - 1] not in (78, 110):
        return False
    i = character_end(kind, i)
    return raw[i] in (84, 116) and not kind[i + 1] & WORD


@borrowing_kernel
def _join(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the mark or `::` at `i` if it joins two words, otherwise `i`."""
    c = raw[i]
    if kind[i] & APOSTROPHE:
        j = character_end(kind, i)
        if kind[i - 1] & kind[j] & DIGIT and run_end(kind, j, DIGIT) < j + 3:  # 5'11"
            return i
        if kind[j] & (LETTER | DIGIT) and not _is_not(raw, kind, i):
            end, _ = longest_entry(raw, kind, j, trie, CLITICS)
            if end == j:
                return j
        return i
    if c in (38, 45, 64):  # & - @
        joins = (kind[i + 1] & WORD) != 0 and entity_end(raw, kind, i, trie) == i
    elif c == 46:
        joins = is_small_or_digit(raw, kind, i + 1)
    elif c == 58 and raw[i + 1] == 58 and kind[i - 1] & kind[i + 2] & LETTER:
        # std::string
        return i + 2
    else:
        joins = c in (44, 47, 58) and (kind[i - 1] & kind[i + 1] & DIGIT) != 0  # , / :
    return i + 1 if joins else i


@borrowing_kernel
def _keeps_hyphen(
    raw: Bytes, kind: Bytes, begin: int, end: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether the word from `begin` to `end` keeps the hyphen after it.

    It does if it is a prefix, or a fragment of one or two letters, as in `th- that`.
    """
    if listed(raw, begin, end, trie, PREFIXES):
        return True
    first = character_end(kind, begin)
    short = first == end or character_end(kind, first) == end
    return short and kind[begin] & kind[end - 1] & LETTER and kind[end + 1] & BLANK


@borrowing_kernel
def joined_end(
    raw: Bytes, kind: Bytes, begin: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the words that are joined into one token at `begin`.

    The first word ends at `run`. An `n` before `'t` belongs to the next token. `split`
    is whether hyphens separate words.
    """
    last, end = begin, run  # the last word, and the end of the words before it
    before = begin
    while True:
        if split and raw[end] == 45:
            whole = _keeps_hyphen(raw, kind, last, end, trie)
            if whole and kind[end + 1] & BLANK:
                return end + 1
            j = end + 1 if whole and kind[end + 1] & WORD else end
        elif raw[end] == 43:
            j = (
                end + 1
                if kind[end + 1] & WORD and listed(raw, last, end, trie, KEYS)
                else end
            )
        else:
            j = _join(raw, kind, end, trie)
        if j == end:
            break
        if raw[end] == 45 and not split:
            k = abbreviation_end(raw, kind, j, trie)
            k = k if k > j else letters_end(raw, kind, j, split)
            if k > j:
                return range_end(raw, kind, k, trie)  # D-N.Y., anti-U.S., mid-Jan.
        before, last = end, j
        end = run_end(kind, j, WORD)
    if _is_not(raw, kind, end):
        return end - 1 if end - last > 1 else before
    return end


@borrowing_kernel
def locants_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the chemical name with locants at `i`, or `i` if there is none.

    Examples are `N,N-dimethyl`, `2,2'-bipyridine` and `5'-UTR`.
    """
    j = i
    primed = False
    n_letters = 0
    while j < i + LONGEST_NAME:
        k = run_end(kind, j, DIGIT)
        if k == j and 65 <= raw[j] <= 90:
            k += 1
            n_letters += 1
        if k == j:
            return i
        j = k
        while kind[j] & APOSTROPHE:
            j = character_end(kind, j)
            primed = True
        if raw[j] != 44:
            break
        j += 1
    if raw[j] != 45 or not kind[j + 1] & LETTER or not (primed or n_letters > 1):
        return i
    end = joined_end(
        raw, kind, j + 1, run_end(kind, j + 1, WORD), trie, np.bool_(False)
    )
    if end == j + 1:
        return i
    if primed and kind[end - 1] & DIGIT and kind[end] & APOSTROPHE:  # 5'-AATT-3'
        k = character_end(kind, end)
        end = end if kind[k] & WORD else k
    return end


@borrowing_kernel
def _labeled_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the isotope-labeled chemical name at `i`, or `i` if there is none.

    An example is `[3H]thymidine`.
    """
    j = run_end(kind, i + 1, DIGIT)
    k = capitals_end(raw, j)
    if j == i + 1 or j > i + 4 or k == j or k > j + 2:
        return i
    k += 97 <= raw[k] <= 122
    if raw[k] != 93:
        return i
    k += 2 if raw[k + 1] == 45 else 1
    if not kind[k] & LETTER:
        return i
    end = joined_end(raw, kind, k, run_end(kind, k, WORD), trie, np.bool_(False))
    return end if end > k else i


@borrowing_kernel
def _stereo_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the chemical name with a stereodescriptor at `i`, or else `i`.

    An example is `(2S,3R)-x`.
    """
    j = i + 1
    marked = False
    # 0-9 ' + , - D E L R S Z
    while j < i + LONGEST_NAME and (
        48 <= raw[j] <= 57 or raw[j] in (39, 43, 44, 45, 68, 69, 76, 82, 83, 90)
    ):
        marked = marked or raw[j] in (43, 45) or raw[j] >= 65
        j += 1
    if (
        not marked
        or raw[j] != 41
        or raw[j + 1] != 45
        or not kind[j + 2] & (LETTER | DIGIT)
    ):
        return i
    end = joined_end(
        raw, kind, j + 2, run_end(kind, j + 2, WORD), trie, np.bool_(False)
    )
    return end if end > j + 2 else i


@borrowing_kernel
def chemical_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the chemical name at `i` that begins with a bracket, or `i`."""
    if kind[i - 1] & WORD:
        return i
    return (
        _stereo_end(raw, kind, i, trie)
        if raw[i] == 40
        else _labeled_end(raw, kind, i, trie)
    )


@borrowing_kernel
def _is_quoted(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> bool:
    """Return whether a single quotation mark is open in the line before `i`."""
    j = i - 1
    while raw[j] != 10 and j > i - LONGEST_NAME:
        if kind[j] & APOSTROPHE and not kind[j] & CONTINUED:
            if not kind[character_end(kind, j)] & WORD:
                return False
            if longest_entry(raw, kind, j, trie, WHOLE)[1]:  # 'em
                j -= 1
                continue
            if raw[j - 1] in (34, 40) or kind[j - 1] & BLANK:
                return True
        if raw[j] == 0xE2 and raw[j + 1] == 0x80 and raw[j + 2] == 0x98:  # ‘
            return True
        j -= 1
    return False


@borrowing_kernel
def dropped_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of a word at `i` that drops letters (`nothin'`, `o'`), or `i`.

    The apostrophe is after the word, at `run`, and does not close a quotation. `n't`
    also counts as a word that drops letters.
    """
    end = character_end(kind, run)
    if run == i + 1 and _is_not(raw, kind, run):
        return end + 1
    if kind[end] & WORD:
        j, _ = longest_entry(raw, kind, i, trie, WHOLE)  # OK'd
        return j if j > end else i
    dropped = run >= i + 4 and raw[run - 2] == 105 and raw[run - 1] == 110
    if not dropped:
        j, _ = longest_entry(raw, kind, i, trie, WHOLE)
        dropped = j == end
    return end if dropped and not _is_quoted(raw, kind, i, trie) else i


@borrowing_kernel
def slashed_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of the word at `i` with a slash at `run`, or `i` if there is none.

    Examples are `w/o` and `HTTP/1.1`.
    """
    end, _ = longest_entry(raw, kind, i, trie, SLASHED)
    if end > i:
        return i if raw[end] == 47 else end
    j = run + 1
    j += raw[j] == 118  # v
    end = run_end(kind, j, DIGIT)
    if (
        end == j
        or raw[end] != 46
        or not kind[end + 1] & DIGIT
        or run_end(kind, i, LETTER) < run
    ):
        return i
    while raw[end] == 46 and kind[end + 1] & DIGIT:
        end = run_end(kind, end + 1, DIGIT)
    return i if kind[end] & WORD else end


@borrowing_kernel
def _censored_end(raw: Bytes, kind: Bytes, i: int, end: int) -> int:
    """Return the end of a word with asterisks at `end`, as in `f**k`, or else `end`."""
    if raw[i - 1] == 42 or end > i + 4 or run_end(kind, i, LETTER) < end:
        return end
    n_letters, j = end - i, end
    n_hidden = 0
    while raw[j] == 42 and n_letters < 9:
        k = j
        while raw[k] == 42:
            k += 1
        n_hidden = max(n_hidden, k - j)
        j = run_end(kind, k, LETTER)
        n_letters += j - k
        if j == k:
            return j if n_hidden > 1 and n_letters < 3 else end
    whole = not (kind[j] & WORD or raw[j] in (40, 91))  # ( [
    return j if whole and n_letters < 9 and (n_hidden > 1 or 2 < n_letters < 7) else end


@borrowing_kernel
def signs_end(
    raw: Bytes, kind: Bytes, i: int, end: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the signs that belong to the word from `i` to `end`, or `end`.

    Examples are `C++`, `F#`, `f**k`, `Ca2+`, `Cl-`, `p53-/-` and `C++11`. If `split` is
    false, words that a hyphen joins to the signs are included.
    """
    c = raw[end]
    j = end + 1
    if c == 42 or not kind[i] & LETTER or kind[i - 1] & WORD:
        return _censored_end(raw, kind, i, end) if c == 42 else end
    if c == 35:
        j = end if j > i + 2 or raw[i] > 122 or raw[j] == 35 else j
    elif c == 43 and raw[j] == 43 and kind[end - 1] & LETTER:
        j = run_end(kind, j + 1, DIGIT)
        j = end if raw[j] == 43 else j
    elif raw[j] == 47 and raw[j + 1] in (43, 45):  # / + -
        j += 2
    elif c == 43 and kind[j] & kind[end - 1] & DIGIT and end > i + 4:  # J005325+1234
        while kind[j] & DIGIT or (raw[j] == 46 and kind[j + 1] & DIGIT):
            j += 1
    elif not listed(raw, i, j, trie, IONS) and (
        c == 45 or not kind[end - 1] & DIGIT or raw[j] == 43
    ):
        j = end
    if j == end or kind[j] & WORD:
        return end
    return j if split else hyphens_end(raw, kind, j)
