"""Read and write files of word classes, such as the output of Brown clustering.

Each line has a class, a word and, optionally, its count, separated by tabs.
"""

import os
import re
from collections.abc import Iterable, Iterator

from senna_py.errors import SennaError, counted
from senna_py.io.files import replace_file
from senna_py.io.streaming import Source, read_lines

_BLANKS = " \v\f\r"  # the keys of a vocabulary cannot begin or end with these
_COUNT = re.compile(r"[0-9]{1,18}")


def read_word_classes(
    path: str | os.PathLike[str],
) -> Iterator[tuple[str, str, int]]:
    """Yield the class, the word and the count on each line of a file.

    If a line has no count, the count is 1. Invalid UTF-8 becomes surrogate escapes.

    Raises:
        SennaError: If the file cannot be read, or a line is malformed. The message
            names the file and the line.
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
    """Write a file of word classes, which is replaced in one step.

    Args:
        path: The file.
        rows: The class, the word and the count of each line.

    Raises:
        WriteError: If the file cannot be written.
    """
    text = "".join(f"{name}\t{word}\t{count}\n" for name, word, count in rows)
    replace_file(path, lambda file: file.write(text.encode("utf-8", "surrogateescape")))


def _problem(fields: list[str]) -> str | None:
    """Return a description of the error in the fields of a line, or None."""
    if len(fields) not in (2, 3):
        n_fields = counted(len(fields), "field")
        return f"expected class, word and count with tabs between, found {n_fields}"
    for name, field in zip(("class", "word"), fields, strict=False):
        if not field or field != field.strip(_BLANKS):
            return f"no usable {name}: {field!r}"
    if len(fields) == 3 and not _COUNT.fullmatch(fields[2]):
        return f"expected a count, found {fields[2]!r}"
    return None
