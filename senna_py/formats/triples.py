"""The formats `triples` and `triples-jsonl`: a row or a JSON object for each triple."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.formats.registry import OF_TRIPLES
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.tasks import ARCS, UPOS
from senna_py.tables import TRIPLE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.answers.triples import Triple
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model

_NEEDED = UPOS, ARCS
_HEADER = "sentence_id", *TRIPLE_COLUMNS, "sentence"


class TriplePrinter(SentencePrinter):
    """Prints CSV with a header, and a row for each triple."""

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return the tasks that triples are made of, besides what the user named.

        Raises:
            SennaError: If the model lacks dependencies or universal parts of speech.
        """
        known = model.tasks(predicates)
        for task in _NEEDED:
            if task not in known:
                raise SennaError(
                    f"{model.path}: has no {task}, which --format triples needs"
                )
        made_of = [task for task in OF_TRIPLES[:-1] if task in known]
        return [*dict.fromkeys((*asked, *made_of))]

    def header(self) -> bytes:
        """Return the line of column names."""
        return _csv([_HEADER])

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return a row for each triple of a batch."""
        return _csv(
            [
                _row(triple, sentence, at.name)
                for sentence, at in self.placed(annotations, place)
                for triple in sentence.triples
            ]
        )


class TripleJsonPrinter(TriplePrinter):
    """Prints one JSON object per triple and line."""

    def header(self) -> bytes:
        """Return nothing: the file is only its lines."""
        return b""

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return a line of JSON for each triple of a batch."""
        lines = []
        for sentence, at in self.placed(annotations, place):
            for triple in sentence.triples:
                value = _relative(triple.to_dict(), sentence.start)
                value |= {"text": sentence.text} | at.to_dict()
                text = json.dumps(value, ensure_ascii=False)
                lines.append(text.encode("utf-8", "backslashreplace") + b"\n")
        return b"".join(lines)


def _relative(value: Any, start: int) -> Any:
    """Return the object of a triple with token indices relative to its sentence."""
    if isinstance(value, list):
        return [_relative(each, start) for each in value]
    if not isinstance(value, dict):
        return value
    indices = "start_token", "end_token", "predicate"
    return {
        key: each - start if key in indices else _relative(each, start)
        for key, each in value.items()
    }


def _row(triple: Triple, sentence: Sentence, name: str | None) -> list[str]:
    cells = map(_cell, triple.row().values())
    return [name or "", *cells, sentence.text]


def _cell(value: str | bool | None) -> str:
    if isinstance(value, str):
        return value
    return "yes" if value else ""


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "backslashreplace")
