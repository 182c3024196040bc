"""Packed documents: all arrays of a document in one `bytes` object.

The layers of a batch are a few long arrays. A document must not keep the arrays of its
whole batch in memory, and one array object for each column of each document would take
more memory than its contents. Therefore, the columns of a document are concatenated in
one `bytes` object, after their lengths, and views of it are created when they are read.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import PathScores, Tags
from senna_py.answers.task_objects import is_own
from senna_py.answers.word_forms import WordForms
from senna_py.labels.tasks import POS, UPOS, XPOS, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Task

    Bounds = NDArray[np.integer[Any]]
    Words = tuple[tuple[str, ...], ...]

# The number of columns for tokens and sentences, which precede those of the layers, and
# the number of columns of WordForms, which follow them if the batch has multiword tokens.
_TEXT_COLUMNS = 5
_WORD_COLUMNS = 2
# With more label names than this (lemmas), a document stores the name of each label.
_SHARED_NAMES = 256
_INT = "<i4"
# The attributes of documents for layers that are neither tags nor flat spans.
_ATTRIBUTES = ("frames", "tree", "arcs")


class LayerForm(NamedTuple):
    """The structure of a layer, shared by all documents of a batch.

    Attributes:
        task: The task.
        names: The names of the labels; empty if each document has a name for each row.
        tag_names: The names of the tags; empty without tags.
        columns: The name and the dtype of each stored column.
        hidden: Whether the layer is hidden; see `Contents.hidden`.
        words: The index of the layer's names in `Packed.words`, or -1.
    """

    task: Task
    names: tuple[str, ...]
    tag_names: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    hidden: bool
    words: int = -1


class Form:
    """The structure shared by all documents of a batch: their layers and columns.

    Attributes:
        layers: The form of each layer, and the index of its first column, by task.
        dtypes: The dtype of each column.
        shown: The tasks whose layers are not hidden.
        span_tasks: The shown tasks that are keys of `Document.spans`.
        tag_tasks: The shown tasks that assign a tag to each token.
        scored_tasks: The shown tasks whose tags have scores, with the names of the
            columns of the scores.
        pos_task: The task that `Token.pos` reads.
        own_tasks: The shown tasks that JSON must describe, by name; see `is_own`.
        has_words: Whether documents have WordForms, whose forms are the last element of
            `Packed.words`.
    """

    __slots__ = (
        "dtypes",
        "has_words",
        "layers",
        "own_tasks",
        "pos_task",
        "scored_tasks",
        "shown",
        "span_tasks",
        "tag_tasks",
    )

    def __init__(self, layers: Sequence[LayerForm], has_words: bool = False) -> None:
        self.has_words = has_words
        self.layers: dict[str, tuple[LayerForm, int]] = {}
        self.dtypes = [_INT] * _TEXT_COLUMNS
        for layer in layers:
            self.layers[layer.task.name] = layer, len(self.dtypes)
            self.dtypes += [dtype for _, dtype in layer.columns]
        self.dtypes += [_INT] * (_WORD_COLUMNS if has_words else 0)
        shown = [each.task for each in layers if not each.hidden]
        self.shown = tuple(task.name for task in shown)
        self.own_tasks = tuple(
            sorted(filter(is_own, shown), key=lambda task: task.name)
        )
        tags = [task.name for task in shown if task.shape.gives_tags]
        self.tag_tasks = tuple(tags)
        self.scored_tasks: dict[str, str] = {
            name: column
            for name in tags
            for column in [self._column_of_scores(self.layers[name][0])]
            if column
        }
        self.pos_task = next((task for task in (POS, XPOS, UPOS) if task in tags), POS)
        self.span_tasks = tuple(task.name for task in shown if _is_among_spans(task))

    @staticmethod
    def _column_of_scores(layer: LayerForm) -> str:
        """Return the name of the column of tag scores, or an empty string."""
        column = "score" if layer.task.shape.each_token else "tag_score"
        return column if column in dict(layer.columns) else ""


def _is_among_spans(task: Task) -> bool:
    """Return whether `Document.spans` has the spans of a task."""
    match task.shape.structure:
        case Structure.TAGS:
            return False
        case Structure.SPANS:
            return True
    return task.attribute not in _ATTRIBUTES


class Packed(NamedTuple):
    """A packed document.

    Attributes:
        form: The structure shared by all documents of a batch.
        data: The length of each column, counted in 4-byte units and stored as int32,
            and then the columns.
        words: The labels of each row, for layers with a name for each row, and the
            forms of WordForms.
    """

    form: Form
    data: bytes
    words: Words = ()

    def columns(self, first: int, last: int) -> list[Any]:
        """Return the columns `first:last`, as memoryviews of the data."""
        view: Any = memoryview(self.data).cast("i")
        dtypes = self.form.dtypes
        # The lengths of all columns precede the first column.
        lengths = view[:last].tolist()
        end, out = len(dtypes) + sum(lengths[:first]), []
        for k in range(first, last):
            begin, end = end, end + lengths[k]
            column = view[begin:end]
            if dtypes[k] != _INT:
                column = column.cast("B").cast(np.dtype(dtypes[k]).char)
            out.append(column)
        return out

    def columns_of(self, name: str) -> tuple[LayerForm, dict[str, Any]]:
        """Return the form of a layer, and its columns by name.

        Raises:
            KeyError: If there is no such layer.
        """
        form, first = self.form.layers[name]
        columns = self.columns(first, first + len(form.columns))
        keys = (key for key, _ in form.columns)
        return form, dict(zip(keys, columns, strict=True))

    def layer(self, name: str) -> Layer:
        """Return the layer of a task.

        Raises:
            KeyError: If there is none.
        """
        form, columns = self.columns_of(name)
        values = {key: np.asarray(column) for key, column in columns.items()}
        tags = None
        if "tag" in values:
            tags = self._tags(form, values)
            if "begin" not in values:
                return Layer.from_tags(form.task, tags)
        names = self.names_of(form)
        label = values.get("label")
        if label is None:
            label = np.arange(len(names), dtype=np.int32)
        return Layer(
            form.task,
            names,
            label,
            values.get("begin"),
            values.get("end"),
            anchor=values.get("anchor"),
            score=values.get("score"),
            anchors=values.get("anchors"),
            tags=tags,
        )

    def names_of(self, form: LayerForm) -> tuple[str, ...]:
        """Return the names of the labels, or of the rows if no labels are stored."""
        return form.names if form.words < 0 else self.words[form.words]

    def _tags(self, form: LayerForm, values: dict[str, NDArray[Any]]) -> Tags:
        starts = self.sentence_starts()
        scores = None
        if "tag_score" in values:
            scores = PathScores(values["tag_score"], values["next_score"])
        begin = starts.astype(np.int64)
        return Tags(form.tag_names, values["tag"], begin, starts[:-1], scores)

    def sentence_starts(self) -> NDArray[np.int32]:
        """Return the first token of each sentence and the number of tokens.

        Returns:
            int32[n_sentences + 1].
        """
        begin, _, starts = self.columns(0, 3)
        return np.array([*starts.tolist(), len(begin)], np.int32)

    def word_forms(self) -> WordForms | None:
        """Return the words of multiword tokens, or None if there are none."""
        n_columns = len(self.form.dtypes)
        if not self.form.has_words:
            return None
        columns = self.columns(n_columns - _WORD_COLUMNS, n_columns)
        continues, spelled = map(np.asarray, columns)
        if not len(continues) and not len(spelled):
            return None
        return WordForms(continues, spelled, self.words[-1])

    def contents(self, text: str, start_char: int) -> Contents:
        """Return the unpacked contents; the arguments are attributes of Contents."""
        columns = [*map(np.asarray, self.columns(0, _TEXT_COLUMNS))]
        return Contents(
            text,
            start_char,
            np.stack(columns[:2], axis=1),
            self.sentence_starts(),
            np.stack(columns[3:5], axis=1),
            {name: self.layer(name) for name in self.form.layers},
            frozenset(self.form.layers) - {*self.form.shown},
            self.word_forms(),
        )


def pack(contents: Contents) -> Packed:
    """Pack the contents of one document."""
    return pack_batch(contents, np.array([0, len(contents.sentence_starts) - 1]))[0]


def pack_batch(contents: Contents, documents: Bounds) -> list[Packed]:
    """Pack the documents of a batch, with token indices relative to each document.

    Args:
        contents: The batch. Its text is not used.
        documents: int[n_documents + 1], the first sentence of each document, and the
            number of sentences.
    """
    tokens = contents.sentence_starts[documents]
    first_token = tokens[:-1].astype(np.int32)
    begin, end = contents.characters.T
    starts = contents.sentence_starts[:-1] - np.repeat(first_token, np.diff(documents))
    columns: list[tuple[NDArray[Any], Bounds]] = [
        (begin, tokens),
        (end, tokens),
        (starts, documents),
        (contents.sentence_characters[:, 0], documents),
        (contents.sentence_characters[:, 1], documents),
    ]
    forms: list[LayerForm] = []
    words: list[list[tuple[str, ...]]] = []
    for name, layer in contents.layers.items():
        stored = dict(_stored(layer, tokens))
        form = LayerForm(
            layer.task,
            layer.names,
            () if layer.tags is None else layer.tags.names,
            tuple((key, _dtype(values)) for key, (values, _) in stored.items()),
            name in contents.hidden,
        )
        if layer.shape.each_token and len(layer.names) > _SHARED_NAMES:
            del stored["label"]
            texts, bounds = layer.texts(), tokens.tolist()
            cuts = pairwise(bounds)
            words.append([tuple(texts[a:b]) for a, b in cuts])
            form = form._replace(
                names=(), columns=form.columns[1:], words=len(words) - 1
            )
        columns += stored.values()
        forms.append(form)
    if contents.words is not None:
        parts = [contents.words.part(a, b) for a, b in pairwise(tokens.tolist())]
        for k in range(_WORD_COLUMNS):
            bounds = np.cumsum([0, *(len(part[k]) for part in parts)])
            columns.append((np.concatenate([part[k] for part in parts]), bounds))
        words.append([part.forms for part in parts])
    shared = Form(forms, contents.words is not None)
    pieces = _join(columns)
    if not words:
        return [Packed(shared, data) for data in pieces]
    return [*map(Packed, [shared] * len(pieces), pieces, zip(*words, strict=True))]


def _dtype(values: NDArray[Any]) -> str:
    return values.dtype.str if values.dtype.kind == "f" else _INT


def _stored(
    layer: Layer, tokens: Bounds
) -> Iterator[tuple[str, tuple[NDArray[Any], Bounds]]]:
    """Yield the name of each column of a layer, its values, and the documents' bounds.

    The column `label` is first, unless only tags are stored.

    Args:
        layer: The layer.
        tokens: int[n_documents + 1], the first token of each document, and the number
            of tokens.
    """
    first, shape, tags = tokens[:-1].astype(np.int32), layer.shape, layer.tags
    # Computing the scores of spans is slow, so it is delayed until their first use.
    is_later = (
        tags is not None and tags.scores is not None and not layer.has_stored_spans
    )
    if not (shape.flat and is_later):
        if shape.each_token:
            bounds = tokens
        else:
            # Rows are sorted by sentence, and thus by document.
            document = np.searchsorted(tokens, layer.begin, side="right") - 1
            bounds = np.searchsorted(document, np.arange(len(tokens)))
        counts = np.diff(bounds)
        origin = np.repeat(first, counts)
        yield "label", (layer.label, bounds)
        if not shape.each_token:
            yield "begin", (layer.begin - origin, bounds)
            yield "end", (layer.end - origin, bounds)
        if layer.anchor is not None:
            # Anchors are rows of the layer, or tokens.
            of_anchors = bounds if shape.hangs_on == "span" else tokens
            limit = np.repeat(np.diff(of_anchors), counts)
            anchor = layer.anchor - np.repeat(of_anchors[:-1].astype(np.int32), counts)
            # Anchors in another document are dropped.
            anchor[(anchor < 0) | (anchor >= limit)] = ROOT
            yield "anchor", (anchor, bounds)
        if layer.score is not None:
            yield "score", (layer.score, bounds)
        if layer.anchors is not None:
            bounds = np.searchsorted(layer.anchors, tokens)
            origin = np.repeat(first, np.diff(bounds))
            yield "anchors", (layer.anchors - origin, bounds)
    if tags is not None and shape.flat:
        yield "tag", (tags.tag, tokens)
        if tags.scores is not None:
            yield "tag_score", (tags.scores.tag, tokens)
            path = tags.scores.next
            bounds = tokens if len(path) else np.zeros_like(tokens)
            yield "next_score", (path, bounds)


def _join(columns: list[tuple[NDArray[Any], Bounds]]) -> list[bytes]:
    """Return the data of each document: the lengths of its columns, and the columns."""
    values, sizes = [], []
    for column, bounds in columns:
        as_ints = np.ascontiguousarray(column)
        if as_ints.dtype.kind != "f":
            as_ints = as_ints.astype(np.int32, copy=False)
        width = as_ints.dtype.itemsize // 4
        values.append(as_ints.view(np.int32))
        sizes.append(np.asarray(bounds, np.int64) * width)
    lengths = np.stack([np.diff(each) for each in sizes], axis=1)
    n_columns = len(values)
    whole = n_columns + lengths.sum(axis=1)
    ends = np.cumsum(whole)
    begin = ends - whole
    out = np.empty(whole.sum(), np.int32)
    out[(begin[:, None] + np.arange(n_columns)).ravel()] = lengths.ravel()
    at = begin + n_columns
    for k, column in enumerate(values):
        length = lengths[:, k].astype(np.intp)
        if len(column):
            shift = np.repeat(at - sizes[k][:-1], length)
            out[shift + np.arange(sizes[k][0], sizes[k][-1])] = column[
                sizes[k][0] : sizes[k][-1]
            ]
        at = at + length
    data, cuts = out.tobytes(), (ends * 4).tolist()
    return [data[a:b] for a, b in zip([0, *cuts], cuts, strict=False)]
