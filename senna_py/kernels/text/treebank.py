"""Treebank tokens of raw text, on its bytes.

Positions are byte offsets. A function whose name ends in `_end` returns the end of the
token or part that it recognizes at `i`, or `i` itself if there is none. `raw` is the
text, uint8[n_bytes], and `kind` is the class of the character at each byte,
uint8[n_bytes]. Every byte of a character has the class of the character, so that runs
of characters and characters before a position are found without decoding. The text
begins and ends with a newline, so that no function reads beyond it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import code_point, utf8_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes, Ints

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

# All lists of texts are in one trie, int16[n_nodes, 257]. A node has the next node for
# each byte, or -1, and in column VALUE the value of the text that ends there, or 0.
# Each list has its own root. Roots are int64, because kernels are compiled for every
# type.
VALUE = 256
HALVES = np.int64(0)  # words that are two or three tokens; see CHARACTERS
CLITICS = np.int64(1)  # endings of HALVES after an apostrophe
WHOLE = np.int64(2)  # words that begin with an apostrophe
ABBREVIATIONS = np.int64(3)  # abbreviations without their last period
# Emoticons, which are tokens after a blank, or anywhere if their value is GLUED.
EMOTICONS = np.int64(4)
SCHEMES = np.int64(5)  # prefixes of addresses, such as `http:` and `www.`
STARTERS = np.int64(6)  # words that begin sentences
MARKS = np.int64(7)  # quotes, brackets and dashes around sentences
# Prefixes that stay joined to the word after a hyphen even if hyphens separate words.
PREFIXES = np.int64(8)
ENDINGS = np.int64(9)  # the last parts of names of hosts and files
SLASHED = np.int64(10)  # words that contain a slash
MARKUP = np.int64(11)  # HTML entities, and names of HTML tags
ORDINARY = np.int64(12)  # words and names that are spelled like an abbreviation
KEYS = np.int64(13)  # keyboard keys before a plus sign, as in `Ctrl+L`
AROUND = np.int64(14)  # words around abbreviations that disambiguate them
# Units that are separate from a number, as in `5pm`, and numbers that are names.
UNITS = np.int64(15)
NEIGHBORS = np.int64(16)  # words next to which some of HALVES are two tokens
IONS = np.int64(17)  # chemical symbols followed by a sign
OPERATORS = np.int64(18)  # operators and arrows of several signs
N_ROOTS = 19

# Values of HALVES: the number of characters of the first token, and bits of conditions.
CHARACTERS = 7
LATER = 8  # only after a letter: the rest of a word that is three tokens
BEFORE_VERB = 16  # only before a word whose value in NEIGHBORS has this bit
BEFORE_STATE = 32  # like BEFORE_VERB, with another bit
NOT_HABIT = 64  # only if neither neighbor has this bit

# Bits of the values of units: the numbers after which a unit is a token.
ANY_NUMBER = 1
LONG_NUMBER = 2  # of at least two digits and not a year
SHORT_NUMBER = 4  # of at most two digits
MEDIUM_NUMBER = 64  # of two or three digits
AMOUNT = 8  # after a currency sign
HOUR = 16  # the unit may also precede a hyphen
NUMBER_NAME = 32  # no unit: a name that begins with a digit

# Bits of the values of abbreviations, which tell when they keep their period.
ALWAYS = 1  # whatever follows
NUMBERED = 2  # before a number
TITLE = 4  # whatever follows, and no sentence ends after it
INNER = 8  # unless a capital or the end of the line follows
LETTERED = 16  # before a letter or Roman numeral that names a part
VERSE = 32  # before a chapter and a verse
MEASURE = 64  # like INNER, but after a number and not before one
NEWSPAPER = 128  # not after a determiner, even if INNER

# Bits of the values of words around abbreviations.
FOLLOWER = 1  # may follow the letter of a part, as in `Fig. A for`
COUNTED = 2  # may precede the number I, as in `World War I`
DETERMINER = 4  # may precede a title in lower case
EPITHET = 8  # the name of a species, after the initial of its genus
EPITHET_END = 16  # the last two letters of other epithets
OPENER = 32  # may begin a sentence whose first phrase ends with an abbreviation

# Bits of the values of ordinary words, which tell when a period is not part of them.
SMALL = 1  # unless a comma, colon or semicolon follows the period
SHOUTED = 2  # if the line ends or a capitalized word follows
NAME = 4  # if the line ends or a word of STARTERS follows, but not after a comma
CALLED = 8  # like NAME after a determiner, otherwise like SHOUTED

ENTITY = 2  # the value of an entity in MARKUP; tags have 1
GLUED = 2  # the value of emoticons that need no blank before them; others have 1

# The largest number of bytes that are examined for a name, an address or a tag.
_LONGEST_NAME = 256
_LONGEST_EMOTICON = 64


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
def _after(kind: Bytes, i: int) -> int:
    """Return the end of the character at `i`."""
    i += 1
    while kind[i] & CONTINUED:
        i += 1
    return i


@borrowing_kernel
def _run(kind: Bytes, i: int, flags: int) -> int:
    """Return the end of the run of characters at `i` whose class has one of `flags`."""
    while kind[i] & flags:
        i += 1
    return i


@borrowing_kernel
def _is_small_or_digit(raw: Bytes, kind: Bytes, i: int) -> bool:
    return 97 <= raw[i] <= 122 or (kind[i] & DIGIT) != 0


@borrowing_kernel
def _entry(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], root: np.int64
) -> tuple[int, int]:
    """Find the longest entry of the trie under `root` that begins at `i`.

    Return its end and value, or (i, 0) if there is none. The entry must not be followed
    by a letter, digit or underscore.
    """
    end = j = i
    value = 0
    node = trie[root, raw[i]]
    while node >= 0:
        j += 1
        if trie[node, VALUE] and not kind[j] & WORD:
            end, value = j, trie[node, VALUE]
        node = trie[node, raw[j]]
    return end, value


@borrowing_kernel
def listed(
    raw: Bytes, i: int, stop: int, trie: NDArray[np.int16], root: np.int64
) -> int:
    """Return the value of the entry `raw[i:stop]` under `root`, or 0 if there is none."""
    node = root
    while i < stop and node >= 0:
        node = trie[node, raw[i]]
        i += 1
    return trie[node, VALUE] if i == stop and node >= 0 else 0


@borrowing_kernel
def _past_blank(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the blank at `i` if it is not a newline, otherwise `i`."""
    return _after(kind, i) if kind[i] & BLANK and raw[i] != 10 else i


