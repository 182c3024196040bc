"""Read files of abbreviations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

_MOST_CHARACTERS = 50_000


def read_abbreviations(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the abbreviations in a file; see `parse_abbreviations`."""
    with Source(path) as source:
        return parse_abbreviations(read_lines(source), source.name)


def parse_abbreviations(lines: Iterable[bytes], name: str) -> tuple[str, ...]:
    """Return the listed abbreviations without final periods and without duplicates.

    Empty lines and lines that begin with `#` are skipped.

    Args:
        lines: The lines, each with one abbreviation.
        name: The name of the file, for error messages.

    Raises:
        SennaError: If a line is not UTF-8 or has several words, or if the abbreviations
            have more than 50,000 characters, each of which needs one or two kilobytes.
    """
    abbreviations: list[str] = []
    room = _MOST_CHARACTERS
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise SennaError(f"{name}: line {number}: not UTF-8") from None
        if len(text.split()) > 1 and not text.startswith("#"):
            raise SennaError(
                f"{name}: line {number}: expected one word, found {text!r}"
            )
        if text.rstrip(".") and not text.startswith("#"):
            abbreviations.append(text.rstrip("."))
            room -= len(abbreviations[-1])
            if room < 0:
                raise SennaError(
                    f"{name}: line {number}: more than {_MOST_CHARACTERS:,} "
                    "characters of abbreviations"
                )
    return tuple(dict.fromkeys(abbreviations))
