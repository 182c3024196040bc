"""The formats `jsonl` and `json`: a JSON object per line, or an array of objects.

There is an object for each sentence. If the texts come from records, there may be one
for each record instead: the record's own fields, and its document under the key ANSWERS.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from senna_py.formats.units import Unit, UnitPrinter
from senna_py.io.streaming import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.records import Records
    from senna_py.tagger import Tagger

ANSWERS = "senna"


class JsonPrinter(UnitPrinter):
    """Prints one JSON object per sentence and line. Offsets are always included.

    Attributes:
        by_record: Whether there is an object for each record instead.
    """

    _after = "\n"  # The text after each object.

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        split: bool = False,
        scores: bool = False,
        by_record: bool = False,
    ) -> None:
        """Set the options; see the attributes."""
        super().__init__(tagger, scheme, split, scores)
        self.by_record = by_record

    def units(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the JSON objects of the sentences or records of a batch."""
        if self.by_record and place.records is not None:
            objects = self._of_records(annotations, place.records)
        else:
            objects = self._of_sentences(annotations, place)
        # Lone surrogates, from bytes that are not UTF-8, are escaped as \\udcXX.
        return [
            Unit(f"{text}{self._after}".encode("utf-8", "backslashreplace"), score)
            for text, score in objects
        ]

    def _of_sentences(
        self, annotations: Annotations, place: BatchPlace
    ) -> Iterator[tuple[str, float]]:
        """Yield the object of each sentence that has tokens, and its score."""
        others = None if place.records is None else place.records.others()
        for sentence, at in self.placed(annotations, place):
            text = _json(sentence.to_dict() | at.to_dict())
            if others is not None:  # The other fields of a record are JSON texts.
                text = f'{text[:-1]}, "fields": {others[at.record]}}}'
            yield text, self.least_score([sentence])

    def _of_records(
        self, annotations: Annotations, records: Records
    ) -> Iterator[tuple[str, float]]:
        """Yield the object of each record, and its score.

        Raises:
            InputError: If a record has a field ANSWERS already.
        """
        assert records.form is not None, "records from a file"
        documents = self.documents(annotations, records)
        for document, name, row in zip(
            documents, records.documents, records.rows, strict=True
        ):
            answers = _json(document.to_dict())
            try:
                text = records.form.extended(row, ANSWERS, answers)
            except ValueError as error:
                raise InputError(f"{name}: {error}") from None
            yield text, self.least_score(document.sentences)


class ArrayPrinter(JsonPrinter):
    """Prints a JSON array of the objects, each on its own line."""

    between = b",\n"
    _after = ""

    def header(self) -> bytes:
        """Return the start of the array."""
        return b"[\n"

    def footer(self) -> bytes:
        """Return the end of the array."""
        return b"\n]\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
