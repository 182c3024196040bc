"""The formats of matches: lines in context, CSV, JSON and numbers."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from senna_py.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.search.columns import ColumnPattern
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
OF_MATCH = (*PLACE_KEYS, *_MATCH, *_TEXT)  # The columns of any match.
# The formats that are chosen by the ending of the output.
OF_ENDING = {"csv": CSV, "json": JSON, "jsonl": JSONL, "ndjson": JSONL}
FREQUENCY = "count"  # The column of frequencies.
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

    def joined(self, hits: Sequence[bytes], is_first: bool) -> bytes:
        """Return the output for some matches, given the output for each of them."""
        return (b"" if is_first else self.between) + self.between.join(hits)

    def hit(self, hit: Hit) -> bytes:
        """Return the output for a match."""
        raise NotImplementedError

    def count(self, name: str, n_hits: int, is_only: bool) -> bytes:
        """Return the output after a file that was read, given its number of matches."""
        return b""

    def footer(self) -> bytes:
        """Return the end of the output."""
        return b""


class TablePrinter(HitPrinter):
    """The base class of formats that can also print rows of chosen columns.

    Attributes:
        columns: The names of the columns, or None for the format's own ones.
    """

    def __init__(
        self,
        names: Sequence[str],
        context: int | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        """Store the names of captures, the characters of context, and the columns."""
        super().__init__(names, context)
        self.columns = columns

    def row(self, values: Sequence[object]) -> bytes:
        """Return the output for a row of the columns."""
        raise NotImplementedError


class JsonLinesPrinter(TablePrinter):
    """Prints a JSON object for each match and line."""

    end = b"\n"  # What follows an object.

    def hit(self, hit: Hit) -> bytes:
        """Return the object of a match."""
        return self._object(hit.to_dict(self.context))

    def row(self, values: Sequence[object]) -> bytes:
        """Return the object of a row, with the names of the columns as keys."""
        assert self.columns is not None, "they are named"
        return self._object(dict(zip(self.columns, values, strict=True)))

    def _object(self, values: dict[str, object]) -> bytes:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "backslashreplace") + self.end


class JsonPrinter(JsonLinesPrinter):
    """Prints an array of the objects, each on its own line."""

    between, end = b",\n", b""

    def header(self) -> bytes:
        """Return the start of the array."""
        return b"[\n"

    def footer(self) -> bytes:
        """Return the end of the array."""
        return b"\n]\n"


class CsvPrinter(TablePrinter):
    """Prints a row of comma-separated values for each match."""

    def __init__(
        self,
        names: Sequence[str],
        context: int | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        """Check that no capture has the name of another column.

        Raises:
            UsageError: If one has.
        """
        super().__init__(names, context, columns)
        for name in names if columns is None else ():
            if name in OF_MATCH:
                raise UsageError(
                    f"the capture {name} has the name of another column; rename it"
                )

    def header(self) -> bytes:
        """Return the names of the columns."""
        return self.row(self.columns or [*OF_MATCH, *self.names])

    def hit(self, hit: Hit) -> bytes:
        """Return the row of a match."""
        values = hit.to_dict(self.context)
        row = [values.get(name) for name in OF_MATCH]
        captures = values["captures"]
        return self.row(
            row + [captures.get(name, {}).get("text") for name in self.names]
        )

    def row(self, values: Sequence[object]) -> bytes:
        """Return a row of values."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow(values)
        return out.getvalue().encode("utf-8", "backslashreplace")


class ColumnPrinter(HitPrinter):
    """Prints a row of chosen columns for each match of a ColumnPattern."""

    def __init__(self, table: TablePrinter) -> None:
        """Store the format of rows."""
        super().__init__(table.names, table.context)
        self._table, self.between = table, table.between

    def header(self) -> bytes:
        """Return the beginning of the table."""
        return self._table.header()

    def hits(self, batch: SearchBatch, pattern: Pattern) -> list[bytes]:
        """Return the row of each match."""
        rows = self._rows(batch, pattern)
        return [*map(self._table.row, rows)]

    def _rows(self, batch: SearchBatch, pattern: Pattern) -> list[list[Any]]:
        with_columns = cast("ColumnPattern", pattern)
        return [*with_columns.rows(batch, self.context)]

    def footer(self) -> bytes:
        """Return the end of the table."""
        return self._table.footer()


class FrequencyPrinter(ColumnPrinter):
    """Prints how often matches have the same values in chosen columns.

    The rows are sorted by their frequency.
    """

    def __init__(self, table: TablePrinter) -> None:
        """Store the format of rows, whose last column is the frequency."""
        super().__init__(table)
        self._counts: Counter[tuple[Any, ...]] = Counter()

    def hits(self, batch: SearchBatch, pattern: Pattern) -> list[tuple[Any, ...]]:  # type: ignore[override] # They are counted.
        """Return the values of each match."""
        return [*map(tuple, self._rows(batch, pattern))]

    def joined(self, hits: Sequence[Any], is_first: bool) -> bytes:
        """Count values; they are printed at the end."""
        self._counts.update(hits)
        return b""

    def footer(self) -> bytes:
        """Return the rows of all values, and the end of the table."""
        rows = sorted(
            self._counts.items(), key=lambda row: (-row[1], [*map(str, row[0])])
        )
        printed = [self._table.row([*values, count]) for values, count in rows]
        return self.between.join(printed) + super().footer()


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


TABLES: dict[str, type[TablePrinter]] = {
    CSV: CsvPrinter,
    JSON: JsonPrinter,
    JSONL: JsonLinesPrinter,
}
PRINTERS: dict[str, type[HitPrinter]] = {
    KWIC: KwicPrinter,
    **TABLES,
    COUNT: CountPrinter,
}
