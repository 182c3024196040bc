"""Records from CSV and TSV: rows below a header, with the text in one of the columns.

Rows are kept as they stand in the file, so that they can be written again with further
cells behind them, and nothing else changed.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections import deque
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from senna_py.corpora.records import Record
from senna_py.io.streaming import (
    LONGEST_LINE,
    PAUSE,
    InputError,
    arriving_batches,
    check_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from typing_extensions import Self

    from senna_py.io.streaming import Pause, Source

TAB = "\t"
# The characters that may separate cells; the first one counts if there is one column.
_DELIMITERS = ",", ";", TAB, "|"


class _Waiting(Exception):
    """Raised instead of waiting for the next line, if no row has begun."""


class _Lines:
    """The lines of an input, for `csv.reader`.

    Attributes:
        number: The number of lines that have been read.
        row: The lines since the last call of `next_row`.
    """

    def __init__(self, source: Source, check: Callable[[bytes], None]) -> None:
        """Store the source, and a function that is called with the first batch."""
        self._name, self._check = source.name, check
        self._batches = arriving_batches(source)
        self._lines: deque[str] = deque()
        self._is_first, self._n_characters = True, 0
        self.number = 0
        self.row: list[str] = []

    def next_row(self) -> None:
        """Forget the lines of the last row."""
        self.row.clear()
        self._n_characters = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        while not self._lines:
            batch = next(self._batches)
            if batch is not PAUSE:
                self._read(batch)
            elif not self.row:
                raise _Waiting
        line = self._lines.popleft()
        self.number += 1
        self.row.append(line)
        self._n_characters += len(line)
        check_line(self._name, self._n_characters)
        return line

    def _read(self, batch: bytes) -> None:
        if self._is_first:
            self._check(batch)
            self._is_first = False
        lines = batch.decode("utf-8", "surrogateescape").split("\n")
        last = lines.pop()
        self._lines.extend(f"{line}\n" for line in lines)
        if last:
            self._lines.append(last)


@dataclass(frozen=True)
class CsvTable:
    """The form of the rows of a table.

    Attributes:
        file: The name of the file, for messages.
        columns: The names of the columns.
        delimiter: The character between cells.
        has_quotes: Whether cells may be quoted.
        header: The header as it stands in the file, without its newline, but with a
            UTF-8 byte-order mark.
        newline: The characters at the end of the header, and of each row of output.
        text: The index of the column of texts.
        name: The index of the column of names, or None.
    """

    file: str
    columns: tuple[str, ...]
    delimiter: str
    has_quotes: bool
    header: str
    newline: str
    text: int
    name: int | None

    def cells(self, row: str) -> list[str]:
        """Return the cells of a row."""
        cells: list[str] = next(_reader([row], self.delimiter, self.has_quotes))
        return cells

    def others(self, row: str) -> str:
        """Return the cells of a row other than its text, as a JSON object."""
        return json.dumps(
            {
                name: cell
                for i, (name, cell) in enumerate(self._items(row))
                if i != self.text
            },
            ensure_ascii=False,
        )

    def extended(self, row: str, key: str, value: str) -> str:
        """Return the cells of a row and one more field, as a JSON object.

        Raises:
            ValueError: If two fields have the same name.
        """
        fields = dict(self._items(row))
        if key in fields or len(fields) < len(self.columns):
            names = [*self.columns, key]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"it has a column {twice!r} already")
        text = json.dumps(fields, ensure_ascii=False)
        return f"{text[:-1]}, {json.dumps(key)}: {value}}}"

    def text_places(self, row: str) -> Sequence[int]:
        """Return the place in a row of each character of the text, and of its end."""
        start, end = self._cell_place(row, self.text)
        if not (self.has_quotes and row[start:end].startswith('"')):
            return range(start, end + 1)
        text = row[start + 1 : end - 1].replace('""', '"')
        if '"' not in text:
            return range(start + 1, end)
        lengths = (1 + (character == '"') for character in text)
        return [*accumulate(lengths, initial=start + 1)]

    def _cell_place(self, row: str, index: int) -> tuple[int, int]:
        """Return the beginning and the end of a cell, with its quotation marks."""
        start = 0
        for _ in range(index):
            start = self._end_of_cell(row, start) + 1
        return start, self._end_of_cell(row, start)

    def _end_of_cell(self, row: str, start: int) -> int:
        end = start
        if self.has_quotes and row.startswith('"', start):
            end = row.index('"', start + 1) + 1
            while row.startswith('"', end):
                end = row.index('"', end + 1) + 1
        end = row.find(self.delimiter, end)
        return len(row) if end < 0 else end

    def _items(self, row: str) -> list[tuple[str, str]]:
        return [*zip(self.columns, self.cells(row), strict=True)]

    def with_cells(self, row: str, cells: Sequence[str]) -> str:
        """Return a row with further cells and a newline behind it."""
        out = io.StringIO(newline="")
        quoting: Any = csv.QUOTE_MINIMAL if self.has_quotes else csv.QUOTE_NONE
        writer = csv.writer(
            out,
            delimiter=self.delimiter,
            lineterminator=self.newline,
            quoting=quoting,
            quotechar='"' if self.has_quotes else None,
        )
        writer.writerow(["", *cells])  # The empty cell is where the row ends.
        return row + out.getvalue()


class CsvFile:
    """A table that is read row by row.

    Attributes:
        table: The form of its rows.
    """

    def __init__(
        self,
        source: Source,
        text: str,
        name: str | None = None,
        has_quotes: bool = True,
        check: Callable[[bytes], None] = lambda data: None,
    ) -> None:
        """Read the header.

        Args:
            source: The input.
            text: The name of the column of texts.
            name: The name of the column that names the rows, or None.
            has_quotes: Whether cells may be quoted.
            check: A function that is called with the first batch of the file.

        Raises:
            InputError: If the header has no such columns.
        """
        # This is the limit of all readers of the module, which long texts may exceed.
        csv.field_size_limit(LONGEST_LINE)
        self._source = source
        self._lines = _Lines(source, check)
        self.table = self._read_header(text, name, has_quotes)

    def _read_header(self, text: str, name: str | None, has_quotes: bool) -> CsvTable:
        header = _header_of(self._lines, has_quotes)
        if not header:
            raise InputError(f"{self._source.name}: empty: expected a header")
        delimiter, columns = _split_header(header, self._source.name, has_quotes, text)
        if not has_quotes and delimiter != TAB:
            raise InputError(
                f"{self._source.name}: without quotes, tabs separate columns, not "
                f"{delimiter!r}"
            )
        mark = "\ufeff" if self._source.had_mark else ""
        newline = "\r\n" if header.endswith("\r\n") else "\n"
        return CsvTable(
            self._source.name,
            tuple(columns),
            delimiter,
            has_quotes,
            f"{mark}{_without_newline(header)}",
            newline,
            self._index(columns, text),
            None if name is None else self._index(columns, name),
        )

    def _index(self, columns: list[str], name: str) -> int:
        if columns.count(name) != 1:
            problem = "two columns" if name in columns else "no column"
            raise InputError(
                f"{self._source.name}: {problem} {name!r}; there are "
                f"{', '.join(columns)}"
            )
        return columns.index(name)

    def records(self, document: str) -> Iterator[Record | Pause]:
        """Yield the rows as records, and PAUSE before each read that may block.

        Empty lines are skipped.

        Args:
            document: The name of the document, by which records are named, with the
                number of the line, unless a column names them.

        Raises:
            InputError: If a row is malformed; the message names its line.
        """
        table, lines = self.table, self._lines
        reader = _reader(lines, table.delimiter, table.has_quotes)
        while True:
            lines.next_row()
            first = lines.number + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except _Waiting:
                yield PAUSE
                continue
            except csv.Error as error:
                raise self._error(first, _reason(error)) from None
            if not cells:
                continue
            if len(cells) != len(table.columns):
                raise self._error(
                    first,
                    f"{len(cells)} cells, but {len(table.columns)} columns in the header",
                )
            name = f"{document}:{first}" if table.name is None else cells[table.name]
            row = _without_newline("".join(lines.row))
            yield Record(name, cells[table.text], row)

    def _error(self, line: int, problem: str) -> InputError:
        return InputError(f"{self._source.name}: line {line}: {problem}")


def columns_of(source: Source) -> list[str]:
    """Return the names of the columns of a table; empty for an empty file."""
    header = _header_of(_Lines(source, lambda data: None), True)
    return _split_header(header, source.name, True)[1] if header else []


def _reader(lines: Iterable[str], delimiter: str, has_quotes: bool) -> Any:
    """Return a reader of rows, which refuses malformed quotes."""
    quoting: Any = csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)


def _header_of(lines: _Lines, has_quotes: bool) -> str:
    """Return the first row of a file that is not blank, or an empty string."""
    header = ""
    while not header.strip():
        lines.next_row()
        header = ""
        try:
            while not header or (has_quotes and _is_open(header)):
                with contextlib.suppress(_Waiting):
                    header += next(lines)
        except StopIteration:
            return header
    return header


def _is_open(header: str) -> bool:
    """Return whether a cell at the end of a header continues in the next line."""
    if header.count('"') % 2 == 0:
        return False
    # A quotation mark may also stand within a cell without quotes.
    try:
        return len(_split_header(header, "", True)[1]) == 1
    except InputError:
        return True


def _split_header(
    header: str, name: str, has_quotes: bool, column: str | None = None
) -> tuple[str, list[str]]:
    """Return the delimiter of a table, and the names of its columns.

    The delimiter is the one that gives the wanted column and, beyond that, the most
    columns.

    Args:
        header: The header.
        name: The name of the file.
        has_quotes: Whether names may be quoted.
        column: The name of the wanted column, or None.

    Raises:
        InputError: If the header is malformed.
    """
    names = {}
    for delimiter in _DELIMITERS:
        rows = _reader([header], delimiter, has_quotes)
        try:
            names[delimiter] = [cell.strip() for cell in next(rows)]
        except csv.Error as error:
            problem = _reason(error)
    if not names:
        raise InputError(f"{name}: line 1: {problem}")
    best = max(names, key=lambda each: (column in names[each], len(names[each])))
    return best, names[best]


def _without_newline(row: str) -> str:
    return row.removesuffix("\n").removesuffix("\r")


def _reason(error: csv.Error) -> str:
    """Return the message of an error, in the terms of this module."""
    text = str(error)
    if "unexpected end of data" in text:
        return "a quotation mark opens a cell that does not end"
    if "expected after" in text:
        return "text after the quotation mark that ends a cell; expected a delimiter"
    if "new-line character" in text:
        return "a carriage return outside of quotes; lines end with a newline"
    return text
