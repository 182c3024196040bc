"""Conversion of documents and sentences to and from JSON objects.

Each layer is written and read according to its structure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.range_objects import RANGES, RangeReader, range_objects
from senna_py.answers.tags import PathScores, Tags
from senna_py.answers.task_objects import (
    read_task,
    task_object,
)
from senna_py.labels import brackets
from senna_py.labels.brackets import Leaf, Phrase
from senna_py.labels.tasks import (
    POS,
    TABLE,
    Structure,
    Task,
    find_task,
    key_of,
    span_name_of,
)
from senna_py.labels.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.answers.document import Document
    from senna_py.answers.lists import Lists, Rows

Object = dict[str, Any]
# The second half of a surrogate pair. JSON cannot tell a pair from its character.
_SECOND_HALF = re.compile("(?<=[\ud800-\udbff])[\udc00-\udfff]")
_SPANS = "spans"
# The order in which layers have keys in the object of a sentence.
_STRUCTURES = (
    Structure.TAGS,
    Structure.SPANS,
    Structure.FRAMES,
    Structure.TREE,
    Structure.HEADS,
    Structure.LINKS,
)


def document_object(document: Document, lists: Lists) -> Object:
    """Return the JSON object of a document."""
    sentences = range(len(lists.starts) - 1)
    return {
        "text": _without_pairs(document.text),
        "sentences": [sentence_object(document, lists, k) for k in sentences],
    }


def sentence_object(document: Document, lists: Lists, number: int) -> Object:
    """Return the JSON object of a sentence; token indices are relative to it.

    Args:
        document: The document.
        lists: The lists of the document.
        number: The index of the sentence.
    """
    writer, form = _Writer(document, lists, number), lists.packed.form
    tasks = [lists.task(name) for name in form.shown]
    out = writer.text_and_tokens()
    if form.own_tasks:
        out["tasks"] = [task_object(task) for task in form.own_tasks]
    if form.tag_tasks:
        out["tags"] = {name: writer.tags(name) for name in form.tag_tasks}
    if form.scored_tasks:
        out["scores"] = {name: writer.scores(name) for name in form.scored_tasks}
    segments = [task for task in tasks if task.shape.flat]
    unnamed = {t.name: writer.spans(t.name) for t in segments if not t.attribute}
    if unnamed:
        out[_SPANS] = unnamed
    for task in sorted(tasks, key=_order):
        out |= writer.layer(task)
    return out


def _without_pairs(text: str) -> str:
    """Return a text of the same length in which no surrogates form a pair.

    The second half of a pair becomes U+FFFD.
    """
    return text if text.isascii() else _SECOND_HALF.sub("\ufffd", text)


def _order(task: Task) -> tuple[int, int, str]:
    """Return the sort key of a task: its structure, its place in TABLE, its name."""
    names = [*TABLE]
    place = names.index(task.name) if task.name in names else len(names)
    return _STRUCTURES.index(task.shape.structure), place, task.name


class _Writer:
    """Creates the values of the JSON object of one sentence."""

    def __init__(self, document: Document, lists: Lists, number: int) -> None:
        self.lists, self.number = lists, number
        self.at, self.end = lists.sentence_characters(number)
        # The character before the sentence may be the first half of a pair.
        begin, end = (i - document._start_char for i in (self.at, self.end))
        before = min(begin, 1)
        self.text = _without_pairs(document.text[begin - before : end])[before:]
        self.first, self.last = lists.starts[number : number + 2]
        self.firsts, self.lasts = lists.first_characters, lists.last_characters
        selected, text, at = slice(self.first, self.last), self.text, self.at
        pairs = zip(self.firsts[selected], self.lasts[selected], strict=True)
        self.words = [text[a - at : b - at] for a, b in pairs]
        if forms := lists.forms:
            self.words = [forms.get(i, w) for i, w in enumerate(self.words, self.first)]

    def text_and_tokens(self) -> Object:
        """Return the text, its offsets and the tokens."""
        selected = slice(self.first, self.last)
        tokens = zip(
            self.words, self.firsts[selected], self.lasts[selected], strict=True
        )
        out: Object = {
            "text": self.text,
            "start_char": self.at,
            "end_char": self.end,
            "tokens": [
                {"text": word, "start_char": a, "end_char": b} for word, a, b in tokens
            ],
        }
        places = self.first, self.last, self.text, self.at
        if ranges := range_objects(self.lists, *places):
            out[RANGES] = ranges
        return out

    def tags(self, task: str) -> list[str]:
        """Return the tag of each token for a task."""
        return [*self.lists.tags(task)[self.first : self.last]]

    def scores(self, task: str) -> list[float]:
        """Return the probability of each token's tag for a task."""
        return (self.lists.scores(task) or [])[self.first : self.last]

    def layer(self, task: Task) -> Object:
        """Return the values of a layer by key, unless it is among `tags` or `spans`."""
        match task.shape.structure:
            case Structure.SPANS if task.attribute:
                return {task.attribute: self.spans(task.name)}
            case Structure.FRAMES:
                return {key_of(task): self.spans_on_tokens(task)}
            case Structure.TREE:
                text, constituents = self.tree(task.name)
                return {key_of(task): text, span_name_of(task): constituents}
            case Structure.HEADS:
                return {key_of(task): self.heads(task)}
            case Structure.LINKS:
                return {key_of(task): self.spans_on_spans(task)}
        return {}

    def spans(self, task: str) -> list[Object]:
        """Return the spans of a task as JSON objects."""
        rows = self.lists.rows(task)
        return [self._span(rows, row) for row in self._range(rows)]

    def spans_on_tokens(self, task: Task) -> list[Object]:
        """Return an object for each possible anchor, with the spans that have it."""
        rows, name = self.lists.rows(task.name), span_name_of(task)
        begin, end = (bisect_left(rows.anchors, i) for i in (self.first, self.last))
        by_anchor: dict[int, list[Object]] = {i: [] for i in rows.anchors[begin:end]}
        for row in self._range(rows):
            by_anchor[rows.anchor[row]].append(self._span(rows, row))
        return [
            {
                task.anchor_name: i - self.first,
                "text": self.words[i - self.first],
                name: spans,
            }
            for i, spans in by_anchor.items()
        ]

    def spans_on_spans(self, task: Task) -> list[Object]:
        """Return the spans, each with the token range of its anchor, or None."""
        rows, out = self.lists.rows(task.name), []
        for row in self._range(rows):
            anchor, place = rows.anchor[row], None
            if anchor != ROOT:
                place = {
                    "start_token": rows.begin[anchor] - self.first,
                    "end_token": rows.end[anchor] - self.first,
                }
            out.append(self._span(rows, row) | {task.anchor_name: place})
        return out

    def heads(self, task: Task) -> list[Object]:
        """Return the head, the label and, if there is one, the score of each token."""
        rows, selected = self.lists.rows(task.name), slice(self.first, self.last)
        head, label, first = task.anchor_name, task.label_name, self.first
        out: list[Object] = [
            {head: None if anchor == ROOT else anchor - first, label: text}
            for anchor, text in zip(
                rows.anchor[selected], rows.label[selected], strict=True
            )
        ]
        for each, score in zip(out, rows.score[selected], strict=True):
            if score is not None:
                each["score"] = score
        return out

    def tree(self, task: str) -> tuple[str, list[Object]]:
        """Return the tree as bracketed text, and its constituents."""
        rows, first = self.lists.rows(task), self.first
        selected = slice(rows.bounds[self.number], rows.bounds[self.number + 1])
        phrases = [
            Phrase(label, begin - first, end - first)
            for label, begin, end in zip(
                rows.label[selected],
                rows.begin[selected],
                rows.end[selected],
                strict=True,
            )
        ]
        tags = self.lists.leaf_tags[first : self.last]
        leaves = [*map(Leaf, self.words, tags)]
        constituents: list[Object] = [
            {"label": label, "start_token": begin, "end_token": end}
            for label, begin, end in phrases
        ]
        return brackets.bracket_text(*brackets.printable(leaves, phrases)), constituents

    def _range(self, rows: Rows) -> range:
        return range(rows.bounds[self.number], rows.bounds[self.number + 1])

    def _span(self, rows: Rows, row: int) -> Object:
        begin, end, score = rows.begin[row], rows.end[row], rows.score[row]
        start_char, end_char = self.firsts[begin], self.lasts[end - 1]
        out: Object = {
            "label": rows.label[row],
            "start_token": begin - self.first,
            "end_token": end - self.first,
            "start_char": start_char,
            "end_char": end_char,
            "text": self.text[start_char - self.at : end_char - self.at],
        }
        if score is not None:
            out["score"] = score
        return out


