"""The spans of a layer in one sentence, with token indices relative to the sentence.

Formats, pictures and tables read layers through these rows. The anchor of a row is a
range of tokens, whether it is a token or another span.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from senna_py.answers.layer import ROOT

if TYPE_CHECKING:
    from senna_py.answers.document import Sentence
    from senna_py.labels.tasks import Task

Place = tuple[int, int]  # The first token, and the token after the last.


class Row(NamedTuple):
    """A span of a layer.

    Attributes:
        label: The label.
        start: The index of the first token in the sentence.
        end: The index after the last token.
        anchor: The range of its anchor, a token or a span, or None. If the anchor is in
            another sentence, the indices are negative or beyond the last token.
        score: The probability, or None.
    """

    label: str
    start: int
    end: int
    anchor: Place | None = None
    score: float | None = None


def rows_of(sentence: Sentence, task: Task) -> list[Row]:
    """Return the rows of a task's layer in a sentence, in the order of the layer.

    Token indices are relative to the sentence.
    """
    rows, first = sentence.document._lists.rows(task.name), sentence.start
    selected = slice(*rows.bounds[sentence.number : sentence.number + 2])
    begin = [i - first for i in rows.begin[selected]]
    end = [i - first for i in rows.end[selected]]
    places: list[Place | None] = [None] * len(begin)
    if task.shape.hangs_on == "token":
        places = [
            None if anchor == ROOT else (anchor - first, anchor - first + 1)
            for anchor in rows.anchor[selected]
        ]
    elif task.shape.hangs_on:
        places = [
            None
            if anchor == ROOT
            else (rows.begin[anchor] - first, rows.end[anchor] - first)
            for anchor in rows.anchor[selected]
        ]
    return [*map(Row, rows.label[selected], begin, end, places, rows.score[selected])]


def rows_by_anchor(sentence: Sentence, task: Task) -> dict[int, list[Row]]:
    """Return the rows of each possible anchor in a sentence, by its token index.

    Token indices are relative to the sentence.
    """
    anchors, first = sentence.document._lists.rows(task.name).anchors, sentence.start
    selected = slice(bisect_left(anchors, first), bisect_left(anchors, sentence.end))
    by_anchor: dict[int, list[Row]] = {i - first: [] for i in anchors[selected]}
    for row in rows_of(sentence, task):
        assert row.anchor is not None, "spans that hang on tokens"
        by_anchor[row.anchor[0]].append(row)
    return by_anchor
