"""Quoting and escapes in the columns that senna-tag writes.

Quoted values can be read by CSV readers.
"""

import re

_QUOTED = re.compile(rb'"((?:""[^"]*)+)"')
_ESCAPE = re.compile(r"\\([\\p])")


def quote(text: str) -> str:
    """Return a text, quoted as in CSV if it begins with a quotation mark."""
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def unquote(field: bytes) -> bytes:
    """Return the text that `quote` quoted.

    Fields that `quote` cannot have written, such as `"a"`, are returned unchanged.
    """
    match = _QUOTED.fullmatch(field)
    return match[1].replace(b'""', b'"') if match else field


def escape_role(tag: str) -> str:
    r"""Escape a tag for a column with bars: `|` becomes `\p`, and `\` becomes `\\`."""
    return tag.replace("\\", r"\\").replace("|", r"\p")


def split_roles(columns: list[list[str]], n_predicates: int) -> list[list[str]]:
    """Return the columns of roles of a sentence, one for each predicate.

    If there is a single column, it may have the tags of all predicates, such as
    `S-A0|O`, or `-` in every row if there is no predicate. If it does not have a tag
    for each predicate, it is returned unchanged.

    Args:
        columns: The columns of roles in a file, each with one value per token.
        n_predicates: The number of predicates in the sentence.
    """
    if len(columns) != 1:
        return columns
    if n_predicates == 0:
        return [] if {*columns[0]} == {"-"} else columns
    rows = [cell.split("|") for cell in columns[0]]
    if any(len(row) != n_predicates for row in rows):
        return columns
    return [
        [_ESCAPE.sub(_unescape, tag) for tag in tags]
        for tags in zip(*rows, strict=True)
    ]


def _unescape(match: re.Match[str]) -> str:
    return "|" if match[1] == "p" else "\\"
