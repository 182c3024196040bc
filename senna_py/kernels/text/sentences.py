"""Splitting of paragraphs into sentences, on the bytes of their tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.characters import BEGINS, LETTER
from senna_py.kernels.text.known_texts import (
    ABBREVIATIONS,
    AROUND,
    EMOTICONS,
    INNER,
    LETTERED,
    MARKS,
    NUMBERED,
    OPENER,
    STARTERS,
    TITLE,
    VERSE,
    listed,
)
from senna_py.kernels.text.numbers import is_currency
from senna_py.kernels.text.tokens import code_point, utf8_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Bytes, Ints, Longs

# Bits of the values of marks.
CLOSING = 1
OPENING = 2
FINAL = 4  # a full stop of another script, after which any word may begin a sentence

# The maximum number of tokens after the first one in a phrase before an abbreviation.
_LONGEST_PHRASE = 3

# How a token may end a sentence; see `_full_stop`.
PLAIN = 1
ABBREVIATED = 2
ELLIPSIS = 3
OTHER = 4


@borrowing_kernel
def _opening_quotes(raw: Bytes, begin: Ints, end: Ints, opens: Bools) -> None:
    """Write to `opens` whether each token is a `"` or `'` that opens a quotation."""
    is_open = False
    n = len(begin)
    for t in range(n):
        opens[t] = False
        c = raw[begin[t]]
        if end[t] - begin[t] > 1 or c not in (34, 39):
            continue
        before = t > 0 and begin[t] == end[t - 1]
        after = t + 1 < n and begin[t + 1] == end[t]
        opens[t] = after if before != after else c == 34 and not is_open
        if c == 34:
            is_open = opens[t]


@borrowing_kernel
def _class_at(raw: Bytes, i: int, end: int, char_class: Bytes) -> int:
    """Return the class of the character at `i` in a token that ends at `end`.

    The class is 0 for invalid UTF-8.
    """
    size = utf8_length(raw, i, end)
    return char_class[code_point(raw, i, size)] if size > 0 else np.uint8(0)


@borrowing_kernel
def _is_item(raw: Bytes, i: int, j: int) -> bool:
    """Return whether `raw[i:j]` is the number of an item: `2`, `b`, `C.`, `iv`.

    Everything that begins with a digit counts.
    """
    if 48 <= raw[i] <= 57:
        return True
    j -= raw[j - 1] == 46
    if j <= i + 1:
        return i < j and 65 <= raw[i] & 0xDF <= 90
    while i < j and raw[i] in (73, 86, 88, 105, 118, 120):  # I V X i v x
        i += 1
    return i == j


@borrowing_kernel
def _is_numbered(raw: Bytes, begin: Ints, end: Ints, first: int, t: int) -> bool:
    """Return whether the period of token `t` ends the number of an item.

    The item begins at token `first`. Examples are `2. The second point`, `b. It` and
    `(2). It`.
    """
    if raw[begin[t]] != 46:
        return first == t and _is_item(raw, begin[t], end[t])
    if first == t - 3 and raw[begin[t - 1]] == 41 and raw[begin[first]] == 40:
        return _is_item(raw, begin[t - 2], end[t - 2])
    return first == max(t - 1, 0) and _is_item(raw, begin[first], end[first])


@borrowing_kernel
def _begins(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    t: int,
    plain: bool,
    trie: NDArray[np.int16],
    char_class: Bytes,
) -> bool:
    """Return whether token `t` may begin a sentence after a full stop or abbreviation.

    `plain` is whether it follows a full stop. After an abbreviation, only words of
    STARTERS begin sentences.
    """
    last = np.int64(len(begin) - 1)
    behind_item = t < 2 or _is_item(raw, begin[t - 2], end[t - 2])  # p . m .
    while t < last and listed(raw, begin[t], end[t], trie, MARKS) & OPENING:
        t += 1
    if not plain:
        return listed(raw, begin[t], end[t], trie, STARTERS) != 0
    if t < last and begin[t + 1] == end[t] and is_currency(raw, np.int64(end[t])):  # £5
        t += 1
    numbered = (
        t < last and raw[begin[t + 1]] in (41, 46) and _is_item(raw, begin[t], end[t])
    )
    if numbered and not behind_item:
        return True
    return (
        _class_at(raw, np.int64(begin[t]), np.int64(end[t]), char_class) & BEGINS
    ) != 0


@borrowing_kernel
def _goes_on_small(
    raw: Bytes, begin: Ints, end: Ints, t: int, u: int, stop: int, char_class: Bytes
) -> bool:
    """Return whether a sentence in lower case begins at token `u`, after `.!?` of `t`.

    A blank must be between them. A full stop must follow at least two letters, because
    one letter may be an abbreviation. `stop` is the result of `_full_stop`.
    """
    if stop != PLAIN or u != t + 1 or begin[u] == end[t]:
        return False
    i = np.int64(begin[t])
    if raw[i] == 46:
        if end[t] > i + 1 or t == 0 or end[t - 1] - begin[t - 1] < 2:
            return False
        i = np.int64(end[t - 1] - 1)
        while i > begin[t - 1] and raw[i] & 0xC0 == 0x80:
            i -= 1
        if not _class_at(raw, i, np.int64(end[t - 1]), char_class) & LETTER:
            return False
    return (
        _class_at(raw, np.int64(begin[u]), np.int64(end[u]), char_class) & LETTER
    ) != 0


@borrowing_kernel
def _is_emoji(raw: Bytes, i: int, j: int) -> bool:
    """Return whether `raw[i:j]` begins with a character from U+1F000 to U+1FFFF."""
    return j - i >= 4 and raw[i] == 0xF0 and raw[i + 1] == 0x9F


@borrowing_kernel
def _are_emoji(raw: Bytes, begin: Ints, end: Ints, t: int, last: int) -> bool:
    """Return whether all tokens from `t` to `last` are emoji."""
    while t <= last and _is_emoji(raw, begin[t], end[t]):
        t += 1
    return t > last


@borrowing_kernel
def _other_stop(raw: Bytes, i: int, j: int, trie: NDArray[np.int16]) -> int:
    """Return how the token `raw[i:j]`, which does not end in `.!?`, may end a sentence.

    The result is PLAIN, ELLIPSIS or OTHER, or 0 if it cannot end one.
    """
    if j == i + 3 and raw[i] == 0xE2 and raw[i + 1] == 0x80 and raw[i + 2] == 0xA6:  # …
        return ELLIPSIS
    if _is_emoji(raw, i, j):
        return ELLIPSIS  # a sentence may continue in lower case
    if raw[j - 1] >= 0x80:
        return OTHER if listed(raw, i, j, trie, MARKS) & FINAL else 0
    return PLAIN if listed(raw, i, j, trie, EMOTICONS) else 0


@borrowing_kernel
def _full_stop(
    raw: Bytes, begin: Ints, end: Ints, t: int, trie: NDArray[np.int16]
) -> int:
    """Return how token `t` may end a sentence, or 0 if it cannot.

    The result is PLAIN, ABBREVIATED, ELLIPSIS or OTHER.
    """
    i, j = np.int64(begin[t]), np.int64(end[t])
    final = raw[j - 1]
    if final in (33, 63):  # ! ?
        return PLAIN
    if final != 46:
        return _other_stop(raw, i, j, trie)
    if j == i + 1:
        return PLAIN
    if raw[i] == 46 and raw[j - 2] == 46:
        return ELLIPSIS
    if raw[i] in (33, 46, 63):
        return PLAIN
    return 0 if _is_part_of_next(raw, begin, end, t, trie) else ABBREVIATED


@borrowing_kernel
def _is_part_of_next(
    raw: Bytes, begin: Ints, end: Ints, t: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether `t` is a title or abbreviation that the next token completes."""
    value = listed(raw, np.int64(begin[t]), np.int64(end[t] - 1), trie, ABBREVIATIONS)
    if value & TITLE:
        return True
    if value & (NUMBERED | LETTERED | VERSE) == 0 or t + 1 == len(begin):
        return False
    return _names_part(raw, np.int64(begin[t + 1]), np.int64(end[t + 1]), value)


