"""Records from JSON lines: an object on each line, with the text in one of its fields."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from senna_py.corpora.records import Record
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import PAUSE, InputError, arriving_batches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

    def record(self, line: bytes, place: str) -> Record:
        """Return the record of a line. The text of a null field is empty.

        Args:
            line: The line.
            place: The name of the record if no field names it.

        Raises:
            ValueError: If the line is not a JSON object with such fields.
        """
        row = line.decode()
        fields = parse_json(row, parse_int=_Number)
        if not isinstance(fields, dict):
            advice = ""
            if row.lstrip().startswith("["):
                advice = " (jq -c '.[]' makes JSON lines of an array)"
            raise ValueError(f"no object with a field {self.text!r}{advice}")
        for name in filter(None, (self.text, self.name)):
            if name not in fields:
                known = ", ".join(fields) or "no fields"
                raise ValueError(f"no object with a field {name!r}; there are {known}")
        text = fields[self.text]
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
        return f"{row.rstrip()[:-1].rstrip()}, {json.dumps(key)}: {value}}}"


def json_records(
    source: Source, form: JsonObjects, first: int = 1, document: str | None = None
) -> Iterator[Record | Pause]:
    """Yield the records of JSON lines, and PAUSE before each read that may block.

    Args:
        source: The input, with an object on each line. Empty lines are skipped.
        form: The names of the fields.
        first: The line number of the first line, for names and messages.
        document: The name of the document, by which records are named; by default, the
            name of the input.

    Raises:
        InputError: If a line is not an object with these fields.
    """
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
                yield form.record(line, f"{document or source.name}:{number}")
            except ValueError as error:
                raise InputError(f"{source.name}: line {number}: {error}") from None


def fields_of(source: Source) -> list[str]:
    """Return the names of the fields of the first object of JSON lines.

    The list is empty if the first line is no object.
    """
    for batch in arriving_batches(source):
        line = b"" if batch is PAUSE else batch.lstrip().split(b"\n", 1)[0]
        if line:
            try:
                fields = parse_json(line.decode(), parse_int=_Number)
            except ValueError:
                return []
            return [*fields] if isinstance(fields, dict) else []
    return []


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
