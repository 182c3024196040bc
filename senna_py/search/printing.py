"""The formats of matches: lines in context, CSV, JSON and numbers."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from typing import TYPE_CHECKING

from senna_py.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.search.hits import Hit, SearchBatch
    from senna_py.search.pattern import Pattern

PLACE_KEYS = ("id", "document", "line", "sentence")  # The keys of a sentence's place.
KWIC, CSV, JSON, JSONL, COUNT = "kwic", "csv", "json", "jsonl", "count"
FORMATS = {
    KWIC: "lines with the match in the middle, each with its sentence and captures",
    CSV: "a row for each match, with a column for each capture",
    JSON: "an array of an object for each match",
    JSONL: "these objects, one per line",
    COUNT: "the number of matches of each file",
}
_MATCH = ("start_token", "end_token", "start_char", "end_char")
_TEXT = ("left", "text", "right")
_WIDTH = 40  # The characters on each side of a match in lines.
_OPEN, _CLOSE = "[", "]"


class HitPrinter:
    """The base class of formats of matches.

    Attributes:
        between: The separator between two matches.
    """

    between = b""

    def __init__(self, names: Sequence[str], context: int | None = None) -> None:
        """Store the names of captures, and the characters of context on each side."""
        self.names, self.context = names, context

    def header(self) -> bytes:
        """Return the beginning of the output."""
        return b""

    def hits(self, batch: SearchBatch, pattern: Pattern) -> list[bytes]:
        """Return the output for each match of a pattern in a batch."""
        from senna_py.search.hits import hits_in  # noqa: PLC0415 - it imports NumPy

        return [*map(self.hit, hits_in(batch, pattern))]

    def hit(self, hit: Hit) -> bytes:
        """Return the output for a match."""
        raise NotImplementedError

    def count(self, name: str, n_hits: int, is_only: bool) -> bytes:
        """Return the output after a file, given the number of its matches."""
        return b""

    def footer(self) -> bytes:
        """Return the end of the output."""
        return b""

    def around(self, hit: Hit) -> tuple[str, str]:
        """Return the text before and after a match, as much as is wanted."""
        left, right = hit.left, hit.right
        if self.context is None:
            return left, right
        return left[max(len(left) - self.context, 0) :], right[: self.context]


class JsonLinesPrinter(HitPrinter):
    """Prints a JSON object for each match and line."""

    def hit(self, hit: Hit) -> bytes:
        """Return the object of a match."""
        return self._text(hit) + b"\n"

    def _text(self, hit: Hit) -> bytes:
        left, right = self.around(hit)
        values = hit.to_dict() | {"left": left, "right": right}
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "backslashreplace")


class JsonPrinter(JsonLinesPrinter):
    """Prints an array of the objects, each on its own line."""

    between = b",\n"

    def header(self) -> bytes:
        """Return the start of the array."""
        return b"[\n"

    def hit(self, hit: Hit) -> bytes:
        """Return the object of a match."""
        return self._text(hit)

    def footer(self) -> bytes:
        """Return the end of the array."""
        return b"\n]\n"


class CsvPrinter(HitPrinter):
    """Prints a row of comma-separated values for each match."""

    def __init__(self, names: Sequence[str], context: int | None = None) -> None:
        """Check that no capture has the name of a column.

        Raises:
            UsageError: If one has.
        """
        super().__init__(names, context)
        for name in names:
            if name in (*PLACE_KEYS, *_MATCH, *_TEXT):
                raise UsageError(
                    f"the capture {name} has the name of another column; rename it"
                )

    def header(self) -> bytes:
        """Return the names of the columns."""
        return _row([*PLACE_KEYS, *_MATCH, *_TEXT, *self.names])

    def hit(self, hit: Hit) -> bytes:
        """Return the row of a match."""
        values = hit.to_dict()
        values["left"], values["right"] = self.around(hit)
        row = [values.get(name) for name in (*PLACE_KEYS, *_MATCH, *_TEXT)]
        captures = values["captures"]
        return _row(row + [captures.get(name, {}).get("text") for name in self.names])


def _row(values: Sequence[object]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue().encode("utf-8", "backslashreplace")


class KwicPrinter(HitPrinter):
    """Prints each match in a line, below each other, between their contexts."""

    def __init__(self, names: Sequence[str], context: int | None = None) -> None:
        super().__init__(names, _WIDTH if context is None else context)

    def hit(self, hit: Hit) -> bytes:
        """Return the line of a match: context, match, context, captures, place."""
        assert self.context is not None, "it was set"
        left, right = (_one_line(text) for text in (hit.left, hit.right))
        left = _last_columns(left.rstrip(), self.context)
        shown = f"{left} {_OPEN}{_one_line(hit.text)}{_CLOSE} "
        shown += _first_columns(right.lstrip(), self.context)
        captures = "  ".join(
            f"{name}={_one_line(hit.sentence.between(*where))}"
            for name, where in hit.captures.items()
        )
        place = hit.sentence.place.get("id") or "-"
        columns = (
            [shown.rstrip(), captures, str(place)]
            if self.names
            else [
                shown.rstrip(),
                str(place),
            ]
        )
        return ("\t".join(columns) + "\n").encode("utf-8", "surrogateescape")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _width(character: str) -> int:
    """Return the number of columns that a terminal uses for a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _last_columns(text: str, width: int) -> str:
    """Return the end of a text, filled with spaces on the left."""
    at = len(text)
    while at and width >= _width(text[at - 1]):
        at -= 1
        width -= _width(text[at])
    return " " * width + text[at:]


def _first_columns(text: str, width: int) -> str:
    """Return the beginning of a text."""
    at = 0
    while at < len(text) and width >= _width(text[at]):
        width -= _width(text[at])
        at += 1
    return text[:at]


class CountPrinter(HitPrinter):
    """Prints the number of matches of each file."""

    def hits(self, batch: SearchBatch, pattern: Pattern) -> list[bytes]:
        """Return nothing for each match, since only their number is printed."""
        return [b""] * len(pattern.find(batch.table))

    def count(self, name: str, n_hits: int, is_only: bool) -> bytes:
        """Return the number, with the name of the file if there are several."""
        shown = f"{n_hits}\n" if is_only else f"{name}\t{n_hits}\n"
        return shown.encode("utf-8", "surrogateescape")


PRINTERS: dict[str, type[HitPrinter]] = {
    KWIC: KwicPrinter,
    CSV: CsvPrinter,
    JSON: JsonPrinter,
    JSONL: JsonLinesPrinter,
    COUNT: CountPrinter,
}
