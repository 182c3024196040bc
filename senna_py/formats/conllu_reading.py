"""Reads CoNLL-U as a document with the layers that the format `conllu` writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.corpora.conllu import ConlluFile
from senna_py.formats.conllu import (
    HEAD,
    RELATION,
    UNIVERSAL_COLUMN,
    column_of,
    key_of,
    key_of_anchors,
)
from senna_py.formats.conllu_text import RestoredText, unescape
from senna_py.formats.links import Link
from senna_py.labels.tag_schemes import read_tag, recode, segments
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.answers.document import Document
    from senna_py.corpora.conllu import ConlluSentence
    from senna_py.labels.tasks import Task

_NONE = "_"
_HEAD = re.compile(r"[0-9]{1,9}")
_BRACKET = re.compile(r"\(([^()*]*)")

Place = tuple[int, int]


class _Spans:
    """Collects the spans of a task, with token indices relative to the document."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._label: list[str] = []
        self._place: list[Place] = []
        self._anchor: list[int] = []
        self._anchor_place: list[Place | None] = []
        self.anchors: list[int] = []

    def add(
        self, label: str, begin: int, end: int, anchor: int | Place | None = None
    ) -> None:
        """Add a span; its anchor is a token index or the range of a span, or None."""
        self._label.append(label)
        self._place.append((begin, end))
        if isinstance(anchor, int):
            self._anchor.append(anchor)
        else:
            self._anchor_place.append(anchor)

    def layer(self) -> Layer:
        """Return the collected spans as a layer.

        Raises:
            ValueError: If an anchor is not a span of the layer.
        """
        anchors = None
        anchor = self._anchor or [ROOT] * len(self._label)
        match self.task.shape.structure:
            case Structure.FRAMES:
                anchors = np.array(self.anchors, np.int32)
            case Structure.LINKS:
                rows = {at: row for row, at in reversed([*enumerate(self._place)])}
                anchor = [self._row(rows, place) for place in self._anchor_place]
        spans = [
            (label, begin, end, at, None)
            for label, (begin, end), at in zip(
                self._label, self._place, anchor, strict=True
            )
        ]
        return Layer.of_rows(self.task, spans, anchors)

    def _row(self, rows: dict[Place, int], place: Place | None) -> int:
        if place is None:
            return ROOT
        if place not in rows:
            raise ValueError(f"{self.task.name}: no span at {place[0]}:{place[1]}")
        return rows[place]


def read_conllu(path: str | os.PathLike[str], tasks: Iterable[Task]) -> Document:
    """Read a file as one document, with the layers of some tasks.

    The text is restored from the forms and the keys for the white space around them.
    Without such a key, a token is followed by a space, by a newline if a paragraph
    follows, or by nothing at the end.

    Args:
        path: The file, or `-` for standard input.
        tasks: The tasks whose layers are read. Their tags must be IOBES.

    Raises:
        SennaError: If the file is not valid CoNLL-U.
        ValueError: If a layer is malformed.
    """
    return document_of_sentences([*ConlluFile(path)], tasks)


def document_of_sentences(
    sentences: Sequence[ConlluSentence],
    tasks: Iterable[Task],
    converts_tags: bool = False,
) -> Document:
    """Return sentences as one document; see `read_conllu`.

    Args:
        sentences: The sentences.
        tasks: The tasks whose layers are read.
        converts_tags: Whether the tags of spans may be in any scheme, or missing.
    """
    text = RestoredText()
    for sentence in sentences:
        text.add(sentence)
    layers = {}
    for task in tasks:
        layers[task.name] = layer_of(task, sentences, text.starts, converts_tags)
    return text.document(layers)


def layer_of(
    task: Task,
    sentences: Sequence[ConlluSentence],
    starts: Sequence[int],
    converts_tags: bool = False,
) -> Layer:
    """Return the layer of a task.

    Args:
        task: The task.
        sentences: The sentences.
        starts: The first token of each sentence, and the number of tokens.
        converts_tags: Whether the tags of spans may be in any scheme, or missing.
            Otherwise they must be IOBES.

    Raises:
        ValueError: If the layer is malformed.
        KeyError: If the tag of a span refers to a token that is not marked as an
            anchor.
    """
    structure = task.shape.structure
    if structure in (Structure.TAGS, Structure.SPANS):
        tags = list[str]()
        for sentence in sentences:
            row = _tags(task, sentence)
            if task.shape.flat and converts_tags:
                row = recode(
                    ["O" if tag == _NONE else read_tag(tag) for tag in row], "iobes"
                )
            tags += row
        return _tag_layer(task, tags, starts)
    spans = _Spans(task)
    for number, sentence in enumerate(sentences):
        match structure:
            case Structure.FRAMES:
                _add_by_anchor(spans, sentence, starts[number])
            case Structure.TREE:
                _add_brackets(spans, _values(sentence, key_of(task)), starts[number])
            case Structure.HEADS:
                _add_heads(spans, sentence, starts[number])
            case Structure.LINKS:
                _add_links(spans, _values(sentence, key_of(task)), starts, number)
    return spans.layer()


