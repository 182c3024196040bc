"""Turn records, such as JSON objects and rows of tables, into batches of lines."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from senna_py.corpora.places import BatchPlace
from senna_py.corpora.sentence_places import sentence_name
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import BATCH_BYTES, InputError, Source, read_lines
from senna_py.text.paragraphs import join_lines

if TYPE_CHECKING:
    from senna_py.corpora.sentence_places import SentencePlace

    # The name of the document or None, the text, and the other fields as JSON or None.
    Record = tuple[str | int | None, str, str | None]

_MEMBER = re.compile(r'[\s{,]*("(?:[^"\\]|\\.)*")\s*:\s*')  # the key of a JSON object
_SURROGATE = re.compile("[\ud800-\udfff]")


def utf8_text(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True)
class Records:
    """The records from which a batch of lines was made.

    Attributes:
        documents: The name of each record's document, or None.
        first: The index of each record's first line in the batch.
        fields: The other fields of each record, as a list of JSON texts or an array of
            Arrow structs; None if the records have no other fields.
    """

    documents: tuple[str | int | None, ...]
    first: tuple[int, ...]
    fields: Any = None

    def locate(self, places: Iterable[SentencePlace]) -> list[SentencePlace]:
        """Return places of sentences relative to their records instead of the batch."""
        return [self._locate(place) for place in places]

    def _locate(self, place: SentencePlace) -> SentencePlace:
        record = bisect_right(self.first, place.line - 1) - 1
        document, lines_before = self.documents[record], self.first[record]
        line, name = place.line - lines_before, None
        if document is not None:
            name = sentence_name(str(document), line, place.sentence)
        return place._replace(
            document=document,
            line=line,
            paragraph=max(place.paragraph - lines_before, 1),
            record=record,
            name=name,
        )


def split_object(line: str | bytes, field: str) -> tuple[str, str]:
    """Return the text of a field of a JSON object, and the object without the field.

    The other fields are not reformatted. The text of a null field is empty.

    Raises:
        ValueError: If the line is not a JSON object with a string or null in the field.
    """
    line = line if isinstance(line, str) else line.decode()
    record = parse_json(line, parse_int=_zero)
    if not isinstance(record, dict) or field not in record:
        raise ValueError(f"no object with a field {field!r}")
    if not isinstance(record[field], str | None):
        raise ValueError(f"the field {field!r} is not text")
    decoder, position = json.JSONDecoder(parse_int=_zero), 0
    others: list[str] = []
    while member := _MEMBER.match(line, position):
        position = decoder.raw_decode(line, member.end())[1]
        if json.loads(member[1]) != field:
            others.append(line[member.start(1) : position])
    return record[field] or "", f"{{{', '.join(others)}}}"


def json_records(source: Source, field: str, first: int) -> Iterator[Record]:
    """Yield the records of JSON lines, for `line_batches`.

    Args:
        source: The input, with an object on each line. Empty lines are skipped.
        field: The name of the field with the text.
        first: The line number of the first line, for document names and messages.

    Raises:
        InputError: If a line is not an object with such a field.
    """
    for number, line in enumerate(read_lines(source), first):
        try:
            if line.strip():
                yield f"{source.name}:{number}", *split_object(line, field)
        except ValueError as error:
            raise InputError(f"{source.name}: line {number}: {error}") from None


def _zero(digits: str) -> int:
    """Return 0 for an integer of any length, whose value is not needed."""
    return 0


def line_batches(
    records: Iterable[Record], fields: Any, paragraphs: bool
) -> Iterator[tuple[bytes, BatchPlace]]:
    """Yield batches of lines with the texts of records, each with its place.

    Lone surrogates become U+FFFD.

    Args:
        records: The records.
        fields: The other fields of all records as an array of Arrow structs. None means
            that they are in `records`.
        paragraphs: Whether to join the lines of each paragraph; see
            `text.paragraphs.join_lines`.
    """
    batch: list[tuple[str | int | None, bytes, str | None]] = []
    n_before, n_bytes = 0, 0

    def make() -> tuple[bytes, BatchPlace]:
        if fields is not None:
            of_batch = fields[n_before : n_before + len(batch)]
        else:
            of_batch = [field for _, _, field in batch]
            if None in of_batch:
                of_batch = None
        return _make_batch(
            [document for document, _, _ in batch],
            [data for _, data, _ in batch],
            of_batch,
            paragraphs,
        )

    for document, text, field in records:
        data = utf8_text(text).encode()
        batch.append((document, data if data.endswith(b"\n") else data + b"\n", field))
        n_bytes += len(data)
        if n_bytes >= BATCH_BYTES:
            yield make()
            n_before += len(batch)
            batch, n_bytes = [], 0
    if batch:
        yield make()


def _make_batch(
    documents: list[str | int | None], texts: list[bytes], fields: Any, paragraphs: bool
) -> tuple[bytes, BatchPlace]:
    """Return a batch of lines and its place.

    Args:
        documents: The name of each record's document, or None.
        texts: The text of each record, which ends with a newline.
        fields: The other fields of the records; see Records.
        paragraphs: Whether to join the lines of each paragraph.
    """
    first = 0, *accumulate(data.count(b"\n") for data in texts[:-1])
    records = Records(tuple(documents), first, fields)
    original = b"".join(texts)
    if not paragraphs:
        return original, BatchPlace("", records=records)
    joined = b"".join(map(join_lines, texts))
    return joined, BatchPlace("", original=original, records=records)
