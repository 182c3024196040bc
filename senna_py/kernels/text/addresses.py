"""Addresses, paths, options and markup, in the bytes of a text; see `characters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.characters import (
    BLANK,
    LETTER,
    LONGEST_NAME,
    UNDERSCORE,
    WORD,
    character_end,
    is_trailing,
    run_end,
)
from senna_py.kernels.text.known_texts import ENDINGS, ENTITY, MARKUP, SCHEMES, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes


@borrowing_kernel
def entity_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the HTML entity at `i`, as in `&quot;` and `&#39;`, or `i`."""
    if raw[i] != 38 or raw[i + 1] > 0x7F:
        return i
    j = i + 2
    if raw[i + 1] == 35:
        j += raw[j] in (88, 120)  # X x
        while 48 <= raw[j] <= 57 or 97 <= raw[j] <= 102 or 65 <= raw[j] <= 70:
            j += 1
        return j + 1 if raw[j] == 59 and i + 2 < j < i + 10 else i
    j = run_end(kind, i + 1, WORD)
    return j + 1 if raw[j] == 59 and listed(raw, i, j, trie, MARKUP) & ENTITY else i


@borrowing_kernel
def tag_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the HTML tag at `i`, or `i` if there is none."""
    j = i + 2 if raw[i + 1] == 47 else i + 1
    k = run_end(kind, j, WORD)
    if not listed(raw, j, k, trie, MARKUP):
        return i
    if raw[k] == 62:
        return k + 1
    valued = raw[k] == 47
    while raw[k] not in (10, 60, 62) and k < i + LONGEST_NAME:  # newline < >
        valued = valued or raw[k] == 61
        k += 1
    return k + 1 if raw[k] == 62 and valued else i


@borrowing_kernel
def address_end(
    raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]
) -> int:
    """Return the end of the URL, address or path at `i`, or `i` if there is none.

    The first word ends at `run`.
    """
    # git+ssh://
    while raw[run] in (43, 45) and kind[run + 1] & LETTER and run < i + LONGEST_NAME:
        run = run_end(kind, run + 1, WORD)
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
    while kind[j] & WORD and raw[run_end(kind, j, WORD)] == 58 and j < i + LONGEST_NAME:
        scheme, j = j, run_end(kind, j, WORD) + 1  # jdbc:mysql://
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

    Guillemets and some CJK and fullwidth punctuation also count. No address contains
    such a mark.
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
    """Return the end of the path at `j`, or `end` if there is none.

    It ends before a blank or a mark of `_is_typographic`. Punctuation at its end is not
    part of it. A closing bracket is part of the path if the path contains the opening
    bracket.
    """
    n_open = np.int64(0)
    while not (kind[j] & BLANK or _is_typographic(raw, j)):
        k = character_end(kind, j)
        if raw[j] in (40, 91, 123):  # ( [ {
            n_open += 1
        elif raw[j] in (41, 93, 125):  # ) ] }
            if n_open == 0:
                break
            n_open -= 1
            end = k
        elif raw[j] == 42:  # * but not **
            end = end if raw[j + 1] == 42 or raw[j - 1] == 42 else k
        elif not is_trailing(raw, kind, j):
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
def hardware_end(raw: Bytes, kind: Bytes, i: int, run: int) -> int:
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
def name_end(raw: Bytes, kind: Bytes, i: int, run: int, trie: NDArray[np.int16]) -> int:
    """Return the end of the mail address, host or file name at `i`, or `i` if there is none.

    The first word ends at `run`. A host or file has a listed ending, or an ending in
    small letters before a slash and more text.
    """
    j = run
    at = dot = np.int64(0)
    mail_only = hidden = False
    while j < i + LONGEST_NAME:
        c = raw[j]
        if (c in (45, 46) or (at == 0 and c in (37, 43, 64))) and kind[
            j + 1
        ] & WORD:  # -. %+@
            mail_only = mail_only or c in (37, 43)
            at = j if c == 64 else at
            dot = j + 1 if c == 46 else dot
            j = run_end(kind, j + 1, WORD)
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
    while not kind[j] & BLANK and j < i + LONGEST_NAME:
        if raw[j] == 47:
            return _path_end(raw, kind, i, i + 1)
        dot = j + 1 if raw[j] == 46 and kind[j + 1] & WORD else dot
        j += 1
    end = run_end(kind, dot, WORD)
    return end if dot > i and listed(raw, dot, end, trie, ENDINGS) else i


@borrowing_kernel
def _are_small(raw: Bytes, i: int, end: int) -> bool:
    """Return whether `raw[i:end]` consists of the letters a to z."""
    while i < end and 97 <= raw[i] <= 122:
        i += 1
    return i == end


@borrowing_kernel
def option_end(raw: Bytes, kind: Bytes, i: int) -> int:
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
            return run_end(kind, j, WORD)
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
def directory_end(raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16]) -> int:
    r"""Return the end of the path at `i`, or `i` if there is none.

    Examples are `/etc/hosts`, `~/x`, `./x`, `\\host\x` and `.doc`.
    """
    j = run_end(kind, i + 1, WORD)
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
