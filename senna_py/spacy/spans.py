"""The spans of a Doc: span groups, and named entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.tokens import Span
from spacy.util import filter_spans

from senna_py.labels.tasks import ENTITIES, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from senna_py.labels.tasks import Task
    from senna_py.spacy.sentences import Answers


def has_spans(task: Task) -> bool:
    """Return whether the spans of a task are stored in `doc.spans`."""
    match task.shape.structure:
        case Structure.TAGS | Structure.HEADS:
            return False
        case Structure.FRAMES | Structure.LINKS:
            return True
    return task.marked or bool(task.attribute)


def group_name(task: Task) -> str:
    """Return the key of a task's spans in `doc.spans`."""
    if task.shape.structure is Structure.FRAMES:
        return task.shape.name
    return task.span_name or task.attribute or task.name


def set_spans(doc: Doc, answers: Answers, tasks: Sequence[Task]) -> None:
    """Set the span groups of all tasks that have spans, and the named entities.

    Entities that the Doc has already are kept, and exclude entities that overlap them.
    """
    marked = [task for task in tasks if task.marked]
    # If a task finds named entities, the spans of other tasks are not entities.
    named = [task for task in marked if task.attribute == ENTITIES] or marked
    before, entities = [*doc.ents], []
    taken = {token.i for span in before for token in span}
    for task in filter(has_spans, tasks):
        spans, scores = _spans(doc, answers, task)
        name = group_name(task)
        doc.spans[name] = spans
        if scores:
            doc.spans[name].attrs["scores"] = scores
        if task in named:
            entities += [
                span for span in spans if taken.isdisjoint(range(span.start, span.end))
            ]
    if named:
        # Spans of several tasks may overlap, but spaCy's entities may not.
        doc.set_ents([*before, *filter_spans(entities)], default="outside")


def _spans(doc: Doc, answers: Answers, task: Task) -> tuple[list[Span], list[float]]:
    """Return the spans of a task, and their scores; without scores, that list is empty.

    The id of a span identifies its anchor: it is the index of a token, or the start and
    end of a span, as in `3:5`. Spans without an anchor have an empty id.
    """
    spans, scores = [], []
    for words, sentence in answers:
        for label, start, end, anchor, score in sentence.rows(task):
            first, last = _place(words, start, end)
            span_id = ""
            if anchor is not None:
                place = _place(words, *anchor)
                span_id = str(place[0])
                if task.shape.structure is Structure.LINKS:
                    span_id = f"{place[0]}:{place[1]}"
            spans.append(Span(doc, first, last, label, span_id=span_id))
            if score is not None:
                scores.append(score)
    return spans, scores


def _place(words: list[int], start: int, end: int) -> tuple[int, int]:
    """Convert a range of a sentence's words to a range of tokens of the Doc.

    Unlike the sentence, the Doc also contains white-space tokens.
    """
    return words[start], words[end - 1] + 1