def read_document(values: Mapping[str, Any]) -> Contents:
    """Read the contents of a document from its JSON object.

    Raises:
        ValueError: If a value is missing or malformed.
    """
    with _problems_of("document"):
        _check_object(values)
        reader = _Reader(read_value(values, "text", str), 0)
        return reader.read(values["sentences"])


def read_sentence(values: Mapping[str, Any]) -> Contents:
    """Read the contents of a sentence from its JSON object.

    Raises:
        ValueError: If a value is missing or malformed.
    """
    with _problems_of("sentence"):
        _check_object(values)
        text = read_value(values, "text", str)
        start_char = read_value({"start_char": 0, **values}, "start_char", int)
        return _Reader(text, start_char).read([values])


def _check_object(values: object) -> None:
    """Raise TypeError unless the value is a JSON object."""
    if isinstance(values, str):
        raise TypeError("a JSON string, not an object; JSON text is for from_json")
    if not isinstance(values, Mapping):
        raise TypeError(f"expected a dict, not {type(values).__name__}")


@contextmanager
def _problems_of(name: str) -> Iterator[None]:
    """Turn the errors that a malformed object causes into ValueError."""
    try:
        yield
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        OverflowError,
    ) as error:
        problem = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            problem = f"the key {error} is missing"
        elif isinstance(error, TypeError):
            problem = str(error)
        raise ValueError(f"not a {name}: {problem}") from None


