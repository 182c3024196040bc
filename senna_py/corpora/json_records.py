"""Records from JSON lines or a JSON array: objects, with the text in one of their fields."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from senna_py.corpora.records import Record
from senna_py.io.nesting import NestingError, parse_json
from senna_py.io.streaming import PAUSE, InputError, arriving_batches, check_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from senna_py.io.streaming import Pause, Source

_MEMBER = re.compile(r'[\s{,]*("(?:[^"\\]|\\.)*")\s*:\s*')  # the key of a JSON object

# A character of a string in JSON; some are written as two surrogates.
_CHARACTER = re.compile(
    r"\\u[Dd][89ABab]..\\u[Dd][C-Fc-f]..|\\u....|\\.|[^\\]", re.DOTALL
)


class _Number(str):
    """An integer of any length as it is written, because its value is not needed."""


@dataclass(frozen=True)
class JsonObjects:
    """The form of JSON lines.

    Attributes:
        text: The name of the field with the text.
        name: The name of the field that names the record, or None.
    """

    text: str
    name: str | None = None

    def record(self, row: str, place: str) -> Record:
        """Return the record of an object.

        The text of a field that is null or missing is empty.

        Args:
            row: The object as JSON in one line.
            place: The name of the record if no field names it.

        Raises:
            ValueError: If it is not a JSON object, its text is not a string, or the
                field with its name is missing or is neither a string nor a number.
        """
        fields = parse_json(row, parse_int=_Number)
        if not isinstance(fields, dict):
            raise ValueError(f"no object with a field {self.text!r}")
        if self.name is not None and self.name not in fields:
            raise ValueError(_without_field("no object with", self.name, fields))
        text = fields.get(self.text)
        if not isinstance(text, str | None) or isinstance(text, _Number):
            raise ValueError(f"the field {self.text!r} is not text")
        if self.name is None:
            return Record(place, text or "", row)
        name = fields[self.name]
        if not isinstance(name, str):
            raise ValueError(f"the field {self.name!r} is neither text nor a number")
        return Record(name, text or "", row)

    def text_places(self, row: str) -> Sequence[int]:
        """Return the place in a row of each character of the text, and of its end."""
        places = [place for place in _member_places(row) if place[0] == self.text]
        _, _, start, end = places[-1]
        start, end = start + 1, end - 1  # Without the quotation marks.
        if "\\" not in row[start:end]:
            return range(start, end + 1)
        lengths = map(len, _CHARACTER.findall(row, start, end))
        return [*accumulate(lengths, initial=start)]

    def others(self, row: str) -> str:
        """Return the object without its text; the other fields are not reformatted."""
        members = [text for key, text in _members(row) if key != self.text]
        return f"{{{', '.join(members)}}}"

    def extended(self, row: str, key: str, value: str) -> str:
        """Return the object with one more field at its end.

        Raises:
            ValueError: If it has a field of this name.
        """
        if any(name == key for name, _ in _members(row)):
            raise ValueError(f"it has a field {key!r} already")
        before = row.rstrip()[:-1].rstrip()
        comma = "" if before.endswith("{") else ", "
        return f"{before}{comma}{json.dumps(key)}: {value}}}"


def json_records(
    source: Source, form: JsonObjects, first: int = 1, document: str | None = None
) -> Iterator[Record | Pause]:
    """Yield the records of objects, and PAUSE before each read of lines that may block.

    Args:
        source: The input, with an object on each line, or an array of objects. Empty
            lines are skipped.
        form: The names of the fields.
        first: The line number of the first line, for names and messages.
        document: The name of the document, by which records are named; by default, the
            name of the input.

    Raises:
        InputError: If a line or an item is not an object with these fields, or if no
            object of a file has the field of the text.
    """
    document = document or source.name
    if first > 1:  # A part of a file may lack the field.
        yield from _line_records(source, form, first, document)
        return
    if _is_array(source):
        records = _array_records(source, form, document)
    else:
        records = _line_records(source, form, first, document)
    yield from _with_text_somewhere(records, form, source.name)


def _with_text_somewhere(
    records: Iterator[Record | Pause], form: JsonObjects, name: str
) -> Iterator[Record | Pause]:
    """Yield the records of a file; at the end, raise InputError if all lack the text."""
    has_text, keys = False, None
    for record in records:
        if record is not PAUSE and not has_text:
            keys = [key for key, _ in _members(record.row or "")]
            has_text = form.text in keys
        yield record
    if keys is not None and not has_text:
        problem = _without_field("no object has", form.text, keys)
        raise InputError(f"{name}: {problem}")


def _without_field(begin: str, name: str, keys: Collection[str]) -> str:
    """Return the message for a field that is missing among the keys of an object."""
    return f"{begin} a field {name!r}; there are {', '.join(keys) or 'no fields'}"


def _line_records(
    source: Source, form: JsonObjects, first: int, document: str
) -> Iterator[Record | Pause]:
    """Yield the records of JSON lines; see `json_records`."""
    number = first - 1
    for batch in arriving_batches(source):
        if batch is PAUSE:
            yield PAUSE
            continue
        for line in batch.removesuffix(b"\n").split(b"\n"):
            number += 1
            if not line.strip():
                continue
            try:
                yield form.record(line.decode(), f"{document}:{number}")
            except ValueError as error:
                raise InputError(f"{source.name}: line {number}: {error}") from None


def fields_of(source: Source) -> list[str]:
    """Return the names of the fields of the first object of JSON lines.

    The list is empty if the first line is no object.
    """
    if _is_array(source):
        try:
            fields = parse_json(_ArrayItems(source).take() or "", parse_int=_Number)
        except ValueError:
            return []
        return [*fields] if isinstance(fields, dict) else []
    for batch in arriving_batches(source):
        line = b"" if batch is PAUSE else batch.lstrip().split(b"\n", 1)[0]
        if line:
            try:
                fields = parse_json(line.decode(), parse_int=_Number)
            except ValueError:
                return []
            return [*fields] if isinstance(fields, dict) else []
    return []


def _is_array(source: Source) -> bool:
    """Return whether an input begins with an array."""
    return source.peek().removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def _array_records(
    source: Source, form: JsonObjects, document: str
) -> Iterator[Record | Pause]:
    """Yield the records of a JSON array; see `json_records`."""
    items, number = _ArrayItems(source), 1
    try:
        while (item := items.take()) is not None:
            yield form.record(item, f"{document}:{number}")
            number += 1
    except ValueError as error:
        raise InputError(f"{source.name}: item {number}: {error}") from None


class _ArrayItems:
    """The items of an array in an input, which is read part by part."""

    def __init__(self, source: Source) -> None:
        self._source, self._is_whole = source, False
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._decoder = json.JSONDecoder(parse_int=_Number)
        self._text, self._at = "", 0  # what was read, and the next character
        self._has_begun = False

    def take(self) -> str | None:
        """Return the next item as JSON in one line, or None at the end of the array.

        Raises:
            ValueError: If it is not JSON.
            InputError: If the input cannot be read, or the item is too long.
        """
        mark = self._next_mark()
        if not self._has_begun:
            self._has_begun = True
            mark = self._next_mark(takes="]")
        elif mark not in (",", "]"):
            raise ValueError("expected a comma or a bracket before it")
        if mark == "]":
            return None
        self._next_mark(takes="")
        while True:
            try:
                _, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if self._is_whole:
                    raise
            except RecursionError:
                raise NestingError from None
            else:
                if end < len(self._text) or self._is_whole:
                    break
            self._read_more()
        item, self._at = self._text[self._at : end], end
        return " ".join(item.splitlines()) if "\n" in item or "\r" in item else item

    def _next_mark(self, takes: str | None = None) -> str:
        """Skip white space, and return the next character, or "" at the end.

        Args:
            takes: The character that is skipped, too; None means any.
        """
        while True:
            while self._text[self._at : self._at + 1].isspace():
                self._at += 1
            if self._at < len(self._text) or self._is_whole:
                break
            self._read_more()
        mark = self._text[self._at : self._at + 1]
        if takes is None or mark == takes:
            self._at += len(mark)
        return mark

    def _read_more(self) -> None:
        """Drop the text that was used, and read at least as much as is left."""
        self._text, self._at = self._text[self._at :], 0
        wanted = 2 * len(self._text)
        while not self._is_whole:
            data = self._source.read()
            self._is_whole = not data
            self._text += self._decode(data, not data)
            if len(self._text) > wanted:
                break
        check_line(self._source.name, len(self._text) // 2)


def _members(row: str) -> Iterator[tuple[str, str]]:
    """Yield the key of each member of a valid JSON object, and the member as text."""
    for key, start, _, end in _member_places(row):
        yield key, row[start:end]


def _member_places(row: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield each member's key, its place, and the beginning and end of its value."""
    decoder, position = json.JSONDecoder(parse_int=_Number), 0
    while member := _MEMBER.match(row, position):
        position = decoder.raw_decode(row, member.end())[1]
        yield json.loads(member[1]), member.start(1), member.end(), position
