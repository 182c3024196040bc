"""Fields of senna-tag's plain columns, which readers of CSV take: written, and read
again.
"""

import re

_QUOTED = re.compile(rb'"((?:""[^"]*)+)"')
_ESCAPE = re.compile(r"\\([\\p])")


def quote(text):
    """A str as CSV has it if it begins with a quotation mark; any other as it is."""
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def unquote(field):
    """Bytes that `quote` wrote as they were; others, as `"` and `"a"`, are not
    changed.
    """
    match = _QUOTED.fullmatch(field)
    return match[1].replace(b'""', b'"') if match else field


def escape_role(tag):
    """The tag of a role as it stands between bars: `|` is `\\p` and a backslash is
    doubled.
    """
    return tag.replace("\\", r"\\").replace("|", r"\p")


def split_roles(columns, n_predicates):
    """Columns of roles, one for each predicate, from those of a sentence: lists of one
    str a token.

    If there is one column, it may have the tags of all predicates, `S-A0|O`, or `-` for
    none; a column that does not fit is returned as it is.
    """
    if len(columns) != 1:
        return columns
    if n_predicates == 0:
        return [] if {*columns[0]} == {"-"} else columns
    rows = [cell.split("|") for cell in columns[0]]
    if any(len(row) != n_predicates for row in rows):
        return columns
    return [
        [_ESCAPE.sub(_unescaped, tag) for tag in tags]
        for tags in zip(*rows, strict=True)
    ]


def _unescaped(match):
    return "|" if match[1] == "p" else "\\"