def _tags(task: Task, sentence: ConlluSentence) -> list[str]:
    """Return the tag of each token."""
    column = column_of(task)
    if column is None:
        tags = [*map(unescape, sentence.column(f"misc.{key_of(task)}"))]
    else:
        tags = sentence.column(column)
        if column == UNIVERSAL_COLUMN:  # The tags of several words are in MISC.
            whole = sentence.column(f"misc.{column.upper()}")
            tags = [b if b != _NONE else a for a, b in zip(tags, whole, strict=True)]
    return tags


def _tag_layer(task: Task, tags: list[str], starts: Sequence[int]) -> Layer:
    numbers: dict[str, int] = {}
    tag = np.array([numbers.setdefault(each, len(numbers)) for each in tags], np.int32)
    if task.shape.each_token:
        return Layer(task, (*numbers,), tag)
    bounds = np.array(starts, np.int64)
    made = Tags((*numbers,), tag, bounds, bounds[:-1].astype(np.int32))
    return Layer.from_tags(task, made)


def _values(sentence: ConlluSentence, key: str) -> list[str]:
    """Return each token's value for a key of the last column, or an empty string."""
    values = map(unescape, sentence.column(f"misc.{key}"))
    return ["" if value == _NONE else value for value in values]


def _add_brackets(spans: _Spans, values: Sequence[str], first: int) -> None:
    """Add the phrases of bracketed tokens such as `(S(NP*)`, in preorder.

    Raises ValueError if a closing bracket has no opening one.
    """
    opened: list[int] = []
    phrases: list[tuple[str, int, int]] = []
    for i, value in enumerate(values, first):
        opening, _, closing = value.partition("*")
        for label in _BRACKET.findall(opening):
            opened.append(len(phrases))
            phrases.append((label, i, i + 1))
        for _ in closing:
            if not opened:
                raise ValueError(f"{spans.task.name}: a bracket too much in {value!r}")
            label, begin, _ = phrases[opened[-1]]
            phrases[opened.pop()] = label, begin, i + 1
    for phrase in phrases:
        spans.add(*phrase)


def _add_links(
    spans: _Spans, values: Sequence[str], starts: Sequence[int], number: int
) -> None:
    for text in _items(values):
        link, anchor = Link.parse(text), None
        if link.anchor is not None:
            distance, begin, end = link.anchor
            at = number + distance
            if not 0 <= at < len(starts) - 1:
                raise ValueError(f"{spans.task.name}: no such sentence: {text!r}")
            anchor = begin + starts[at], end + starts[at]
        first = starts[number]
        spans.add(link.label, link.begin + first, link.end + first, anchor)


def _items(values: Iterable[str]) -> Iterator[str]:
    return (item for value in values if value for item in value.split(";"))


def _add_heads(spans: _Spans, sentence: ConlluSentence, first: int) -> None:
    heads, relations = sentence.column(HEAD), sentence.column(RELATION)
    for i, (head, relation) in enumerate(zip(heads, relations, strict=True), first):
        if not _HEAD.fullmatch(head) or int(head) > len(heads):
            line = sentence.lines[i - first]
            raise ValueError(
                f"line {line}: the head {head!r} is no word of the sentence"
            )
        spans.add(relation, i, i + 1, first + int(head) - 1 if head != "0" else ROOT)


def _add_by_anchor(spans: _Spans, sentence: ConlluSentence, first: int) -> None:
    """Add the spans of all anchors, from tags such as `3:S-A0` for the anchor 3."""
    marks = _values(sentence, key_of_anchors(spans.task))
    tags: dict[int, list[str]] = {
        anchor: ["O"] * len(marks) for anchor, mark in enumerate(marks, 1) if mark
    }
    for i, value in enumerate(_values(sentence, key_of(spans.task))):
        for item in _items([value]):
            anchor, _, tag = item.partition(":")
            if not _HEAD.fullmatch(anchor) or int(anchor) not in tags:
                line = sentence.lines[i]
                raise ValueError(
                    f"line {line}: {key_of(spans.task)}: the word of {item!r} is not marked by "
                    f"{key_of_anchors(spans.task)}"
                )
            tags[int(anchor)][i] = tag
    for number, row in tags.items():
        anchor_token = first + number - 1
        spans.anchors.append(anchor_token)
        for label, begin, end in segments(row):
            spans.add(label, begin + first, end + first, anchor_token)
