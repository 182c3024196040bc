"""Documents packed: the arrays of each in one piece of memory of its own.

A batch has its layers in a few long arrays. A document that somebody keeps must not keep
its whole batch in memory, and objects for each array of each sentence would take more
memory than what is in them. So the columns of a document lie one after the other in one
`bytes`, behind their lengths, and arrays are views of it, made when they are read.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import PathScores, Tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Task

    Bounds = NDArray[np.integer[Any]]
    Words = tuple[tuple[str, ...], ...]

# Columns of the tokens and sentences, which stand before those of the layers.
_TEXT_COLUMNS = 5
_SHARED_NAMES = 256  # More names of labels than these are not kept for a few of them.
_INT = "<i4"
# What documents and sentences have for layers other than tags and flat spans.
_ATTRIBUTES = ("frames", "tree", "arcs")


class LayerForm(NamedTuple):
    """What the documents of a batch have in common of a layer.

    Attributes:
        task: The task.
        names: Names of the labels; empty if each document has a name for each row.
        tag_names: Names of the tags; empty without tags.
        columns: Name and dtype of each column that is stored.
        hidden: See `Contents.hidden`.
        words: The place of the names in `Packed.words`, or -1.
    """

    task: Task
    names: tuple[str, ...]
    tag_names: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    hidden: bool
    words: int = -1


class Form:
    """What the documents of a batch have in common: their layers, and what is stored.

    Attributes:
        layers: The form of each layer, and the number of its first column, by task.
        dtypes: The dtype of each column.
        shown: The tasks whose layers are not hidden.
        tag_tasks: Those of them that give each token a tag.
        span_tasks: Those of them whose spans have no attribute of their own.
    """

    __slots__ = ("dtypes", "layers", "shown", "span_tasks", "tag_tasks")

    def __init__(self, layers: Sequence[LayerForm]) -> None:
        self.layers: dict[str, tuple[LayerForm, int]] = {}
        self.dtypes = [_INT] * _TEXT_COLUMNS
        for layer in layers:
            self.layers[layer.task.name] = layer, len(self.dtypes)
            self.dtypes += [dtype for _, dtype in layer.columns]
        shown = [each.task for each in layers if not each.hidden]
        self.shown = tuple(task.name for task in shown)
        tags = [task.name for task in shown if task.shape.gives_tags]
        self.tag_tasks = tuple(tags)
        self.span_tasks = tuple(
            task.name
            for task in shown
            if task.shape.flat
            or not (task.shape.gives_tags or task.attribute in _ATTRIBUTES)
        )


class Packed(NamedTuple):
    """A packed document.

    Attributes:
        form: What it has in common with others.
        data: The length of each column in int32, and then the columns.
        words: Labels of the layers that have a name for each row.
    """

    form: Form
    data: bytes
    words: Words = ()

    def columns(self) -> list[NDArray[Any]]:
        """List all columns, which are views of the data."""
        values = np.frombuffer(self.data, np.int32)
        n = len(self.form.dtypes)
        bounds = [*accumulate(values[:n].tolist(), initial=n)]
        parts = zip(self.form.dtypes, bounds, bounds[1:], strict=False)
        return [
            values[a:b] if dtype == _INT else values[a:b].view(dtype)
            for dtype, a, b in parts
        ]

    def layer(self, name: str, columns: list[NDArray[Any]]) -> Layer:
        """Make the layer of a task; raises KeyError if there is none."""
        form, first = self.form.layers[name]
        # Columns stand behind each other in the order of their form.
        values = {key: columns[first + k] for k, (key, _) in enumerate(form.columns)}
        tags = None
        if "tag" in values:
            tags = self._tags(form, values, columns)
            if "begin" not in values:
                return Layer.from_tags(form.task, tags)
        names = form.names if form.words < 0 else self.words[form.words]
        label = values.get("label")
        if label is None:
            label = np.arange(len(names), dtype=np.int32)
        made = Layer(
            form.task,
            names,
            label,
            values.get("begin"),
            values.get("end"),
            anchor=values.get("anchor"),
            score=values.get("score"),
            anchors=values.get("anchors"),
        )
        made.tags = tags
        return made

    def _tags(
        self,
        form: LayerForm,
        values: dict[str, NDArray[Any]],
        columns: list[NDArray[Any]],
    ) -> Tags:
        starts = self.sentence_starts(columns)
        scores = None
        if "tag_score" in values:
            scores = PathScores(values["tag_score"], values["next_score"])
        begin = starts.astype(np.int64)
        return Tags(form.tag_names, values["tag"], begin, starts[:-1], scores)

    @staticmethod
    def sentence_starts(columns: list[NDArray[Any]]) -> NDArray[np.int32]:
        """Return int32[n_sentences + 1], the first tokens, and the number of tokens."""
        return np.append(columns[2], np.int32(len(columns[0])))

    def contents(self, text: str, start_char: int) -> Contents:
        """Unpack all."""
        columns = self.columns()
        return Contents(
            text,
            start_char,
            np.stack(columns[:2], axis=1),
            self.sentence_starts(columns),
            np.stack(columns[3:5], axis=1),
            {name: self.layer(name, columns) for name in self.form.layers},
            frozenset(self.form.layers) - {*self.form.shown},
        )


def pack(contents: Contents) -> Packed:
    """Pack one document."""
    return pack_batch(contents, np.array([0, len(contents.sentence_starts) - 1]))[0]


def pack_batch(contents: Contents, documents: Bounds) -> list[Packed]:
    """Pack the documents of a batch, each with tokens counted from its own first one.

    Args:
        contents: The batch; its text is not read.
        documents: int[n_documents + 1], the first sentence of each, and the end.
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
    shared = Form(forms)
    pieces = _join(columns)
    if not words:
        return [Packed(shared, data) for data in pieces]
    return [*map(Packed, [shared] * len(pieces), pieces, zip(*words, strict=True))]


