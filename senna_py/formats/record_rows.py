"""The format `rows`: the rows of CSV, with the answers in further columns."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from senna_py.corpora.csv_records import CsvTable
from senna_py.errors import UsageError
from senna_py.formats.cells import has_scores, solid, summary, summary_of_scores
from senna_py.formats.units import SCORE, Unit, UnitPrinter, score_text

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Document
    from senna_py.corpora.places import BatchPlace
    from senna_py.tagger import Tagger

_PREFIX = "senna_"  # The prefix of the names of the additional columns.
_TOKENS = f"{_PREFIX}tokens"


class RecordRowPrinter(UnitPrinter):
    """Prints each row as it stands in the file, with a cell for each task behind it.

    The units are rows. If a task has a label for each token, the tokens have a cell,
    too.
    """

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        split: bool = False,
        scores: bool = False,
    ) -> None:
        """Set the options; see the attributes."""
        super().__init__(tagger, scheme, split, scores)
        self._tasks = [tagger.task(name) for name in tagger.tasks]
        self._has_tokens = any(task.shape.each_token for task in self._tasks)

    def head(self, place: BatchPlace) -> bytes:
        """Return the header, if the batch is the first one.

        Raises:
            UsageError: If a column with answers is there already.
        """
        records = place.records
        if records is None or records.header is None:
            return b""
        table = records.form
        assert isinstance(table, CsvTable), "rows of a table"
        names = self._names()
        if again := [name for name in names if name in table.columns]:
            raise UsageError(f"{table.file}: there is a column {again[0]} already")
        return _encode(table.with_cells(records.header, names))

    def _names(self) -> list[str]:
        names = [_TOKENS] if self._has_tokens else []
        for task in self._tasks:
            names.append(f"{_PREFIX}{task.name}")
            if self.scores and has_scores(task):
                names.append(f"{_PREFIX}{task.name}_{SCORE}")
        return [*names, f"{_PREFIX}{SCORE}"] if self.scores else names

    def units(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the rows of the records of a batch."""
        records = place.records
        if records is None:
            return []
        table = records.form
        assert isinstance(table, CsvTable), "rows of a table"
        documents = self.documents(annotations, records)
        units = []
        for row, document in zip(records.rows, documents, strict=True):
            score = self.least_score(document.sentences)
            cells = self._cells(document, score)
            units.append(Unit(_encode(table.with_cells(row, cells)), score))
        return units

    def _cells(self, document: Document, score: float) -> list[str]:
        cells = []
        if self._has_tokens:
            cells.append(" ".join(solid(token.text) for token in document))
        for task in self._tasks:
            cells.append(summary(document, task))
            if self.scores and has_scores(task):
                cells.append(summary_of_scores(document, task))
        if self.scores:
            cells.append(score_text(score if isfinite(score) else None))
        return cells


def _encode(row: str) -> bytes:
    """Return a row in UTF-8; invalid bytes are written as they were read."""
    return row.encode("utf-8", "surrogateescape")
