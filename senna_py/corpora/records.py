"""Records, such as JSON objects and rows of tables, and batches of lines made of them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from senna_py.corpora.places import BatchPlace
from senna_py.corpora.sentence_places import sentence_name
from senna_py.io.streaming import BATCH_BYTES, PAUSE, InputError
from senna_py.text.paragraphs import join_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.corpora.sentence_places import SentencePlace
    from senna_py.io.streaming import Pause

_SURROGATE = re.compile("[\ud800-\udfff]")


class Record(NamedTuple):
    """A record.

    Attributes:
        name: The name of its document, or None.
        text: Its text.
        row: The whole record as it stands in the file, or None if it is not from a
            file.
    """

    name: str | int | None
    text: str
    row: str | None = None


class RowForm(Protocol):
    """The form of the rows of a file of records."""

    def text_places(self, row: str) -> Sequence[int]:
        """Return the place in a row of each character of the text, and of its end."""

    def others(self, row: str) -> str:
        """Return the fields of a row other than its text, as a JSON object."""

    def extended(self, row: str, key: str, value: str) -> str:
        """Return all fields of a row and one more, as a JSON object.

        Args:
            row: The row.
            key: The name of the additional field.
            value: Its value, as JSON.

        Raises:
            ValueError: If the row has a field of this name.
        """


def utf8_text(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True)
class Records:
    """The records from which a batch of lines was made.

    Attributes:
        documents: The name of each record's document, or None.
        texts: The text of each record. Each is followed by a newline in the batch,
            unless it ends with one.
        rows: Each record as it stands in the file; empty if they are not from a file.
        form: The form of `rows`, or None.
        fields: The other fields of each record as an array of Arrow structs, or None.
        header: The header of a table, if the batch is its first one, or None.
    """

    documents: tuple[str | int | None, ...]
    texts: tuple[str, ...]
    rows: tuple[str, ...] = ()
    form: RowForm | None = None
    fields: Any = None
    header: str | None = None

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """The lines of each record in the batch."""
        return tuple(
            text.encode() if text.endswith("\n") else f"{text}\n".encode()
            for text in self.texts
        )

    @cached_property
    def first_byte(self) -> tuple[int, ...]:
        """The byte of the batch at which each record begins, and the batch's size."""
        return 0, *accumulate(map(len, self.lines))

    @cached_property
    def _first_line(self) -> tuple[int, ...]:
        return 0, *accumulate(lines.count(b"\n") for lines in self.lines)

    @cached_property
    def _first_character(self) -> tuple[int, ...]:
        return 0, *accumulate(len(lines.decode()) for lines in self.lines)

    def others(self) -> Any:
        """Return the other fields of each record, or None if there are none.

        They are a list of JSON objects as text, or an array of Arrow structs.
        """
        if self.form is None:
            return self.fields
        return [self.form.others(row) for row in self.rows]

    def cut(self, size: int) -> tuple[Records, Records]:
        """Cut the records into two; the texts of the first have `size` bytes or more."""
        n = max(bisect_left(self.first_byte, size), 1)
        return self._range(0, n), replace(self._range(n, None), header=None)

    def _range(self, begin: int, end: int | None) -> Records:
        selected = slice(begin, end)
        return replace(
            self,
            documents=self.documents[selected],
            texts=self.texts[selected],
            rows=self.rows[selected],
            fields=None if self.fields is None else self.fields[selected],
        )

    def locate(self, places: Iterable[SentencePlace]) -> list[SentencePlace]:
        """Return places of sentences relative to their records instead of the batch."""
        return [self._locate(place) for place in places]

    def _locate(self, place: SentencePlace) -> SentencePlace:
        record = bisect_right(self._first_line, place.line - 1) - 1
        document, lines_before = self.documents[record], self._first_line[record]
        line, name = place.line - lines_before, None
        if document is not None:
            name = sentence_name(str(document), line, place.sentence)
        return place._replace(
            document=document,
            line=line,
            paragraph=max(place.paragraph - lines_before, 1),
            record=record,
            name=name,
            character=place.character - self._first_character[record],
        )


def line_batches(
    records: Iterable[Record | Pause],
    paragraphs: bool,
    form: RowForm | None = None,
    fields: Any = None,
    header: str | None = None,
) -> Iterator[tuple[bytes, BatchPlace] | Pause]:
    """Yield batches of lines with the texts of records, each with its place.

    Lone surrogates become U+FFFD. With a header, there is at least one batch. A PAUSE
    is yielded after the batch of the records before it.

    Args:
        records: The records.
        paragraphs: Whether to join the lines of each paragraph; see
            `text.paragraphs.join_lines`.
        form: The form of their rows, or None.
        fields: The other fields of all records as an array of Arrow structs, or None.
        header: The header of the table, or None.

    Raises:
        InputError: If `records` raises it, after the batch of the records before it.
    """
    batch: list[Record] = []
    n_before = n_bytes = 0

    def take() -> Iterator[tuple[bytes, BatchPlace]]:
        nonlocal n_before, n_bytes, header
        if batch or header is not None:
            of_batch = fields
            if fields is not None:
                of_batch = fields[n_before : n_before + len(batch)]
            yield _make_batch(batch, paragraphs, form, of_batch, header)
            n_before += len(batch)
            n_bytes, header = 0, None
            batch.clear()

    try:
        for record in records:
            if record is PAUSE:
                yield from take()
                yield PAUSE
                continue
            batch.append(record)
            n_bytes += len(record.text)
            if n_bytes >= BATCH_BYTES:
                yield from take()
    except InputError:
        yield from take()
        raise
    yield from take()


def _make_batch(
    batch: Sequence[Record],
    paragraphs: bool,
    form: RowForm | None,
    fields: Any,
    header: str | None,
) -> tuple[bytes, BatchPlace]:
    """Return a batch of lines and its place; see `line_batches` for the arguments."""
    records = Records(
        tuple(record.name for record in batch),
        tuple(utf8_text(record.text) for record in batch),
        tuple(record.row for record in batch if record.row is not None),
        form,
        fields,
        header,
    )
    original = b"".join(records.lines)
    if not paragraphs:
        return original, BatchPlace("", records=records)
    joined = b"".join(map(join_lines, records.lines))
    return joined, BatchPlace("", original=original, records=records)
