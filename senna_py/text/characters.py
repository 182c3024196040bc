"""Tables of what each Unicode character is, made for the blocks of 256 that a text uses."""

import threading
import unicodedata

import numpy as np

from senna_py.kernels import text as kernels

__all__ = ["KIND", "LOWER", "cover_characters"]

_N_CODES = 0x110000
_ASCII_SPACE = " \t\n\v\f\r"
# Typographic quotes and dashes look up as their ASCII forms (compatibility note, section 2.9).
_ASCII_FORM = {
    **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", "--"),
}

# What each character is (bits named in `kernels.text`), and the code point it looks up as.
KIND = np.zeros(_N_CODES, np.uint8)
LOWER = np.zeros(_N_CODES, np.int32)
_known = np.zeros(_N_CODES >> 8, bool)
_lock = threading.Lock()


def _kind_of(char):
    flags = 0
    if char in _ASCII_SPACE:
        flags |= kernels.SPACE
    if char in _ASCII_SPACE or (char.isspace() and char > "\x7f"):
        flags |= kernels.BLANK
    if char.isalnum() or unicodedata.category(char).startswith("M"):
        flags |= kernels.WORD
    if char.isupper() or char.istitle():
        flags |= kernels.UPPER
    if char.islower():
        flags |= kernels.LOWER
    if len(_ASCII_FORM.get(char, "")) == 2:
        flags |= kernels.DOUBLED
    return flags


def _add_block(block):
    for code in range(block << 8, (block + 1) << 8):
        char = chr(code)
        form = _ASCII_FORM.get(char, "")[:1] or char.lower()
        KIND[code] = _kind_of(char)
        LOWER[code] = ord(form) if len(form) == 1 else code
    _known[block] = True


def cover_characters(data):
    """Make KIND and LOWER know every character of the UTF-8 text `data`: bytes."""
    blocks = {0}
    if not data.isascii():
        codes = np.frombuffer(data.decode("utf-8", "replace").encode("utf-32-le"), "<u4")
        blocks.update(np.unique(codes >> 8).tolist())
    with _lock:
        for block in blocks:
            if not _known[block]:
                _add_block(block)
