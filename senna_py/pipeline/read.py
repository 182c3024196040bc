"""Reads inputs as batches of whole lines, each with its place in the input."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from senna_py.corpora.layouts import layout_of
from senna_py.corpora.places import BatchPlace, blank_test
from senna_py.io.streaming import (
    BY_MARK,
    PAUSE,
    InputError,
    Source,
    arriving_batches,
    check_text,
    even_batches,
)
from senna_py.pipeline.advice import Adviser
from senna_py.pipeline.batch import TextBatch
from senna_py.pipeline.options import FILES
from senna_py.text.paragraphs import join_lines, whole_paragraphs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from senna_py.corpora.csv_records import CsvFile, CsvTable
    from senna_py.corpora.records import Record, RowForm
    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.text.tokenizer import Tokenizer

_NAME_ENCODING = "name its --encoding, such as utf-16-le"


class TextReader:
    """Reads inputs in batches, with notes on encodings and unsuitable options.

    Attributes:
        is_blank: Whether a line, as bytes, has no tokens.
    """

    def __init__(self, options: TextOptions, tokenizer: Tokenizer, note: Note) -> None:
        self._options, self._tokenizer, self._note = options, tokenizer, note
        self.is_blank = blank_test(
            tokenizer.kind, options.usrtokens, options.paragraphs
        )
        self._table: CsvTable | None = None  # the form of the first table

    def read_file(self, path: str, document: str) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a text or column file.

        A PAUSE is yielded when no input is available yet.

        Args:
            path: The path, or `-` for standard input.
            document: The name of the document.

        Raises:
            InputError: If it cannot be read to its end.
        """
        _check_path(path)
        encoding = self._options.encoding or BY_MARK
        layout = layout_of(path, self._options.layout or "")
        if layout and not self._options.has_records:
            yield from self._columns(path, layout, encoding, document)
            return
        with Source(path, encoding) as source:
            if self._options.has_records:
                yield from self._file_of_records(source, document)
            else:
                yield from self.read_lines(source, BatchPlace(document))

    def read_lines(
        self, source: Source, place: BatchPlace
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a source of text, whose first line is at `place`.

        A PAUSE is yielded when no input is available yet.

        Raises:
            InputError: If the source cannot be read to its end, or is binary.
        """
        adviser = Adviser(source.name, self._options, self._note)
        batches: Iterable[bytes | Pause] = self._checked(source, adviser.look)
        if self._options.paragraphs:
            batches = whole_paragraphs(batches)
        for lines in batches:
            if lines is PAUSE:
                yield PAUSE
                continue
            text = lines
            if self._options.paragraphs:
                text, place = join_lines(lines), replace(place, original=lines)
            yield TextBatch(source.name, place, text, source.position())
            place = place.after(lines, self.is_blank)

    def read_records(
        self,
        records: Iterable[Record | Pause],
        fields: Any = None,
        source: Source | None = None,
        form: RowForm | None = None,
        header: str | None = None,
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of records, such as JSON objects or the rows of a table.

        Args:
            records: The records.
            fields: An array of Arrow structs with the other fields of all records, or
                None.
            source: The file that the records come from, or None.
            form: The form of the rows in the file, or None.
            header: The header of the table, or None.
        """
        from senna_py.corpora.records import line_batches  # noqa: PLC0415 - few need it

        name = "" if source is None else source.name
        for batch in line_batches(
            records, self._options.paragraphs, form, fields, header
        ):
            if batch is PAUSE:
                yield PAUSE
                continue
            text, place = batch
            end = 0 if source is None else source.position()
            yield TextBatch(name, place, text, end)

    def _file_of_records(
        self, source: Source, document: str
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a file of records.

        The first batch of the first table has its header.
        """
        records: Iterable[Record | Pause]
        form: RowForm
        header = None
        if self._options.column is not None:
            table = self._open_table(source)
            records, form = table.records(document), table.table
            if self._table is None:
                self._table, header = table.table, table.table.header
        else:
            from senna_py.corpora.json_records import (  # noqa: PLC0415 - few need it
                JsonObjects,
                json_records,
            )

            form = JsonObjects(self._options.field or "", self._options.id_from)
            records = json_records(source, form, document=document)
        if self._options.limit is not None:
            records = _first_records(records, self._options.limit)
        yield from self.read_records(records, None, source, form, header)

    def _open_table(self, source: Source) -> CsvFile:
        """Read the header of a table.

        Raises:
            InputError: If it lacks a column that the options name, or does not have the
                same columns as the first table.
        """
        from senna_py.corpora.csv_records import CsvFile  # noqa: PLC0415 - few need it

        options, first = self._options, self._table
        check = partial(self._check_encoding, source.name, fate="stay as they are")
        file = CsvFile(
            source,
            options.column or "",
            options.id_from,
            not options.no_quotes,
            check,
        )
        if first is None:
            return file
        if file.table.columns != first.columns:
            raise InputError(
                f"{source.name}: its columns are {', '.join(file.table.columns)}, not "
                f"{', '.join(first.columns)} as in the first file"
            )
        if file.table.delimiter != first.delimiter:
            raise InputError(
                f"{source.name}: {file.table.delimiter!r} separates its columns, not "
                f"{first.delimiter!r} as in the first file"
            )
        return file

    def _columns(
        self, path: str, layout: str, encoding: str, document: str
    ) -> Iterator[TextBatch]:
        from senna_py.pipeline.columns import ColumnText  # noqa: PLC0415 - few need it

        text = ColumnText(path, layout, self._options.multiwords, encoding)
        name, is_first = text.source.name, True
        for tokens, place in text.batches(self._tokenizer, document):
            if is_first:
                lines = [each.line for each in place.column_lines]
                self._check_encoding(name, tokens.data, "stay as they are", lines)
            is_first = False
            yield TextBatch(name, place, tokens.data, text.source.position(), tokens)

    def _checked(
        self, source: Source, look: Callable[[bytes, bool], None]
    ) -> Iterator[bytes | Pause]:
        """Yield the batches of a source after checks.

        `look` is called with each batch, and whether it is the first one.
        """
        is_first = source.begins
        by_file = self._options.documents == FILES
        batches = even_batches(source) if by_file else arriving_batches(source)
        for text in batches:
            if text is not PAUSE:
                if is_first:
                    self._check_encoding(source.name, text, "are tokens of their own")
                look(text, is_first)
                is_first = False
            yield text

    def _check_encoding(
        self, name: str, data: bytes, fate: str, lines: list[int] | None = None
    ) -> None:
        """Note bytes that are not UTF-8, and raise InputError for a binary file.

        Args:
            name: The name of the input, for messages.
            data: The first batch.
            fate: What happens to such bytes, for the note.
            lines: The line numbers in the file of the lines of `data`; None if they are
                1, 2 and so on.
        """
        check_text(name, data, _NAME_ENCODING)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            if lines is not None:
                line = lines[line - 1]
            self._note(
                f"{name}: line {line} is not UTF-8: such bytes {fate}; --encoding names "
                "another encoding, such as cp1252"
            )


def _first_records(
    records: Iterable[Record | Pause], limit: int
) -> Iterator[Record | Pause]:
    """Yield the first records, and each PAUSE before them."""
    left = limit
    for record in records:
        yield record
        left -= record is not PAUSE
        if not left:
            return


def _check_path(path: str) -> None:
    """Raise InputError for a directory, and for a text instead of a file name."""
    if os.path.isdir(path):
        raise InputError(
            f"{path}: a directory: name its files, or tag it with senna-py corpus"
        )
    if not os.path.exists(path) and (" " in path or path.endswith((".", "!", "?"))):
        raise InputError(
            f"{path}: no such file; a text itself is piped in: echo TEXT | senna-tag"
        )
