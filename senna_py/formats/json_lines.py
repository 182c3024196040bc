"""The formats `jsonl` and `json`: a JSON object per line, or an array of objects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from senna_py.formats.sentences import SentencePrinter

if TYPE_CHECKING:
    from typing import Any

    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace


class JsonPrinter(SentencePrinter):
    """Prints one JSON object per sentence and line. Offsets are always included."""

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return a line of JSON for each sentence that has tokens."""
        return b"".join(line + b"\n" for line in self.objects(annotations, place))

    def objects(self, annotations: Annotations, place: BatchPlace) -> list[bytes]:
        """Return the JSON objects of the sentences of a batch."""
        fields: Any = place.records and place.records.fields
        out = []
        for sentence, at in self.placed(annotations, place):
            value = sentence.to_dict() | at.to_dict()
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            if fields is not None:  # The other fields of a record are JSON texts.
                text = f'{text[:-1]}, "fields": {fields[at.record]}}}'
            # Lone surrogates, from bytes that are not UTF-8, are escaped as \\udcXX.
            out.append(text.encode("utf-8", "backslashreplace"))
        return out


class ArrayPrinter(JsonPrinter):
    """Prints a JSON array of the objects, each on its own line."""

    between = b",\n"

    def header(self) -> bytes:
        """Return the start of the array."""
        return b"[\n"

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the objects of a batch, separated by commas and newlines."""
        return self.between.join(self.objects(annotations, place))

    def footer(self) -> bytes:
        """Return the end of the array."""
        return b"\n]\n"