def read_value(values: Mapping[str, Any], key: str, expected: type) -> Any:
    """Return the value for a key after checking its type.

    Raises:
        TypeError: If the value has another type.
        KeyError: If the key is missing.
    """
    value = values[key]
    if not isinstance(value, expected) or isinstance(value, bool):
        raise TypeError(
            f"{key}: expected {expected.__name__}, not {type(value).__name__}"
        )
    return value


class _Column:
    """Collects the spans and tags of one task, for a layer."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.label: list[str] = []
        self.begin: list[int] = []
        self.end: list[int] = []
        self.score: list[float | None] = []
        self.anchor: list[Any] = []  # A token index, the range of a span, or None.
        self.anchors: list[int] = []
        self.tags: list[str] = []
        self.tag_scores: list[float] | None = None
        self.has_spans = False

    def add(
        self, label: str, begin: int, end: int, score: float | None, anchor: Any = None
    ) -> None:
        """Add a span whose token indices are relative to the document.

        The anchor is a token index, the range of a span, or None.
        """
        self.label.append(label)
        self.begin.append(begin)
        self.end.append(end)
        self.score.append(score)
        self.anchor.append(anchor)

    def layer(self, starts: np.ndarray) -> Layer:
        """Return a layer of the spans and tags.

        Args:
            starts: int32[n_sentences + 1], the first token of each sentence, and the
                number of tokens.

        Raises:
            ValueError: If the number of tags is wrong, an anchor is not a span, or only
                some spans have a score.
        """
        n_tokens, shape = int(starts[-1]), self.task.shape
        tags = None
        if self.task.shape.gives_tags and (self.tags or not n_tokens):
            if len(self.tags) != n_tokens:
                raise ValueError(f"{len(self.tags)} tags, but {n_tokens} tokens")
            tags = self._tags(starts)
            if shape.each_token:
                score = None if tags.scores is None else tags.scores.tag
                return Layer(self.task, tags.names, tags.tag, score=score)
            if not self.has_spans:
                return Layer.from_tags(self.task, tags)
        names, label = _numbered(self.label)
        anchors = None
        if shape.structure is Structure.FRAMES:
            anchors = np.array(self.anchors, np.int32)
        return Layer(
            self.task,
            names,
            label,
            np.array(self.begin, np.int32),
            np.array(self.end, np.int32),
            anchor=self._anchor(n_tokens) if shape.hangs_on else None,
            score=self._score(),
            anchors=anchors,
            tags=tags,
        )

    def _tags(self, starts: np.ndarray) -> Tags:
        names, tag = _numbered(self.tags)
        scores = None
        if self.tag_scores is not None:
            scores = PathScores(np.array(self.tag_scores), np.empty(0))
        return Tags(names, tag, starts.astype(np.int64), starts[:-1], scores)

    def _score(self) -> np.ndarray | None:
        if all(score is None for score in self.score):
            return None
        if any(score is None for score in self.score):
            raise ValueError(f"{self.task.name}: only some spans have a score")
        return np.array(self.score, np.float64)

    def _anchor(self, n_tokens: int) -> np.ndarray:
        """Return the anchor of each span as a token index or a row: int32[n_spans]."""
        if self.task.shape.hangs_on == "token":
            return np.array([ROOT if i is None else i for i in self.anchor], np.int32)
        rows: dict[tuple[int, int], int] = {}
        for row, place in enumerate(zip(self.begin, self.end, strict=True)):
            rows.setdefault(place, row)
        anchor = [self._row_at(place, rows, n_tokens) for place in self.anchor]
        return np.array(anchor, np.int32)

    def _row_at(
        self,
        place: tuple[int, int] | None,
        rows: dict[tuple[int, int], int],
        n_tokens: int,
    ) -> int:
        if place is None:
            return ROOT
        begin, end = place
        if (begin, end) not in rows and 0 <= begin < end <= n_tokens:
            raise ValueError(f"{self.task.name}: no span from token {begin} to {end}")
        # The anchor may be outside of a single sentence.
        return rows.get((begin, end), ROOT)


def _numbered(labels: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the distinct labels, and the index of each label: int32[n_labels]."""
    numbers: dict[str, int] = {}
    label = [numbers.setdefault(each, len(numbers)) for each in labels]
    return tuple(numbers), np.array(label, np.int32)