def _dtype(values: NDArray[Any]) -> str:
    return values.dtype.str if values.dtype.kind == "f" else _INT


def _stored(
    layer: Layer, tokens: Bounds
) -> Iterator[tuple[str, tuple[NDArray[Any], Bounds]]]:
    """Yield the name and the values of each column of a layer, and its bounds.

    tokens: int[n_documents + 1], the first tokens of the documents. The label is first.
    """
    first, shape, tags = tokens[:-1].astype(np.int32), layer.shape, layer.tags
    if tags is None or not shape.flat or layer.has_own_spans:
        if shape.each_token:
            bounds = tokens
        else:
            # Rows are in the order of their sentences, and so of their documents.
            document = np.searchsorted(tokens, layer.begin, side="right") - 1
            bounds = np.searchsorted(document, np.arange(len(tokens)))
        counts = np.diff(bounds)
        origin = np.repeat(first, counts)
        yield "label", (layer.label, bounds)
        if not shape.each_token:
            yield "begin", (layer.begin - origin, bounds)
            yield "end", (layer.end - origin, bounds)
        if layer.anchor is not None:
            if shape.hangs_on == "span":
                origin = np.repeat(bounds[:-1].astype(np.int32), counts)
            limit = np.repeat(
                np.diff(bounds if shape.hangs_on == "span" else tokens), counts
            )
            anchor = layer.anchor - origin
            # What lies in another document is nothing to hang on.
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
    """Lay out the columns of each document behind their lengths, in int32."""
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
        length = lengths[:, k]
        if len(column):
            shift = np.repeat(at - sizes[k][:-1], length)
            out[shift + np.arange(sizes[k][0], sizes[k][-1])] = column[
                sizes[k][0] : sizes[k][-1]
            ]
        at = at + length
    data, cuts = out.tobytes(), (ends * 4).tolist()
    return [data[a:b] for a, b in zip([0, *cuts], cuts, strict=False)]
