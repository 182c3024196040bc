"""The format `entities`: a row for each span, such as the names in a text."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from senna_py.formats.registry import marked_tasks
from senna_py.formats.token_rows import PLACE
from senna_py.formats.units import SCORE, Unit, UnitPrinter, csv_row, score_text

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model

_SPAN = ("task", "label", "text", "start_char", "end_char")


class SpanRowPrinter(UnitPrinter):
    """Prints a row of CSV for each span, below a header.

    The units are the spans. Character offsets are relative to the document or, if the
    texts come from records, to the text of the record.
    """

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return the tasks that the user named, or the first whose spans are marked.

        Raises:
            SennaError: If the model has no task of spans.
        """
        return [*(asked or marked_tasks(model, predicates, "entities"))]

    def header(self) -> bytes:
        """Return the names of the columns."""
        return csv_row([*PLACE, *_SPAN, *([SCORE] if self.scores else [])])

    def units(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the row of each span."""
        units = []
        for sentence, at in self.placed(annotations, place):
            for task in sentence.tasks:
                for row in sentence.rows(task):
                    span = sentence[row.start : row.end]
                    cells = [at.document, at.line, at.sentence, task.name, row.label]
                    cells += [span.text, span.start_char + at.character]
                    cells.append(span.end_char + at.character)
                    if self.scores:
                        cells.append(score_text(row.score))
                    score = inf if row.score is None else row.score
                    units.append(Unit(csv_row(cells), score))
        return units
