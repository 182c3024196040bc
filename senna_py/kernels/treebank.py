"""Treebank tokens of raw text, over bytes.

A position is that of a byte. What a character is stands at each of its bytes, so that runs and
looks back need no decoding. The text begins and ends with a newline, so that no look leaves it.
"""

import numpy as np

from senna_py.kernels.cold_start.jit import borrowing_kernel
from senna_py.kernels.text import code_point, utf8_length

__all__ = [
    "ABBREVIATIONS",
    "ALWAYS",
    "APOSTROPHE",
    "BEGINS",
    "BLANK",
    "CLITICS",
    "COMBINING",
    "CONTINUED",
    "DIGIT",
    "FACES",
    "HALVES",
    "LETTER",
    "MARKS",
    "NUMBERED",
    "N_ROOTS",
    "SCHEMES",
    "STARTERS",
    "TITLE",
    "UNDERSCORE",
    "VALUE",
    "WHOLE",
    "WORD",
    "characters",
    "find_tokens",
    "listed",
]

# What a character is: bits.
BLANK = 1
LETTER = 2  # or a number that is no decimal digit
DIGIT = np.uint8(4)
UNDERSCORE = 8
WORD = np.uint8(LETTER | DIGIT | UNDERSCORE)
APOSTROPHE = 16
BEGINS = 32  # a capital or a digit of any kind, which begins sentences
COMBINING = 128  # a mark such as an accent
CONTINUED = 64  # set by `characters` on all bytes of a character but the first

# What is known by heart is one trie: int16[n_nodes, 257], the node that each byte leads to, or -1,
# and the value of the text that ends at the node, or 0. Each list has a root of its own (64-bit:
# kernels are compiled for every type).
VALUE = 256
HALVES = np.int64(0)  # words that are two tokens; the value is the characters of the first
CLITICS = np.int64(1)  # what follows the apostrophe of one
WHOLE = np.int64(2)  # words that begin with an apostrophe
ABBREVIATIONS = np.int64(3)  # without their last period
FACES = np.int64(4)  # one token if they stand between blanks
SCHEMES = np.int64(5)  # how addresses begin
STARTERS = np.int64(6)  # words that begin sentences
MARKS = np.int64(7)  # quotes, brackets and dashes around sentences
N_ROOTS = 8

# Values of abbreviations: bits.
ALWAYS = 1  # keeps its period whatever follows
NUMBERED = 2  # keeps it before a number
TITLE = 4  # and no sentence ends after it


@borrowing_kernel
def characters(raw, char_class, out):
    """What each character of `raw` is, at each of its bytes; 0 for bytes outside UTF-8.

    A combining mark behind a letter, digit or underscore is a letter.
    raw, out: uint8[n_bytes], raw begins with a newline; char_class: uint8[0x110000].
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
def _after(kind, i):
    """Where the character at `i` ends."""
    i += 1
    while kind[i] & CONTINUED:
        i += 1
    return i


@borrowing_kernel
def _run(kind, i, flags):
    """End of the run of characters with one of `flags` at `i`."""
    while kind[i] & flags:
        i += 1
    return i


@borrowing_kernel
def _is_small_or_digit(raw, kind, i):
    return 97 <= raw[i] <= 122 or (kind[i] & DIGIT) != 0


@borrowing_kernel
def _entry(raw, kind, i, trie, root):
    """End and value of the longest text under `root` at `i` that no word goes on behind.

    Without one they are `i` and 0.
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
def listed(raw, i, stop, trie, root):
    """Value of the text `raw[i:stop]` under `root`, or 0."""
    node = root
    while i < stop and node >= 0:
        node = trie[node, raw[i]]
        i += 1
    return trie[node, VALUE] if i == stop and node >= 0 else 0


@borrowing_kernel
def _first_half(raw, kind, i, trie):
    """End of the first token of a word that is two, or `i`."""
    _, n = _entry(raw, kind, i, trie, HALVES)
    for _ in range(n):
        i = _after(kind, i)
    return i


@borrowing_kernel
def _past_blank(raw, kind, i):
    """Where the character at `i` ends if it is a blank of the line, else `i`."""
    return _after(kind, i) if kind[i] & BLANK and raw[i] != 10 else i


