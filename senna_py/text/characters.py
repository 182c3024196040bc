"""Look-up forms of words, and tables of the properties of characters.

A table is filled in blocks of 256 characters, when a character of a block first occurs.
"""

from __future__ import annotations

import threading
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text import characters as classes
from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text import units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_N_CODES = 0x110000
_ASCII_SPACE = " \t\n\v\f\r"
# The ASCII characters that replace typographic quotes and dashes in look-up forms, as
# they do in SENNA.
_ASCII_FORM = {
    **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", "--"),
}

# The blocks of scripts that are written without spaces between words. A letter of these
# is a unit of its own; see `text.units`.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1B7F),  # Balinese
    (0x2E80, 0x31BF),  # radicals, kana, Bopomofo
    (0x31F0, 0xA4CF),  # kana, Chinese characters, Yi
    (0xA980, 0xA9FF),  # Javanese, Burmese
    (0xAA60, 0xAA7F),  # Burmese
    (0xF900, 0xFAFF),  # Chinese characters
    (0x20000, 0x3FFFF),
)
# Tables by code point: its properties (bits of `kernels.text.tokens`), the code point
# that replaces it in look-up forms, its class for the Treebank tokenizer (bits of
# `kernels.text.characters`), and its class for units (`kernels.text.units`).
KIND = np.zeros(_N_CODES, np.uint8)
LOWER = np.zeros(_N_CODES, np.int32)
CLASS = np.zeros(_N_CODES, np.uint8)
UNIT = np.zeros(_N_CODES, np.uint8)
_known = np.zeros(_N_CODES >> 8, bool)
_lock = threading.Lock()


def _kind_of(char: str) -> int:
    """Return the properties of a character, as bits of `kernels.text.tokens`."""
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


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


APOSTROPHES = "'’‛´′＇ʼ"
# The soft hyphen and the joiners, which are invisible inside words (Indic scripts,
# Persian) and inside emoji.
_JOINERS = "\u00ad\u200c\u200d\u2060"


def _class_of(char: str) -> int:
    """Return the class of a character, as bits of `kernels.text.characters`."""
    flags = 0
    if char.isspace():
        flags |= classes.BLANK
    if _is_mark(char) or char in _JOINERS:
        flags |= classes.COMBINING
    if char.isdecimal():
        flags |= int(classes.DIGIT)
    elif char.isalnum():
        flags |= classes.LETTER
    if char == "_":
        flags |= classes.UNDERSCORE
    if char in APOSTROPHES:
        flags = classes.APOSTROPHE  # even for U+02BC, which is a letter
    if char.isupper() or char.isdigit():
        flags |= classes.BEGINS
    return flags


def _unit_class_of(char: str) -> int:
    """Return the class of a character, a constant of `kernels.text.units`."""
    if char.isspace():
        return units.BLANK
    if _is_mark(char) or char in _JOINERS:
        return units.MARK
    if char.isdecimal():
        return units.DIGIT
    if unicodedata.category(char).startswith("L") and not any(
        first <= ord(char) <= last for first, last in _UNSPACED
    ):
        return units.LETTER
    return units.SINGLE


def _fill_block(block: int) -> None:
    """Fill the tables for a block of 256 characters, unless it is filled already."""
    with _lock:
        if _known[block]:
            return
        for code in range(block << 8, (block + 1) << 8):
            char = chr(code)
            form = _ASCII_FORM.get(char, "")[:1] or char.lower()
            KIND[code] = _kind_of(char)
            CLASS[code] = _class_of(char)
            UNIT[code] = _unit_class_of(char)
            LOWER[code] = ord(form) if len(form) == 1 else code
        _known[block] = True


def cover_characters(data: bytes) -> None:
    """Make sure that the tables are filled for every character of a UTF-8 text."""
    if not _known[0]:
        _fill_block(0)
    if not data.isascii():
        raw = np.frombuffer(data, np.uint8)
        while (block := kernels.unknown_block(raw, _known)) >= 0:
            _fill_block(block)


def fold_words(words: Sequence[str], numbers: bool = True) -> list[str]:
    """Return the look-up forms of words: in lower case, with each number as `0`.

    The rules are SENNA's (`kernels.text.tokens`). Words must not be folded twice:
    `50-50` becomes `00`, which would become `0`.

    Args:
        words: The words, which must not contain newlines.
        numbers: Whether to replace numbers by `0`.
    """
    if not words:
        return []
    data = "\n".join(words).encode("utf-8", "surrogateescape")
    cover_characters(data)
    folded = np.empty(2 * len(data) + 1, np.uint8)
    kind = np.empty_like(folded)
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


def byte_offsets(text: str) -> NDArray[np.int32]:
    """Return the offset in UTF-8 of each character and of the end: int32[n + 1].

    A surrogate escape stands for one byte.
    """
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    escaped = (code >= 0xDC80) & (code <= 0xDCFF)
    size = 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    return np.append(0, np.cumsum(np.where(escaped, 1, size))).astype(np.int32)