class _Reader:
    """Reads the JSON objects of the sentences of a document."""

    def __init__(self, text: str, start_char: int) -> None:
        self.text, self.start_char = text, start_char
        self.columns: dict[str, _Column] | None = None
        self.hidden: set[str] = set()
        self.characters: list[tuple[int, int]] = []
        self.starts = [0]
        self.places: list[tuple[int, int]] = []
        self.ranges = RangeReader()

    def read(self, sentences: Sequence[Mapping[str, Any]]) -> Contents:
        """Return the contents of a document with these sentences."""
        for values in sentences:
            self._add_text(values)
            self._add_layers(values)
            self.starts.append(len(self.characters))
        starts = np.array(self.starts, np.int32)
        columns = self.columns or {}
        return Contents(
            self.text,
            self.start_char,
            np.array(self.characters, np.int32).reshape(-1, 2),
            starts,
            np.array(self.places, np.int32).reshape(-1, 2),
            {name: column.layer(starts) for name, column in columns.items()},
            frozenset(self.hidden),
            self.ranges.word_forms(),
        )

    def _add_text(self, values: Mapping[str, Any]) -> None:
        text = read_value(values, "text", str)
        start = read_value({"start_char": 0, **values}, "start_char", int)
        at = start - self.start_char
        if at < 0 or self.text[at : at + len(text)] != text:
            raise ValueError(f"the sentence {text!r} is not where it says")
        self.places.append((start, start + len(text)))
        first, tokens = len(self.characters), values["tokens"]
        for token in tokens:
            a, b = (read_value(token, key, int) for key in ("start_char", "end_char"))
            if not start <= a < b <= start + len(text):
                raise ValueError(f"the token {token['text']!r} is not where it says")
            self.characters.append((a, b))
        spelled = self.ranges.add_ranges(
            values.get(RANGES),
            len(self.starts) - 1,
            first,
            self.characters,
            lambda begin, end: text[begin - start : end - start],
        )
        for i, token in enumerate(tokens, first):
            form, (a, b) = read_value(token, "text", str), self.characters[i]
            if i in spelled:
                self.ranges.add_form(i, form)
            elif text[a - start : b - start] != form:
                raise ValueError(f"the token {form!r} is not where it says")

    def _add_layers(self, values: Mapping[str, Any]) -> None:
        tasks = tasks_of_sentence(values)
        if self.columns is None:
            self.columns = {task.name: _Column(task) for task in tasks}
        shown = [name for name in self.columns if name not in self.hidden]
        if shown != [task.name for task in tasks]:
            number = len(self.starts) - 1
            raise ValueError(f"sentence {number} has other tasks than the first one")
        first = self.starts[-1]
        sentence = _SentenceValues(values, first, len(self.characters) - first)
        for task in tasks:
            sentence.read(self.columns[task.name])
        if any(task.shape.nested for task in tasks) and POS not in shown:
            self.hidden.add(POS)
            column = self.columns.setdefault(POS, _Column(TABLE[POS]))
            column.tags += sentence.leaf_tags