@borrowing_kernel
def _abbreviation_end(raw, kind, i, trie):
    """End of the abbreviation at `i` with its period, or `i`.

    The longest that always keeps its period comes before the longest that a number must follow.
    """
    always = numbered = j = i
    node = trie[ABBREVIATIONS, raw[i]]
    while node >= 0:
        j += 1
        if raw[j] == 46:
            if trie[node, VALUE] & ALWAYS and not _is_small_or_digit(raw, kind, j + 1):
                always = j + 1
            if trie[node, VALUE] & NUMBERED and kind[_past_blank(raw, kind, j + 1)] & DIGIT:
                numbered = j + 1
        node = trie[node, raw[j]]
    return always if always > i else numbered


@borrowing_kernel
def _letters_end(raw, kind, i):
    """End of letters that each have a period, as in `U.S.`, `U.S.-based`; `i` if there are not two.

    A last letter needs none if no word goes on behind it.
    """
    j, n = i, 0
    while kind[j] & LETTER:
        k = _after(kind, j)
        if raw[k] != 46:
            break
        j = k + 1
        n += 1
    if n < 2:
        return i
    if raw[j] == 45 and kind[j + 1] & WORD:
        while raw[j] == 45 and kind[j + 1] & WORD:
            j = _run(kind, j + 1, WORD)
    elif kind[j] & LETTER:
        k = _after(kind, j)
        if not kind[k] & WORD and raw[k] != 46:
            return k
    return j


@borrowing_kernel
def _is_not(raw, kind, i):
    """Whether `'t` ends a word at `i`, behind an `n`."""
    if not kind[i] & APOSTROPHE or raw[i - 1] not in (78, 110):
        return False
    i = _after(kind, i)
    return raw[i] in (84, 116) and not kind[i + 1] & WORD


@borrowing_kernel
def _join(raw, kind, i, trie):
    """End of the character at `i` if it joins the words around it, else `i`."""
    c = raw[i]
    if kind[i] & APOSTROPHE:
        j = _after(kind, i)
        if kind[j] & (LETTER | DIGIT) and not _is_not(raw, kind, i):
            end, _ = _entry(raw, kind, j, trie, CLITICS)
            if end == j:
                return j
        return i
    if c in (38, 45, 64):  # & - @
        joins = (kind[i + 1] & WORD) != 0
    elif c == 46:
        joins = _is_small_or_digit(raw, kind, i + 1)
    else:
        joins = c in (44, 47, 58) and (kind[i - 1] & kind[i + 1] & DIGIT) != 0  # , / :
    return i + 1 if joins else i


@borrowing_kernel
def _joined_end(raw, kind, begin, run, trie):
    """End of the words that are joined at `begin`, the first of which ends at `run`.

    An `n` before `'t` belongs to what follows.
    """
    last, end = begin, run  # the last word, and where the words before it end
    before = begin
    while True:
        j = _join(raw, kind, end, trie)
        if j == end:
            break
        before, last = end, j
        end = _run(kind, j, WORD)
    if _is_not(raw, kind, end):
        return end - 1 if end - last > 1 else before
    return end


@borrowing_kernel
def _address_end(raw, kind, i, run, trie):
    """End of the URL or mail address at `i`, whose first word ends at `run`; `i` if it is none."""
    j = run + 1
    if raw[run + 1] == 47 and raw[run + 2] == 47:
        j = run + 3
        if not listed(raw, i, j, trie, SCHEMES):
            j = run + 1
    if not listed(raw, i, j, trie, SCHEMES):
        return i
    end = i
    while not kind[j] & BLANK:
        k = _after(kind, j)
        if not _is_trailing(raw, kind, j):
            end = k
        j = k
    return end


@borrowing_kernel
def _is_trailing(raw, kind, i):
    """Whether the character at `i` belongs to the sentence around an address that ends there."""
    c = raw[i]
    if c == 0xE2:
        return kind[i] & APOSTROPHE or (raw[i + 1] == 0x80 and raw[i + 2] == 0x9D)  # right quotes
    return c in (33, 34, 39, 41, 44, 46, 58, 59, 60, 62, 63, 93, 96)  # !"'),.:;<>?]`


