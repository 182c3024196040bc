"""What a word looks like: an address of the web or of mail, and its shape."""

import re

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[^\W\d_]{2,}")
_SCHEME = re.compile(r"(?:https?|ftps?|sftp|file|s3|git|ssh)://\S+", re.IGNORECASE)
# Without a scheme: `www.`, or a name with a domain that is common and no English word,
# or that a path follows.
_HOST = r"(?:[^\W_][\w-]*\.)+"
_DOMAINS = (
    "com|org|net|edu|gov|int|mil|info|io|au|br|ca|ch|cn|cz|de|dk|es|eu|fi|fr|jp|kr|nl|nz|pl|pt|ru|"
    "se|uk"
)
_BARE = re.compile(
    rf"(?:www\.\S+\.\S+|{_HOST}(?:{_DOMAINS})(?::\d+)?(?:[/?#]\S*)?"
    rf"|{_HOST}[^\W\d_]{{2,}}(?::\d+)?/\S*)",
    re.IGNORECASE,
)
_RUN = 4  # as often as the shape repeats a character of one kind


def like_url(text: str) -> bool:
    """Return whether a word looks like the address of a page or a file on the
    network.
    """
    if "@" in text.partition("/")[0] and not _SCHEME.match(text):
        return False
    return bool(_SCHEME.fullmatch(text) or _BARE.fullmatch(text))


def like_email(text: str) -> bool:
    """Return whether a word looks like an address of mail."""
    return bool(_EMAIL.fullmatch(text))


def shape_of(text: str) -> str:
    """Return the kinds of a word's characters, as spaCy has them: `Xxxxx` for *Berlin*.

    Capitals are X, other letters x, digits d, the rest is itself; of a run of one kind,
    four are shown.
    """
    shape: list[str] = []
    for character in text:
        if character.isalpha():
            kind = "X" if character.isupper() else "x"
        else:
            kind = "d" if character.isdigit() else character
        if shape[-_RUN:] != [kind] * _RUN:
            shape.append(kind)
    return "".join(shape)
