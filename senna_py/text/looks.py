"""Tests for web and email addresses, and the shapes of words."""

import re

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[^\W\d_]{2,}")
_SCHEME = re.compile(r"(?:https?|ftps?|sftp|file|s3|git|ssh)://\S+", re.IGNORECASE)
# An address without a scheme begins with `www.`, has a common top-level domain that is
# not an English word, or has a path.
_HOST = r"(?:[^\W_][\w-]*\.)+"
_DOMAINS = (
    "com|org|net|edu|gov|int|mil|info|io|"
    "au|br|ca|ch|cn|cz|de|dk|es|eu|fi|fr|jp|kr|nl|nz|pl|pt|ru|se|uk"
)
_BARE = re.compile(
    rf"(?:www\.\S+\.\S+|{_HOST}(?:{_DOMAINS})(?::\d+)?(?:[/?#]\S*)?"
    rf"|{_HOST}[^\W\d_]{{2,}}(?::\d+)?/\S*)",
    re.IGNORECASE,
)
_RUN = 4  # longer runs of a symbol in a shape are shortened to this length


def like_url(text: str) -> bool:
    """Return whether a word looks like a URL, with or without its scheme."""
    if "@" in text.partition("/")[0] and not _SCHEME.match(text):
        return False
    return bool(_SCHEME.fullmatch(text) or _BARE.fullmatch(text))


def like_email(text: str) -> bool:
    """Return whether a word looks like an email address."""
    return bool(_EMAIL.fullmatch(text))


def shape_of(text: str) -> str:
    """Return the shape of a word as in spaCy: `Xxxxx` for *Berlin*.

    Capitals become X, other letters x, and digits d; other characters are unchanged.
    A run of more than four equal symbols is shortened to four.
    """
    shape: list[str] = []
    for character in text:
        symbol = _symbol(character)
        if shape[-_RUN:] != [symbol] * _RUN:
            shape.append(symbol)
    return "".join(shape)


def _symbol(character: str) -> str:
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return "d" if character.isdigit() else character
