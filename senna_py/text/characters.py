"""Look-up forms of words, and tables of characters, filled in for blocks of 256 in
use.
"""

import threading
import unicodedata

import numpy as np

from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text import treebank

_N_CODES = 0x110000
_ASCII_SPACE = " \t\n\v\f\r"
# Typographic quotes and dashes look up as their ASCII forms (compatibility note,
# section 2.9).
_ASCII_FORM = {
    **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", "--"),
}

# What each character is (bits named in `text.text`), the code point it looks up as, and
# what it is to the Treebank tokenizer (bits named in `kernels.text.treebank`).
KIND = np.zeros(_N_CODES, np.uint8)
LOWER = np.zeros(_N_CODES, np.int32)
CLASS = np.zeros(_N_CODES, np.uint8)
_known = np.zeros(_N_CODES >> 8, bool)
_lock = threading.Lock()


def _kind_of(char):
    flags = 0
    if char in _ASCII_SPACE:
        flags |= kernels.SPACE
    if char in _ASCII_SPACE or (char.isspace() and char > "\x7f"):
        flags |= kernels.BLANK
    if char.isalnum() or _is_mark(char):
        flags |= kernels.WORD
    if char.isupper() or char.istitle():
        flags |= kernels.UPPER
    if char.islower():
        flags |= kernels.LOWER
    if len(_ASCII_FORM.get(char, "")) == 2:
        flags |= kernels.DOUBLED
    return flags


def _is_mark(char):
    return unicodedata.category(char).startswith("M")


APOSTROPHES = "'’‛´′＇ʼ"
# Soft hyphen, joiners: invisible parts of words (Indic, Persian) and of pictures.
_JOINERS = "\u00ad\u200c\u200d\u2060"


def _class_of(char):
    flags = treebank.BLANK if char.isspace() else 0
    if _is_mark(char) or char in _JOINERS:
        flags |= treebank.COMBINING
    if char.isdecimal():
        flags |= treebank.DIGIT
    elif char.isalnum():
        flags |= treebank.LETTER
    if char == "_":
        flags |= treebank.UNDERSCORE
    if char in APOSTROPHES:
        flags = treebank.APOSTROPHE  # also U+02BC, a letter
    if char.isupper() or char.isdigit():
        flags |= treebank.BEGINS
    return flags


def _know(block):
    with _lock:
        if _known[block]:
            return
        for code in range(block << 8, (block + 1) << 8):
            char = chr(code)
            form = _ASCII_FORM.get(char, "")[:1] or char.lower()
            KIND[code] = _kind_of(char)
            CLASS[code] = _class_of(char)
            LOWER[code] = ord(form) if len(form) == 1 else code
        _known[block] = True


def cover_characters(data):
    """Fill in the tables for every character of the UTF-8 text `data`: bytes."""
    if not _known[0]:
        _know(0)
    if not data.isascii():
        raw = np.frombuffer(data, np.uint8)
        while (block := kernels.unknown_block(raw, _known)) >= 0:
            _know(block)


def fold_words(words, numbers=True):
    """Look-up forms of `words`: lower case, numbers as `0` (compatibility note, section
    2).

    words: a list of str without newlines; numbers: whether these become `0`. Returns a
    list of str of the same length. Folding twice is wrong: `50-50` becomes `00`, and
    that `0`.
    """
    if not words:
        return []
    data = "\n".join(words).encode("utf-8", "surrogateescape")
    cover_characters(data)
    folded, kind = (
        np.empty(2 * len(data) + 1, np.uint8),
        np.empty(2 * len(data) + 1, np.uint8),
    )
    n = kernels.fold(
        np.frombuffer(data, np.uint8),
        0,
        len(data),
        numbers,
        KIND,
        LOWER,
        folded,
        kind,
        np.empty(len(folded), np.int32),
        0,
    )
    return folded[:n].tobytes().decode("utf-8", "surrogateescape").split("\n")