@borrowing_kernel
def _names_part(raw: Bytes, i: int, j: int, value: int) -> bool:
    """Return whether `raw[i:j]` numbers a part after an abbreviation (`3`, `S1`)."""
    if 48 <= raw[i] <= 57:
        return True
    if value & LETTERED == 0:
        return False
    if j > i + 1 and 65 <= raw[i] <= 90 and 48 <= raw[i + 1] <= 57:  # S1
        return True
    return _is_item(raw, i, j) and raw[j - 1] != 46


@borrowing_kernel
def _is_first_phrase(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    first: int,
    t: int,
    u: int,
    trie: NDArray[np.int16],
) -> bool:
    """Return whether a sentence continues after its first phrase (`At 5 a.m. Mr. X`).

    Args:
        raw, begin, end, trie: See `find_sentences`.
        first: The first token of the sentence.
        t: The last token of the phrase, an abbreviation.
        u: The token after the phrase, which must be a title.
    """
    if u != t + 1 or not first < t <= first + _LONGEST_PHRASE or raw[end[u] - 1] != 46:
        return False
    i, j = np.int64(begin[u]), np.int64(end[u])
    title = (listed(raw, i, j - 1, trie, ABBREVIATIONS) & TITLE) != 0
    return title and (listed(raw, begin[first], end[first], trie, AROUND) & OPENER) != 0


