"""Files of word classes: a class, a word and its count a line, as Brown clustering
prints them.
"""

import re

from senna_py.errors import SennaError, counted
from senna_py.io.files import replace_file
from senna_py.io.streaming import Source, read_lines

_BLANKS = " \v\f\r"  # what keys of a vocabulary cannot begin or end with
_COUNT = re.compile(r"[0-9]{1,18}")


def read_word_classes(path):
    """Yield (class, word, count) of each line of a file: str, str, int.

    Tabs stand between them; the count may be left out, and is 1 then. Bytes outside
    UTF-8 become lone surrogates. Raises SennaError naming the file and the line.
    """
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            fields = (
                line.removesuffix(b"\r").decode("utf-8", "surrogateescape").split("\t")
            )
            problem = _problem(fields)
            if problem:
                raise SennaError(f"{source.name}: line {number:,}: {problem}")
            yield fields[0], fields[1], int(fields[2]) if len(fields) == 3 else 1


def write_word_classes(path, rows):
    """Write an iterable of (class, word, count) in one step; raises WriteError."""
    text = "".join(f"{key}\t{word}\t{count}\n" for key, word, count in rows)
    replace_file(path, lambda file: file.write(text.encode("utf-8", "surrogateescape")))


def _problem(fields):
    """Describe what is wrong with the fields of a line, or return None."""
    if len(fields) not in (2, 3):
        found = counted(len(fields), "field")
        return f"expected class, word and count with tabs between, found {found}"
    for name, field in zip(("class", "word"), fields, strict=False):
        if not field or field != field.strip(_BLANKS):
            return f"no usable {name}: {field!r}"
    if len(fields) == 3 and not _COUNT.fullmatch(fields[2]):
        return f"expected a count, found {fields[2]!r}"
    return None
