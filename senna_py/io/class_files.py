"""Files of word classes: a class, a word and its count per line, as Brown clustering prints.

Tabs stand between the fields. The count may be left out.
"""

import os
import re
from collections.abc import Iterable, Iterator

from senna_py.errors import SennaError, counted
from senna_py.io.files import replace_file
from senna_py.io.streaming import Source, read_lines

_BLANKS = " \v\f\r"  # what the keys of a vocabulary cannot begin or end with
_COUNT = re.compile(r"[0-9]{1,18}")


def read_word_classes(
    path: str | os.PathLike[str],
) -> Iterator[tuple[str, str, int]]:
    """Yield the class, the word and the count of each line of a file.

    A missing count is 1. Bytes that are not UTF-8 become lone surrogates.

    Raises:
        SennaError: If a line cannot be read; the message names the file and the line.
    """
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            text = line.removesuffix(b"\r").decode("utf-8", "surrogateescape")
            fields = text.split("\t")
            if problem := _problem(fields):
                raise SennaError(f"{source.name}: line {number:,}: {problem}")
            yield fields[0], fields[1], int(fields[2]) if len(fields) == 3 else 1


def write_word_classes(
    path: str | os.PathLike[str], rows: Iterable[tuple[str, str, int]]
) -> None:
    """Write classes, words and counts to a file in one step; raise WriteError."""
    text = "".join(f"{name}\t{word}\t{count}\n" for name, word, count in rows)
    replace_file(path, lambda file: file.write(text.encode("utf-8", "surrogateescape")))


def _problem(fields: list[str]) -> str | None:
    """Describe what is wrong with the fields of a line, or return None."""
    if len(fields) not in (2, 3):
        n_fields = counted(len(fields), "field")
        return f"expected class, word and count with tabs between, found {n_fields}"
    for name, field in zip(("class", "word"), fields, strict=False):
        if not field or field != field.strip(_BLANKS):
            return f"no usable {name}: {field!r}"
    if len(fields) == 3 and not _COUNT.fullmatch(fields[2]):
        return f"expected a count, found {fields[2]!r}"
    return None