@borrowing_kernel
def _is_before_item(
    raw: Bytes, begin: Ints, end: Ints, t: int, trie: NDArray[np.int16]
) -> bool:
    """Return whether a numbered item with a title follows the abbreviation `t`.

    In `aged 18-65 yrs. 3. Results`, the number before the abbreviation shows that the
    number after it does not belong to it. `5 ft. 3. He left` has no item.
    """
    if t == 0 or t + 3 >= len(begin) or end[t + 2] != begin[t + 2] + 1:
        return False
    i, j, k = np.int64(begin[t + 1]), np.int64(end[t + 1]), np.int64(begin[t + 3])
    if j > i + 3 or raw[begin[t + 2]] not in (41, 46) or not 65 <= raw[k] <= 90:  # )
        return False
    while i < j and 48 <= raw[i] <= 57:
        i += 1
    if i < j or listed(raw, k, np.int64(end[t + 3]), trie, STARTERS):
        return False
    value = listed(raw, np.int64(begin[t]), np.int64(end[t] - 1), trie, ABBREVIATIONS)
    return 48 <= raw[begin[t - 1]] <= 57 or value & (INNER | NUMBERED) == INNER


@borrowing_kernel
def _trailing(
    raw: Bytes, begin: Ints, end: Ints, t: int, opens: Bools, trie: NDArray[np.int16]
) -> int:
    """Return the number of tokens from `t` on that belong to the previous sentence.

    These are a closing mark, an emoticon, an emoji, or a footnote mark such as `[1]`.
    """
    if listed(raw, begin[t], end[t], trie, MARKS) & CLOSING and not opens[t]:
        return 1
    if listed(raw, begin[t], end[t], trie, EMOTICONS):
        return 1
    if _is_emoji(raw, begin[t], end[t]):
        return 1
    if raw[begin[t]] != 91 or t + 2 >= len(begin) or end[t + 1] - begin[t] > 5:
        return 0
    joined = begin[t + 1] == end[t] and begin[t + 2] == end[t + 1]
    for i in range(begin[t + 1], end[t + 1]):
        joined = joined and 48 <= raw[i] <= 57
    return 3 if joined and raw[begin[t + 2]] == 93 else 0


@borrowing_kernel
def _find(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    first: int,
    opens: Bools,
    trie: NDArray[np.int16],
    small: bool,
    char_class: Bytes,
    out: Longs,
    n_out: int,
) -> int:
    """Append the first token of each sentence of a paragraph to `out`.

    The first token of the paragraph has the index `first` in the text. The result is
    the new number of sentences.
    """
    n = np.int64(len(begin))
    _opening_quotes(raw, begin, end, opens)
    out[n_out] = first
    n_out += 1
    for t in range(n):
        stop = _full_stop(raw, begin, end, t, trie)
        if stop == 0:
            continue
        if raw[end[t] - 1] == 46 and _is_numbered(
            raw, begin, end, out[n_out - 1] - first, t
        ):
            continue
        if _are_emoji(raw, begin, end, out[n_out - 1] - first, t):
            continue
        u = t + 1
        while u < n:
            k = _trailing(raw, begin, end, u, opens, trie)
            if k == 0:
                break
            u += k
        if u == n:
            break
        begun = out[n_out - 1] - first
        if u == begun or (  # an emoticon after a full stop
            stop == ABBREVIATED and _is_first_phrase(raw, begin, end, begun, t, u, trie)
        ):
            continue
        if (
            stop == OTHER
            or _begins(raw, begin, end, u, stop != ABBREVIATED, trie, char_class)
            or (small and _goes_on_small(raw, begin, end, t, u, stop, char_class))
            or (
                stop == ABBREVIATED
                and u == t + 1
                and _is_before_item(raw, begin, end, t, trie)
            )
        ):
            out[n_out] = first + u
            n_out += 1
    return n_out


@borrowing_kernel
def find_sentences(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    starts: Ints,
    trie: NDArray[np.int16],
    small: bool,
    char_class: Bytes,
    opens: Bools,
    out: Longs,
) -> int:
    """Find the first token of each sentence of each paragraph.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        starts: int32[n_paragraphs + 1], where the tokens of each paragraph begin. Each
            has at least one token.
        trie: int16[n_nodes, 257]; see `text.treebank`.
        small: Whether sentences may begin with a lowercase letter.
        char_class: uint8[0x110000], the class of each character.
        opens: bool[n_tokens], scratch.
        out: int64[n_tokens], which receives token indices.

    Returns:
        The number of sentences.
    """
    n_out = np.int64(0)
    for p in range(len(starts) - 1):
        a, b = starts[p], starts[p + 1]
        n_out = _find(
            raw,
            begin[a:b],
            end[a:b],
            np.int64(a),
            opens,
            trie,
            small,
            char_class,
            out,
            n_out,
        )
    return n_out