@borrowing_kernel
def _is_parted(
    raw: Bytes, kind: Bytes, i: int, end: int, trie: NDArray[np.int16], value: int
) -> bool:
    """Return whether the word at `i`, which is in HALVES, is two tokens here.

    This is only for words with conditions: `value` is greater than CHARACTERS.
    """
    if value & LATER:
        return (kind[i - 1] & LETTER) != 0
    last, following = _entry(raw, kind, _past_blank(raw, kind, end), trie, NEIGHBORS)
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
def _first_half(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the first token of a word that is two tokens, otherwise `i`.

    A word such as `wanna` is one token if a hyphen joins it to another word.
    """
    end, value = _entry(raw, kind, i, trie, HALVES)
    if end == i:
        return i
    if value > CHARACTERS and not _is_parted(raw, kind, i, end, trie, value):
        return i
    if raw[end] == 45 and kind[end + 1] & WORD and _run(kind, i, LETTER) == end:
        return i
    for _ in range(value & CHARACTERS):
        i = _after(kind, i)
    return i


@borrowing_kernel
def _opens_quote(raw: Bytes, i: int) -> bool:
    """Return whether `“` or `‘` is at `i`."""
    return raw[i] == 0xE2 and raw[i + 1] == 0x80 and raw[i + 2] in (0x98, 0x9C)


@borrowing_kernel
def _ends_sentence(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], starters: bool
) -> bool:
    """Return whether a sentence may end before `i`, or after closing marks at `i`.

    A sentence may end if the line ends, or if a capitalized word follows. If `starters`
    is true, this must be a word of STARTERS, otherwise any word whose second letter is
    not a capital.
    """
    while _is_trailing(raw, kind, i):
        i = _after(kind, i)
    while kind[i] & BLANK and raw[i] != 10:
        i += 1
    if _opens_quote(raw, i):
        i += 3
    elif raw[i] in (34, 39, 40):  # " ' (
        i += 1
    if starters:
        return raw[i] == 10 or _entry(raw, kind, i, trie, STARTERS)[1] != 0
    if kind[i] & (LETTER | BEGINS) != (LETTER | BEGINS):
        return raw[i] == 10
    return not 65 <= raw[_after(kind, i)] <= 90


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
        return _ends_sentence(raw, kind, i, trie, True)
    called = value & CALLED and _word_before(raw, kind, begin, trie) & DETERMINER
    return _ends_sentence(raw, kind, i, trie, called != 0)


@borrowing_kernel
def _word_before(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the value in AROUND of the word before a space before `i`, or 0."""
    j = i - 1
    while kind[j - 1] & WORD:
        j -= 1
    return listed(raw, j, i - 1, trie, AROUND) if raw[i - 1] == 32 else 0


@borrowing_kernel
def _is_within(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether `i` is after a word, comma or opening bracket."""
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
    j = _run(kind, i, WORD)
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
    """Return whether the `A` or `I` before `i` is a letter, as in `A for` and `A)`."""
    # ) . : ; ]
    if raw[i] in (41, 46, 58, 59, 93) or raw[_past_blank(raw, kind, i)] == 10:
        return True
    if raw[i] != 32:
        return False
    j = _run(kind, i + 1, WORD)
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
    j = _run(kind, i, DIGIT)
    return j > i and raw[j] in (46, 58) and (kind[j + 1] & DIGIT) != 0


@borrowing_kernel
def _keeps_period(
    raw: Bytes, kind: Bytes, begin: int, i: int, trie: NDArray[np.int16], value: int
) -> bool:
    """Return whether an abbreviation keeps its period, the character before `i`.

    The abbreviation begins at `begin` and has the value `value`.
    """
    if raw[i] == 46 or _is_small_or_digit(raw, kind, i):
        return False
    goes_on = _goes_on(raw, kind, i) and not kind[_past_blank(raw, kind, i)] & DIGIT
    if value & MEASURE and goes_on and _is_measured(raw, kind, begin):
        return True
    if value & NEWSPAPER and _word_before(raw, kind, begin, trie) & DETERMINER:
        return False
    if value & INNER:
        return _goes_on(raw, kind, i) and not listed(raw, begin, i - 1, trie, ORDINARY)
    return (value & ALWAYS) != 0 and not _is_ordinary(raw, kind, begin, i, trie)


@borrowing_kernel
def _goes_on(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether neither a capital nor the end of the line follows at `i`.

    A blank at `i` is skipped.
    """
    j = _past_blank(raw, kind, i)
    return raw[j] != 10 and kind[j] & (LETTER | BEGINS) != (LETTER | BEGINS)


@borrowing_kernel
def _is_measured(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether a number and a blank or hyphen precede `i`.

    An abbreviation such as `sq.` may be between them, as in `5 sq. in.`.
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
    j = _past_blank(raw, kind, i + 1)
    if kind[j] & DIGIT:
        return (value & NUMBERED) != 0 or _is_verse(raw, kind, j)
    return (
        (value & LETTERED) != 0 and j > i + 1 and _names_part(raw, kind, begin, j, trie)
    )


@borrowing_kernel
def _abbreviation_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the abbreviation at `i` with its period, or `i` if there is none.

    The longest abbreviation that keeps its period whatever follows takes precedence
    over the longest one that keeps it before a number.
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
def _hyphens_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the words at `i` that each follow a hyphen, or `i`."""
    while raw[i] == 45 and kind[i + 1] & WORD:
        i = _run(kind, i + 1, WORD)
    return i


@borrowing_kernel
def _range_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of words or abbreviations at `i` after hyphens (`-Thurs.`)."""
    while raw[i] == 45 and kind[i + 1] & WORD:
        j = _abbreviation_end(raw, kind, i + 1, trie)
        i = j if j > i + 1 else _run(kind, i + 1, WORD)
    return i


@borrowing_kernel
def _letters_end(raw: Bytes, kind: Bytes, i: int, split: bool) -> int:
    """Return the end of letters with periods, as in `U.S.` and `U.S.-based`.

    The last letter needs no period if the word ends there. With fewer than two periods,
    `i` is returned. `split` is whether hyphens separate words.
    """
    j, n = i, 0
    while kind[j] & LETTER:
        k = _after(kind, j)
        if raw[k] != 46:
            break
        j = k + 1
        n += 1
        # J.-P.
        if raw[j] == 45 and kind[j + 1] & LETTER and raw[_after(kind, j + 1)] == 46:
            j += 1
    if n < 2:
        return i
    if raw[j] == 45 and kind[j + 1] & WORD:
        return j if split else _hyphens_end(raw, kind, j)
    if kind[j] & LETTER:
        k = _after(kind, j)
        if not kind[k] & WORD and raw[k] != 46:
            return k
    return j


@borrowing_kernel
def _is_not(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether `'t` ends a word at `i`, after an `n`."""
    if not kind[i] & APOSTROPHE or raw[i - 1] not in (78, 110):
        return False
    i = _after(kind, i)
    return raw[i] in (84, 116) and not kind[i + 1] & WORD


@borrowing_kernel
def _entity_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the HTML entity at `i`, as in `&quot;` and `&#39;`, or `i`."""
    if raw[i] != 38 or raw[i + 1] > 0x7F:
        return i
    j = i + 2
    if raw[i + 1] == 35:
        j += raw[j] in (88, 120)  # X x
        while 48 <= raw[j] <= 57 or 97 <= raw[j] <= 102 or 65 <= raw[j] <= 70:
            j += 1
        return j + 1 if raw[j] == 59 and i + 2 < j < i + 10 else i
    j = _run(kind, i + 1, WORD)
    return j + 1 if raw[j] == 59 and listed(raw, i, j, trie, MARKUP) & ENTITY else i


@borrowing_kernel
def _tag_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the HTML tag at `i`, or `i` if there is none."""
    j = i + 2 if raw[i + 1] == 47 else i + 1
    k = _run(kind, j, WORD)
    if not listed(raw, j, k, trie, MARKUP):
        return i
    if raw[k] == 62:
        return k + 1
    valued = raw[k] == 47
    while raw[k] not in (10, 60, 62) and k < i + _LONGEST_NAME:  # newline < >
        valued = valued or raw[k] == 61
        k += 1
    return k + 1 if raw[k] == 62 and valued else i


@borrowing_kernel
def _join(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the character at `i` if it joins two words, otherwise `i`."""
    c = raw[i]
    if kind[i] & APOSTROPHE:
        j = _after(kind, i)
        if kind[i - 1] & kind[j] & DIGIT and _run(kind, j, DIGIT) < j + 3:  # 5'11"
            return i
        if kind[j] & (LETTER | DIGIT) and not _is_not(raw, kind, i):
            end, _ = _entry(raw, kind, j, trie, CLITICS)
            if end == j:
                return j
        return i
    if c in (38, 45, 64):  # & - @
        joins = (kind[i + 1] & WORD) != 0 and _entity_end(raw, kind, i, trie) == i
    elif c == 46:
        joins = _is_small_or_digit(raw, kind, i + 1)
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
    """Return whether a word keeps its hyphen: a prefix, or a fragment (`th- that`)."""
    if listed(raw, begin, end, trie, PREFIXES):
        return True
    first = _after(kind, begin)
    short = first == end or _after(kind, first) == end
    return short and kind[begin] & kind[end - 1] & LETTER and kind[end + 1] & BLANK


@borrowing_kernel
def _joined_end(
    raw: Bytes, kind: Bytes, begin: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the words that are joined to one token at `begin`.

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
            k = _abbreviation_end(raw, kind, j, trie)
            k = k if k > j else _letters_end(raw, kind, j, split)
            if k > j:
                return _range_end(raw, kind, k, trie)  # D-N.Y., anti-U.S., mid-Jan.
        before, last = end, j
        end = _run(kind, j, WORD)
    if _is_not(raw, kind, end):
        return end - 1 if end - last > 1 else before
    return end


@borrowing_kernel
def _address_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of the URL, address or path at `i`, or `i` if there is none.

    The first word ends at `run`.
    """
    # git+ssh://
    while raw[run] in (43, 45) and kind[run + 1] & LETTER and run < i + _LONGEST_NAME:
        run = _run(kind, run + 1, WORD)
    j = run + 1
    if raw[run] == 58:
        if run == i + 1 and raw[j] == 92 and not kind[j + 1] & BLANK:  # C:\x
            return _path_end(raw, kind, j + 1, j + 1)
        end = _path_end(raw, kind, i, j) if listed(raw, i, j, trie, SCHEMES) else i
        return end if end > i else _uri_end(raw, kind, i, j, trie)
    www = raw[run] == 46 and listed(raw, i, j, trie, SCHEMES)
    return _path_end(raw, kind, i, j) if www else i


@borrowing_kernel
def _uri_end(raw: Bytes, kind: Bytes, i: int, j: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the URI at `i`, such as `s3://x`, or `i` if there is none.

    The text after the colon of the first scheme begins at `j`.
    """
    scheme = i
    while kind[j] & WORD and raw[_run(kind, j, WORD)] == 58 and j < i + _LONGEST_NAME:
        scheme, j = j, _run(kind, j, WORD) + 1  # jdbc:mysql://
    if (
        raw[j] != 47
        or raw[j + 1] != 47
        or raw[scheme] > 0x7F
        or not kind[scheme] & LETTER
    ):
        return i
    if scheme > i and listed(raw, scheme, j + 2, trie, SCHEMES):  # Site:http://x.org
        return i
    return _path_end(raw, kind, i, j + 2)


@borrowing_kernel
def _is_typographic(raw: Bytes, i: int) -> bool:
    """Return whether a typographic quote, dash or ellipsis is at `i`.

    No address contains one.
    """
    c = raw[i]
    if c < 0xC2:
        return False
    if c == 0xE2 and raw[i + 1] == 0x80:
        return 0x92 <= raw[i + 2] <= 0x9F or raw[i + 2] in (0xA6, 0xB9, 0xBA)
    if c == 0xE3 and raw[i + 1] == 0x80:
        return raw[i + 2] in (0x81, 0x82) or 0x88 <= raw[i + 2] <= 0x91
    if c == 0xEF and raw[i + 1] == 0xBC:
        return raw[i + 2] in (0x81, 0x88, 0x89, 0x8C)
    return c == 0xC2 and raw[i + 1] in (0xAB, 0xBB)


@borrowing_kernel
def _path_end(raw: Bytes, kind: Bytes, end: int, j: int) -> int:
    """Return the end of the path at `j`, which ends before a blank, or else `end`.

    Punctuation at its end is not part of it. A closing bracket is part of the path if
    the path contains the opening bracket.
    """
    n_open = np.int64(0)
    while not (kind[j] & BLANK or _is_typographic(raw, j)):
        k = _after(kind, j)
        if raw[j] in (40, 91, 123):  # ( [ {
            n_open += 1
        elif raw[j] in (41, 93, 125):  # ) ] }
            if n_open == 0:
                break
            n_open -= 1
            end = k
        elif raw[j] == 42:  # * but not **
            end = end if raw[j + 1] == 42 or raw[j - 1] == 42 else k
        elif not _is_trailing(raw, kind, j):
            end = k
        j = k
    return end


@borrowing_kernel
def _hex_end(raw: Bytes, i: int) -> int:
    """Return the end of the hexadecimal digits at `i`."""
    while 48 <= raw[i] <= 57 or 97 <= raw[i] | 32 <= 102:
        i += 1
    return i


@borrowing_kernel
def _hardware_end(raw: Bytes, kind: Bytes, i: int, run: int) -> int:
    """Return the end of the MAC or IPv6 address at `i`, or `i` if there is none.

    Examples are `00:1B:44:11:3A:B7` and `fe80::1`. The first word ends at `run`.
    """
    if run > i + 4 or _hex_end(raw, i) < run:
        return i
    mark, j = raw[run], run
    pairs = run == i + 2
    n_parts = 1
    skipped = figures = False
    while raw[j] == mark and n_parts < 9:
        if raw[j + 1] == mark == 58 and not skipped:
            skipped = True
            j += 1
        k = _hex_end(raw, j + 1)
        if k == j + 1 or k > j + 5:
            return i
        pairs = pairs and k == j + 3
        figures = figures or 48 <= raw[j + 1] <= 57
        n_parts += 1
        j = k
    if kind[j] & WORD or (mark == 45 and not pairs):
        return i
    return j if (pairs and n_parts == 6) or n_parts == 8 or (skipped and figures) else i


@borrowing_kernel
def _name_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of the mail address, host or file name at `i`, or `i` if there is none.

    The first word ends at `run`. A host or file has a listed ending, or an ending in
    small letters before a slash and more text.
    """
    j = run
    at = dot = np.int64(0)
    mail_only = hidden = False
    while j < i + _LONGEST_NAME:
        c = raw[j]
        if (c in (45, 46) or (at == 0 and c in (37, 43, 64))) and kind[
            j + 1
        ] & WORD:  # -. %+@
            mail_only = mail_only or c in (37, 43)
            at = j if c == 64 else at
            dot = j + 1 if c == 46 else dot
            j = _run(kind, j + 1, WORD)
        elif c == 46 and raw[j + 1] == 46 and at == 0:
            # an obfuscated address
            k = j
            while raw[k] == 46:
                k += 1
            if raw[k] != 64 or not kind[k + 1] & WORD:
                break
            j = k
            hidden = True
        else:
            break
    if at > 0:
        if raw[j] == 58 and not hidden and not kind[j + 1] & BLANK:
            return _remote_end(raw, kind, j, trie)
        return i if hidden and dot < at else j  # `3.....@name`
    if dot == 0 or mail_only:
        return i
    if listed(raw, dot, j, trie, ENDINGS):
        return _path_end(raw, kind, j, j) if raw[j] == 47 else j
    if raw[j] == 47 and kind[j + 1] & WORD and j > dot + 1 and _are_small(raw, dot, j):
        return _path_end(raw, kind, j, j)
    return i


@borrowing_kernel
def _remote_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the path after the colon at `i` (`git@x.org:a/b`), or `i`."""
    j = dot = i
    while not kind[j] & BLANK and j < i + _LONGEST_NAME:
        if raw[j] == 47:
            return _path_end(raw, kind, i, i + 1)
        dot = j + 1 if raw[j] == 46 and kind[j + 1] & WORD else dot
        j += 1
    end = _run(kind, dot, WORD)
    return end if dot > i and listed(raw, dot, end, trie, ENDINGS) else i


@borrowing_kernel
def _are_small(raw: Bytes, i: int, end: int) -> bool:
    """Return whether `raw[i:end]` consists of the letters a to z."""
    while i < end and 97 <= raw[i] <= 122:
        i += 1
    return i == end


@borrowing_kernel
def _phone_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the telephone number or date at `i`, or `i` if it is neither.

    Both consist of digits and hyphens, with two or more hyphens, or with one hyphen and
    four digits after it but not before it. Other numbers with one hyphen are ranges.
    """
    j = _run(kind, i, DIGIT)
    n_first, n_groups, n_last = j - i, 1, j - i
    while raw[j] == 45 and kind[j + 1] & DIGIT:
        k = _run(kind, j + 1, DIGIT)
        n_last = k - j - 1
        n_groups += 1
        j = k
    if kind[j] & WORD or (raw[j] == 45 and kind[j + 1] & WORD):
        return i
    return j if n_groups > 2 or (n_groups == 2 and n_last == 4 and n_first != 4) else i


@borrowing_kernel
def _decade_end(raw: Bytes, kind: Bytes, i: int, run: int) -> int:
    """Return the end of a decade such as `60's` at `i`, or `i` if there is none."""
    if raw[run - 1] != 48 or run == i + 1 or not kind[run] & APOSTROPHE:
        return i
    j = _after(kind, run)
    if raw[j] != 115 or kind[j + 1] & WORD or _run(kind, i, DIGIT) < run:
        return i
    return j + 1


@borrowing_kernel
def _locants_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the chemical name with locants at `i`, or `i` if there is none.

    Examples are `N,N-dimethyl`, `2,2'-bipyridine` and `5'-UTR`.
    """
    j = i
    primed = False
    n_letters = 0
    while j < i + _LONGEST_NAME:
        k = _run(kind, j, DIGIT)
        if k == j and 65 <= raw[j] <= 90:
            k += 1
            n_letters += 1
        if k == j:
            return i
        j = k
        while kind[j] & APOSTROPHE:
            j = _after(kind, j)
            primed = True
        if raw[j] != 44:
            break
        j += 1
    if raw[j] != 45 or not kind[j + 1] & LETTER or not (primed or n_letters > 1):
        return i
    end = _joined_end(raw, kind, j + 1, _run(kind, j + 1, WORD), trie, False)
    if end == j + 1:
        return i
    if primed and kind[end - 1] & DIGIT and kind[end] & APOSTROPHE:  # 5'-AATT-3'
        k = _after(kind, end)
        end = end if kind[k] & WORD else k
    return end


@borrowing_kernel
def _labeled_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the isotope-labeled chemical name at `i`, or `i` if there is none.

    An example is `[3H]thymidine`.
    """
    j = _run(kind, i + 1, DIGIT)
    k = _capitals_end(raw, j)
    if j == i + 1 or j > i + 4 or k == j or k > j + 2:
        return i
    k += 97 <= raw[k] <= 122
    if raw[k] != 93:
        return i
    k += 2 if raw[k + 1] == 45 else 1
    if not kind[k] & LETTER:
        return i
    end = _joined_end(raw, kind, k, _run(kind, k, WORD), trie, False)
    return end if end > k else i


@borrowing_kernel
def _stereo_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the chemical name with a stereodescriptor at `i`, or else `i`.

    An example is `(2S,3R)-x`.
    """
    j = i + 1
    marked = False
    # 0-9 ' + , - D E L R S Z
    while j < i + _LONGEST_NAME and (
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
    end = _joined_end(raw, kind, j + 2, _run(kind, j + 2, WORD), trie, False)
    return end if end > j + 2 else i


@borrowing_kernel
def _chemical_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
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
    while raw[j] != 10 and j > i - _LONGEST_NAME:
        if kind[j] & APOSTROPHE and not kind[j] & CONTINUED:
            if not kind[_after(kind, j)] & WORD:
                return False
            if _entry(raw, kind, j, trie, WHOLE)[1]:  # 'em
                j -= 1
                continue
            if raw[j - 1] in (34, 40) or kind[j - 1] & BLANK:
                return True
        if raw[j] == 0xE2 and raw[j + 1] == 0x80 and raw[j + 2] == 0x98:  # ‘
            return True
        j -= 1
    return False


@borrowing_kernel
def _dropped_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of a word at `i` that drops letters (`nothin'`, `o'`), or `i`.

    The apostrophe is after the word, at `run`, and does not close a quotation. `n't`
    also counts as a word that drops letters.
    """
    end = _after(kind, run)
    if run == i + 1 and _is_not(raw, kind, run):
        return end + 1
    if kind[end] & WORD:
        j, _ = _entry(raw, kind, i, trie, WHOLE)  # OK'd
        return j if j > end else i
    dropped = run >= i + 4 and raw[run - 2] == 105 and raw[run - 1] == 110
    if not dropped:
        j, _ = _entry(raw, kind, i, trie, WHOLE)
        dropped = j == end
    return end if dropped and not _is_quoted(raw, kind, i, trie) else i


@borrowing_kernel
def _ticker_end(raw: Bytes, i: int, run: int) -> int:
    """Return the end of a ticker symbol at `i`, as in `(GOOGL.O)`, or `i`."""
    if run < i + 2 or _capitals_end(raw, i) < run:
        return i
    j = _capitals_end(raw, run + 1)
    return j if run + 1 < j <= run + 3 and raw[j] == 41 else i


@borrowing_kernel
def _capitals_end(raw: Bytes, i: int) -> int:
    """Return the end of the run of letters A to Z at `i`."""
    while 65 <= raw[i] <= 90:
        i += 1
    return i


@borrowing_kernel
def _is_trailing(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether the mark at `i` may follow an address without being part of it."""
    c = raw[i]
    if c == 0xE2 and raw[i + 1] == 0x80 and raw[i + 2] == 0x9D:  # ”
        return True
    if kind[i] & APOSTROPHE:
        return True
    return c in (33, 34, 41, 44, 46, 58, 59, 60, 62, 63, 93, 96)  # !"),.:;<>?]`


@borrowing_kernel
def _word_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the token at `i`, which begins with a character of WORD."""
    run = _run(kind, i + 1, WORD)
    # Most words end here.
    if kind[run] & BLANK and not (kind[i - 1] | kind[i]) & DIGIT:
        end = _first_half(raw, kind, i, trie)
        return end if end > i else run
    c = raw[run]
    if c == 96:
        _take_backtick(raw, kind, run, trie)
    end = _special_end(raw, kind, i, run, trie, split)
    if end > i:
        return end
    if kind[run] & APOSTROPHE:
        end = _dropped_end(raw, kind, i, run, trie)
        if end > i:
            return end
    end = _first_half(raw, kind, i, trie)
    if end > i or kind[run] & BLANK:
        return end if end > i else run
    if c in (45, 46):
        end = _abbreviated_end(raw, kind, i, run, trie, split)
    elif c == 47 and raw[i - 1] != 47:
        end = _slashed_end(raw, kind, i, run, trie)
    elif c == 36 and run <= i + 2 and _capitals_end(raw, i) == run:
        end = run + 1  # US$
    elif (c == 44 or kind[run] & APOSTROPHE) and run == i + 1 and 65 <= raw[i] <= 90:
        end = _locants_end(raw, kind, i, trie)
    if end > i:
        return end
    end = _joined_end(raw, kind, i, run, trie, split)
    return (
        _signs_end(raw, kind, i, end, trie, split)
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
        end = _hardware_end(raw, kind, i, run)
    if end == i and kind[i] & DIGIT:
        end = _figures_end(raw, kind, i, run, trie, split)
    elif kind[i - 1] & DIGIT:
        end = _unit_end(raw, kind, i, trie)
    if end == i and not kind[run] & BLANK:
        if kind[i - 1] & BLANK and (raw[i] >= 0xC2 or run == i + 1):
            end = _emoticon_end(raw, kind, i, trie)  # 8-), O:-)
        if end == i and c in (43, 45, 46, 58):  # + - . :
            end = _address_end(raw, kind, i, run, trie)
        if end == i and c in (37, 43, 45, 46, 64):  # % + - . @
            end = _name_end(raw, kind, i, run, trie)
    return end


@borrowing_kernel
def _take_backtick(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> None:
    """Turn the backtick at `i` into an apostrophe in a contraction (``didn`t``).

    Only `kind` changes. Backticks around code remain backticks.
    """
    negated = (
        raw[i - 1] in (78, 110) and raw[i + 1] in (84, 116) and not kind[i + 2] & WORD
    )
    if not (negated or _entry(raw, kind, i + 1, trie, CLITICS)[1]):
        return
    j = i - 1
    while raw[j] != 10 and j > i - _LONGEST_NAME:
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
def _slashed_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of the word at `i` with a slash at `run`, or `i` if there is none.

    Examples are `w/o` and `HTTP/1.1`.
    """
    end, _ = _entry(raw, kind, i, trie, SLASHED)
    if end > i:
        return i if raw[end] == 47 else end
    j = run + 1
    j += raw[j] == 118  # v
    end = _run(kind, j, DIGIT)
    if (
        end == j
        or raw[end] != 46
        or not kind[end + 1] & DIGIT
        or _run(kind, i, LETTER) < run
    ):
        return i
    while raw[end] == 46 and kind[end + 1] & DIGIT:
        end = _run(kind, end + 1, DIGIT)
    return i if kind[end] & WORD else end


@borrowing_kernel
def _censored_end(raw: Bytes, kind: Bytes, i: int, end: int) -> int:
    """Return the end of a word with asterisks at `end`, as in `f**k`, or else `end`."""
    if raw[i - 1] == 42 or end > i + 4 or _run(kind, i, LETTER) < end:
        return end
    n_letters, j = end - i, end
    n_hidden = 0
    while raw[j] == 42 and n_letters < 9:
        k = j
        while raw[k] == 42:
            k += 1
        n_hidden = max(n_hidden, k - j)
        j = _run(kind, k, LETTER)
        n_letters += j - k
        if j == k:
            return j if n_hidden > 1 and n_letters < 3 else end
    whole = not (kind[j] & WORD or raw[j] in (40, 91))  # ( [
    return j if whole and n_letters < 9 and (n_hidden > 1 or 2 < n_letters < 7) else end


@borrowing_kernel
def _signs_end(
    raw: Bytes, kind: Bytes, i: int, end: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the signs that belong to the word from `i` to `end`, or `end`.

    Examples are `C++`, `F#`, `f**k`, `Ca2+`, `Cl-`, `p53-/-` and `C++11`. Words that a
    hyphen joins to the signs are included.
    """
    c = raw[end]
    j = end + 1
    if c == 42 or not kind[i] & LETTER or kind[i - 1] & WORD:
        return _censored_end(raw, kind, i, end) if c == 42 else end
    if c == 35:
        j = end if j > i + 2 or raw[i] > 122 or raw[j] == 35 else j
    elif c == 43 and raw[j] == 43 and kind[end - 1] & LETTER:
        j = _run(kind, j + 1, DIGIT)
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
    return j if split else _hyphens_end(raw, kind, j)


@borrowing_kernel
def _figures_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of a special token at `i` that begins with a digit, or `i`.

    Its first word ends at `run`.
    """
    if kind[_after(kind, i)] & LETTER:
        end = _keycap_end(raw, i + 1)
        if end > i + 1:
            return end
    if raw[run] == 44 or kind[run] & APOSTROPHE:
        end = _locants_end(raw, kind, i, trie)
        if end > i:
            return end
    end = _measured_end(raw, kind, i, trie, split)
    if end > i:
        return end
    if split and raw[run] == 45:
        return _phone_end(raw, kind, i)
    return _decade_end(raw, kind, i, run)


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
def _measured_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the number at `i` if a unit follows directly, otherwise `i`.

    Examples are `5pm` and `10km`.
    """
    j = _run(kind, i, DIGIT)
    n_periods = 0
    while not kind[j] & WORD:
        ranged = raw[j] == 45 and not split
        n_periods = 0 if ranged else n_periods + (raw[j] == 46)
        # , . / :
        if n_periods > 1 or not (
            (ranged or raw[j] in (44, 46, 47, 58)) and kind[j + 1] & DIGIT
        ):
            return i
        j = _run(kind, j + 1, DIGIT)
    if raw[j] == 120 and kind[j + 1] & DIGIT and raw[i] != 48:  # 3x4
        k = _run(kind, j + 1, DIGIT)
        last = _run(kind, k, WORD)
        measured = last > k and _entry(raw, kind, k, trie, UNITS)[0] == last
        return j if last == k or measured or (raw[k] == 120 and last < i + 20) else i
    end, value = _entry(raw, kind, j, trie, UNITS)
    if end == j:
        return i
    if raw[end] == 45 and kind[end + 1] & WORD and not (split or value & HOUR):
        k = _run(kind, end + 1, DIGIT)
        if k == end + 1 or _entry(raw, kind, k, trie, UNITS)[0] == k:
            return i
    return j if _is_unit(raw, kind, i, j, trie, value, end) else i


@borrowing_kernel
def _unit_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the unit at `i`, after a number, or `i` if there is none."""
    if raw[i] == 120 and kind[i + 1] & DIGIT:
        return i + 1
    end, _ = _entry(raw, kind, i, trie, UNITS)
    if raw[end] != 46 or end == i:
        return end
    if raw[end - 2] == 46 or (
        _goes_on(raw, kind, end + 1)
        and _abbreviation_end(raw, kind, i, trie) == end + 1
    ):
        return end + 1  # p.m., 6ft. 2in. tall
    return end


@borrowing_kernel
def _abbreviated_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the abbreviation or initial at `i`, or `i` if there is none."""
    end = _abbreviation_end(raw, kind, i, trie)
    if end > i:
        return end if split else _range_end(raw, kind, end, trie)
    if raw[run] != 46:
        return i
    end = _letters_end(raw, kind, i, split)
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
    """Return the end of the initial at `i` with its period, or `i` if it is none.

    A capital is an initial before a name, a word in lower case, or a comma, colon or
    semicolon. Otherwise it may be one after a comma, or before a closing bracket.
    """
    j = i + 2
    # , : ;
    if raw[j] in (44, 58, 59) or (
        kind[j] & APOSTROPHE and kind[_after(kind, j)] & LETTER
    ):
        return j
    if raw[i] == 73:  # `I` is a word
        return j if _is_middle_initial(raw, kind, i, trie) else i
    if raw[j] == 45 and kind[j + 1] & WORD:
        return j if split else _hyphens_end(raw, kind, j)
    k = _past_blank(raw, kind, j)
    if k == j and 65 <= raw[k] <= 90:
        return j
    if k > j and _is_name_going_on(raw, kind, i, k, trie):
        return j
    listed_name = raw[i - 2] == 44 and raw[i - 1] == raw[j] == 32
    within = (listed_name or raw[j] in (41, 93)) and not _ends_sentence(
        raw, kind, j, trie, False
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
    stop = _run(kind, k, WORD)
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
    """Return whether `I.` at `i` is between a first name and another name."""
    k = _past_blank(raw, kind, i + 2)
    name_follows = 65 <= raw[k] <= 90 and 97 <= raw[k + 1] <= 122
    if (
        raw[i - 1] != 32
        or k == i + 2
        or not name_follows
        or _entry(raw, kind, k, trie, STARTERS)[1]
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


@borrowing_kernel
def _number_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the number with a sign or point at `i`, or `i` if there is none.

    Words that are joined to it are included.
    """
    if kind[i - 1] & WORD or raw[i - 1] in (41, 93):  # ) ]
        return i
    j = i
    if raw[j] in (43, 45):
        behind_mark = raw[j - 1] > 0x7F and not kind[j - 1] & BLANK
        # 2%-3%, 2°-3°
        if raw[j - 1] == 37 or (behind_mark and not _opens_quote(raw, j - 3)):
            return i
        j += 1
    if raw[j] in (44, 46):
        j += 1
    if not kind[j] & DIGIT:
        return i
    if split:
        end = _phone_end(raw, kind, j)
        if end > j:
            return end
    end = _measured_end(raw, kind, j, trie, split)
    if end > j:
        return end
    j = _run(kind, j, DIGIT)
    while raw[j] in (44, 46, 47, 58) and kind[j + 1] & DIGIT:
        j = _run(kind, j + 1, DIGIT)
    while True:
        k = j + 1 if raw[j] == 45 and not split else j
        if not kind[k] & WORD:
            return j
        j = _run(kind, k, WORD)


@borrowing_kernel
def _is_open(raw: Bytes, i: int) -> bool:
    """Return whether a parenthesis is open in the line before `i`.

    Parentheses of emoticons do not count.
    """
    n_open = 0
    j = i
    while raw[j - 1] != 10 and j > i - _LONGEST_NAME:
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
def _emoticon_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
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
        ends = ends or (raw[j - 1] != 40 and _is_trailing(raw, kind, j))
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
def _marked_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the @name, #topic or $STOCK at `i`, or `i` if there is none.

    A name or topic contains a letter. A stock symbol has one to five capitals, and is
    not followed by a word or an amount.
    """
    if kind[i - 1] & WORD:
        return i
    if raw[i] != 36:
        j = _run(kind, i + 1, DIGIT)
        return _run(kind, j, WORD) if kind[j] & WORD else i
    j = _capitals_end(raw, i + 1)
    amount = kind[j] & WORD or kind[_past_blank(raw, kind, j)] & DIGIT
    return i if amount or j == i + 1 or j > i + 6 else j


@borrowing_kernel
def _keycap_end(raw: Bytes, i: int) -> int:
    """Return the end of the code at `i` that turns a character into a key, or `i`."""
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
    j = _after(kind, i)
    if _is_regional(raw, i) and _is_regional(raw, j):
        j += 4
    if raw[i] < 0xC2:
        return j
    while True:
        if not (kind[j] & COMBINING or _is_modifier(raw, j)):
            return j
        joiner = raw[j] == 0xE2 and raw[j + 1] == 0x80 and raw[j + 2] == 0x8D
        j = _after(kind, j)
        if joiner and raw[j] >= 0xE2 and not kind[j] & (BLANK | WORD):
            j = _after(kind, j)


@borrowing_kernel
def _apostrophe_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the token at `i` that begins with an apostrophe, or `i`."""
    end = _first_half(raw, kind, i, trie)
    if end > i:
        return end
    j = _after(kind, i)
    end, value = _entry(raw, kind, j, trie, CLITICS)
    if value:
        return end
    if kind[j] & DIGIT:
        k = _year_end(raw, kind, i, j)
        if k > j:
            return k
    end, _ = _entry(raw, kind, i, trie, WHOLE)
    return end


@borrowing_kernel
def _year_end(raw: Bytes, kind: Bytes, i: int, j: int) -> int:
    """Return the end of a year or decade without its century at `j`, or else `j`.

    Examples are `'68` and `'80s`. The apostrophe is at `i`, and does not open a
    quotation.
    """
    k = _after(kind, j)
    if not kind[k] & DIGIT:
        return j
    k = _after(kind, k)
    if raw[k] == 115 and not kind[k + 1] & WORD:
        return k + 1
    goes_on = kind[k] & (WORD | APOSTROPHE) or raw[k] in (36, 37)  # $ %
    goes_on = goes_on or (raw[k] in (44, 45, 46, 58) and kind[k + 1] & WORD)  # , - . :
    return j if goes_on or kind[i - 1] & WORD or _is_closed(raw, kind, k) else k


@borrowing_kernel
def _is_closed(raw: Bytes, kind: Bytes, i: int) -> bool:
    """Return whether the next apostrophe, soon after `i`, closes a quotation."""
    j = i
    while raw[j] != 10 and j < i + _LONGEST_NAME:
        if kind[j] & APOSTROPHE and kind[j - 1] & BLANK:
            return False
        if kind[j] & APOSTROPHE and not kind[_after(kind, j)] & WORD:
            return True
        j += 1
    return False


@borrowing_kernel
def _option_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the command-line option at `i` (`-x`, `--help`), or `i`.

    An option of a single letter has a blank before it, and a blank or a mark after it.
    `-a` and `-i` are not options, because they may be words after a dash. After a
    backtick, any word is an option.
    """
    j = i + 1
    if raw[j] != 45:
        if not kind[j] & LETTER:
            return i  # where the text may end
        if raw[i - 1] == 96:  # `
            return _run(kind, j, WORD)
        alone = kind[i - 1] & BLANK and (
            kind[j + 1] & BLANK or raw[j + 1] in (41, 44, 58, 59)
        )
        return j + 1 if alone and raw[j] | 32 not in (97, 105) else i  # ) , : ;
    j += 1
    if not 97 <= raw[j] <= 122:
        return i
    while kind[j] & WORD or (raw[j] == 45 and 97 <= raw[j + 1] <= 122):
        j += 1
    if j < i + 4 or raw[j] == 45:
        return i
    return _path_end(raw, kind, j, j + 1) if raw[j] == 61 else j  # --color=always


@borrowing_kernel
def _directory_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    r"""Return the end of the path at `i`, or `i` if there is none.

    Examples are `/etc/hosts`, `~/x`, `./x`, `\\host\x` and `.doc`.
    """
    j = _run(kind, i + 1, WORD)
    if raw[i] == 46 and listed(raw, i + 1, j, trie, ENDINGS):
        return j
    j = i
    if raw[j] == 92:
        if raw[j + 1] != 92 or not kind[j + 2] & WORD:
            return i
        return _path_end(raw, kind, i, j + 2)
    if raw[j] in (46, 126):  # . ~
        j += 2 if raw[j + 1] == 46 else 1
    if raw[j] != 47 or not (kind[j + 1] & (LETTER | UNDERSCORE) or raw[j + 1] == 46):
        return i
    k = j + 1
    while j == i and raw[k] != 47:  # from the root, a second slash
        if kind[k] & BLANK:
            return i
        k += 1
    return (
        _path_end(raw, kind, i, k) if j > i or kind[k + 1] & (WORD | UNDERSCORE) else i
    )


@borrowing_kernel
def _whole_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of a longer token at `i` that begins with a mark, or `i`.

    It is a name, path, option, entity, HTML tag or chemical name.
    """
    c = raw[i]
    if c in (35, 36, 64):
        return _marked_end(raw, kind, i)
    if c == 38:
        return _entity_end(raw, kind, i, trie)
    if c == 60:
        return _tag_end(raw, kind, i, trie)
    if c in (40, 91):
        return _chemical_end(raw, kind, i, trie)
    if not kind[i - 1] & BLANK and raw[i - 1] not in (34, 39, 40, 91, 96):  # "'([`
        return i
    return _option_end(raw, kind, i) if c == 45 else _directory_end(raw, kind, i, trie)


@borrowing_kernel
def _operator_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
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
def _mark_end(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], split: bool
) -> int:
    """Return the end of the token at `i` that begins with a mark."""
    c = raw[i]
    end = i
    if c in (43, 44, 45, 46):
        end = _number_end(raw, kind, i, trie, split)
    # ( : ; < = ^
    if end == i and (kind[i - 1] & BLANK or c in (40, 58, 59, 60, 61, 94)):
        end = (
            i if kind[i + 1] & BLANK and c < 0xC2 else _emoticon_end(raw, kind, i, trie)
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
        end = _operator_end(raw, kind, i, trie)
    return end if end > i else _marks_end(raw, kind, i)


@borrowing_kernel
def _marks_end(raw: Bytes, kind: Bytes, i: int) -> int:
    """Return the end of the mark at `i`, of a run of it, or of a run of `.!?`."""
    c = raw[i]
    j = i + 1
    if c in (33, 46, 63):  # ! . ?
        while raw[j] in (33, 46, 63):
            j += 1
        return j
    if c in (42, 35):  # * #
        end = _keycap_end(raw, j)
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
    while raw[k] != 10 and k < i + _LONGEST_NAME:
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