class _SentenceValues:
    """Reads the layers of one sentence from its JSON object.

    Attributes:
        leaf_tags: The parts of speech in the sentence's tree; empty until it is read.
    """

    def __init__(self, values: Mapping[str, Any], first: int, n_tokens: int) -> None:
        self.values, self.first, self.n_tokens = values, first, n_tokens
        self.leaf_tags: list[str] = []

    def read(self, column: _Column) -> None:
        """Add the sentence's spans and tags of a task to its column."""
        match column.task.shape.structure:
            case Structure.TAGS:
                self._read_tags(column)
            case Structure.SPANS:
                self._read_tags(column)
                self._read_spans(column)
            case Structure.FRAMES:
                self._read_frames(column)
            case Structure.TREE:
                self._read_tree(column)
            case Structure.HEADS:
                self._read_heads(column)
            case Structure.LINKS:
                self._read_links(column)

    def _read_tags(self, column: _Column) -> None:
        name = column.task.name
        tags = (self.values.get("tags") or {}).get(name)
        if tags is not None:
            column.tags += self._column_of(name, tags, _label)
        scores = (self.values.get("scores") or {}).get(name)
        if scores is not None:
            column.tag_scores = column.tag_scores or []
            column.tag_scores += self._column_of(name, scores, _score)

    def _column_of(self, name: str, values: Any, read: Any) -> list[Any]:
        if not isinstance(values, list | tuple):
            raise TypeError(f"{name}: expected a list, not {type(values).__name__}")
        if len(values) != self.n_tokens:
            raise ValueError(
                f"{len(values)} values of {name}, but {self.n_tokens} tokens"
            )
        return [*map(read, values)]

    def _read_spans(self, column: _Column) -> None:
        name, key = column.task.name, column.task.attribute
        spans = (self.values.get(_SPANS) or {}).get(name)
        if spans is None:
            if key not in self.values:
                return
            spans = self.values[key]
        column.has_spans = True
        for each in spans:
            column.add(*self._span(each))

    def _read_frames(self, column: _Column) -> None:
        task = column.task
        for each in self.values[key_of(task)]:
            anchor = self._index(each, task.anchor_name) + self.first
            column.anchors.append(anchor)
            for span in each[span_name_of(task)]:
                column.add(*self._span(span), anchor)

    def _read_links(self, column: _Column) -> None:
        task = column.task
        for each in self.values[key_of(task)]:
            column.add(*self._span(each), self._place(each[task.anchor_name]))

    def _read_tree(self, column: _Column) -> None:
        text = read_value(self.values, key_of(column.task), str)
        constituents = self.values[span_name_of(column.task)]
        if not self.n_tokens:
            return
        self.leaf_tags = [leaf.tag for leaf in Tree.parse(text).leaves]
        if len(self.leaf_tags) != self.n_tokens:
            raise ValueError(
                f"{len(self.leaf_tags)} leaves of a tree, but {self.n_tokens} tokens"
            )
        for each in constituents:
            column.add(*self._span(each))

    def _read_heads(self, column: _Column) -> None:
        task = column.task
        values = self.values[key_of(task)]
        if len(values) != self.n_tokens:
            raise ValueError(
                f"{len(values)} {key_of(task)}, but {self.n_tokens} tokens"
            )
        for i, each in enumerate(values, self.first):
            head = each[task.anchor_name]
            if head is not None:
                head = self._index(each, task.anchor_name) + self.first
            score = _score(each["score"]) if "score" in each else None
            column.add(_label(each[task.label_name]), i, i + 1, score, head)

    def _span(self, values: Mapping[str, Any]) -> tuple[str, int, int, float | None]:
        start = self._index(values, "start_token")
        end = self._index(values, "end_token", self.n_tokens + 1)
        if start >= end:
            raise ValueError(f"no token from {start} to {end}")
        score = values.get("score")
        return (
            _label(values["label"]),
            start + self.first,
            end + self.first,
            None if score is None else _score(score),
        )

    def _place(self, values: Mapping[str, Any] | None) -> tuple[int, int] | None:
        if values is None:
            return None
        start, end = (read_value(values, k, int) for k in ("start_token", "end_token"))
        return start + self.first, end + self.first

    def _index(
        self, values: Mapping[str, Any], key: str, limit: int | None = None
    ) -> int:
        index: int = read_value(values, key, int)
        if not 0 <= index < (self.n_tokens if limit is None else limit):
            raise ValueError(f"{key} is {index}, of {self.n_tokens} tokens")
        return index


