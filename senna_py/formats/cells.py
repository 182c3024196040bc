"""Layers as cells of CSV: a column for the tokens of a sentence, or a cell for a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.corpora.escapes import escape_role
from senna_py.formats.links import links_of
from senna_py.formats.units import score_text
from senna_py.labels import brackets
from senna_py.labels.brackets import Leaf, Phrase
from senna_py.labels.tag_schemes import convert, encode
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.answers.document import Document, Sentence
    from senna_py.answers.sentence_rows import Row
    from senna_py.labels.tasks import Task

    # The cells of the tokens of a sentence by column.
    Columns = dict[str, Sequence[str]]


def has_scores(task: Task) -> bool:
    """Return whether a layer may have probabilities."""
    return task.shape.structure not in (Structure.TREE, Structure.LINKS)


def token_columns(sentence: Sentence, task: Task, scheme: str) -> Columns:
    """Return the columns of a layer, with a cell for each token.

    Args:
        sentence: The sentence.
        task: The task of the layer.
        scheme: The scheme of the tags of spans.
    """
    name, anchor, rows = task.name, task.anchor_name, sentence.rows
    match task.shape.structure:
        case Structure.TAGS | Structure.SPANS:
            return {name: sentence.tags[name]}
        case Structure.FRAMES:
            return _beside_anchors(sentence, task, scheme)
        case Structure.TREE:
            return {task.attribute or name: _brackets(len(sentence), rows(task))}
        case Structure.HEADS:
            return {
                anchor: [_number(row) for row in rows(task)],
                task.label_name: [row.label for row in rows(task)],
            }
        case Structure.LINKS:
            document = sentence.document
            layer, starts = document.layers[name], document.sentence_starts
            texts: list[list[str]] = [[] for _ in range(len(sentence))]
            for link in links_of(layer, starts, sentence.number):
                texts[link.begin].append(str(link))
            return {name: ["|".join(each) for each in texts]}


def column_names(task: Task) -> tuple[str, ...]:
    """Return the names of the columns that `token_columns` returns."""
    match task.shape.structure:
        case Structure.FRAMES:
            return task.anchor_name, task.shape.name
        case Structure.TREE:
            return (task.attribute or task.name,)
        case Structure.HEADS:
            return task.anchor_name, task.label_name
    return (task.name,)


def _beside_anchors(sentence: Sentence, task: Task, scheme: str) -> Columns:
    """Return a column that marks anchors, and one of the tags for each anchor."""
    n_tokens = len(sentence)
    marks = [""] * n_tokens
    tags: list[list[str]] = [[] for _ in range(n_tokens)]
    for anchor, rows in sentence.rows_by_anchor(task).items():
        marks[anchor] = sentence[anchor].text
        spans = [(row.label, row.start, row.end) for row in rows]
        for i, tag in enumerate(encode(spans, n_tokens, "iobes")):
            tags[i].append(escape_role(convert(tag, scheme)))
    mark_column, tag_column = column_names(task)
    return {mark_column: marks, tag_column: ["|".join(each) for each in tags]}


def _brackets(n_tokens: int, rows: Iterable[Row]) -> list[str]:
    """Return the brackets that open and close at each token, such as `(S(NP*`."""
    opening, closing = [""] * n_tokens, [""] * n_tokens
    for row in rows:
        opening[row.start] += f"({row.label}"
        closing[row.end - 1] += ")"
    return [f"{a}*{b}" for a, b in zip(opening, closing, strict=True)]


def _number(row: Row) -> str:
    """Return the number of a token's head in its sentence, from 1, or 0 for the root."""
    return "0" if row.anchor is None else str(row.anchor[0] + 1)


def summary(document: Document, task: Task) -> str:
    """Return a layer as text in one cell.

    White space in it is a single space, and within a tag it is an underscore.
    """
    pieces = [piece for each in document.sentences for piece in _pieces(each, task)]
    return _separator(task).join(pieces)


def _separator(task: Task) -> str:
    match task.shape.structure:
        case Structure.TAGS | Structure.HEADS | Structure.TREE:
            return " "
    return "; "


def _pieces(sentence: Sentence, task: Task) -> Iterator[str]:
    """Yield the text of each tag, span, frame or tree of a sentence."""
    match task.shape.structure:
        case Structure.TAGS:
            yield from map(solid, sentence.tags[task.name])
        case Structure.SPANS | Structure.LINKS:
            for row in sentence.rows(task):
                piece = f"{_words(sentence, row.start, row.end)}|{row.label}"
                if row.anchor is not None:
                    piece += f"|{_words(sentence, *row.anchor)}"
                yield piece
        case Structure.FRAMES:
            for anchor, rows in sentence.rows_by_anchor(task).items():
                spans = ", ".join(
                    f"{row.label}={_words(sentence, row.start, row.end)}"
                    for row in _others(rows, anchor)
                )
                yield f"{_words(sentence, anchor, anchor + 1)}({spans})"
        case Structure.TREE:
            leaves = [
                Leaf(token.text, tag)
                for token, tag in zip(sentence, sentence.leaf_tags, strict=True)
            ]
            phrases = [
                Phrase(row.label, row.start, row.end) for row in sentence.rows(task)
            ]
            yield brackets.bracket_text(*brackets.printable(leaves, phrases))
        case Structure.HEADS:
            for row in sentence.rows(task):
                yield f"{_number(row)}:{solid(row.label)}"


def summary_of_scores(document: Document, task: Task) -> str:
    """Return the probability of each tag or span of `summary`, between spaces."""
    scores: list[float | None] = []
    for sentence in document.sentences:
        if task.shape.structure is Structure.TAGS:
            scores += sentence.tag_scores(task)
        elif task.shape.structure is Structure.FRAMES:
            for anchor, rows in sentence.rows_by_anchor(task).items():
                scores += [row.score for row in _others(rows, anchor)]
        else:
            scores += [row.score for row in sentence.rows(task)]
    return " ".join(filter(None, map(score_text, scores)))


def _others(rows: list[Row], anchor: int) -> list[Row]:
    """Return the spans of an anchor except the anchor itself."""
    return [row for row in rows if (row.start, row.end) != (anchor, anchor + 1)]


def solid(text: str) -> str:
    """Return a text with underscores in place of white space."""
    return "_".join(text.split())


def _words(sentence: Sentence, start: int, end: int) -> str:
    """Return the text of a range of tokens, with single spaces in it.

    The range may lie outside of the sentence, like the anchor of a link.
    """
    first = sentence.start
    return " ".join(sentence.document[first + start : first + end].text.split())
