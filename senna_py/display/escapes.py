"""Escaping of text for HTML, its width and direction, and the colors of labels."""

import html
import re
import unicodedata
from functools import lru_cache
from zlib import crc32

from senna_py.errors import UsageError
from senna_py.labels.explanations import explain

# Characters that are not allowed in HTML: control characters, lone surrogates (which
# are not UTF-8) and noncharacters.
_NOT_IN_HTML = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17)
    )
    + "]"
)
_PICTURES = {**{chr(code): chr(0x2400 + code) for code in range(32)}, "\x7f": "\u2421"}


def escape(text: str) -> str:
    """Escape text for HTML, as content or as a quoted attribute.

    ASCII control characters except tabs and newlines become control pictures, such as
    U+2400; other characters that are not allowed in HTML become U+FFFD.
    """
    shown = _NOT_IN_HTML.sub(lambda match: _PICTURES.get(match[0], "\ufffd"), text)
    return html.escape(shown)


def direction(text: str) -> str:
    """Return `rtl` or `ltr`, the direction of the first letter that has one.

    It is `ltr` if there is none.
    """
    for character in text:
        bidirectional_class = unicodedata.bidirectional(character)
        if bidirectional_class in ("R", "AL"):
            return "rtl"
        if bidirectional_class == "L":
            break
    return "ltr"


@lru_cache(1 << 14)
def width(text: str) -> int:
    """Estimate the width of text in columns: one for a letter, two for an ideograph."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


# The classes of the style sheet for hues. They are short, because most cells have one.
_CLASSES = "abcdefghij"
# The hues of labels that often occur together; other labels are hashed.
_KNOWN = {
    label: number
    for number, labels in enumerate(
        (
            ("PER", "PERSON", "NP", "A0", "ARG0"),
            ("LOC", "GPE", "PP", "A1", "ARG1"),
            ("ORG", "VP", "A2", "ARG2"),
            ("MISC", "ADVP", "A3", "ARG3"),
            ("DATE", "TIME", "SBAR", "AM-TMP"),
            ("ADJP", "AM-LOC", "NORP"),
            ("PRT", "AM-MOD", "MONEY"),
            ("AM-MNR", "CARDINAL"),
            ("AM-NEG", "CONJP"),
            ("V",),
        )
    )
    for label in labels
}


def hue(label: str) -> str:
    """Return the CSS class for the hue of a label, a letter from `a` to `j`."""
    number = _KNOWN.get(label)
    if number is None:
        # The last class is reserved for V.
        number = crc32(label.encode("utf-8", "surrogatepass")) % (len(_CLASSES) - 1)
    return _CLASSES[number]


@lru_cache(1 << 10)
def meaning(label: str) -> str:
    """Return the explanation of a label, escaped, or an empty string if unknown."""
    try:
        return escape(explain(label))
    except UsageError:
        return ""


def title(label: str) -> str:
    """Return a space and a `title` attribute that explains a label, if it is known."""
    return f' title="{meaning(label)}"' if meaning(label) else ""
