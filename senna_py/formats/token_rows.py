"""The format `csv`: a row for each token, for spreadsheets and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.formats.cells import column_names, has_scores, token_columns
from senna_py.formats.units import SCORE, Unit, UnitPrinter, csv_row, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.labels.tasks import Task
    from senna_py.tagger import Tagger

PLACE = ("document", "line", "sentence")
_TOKEN = ("token", "text", "start_char", "end_char")


class TokenRowPrinter(UnitPrinter):
    """Prints a row of CSV for each token, below a header.

    The units are sentences. Tokens are numbered from 1 in their sentence, and character
    offsets are relative to the document or, if the texts come from records, to the text
    of the record.
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

    def header(self) -> bytes:
        """Return the names of the columns."""
        names = [*PLACE, *_TOKEN]
        for task in self._tasks:
            names += column_names(task)
            if self._shows_scores(task):
                names.append(f"{task.name}_{SCORE}")
        return csv_row(names)

    def _shows_scores(self, task: Task) -> bool:
        # A span of several tokens has one probability, but each of its tags has one, too.
        is_of_token = task.shape.gives_tags or task.shape.each_token
        return self.scores and is_of_token and has_scores(task)

    def units(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the rows of each sentence that has tokens."""
        units = []
        for sentence, at in self.placed(annotations, place):
            where = (at.document, at.line, at.sentence)
            columns = self._columns(sentence)
            rows = [
                csv_row(
                    [
                        *where,
                        i + 1,
                        token.text,
                        token.start_char + at.character,
                        token.end_char + at.character,
                        *(column[i] for column in columns),
                    ]
                )
                for i, token in enumerate(sentence)
            ]
            units.append(Unit(b"".join(rows), self.least_score([sentence])))
        return units

    def _columns(self, sentence: Sentence) -> list[Sequence[str]]:
        columns: list[Sequence[str]] = []
        for task in self._tasks:
            columns += token_columns(sentence, task, self.scheme).values()
            if self._shows_scores(task):
                columns.append(_scores(sentence, task))
        return columns


def _scores(sentence: Sentence, task: Task) -> list[str]:
    """Return the probability of each token's label, or empty cells without any."""
    scores: list[float | None] = [*sentence.tag_scores(task)]
    if not task.shape.gives_tags:
        scores = [row.score for row in sentence.rows(task)]
    return [*map(score_text, scores or [None] * len(sentence))]