class LayerReader:
    """Reads some layers of the JSON objects of sentences, and nothing else.

    Attributes:
        n_tokens: The number of tokens so far.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        """Store the tasks of the layers."""
        self._columns = [_Column(task) for task in tasks]
        self._starts = [0]

    @property
    def n_tokens(self) -> int:
        """The number of tokens so far."""
        return self._starts[-1]

    def add(self, values: Mapping[str, Any]) -> None:
        """Add a sentence.

        Raises:
            ValueError: If a value is missing or malformed.
        """
        with _problems_of("sentence"):
            _check_object(values)
            n_tokens = len(values["tokens"])
            sentence = _SentenceValues(values, self.n_tokens, n_tokens)
            for column in self._columns:
                if not _has_layer(values, column.task):
                    raise ValueError(f"it has no {column.task.name}")
                sentence.read(column)
            self._starts.append(self.n_tokens + n_tokens)

    def starts(self) -> np.ndarray:
        """Return the first token of each sentence and the number of tokens: int32[n]."""
        return np.array(self._starts, np.int32)

    def layers(self) -> dict[str, Layer]:
        """Return the layers by task."""
        starts = self.starts()
        return {column.task.name: column.layer(starts) for column in self._columns}


def _has_layer(values: Mapping[str, Any], task: Task) -> bool:
    """Return whether a sentence has a layer of a task."""
    if task.shape.gives_tags:
        among = any(task.name in (values.get(key) or {}) for key in ("tags", _SPANS))
        return among or (bool(task.attribute) and task.attribute in values)
    return key_of(task) in values


def tasks_of_sentence(values: Mapping[str, Any]) -> list[Task]:
    """Return the tasks of the layers in the JSON object of a sentence.

    Raises ValueError if a task that does not give tags is among `tags` or `spans`.
    """
    tags, spans = values.get("tags") or {}, values.get(_SPANS) or {}
    own = {task.name: task for task in map(read_task, values.get("tasks") or ())}
    tasks: dict[str, Task] = {}
    for name in (*tags, *spans):
        kind = "segments" if name in spans else "tags"
        tasks[name] = own.get(name) or find_task(name, kind)
        if not tasks[name].shape.gives_tags:
            raise ValueError(f"tags of {name}, whose answer has another shape")
    keys = {key_of(task) for task in own.values()}
    for task in TABLE.values():
        if task.shape.gives_tags and not task.attribute:
            continue  # Its layer is among `tags` or `spans`.
        if key_of(task) in values and key_of(task) not in keys:
            tasks[task.name] = task
    return [*(tasks | own).values()]


def _label(label: Any) -> str:
    text: str = read_value({"label": label}, "label", str)
    return text


def _score(score: Any) -> float:
    # Rounding may make it slightly larger than 1.
    if isinstance(score, bool) or not 0 <= score <= 1.01:
        raise ValueError(f"score: {score!r} is no probability")
    return float(score)