@borrowing_kernel
def _word_end(raw, kind, i, trie):
    """End of the token at `i` that begins with a letter, digit or underscore."""
    run = _run(kind, i + 1, WORD)
    c = raw[run]
    if c in (46, 58):
        end = _address_end(raw, kind, i, run, trie)
        if end > i:
            return end
    if run == i + 1 and _is_not(raw, kind, run):
        return _after(kind, run) + 1
    end = _first_half(raw, kind, i, trie)
    if end > i:
        return end
    if c in (45, 46):
        end = _abbreviation_end(raw, kind, i, trie)
        if end == i and c == 46:
            end = _letters_end(raw, kind, i)
            initial = run == i + 1 and 65 <= raw[i] <= 90 and raw[i] != 73  # `I` is a word
            if end == i and initial and 65 <= raw[_past_blank(raw, kind, run + 1)] <= 90:
                end = run + 1
        if end > i:
            return end
    if c == 36 and run <= i + 2 and 65 <= raw[i] <= 90 and 65 <= raw[run - 1] <= 90:
        return run + 1  # US$
    return _joined_end(raw, kind, i, run, trie)


@borrowing_kernel
def _number_end(raw, kind, i):
    """End of the number with a sign or point at `i`, and of words joined to it; `i` if none."""
    if kind[i - 1] & WORD or raw[i - 1] in (41, 93):  # ) ]
        return i
    j = i
    if raw[j] in (43, 45):
        j += 1
    if raw[j] in (44, 46):
        j += 1
    if not kind[j] & DIGIT:
        return i
    j = _run(kind, j, DIGIT)
    while raw[j] in (44, 46, 47, 58) and kind[j + 1] & DIGIT:
        j = _run(kind, j + 1, DIGIT)
    while True:
        k = j + 1 if raw[j] == 45 else j
        if not kind[k] & WORD:
            return j
        j = _run(kind, k, WORD)


@borrowing_kernel
def _piece_end(raw, kind, i, trie):
    """End of a face, @name or #topic at `i`, behind a blank; `i` if none."""
    j = i
    node = FACES
    while not kind[j] & BLANK and node >= 0:
        node = trie[node, raw[j]]
        j += 1
    if node >= 0 and trie[node, VALUE]:
        return j
    if raw[i] in (35, 64) and kind[i + 1] & WORD:
        return _run(kind, i + 1, WORD)
    return i


@borrowing_kernel
def _apostrophe_end(raw, kind, i, trie):
    """End of the token that an apostrophe begins; `i` if it is nothing more."""
    end = _first_half(raw, kind, i, trie)
    if end > i:
        return end
    j = _after(kind, i)
    end, value = _entry(raw, kind, j, trie, CLITICS)
    if value:
        return end
    if kind[j] & DIGIT:  # '80s
        k = _after(kind, j)
        if kind[k] & DIGIT:
            k = _after(kind, k)
            if raw[k] == 115 and not kind[k + 1] & WORD:
                return k + 1
    end, _ = _entry(raw, kind, i, trie, WHOLE)
    return end


@borrowing_kernel
def _mark_end(raw, kind, i, trie):
    """End of the token at `i` that begins with neither a word nor a blank."""
    c = raw[i]
    end = i
    if c in (43, 44, 45, 46):
        end = _number_end(raw, kind, i)
    if end == i and kind[i - 1] & BLANK and not kind[i + 1] & BLANK:
        end = _piece_end(raw, kind, i, trie)
    if end == i and kind[i] & APOSTROPHE:
        end = _apostrophe_end(raw, kind, i, trie)
    if end > i:
        return end
    j = i + 1
    if c in (33, 63):
        while raw[j] in (33, 63):
            j += 1
        return j
    if c in (42, 45, 46, 61, 126):  # * - . = ~
        while raw[j] == c:
            j += 1
        return j
    if c in (39, 96) and raw[j] == c:
        return j + 1
    return _after(kind, i)


@borrowing_kernel
def find_tokens(raw, kind, trie, begin, end):
    """Find the Treebank tokens of `raw`; returns their number.

    raw: uint8[n_bytes], begins and ends with a newline; kind: uint8[n_bytes], of `characters`;
    trie: see VALUE; out: begin, end: int32[n_bytes]. No token depends on what is in another line.
    """
    n_tokens = np.int64(0)
    i = np.int64(1)
    while i < len(raw):
        if kind[i] & BLANK:
            i += 1
            continue
        j = _word_end(raw, kind, i, trie) if kind[i] & WORD else _mark_end(raw, kind, i, trie)
        begin[n_tokens] = i
        end[n_tokens] = j
        n_tokens += 1
        i = j
    return n_tokens
