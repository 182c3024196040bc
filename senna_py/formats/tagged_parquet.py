"""Reads Parquet for search: only the columns that a pattern needs, as arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.task_objects import read_task
from senna_py.errors import SennaError, missing
from senna_py.formats.tagged import check_places
from senna_py.io.streaming import InputError
from senna_py.labels.tasks import TABLE, Structure, find_task, key_of, span_name_of
from senna_py.search.hits import SentenceText
from senna_py.search.printing import PLACE_KEYS
from senna_py.search.table import Column, Table

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise SennaError(missing("Parquet", "dask", "pyarrow")) from None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Task
    from senna_py.search.pattern import Pattern

    Ints = NDArray[np.int32]

_TEXT = ("text", "start_char")
_ROWS = 2048  # The number of sentences of a batch.


def read_batches(path: str, name: str, pattern: Pattern) -> Iterator[ParquetBatch]:
    """Yield the sentences of a file in batches; see `tagged.read_tagged`."""
    if path == "-":
        raise InputError("standard input: Parquet is read from a file, not from a pipe")
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            known = _tasks_of(file)
            tasks = [
                known[task]
                for task in pattern.check_tasks(known, f"{path} was not tagged with")
            ]
            yield from _batches(file, path, name, tasks)
    except (OSError, pa.ArrowException) as error:
        problem = str(error).partition("\n")[0]
        raise InputError(f"{path}: {problem}") from None


def _batches(
    file: Any, path: str, name: str, tasks: list[Task]
) -> Iterator[ParquetBatch]:
    names = file.schema_arrow.names
    for column in ("text", "tokens"):
        if column not in names:
            raise SennaError(f"{path}: no column {column!r}: it was not tagged")
    columns = [each for each in (*_TEXT, *PLACE_KEYS) if each in names]
    columns += [
        "tokens",
        *(path for task in tasks for path in _columns_of(task, names)),
    ]
    n_rows = file.metadata.num_rows
    size, done = file.metadata.serialized_size, 0
    for group in range(file.metadata.num_row_groups):
        size += file.metadata.row_group(group).total_byte_size
    for batch in file.iter_batches(_ROWS, columns=columns, use_threads=False):
        try:
            read = ParquetBatch(batch, name, tasks, done)
        except (ValueError, IndexError) as error:
            raise SennaError(f"{path}: rows from {done}: {error}") from None
        done += batch.num_rows
        read.end = size * done // max(n_rows, 1)
        yield read


def _tasks_of(file: Any) -> dict[str, Task]:
    """Return the tasks whose layers a file has, by name."""
    schema = file.schema_arrow
    own = {}
    if "tasks" in schema.names:
        for batch in file.iter_batches(1, columns=["tasks"]):
            for values in batch.column(0)[0].as_py() or ():
                task = read_task(values)
                own[task.name] = task
            break
    out: dict[str, Task] = {}
    for column, kind in (("tags", "tags"), ("spans", "segments")):
        if column in schema.names:
            for field in schema.field(column).type:
                out[field.name] = own.get(field.name) or find_task(field.name, kind)
    for task in (*TABLE.values(), *own.values()):
        gives_list = task.attribute or not task.shape.gives_tags
        if gives_list and key_of(task) in schema.names:
            out[task.name] = task
    return out


def _columns_of(task: Task, names: list[str]) -> list[str]:
    """Return the columns from which the layer of a task is read."""
    match task.shape.structure:
        case Structure.TAGS:
            return [f"tags.{task.name}"]
        case Structure.SPANS if task.attribute not in names:
            return [f"spans.{task.name}"]
        case Structure.TREE:
            return [span_name_of(task)]
    return [key_of(task)]


class ParquetBatch:
    """A batch of rows, each of which is a sentence."""

    end = 0

    def __init__(self, batch: Any, name: str, tasks: list[Task], n_before: int) -> None:
        """Make the table.

        Args:
            batch: The rows as an Arrow record batch.
            name: The name of the document.
            tasks: The tasks whose layers are read.
            n_before: The number of rows before.

        Raises:
            ValueError: If a layer is malformed.
        """
        self._batch, self._name, self._n_before = batch, name, n_before
        starts, tokens = _flattened(batch.column("tokens"))
        self._tokens = tokens
        self.table = Table(starts, _column(tokens.field("text")), {})
        layers = {task.name: self._layer(task) for task in tasks}
        for layer in layers.values():
            check_places(layer, starts)
        self.table = self.table._replace(layers=layers)

    def _layer(self, task: Task) -> Layer:
        match task.shape.structure:
            case Structure.TAGS:
                starts, values = _flattened(self._batch.column("tags").field(task.name))
                if not np.array_equal(starts, self.table.starts):
                    raise ValueError(f"{task.name}: not a tag for each token")
                return Layer(task, *_column(values))
            case Structure.HEADS:
                return self._heads(task)
            case Structure.FRAMES:
                return self._frames(task)
            case Structure.TREE:
                spans = self._batch.column(span_name_of(task))
            case Structure.SPANS if task.attribute not in self._batch.schema.names:
                spans = self._batch.column("spans").field(task.name)
            case _:
                spans = self._batch.column(key_of(task))
        starts, values = _flattened(spans)
        first = np.repeat(self.table.starts[:-1], np.diff(starts))
        anchor = None
        if task.shape.structure is Structure.LINKS:
            anchor = _anchors_of_links(values, task, first)
        return _spans(task, values, first, anchor)

    def _heads(self, task: Task) -> Layer:
        starts, values = _flattened(self._batch.column(key_of(task)))
        if not np.array_equal(starts, self.table.starts):
            raise ValueError(f"{task.name}: not a head for each token")
        first = np.repeat(starts[:-1], np.diff(starts))
        head = values.field(task.anchor_name)
        is_root = head.is_null().to_numpy(zero_copy_only=False)
        anchor = np.where(is_root, ROOT, _ints(head.fill_null(0)) + first)
        column = _column(values.field(task.label_name))
        return Layer(task, *column, anchor=anchor.astype(np.int32))

    def _frames(self, task: Task) -> Layer:
        starts, frames = _flattened(self._batch.column(key_of(task)))
        first = np.repeat(self.table.starts[:-1], np.diff(starts))
        anchors = _ints(frames.field(task.anchor_name)) + first
        bounds, values = _flattened(frames.field(span_name_of(task)))
        counts = np.diff(bounds)
        anchor = np.repeat(anchors, counts)
        return _spans(task, values, np.repeat(first, counts), anchor, anchors)

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """The offsets of tokens: int32[n_tokens, 2]."""
        fields = (self._tokens.field(key) for key in ("start_char", "end_char"))
        return np.stack([*map(_ints, fields)], axis=1)

    def sentence(self, number: int) -> SentenceText:
        """Return the text and the place of a sentence of the batch."""
        names = self._batch.schema.names
        values = {
            key: self._batch.column(key)[number].as_py()
            for key in (*_TEXT, *PLACE_KEYS)
            if key in names
        }
        at = values.get("start_char") or 0
        begin, end = self.table.starts[number : number + 2].tolist()
        place = {key: values.get(key) for key in PLACE_KEYS}
        place["document"] = place["document"] or self._name
        place["sentence"] = place["sentence"] or self._n_before + number + 1
        tokens = [(a - at, b - at) for a, b in self._places[begin:end].tolist()]
        return SentenceText(values["text"], tokens, at, place)


def _ints(array: Any) -> Ints:
    return np.asarray(array.to_numpy(zero_copy_only=False), np.int32)


def _flattened(lists: Any) -> tuple[Ints, Any]:
    """Return the first value of each list and their number, and all values."""
    lengths = _ints(lists.value_lengths().fill_null(0))
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    return starts, lists.flatten()


def _column(texts: Any) -> Column:
    """Return the column of an array of texts."""
    encoded = texts.dictionary_encode()
    return Column(tuple(encoded.dictionary.to_pylist()), _ints(encoded.indices))


def _spans(
    task: Task,
    values: Any,
    first: Ints,
    anchor: Ints | None = None,
    anchors: Ints | None = None,
) -> Layer:
    """Return the layer of an array of spans.

    Args:
        task: The task.
        values: The spans, with tokens relative to their sentences.
        first: The first token of the sentence of each span.
        anchor: The anchors of the spans, or None.
        anchors: The tokens that may be anchors, or None.
    """
    begin, end = (
        _ints(values.field(key)) + first for key in ("start_token", "end_token")
    )
    names, label = _column(values.field("label"))
    return Layer(task, names, label, begin, end, anchor=anchor, anchors=anchors)


def _anchors_of_links(values: Any, task: Task, first: Ints) -> Ints:
    """Return the row of the span that each span hangs on, or ROOT."""
    begin, end = (
        _ints(values.field(key)) + first for key in ("start_token", "end_token")
    )
    rows: dict[tuple[int, int], int] = {}
    for row, place in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        rows.setdefault(place, row)
    anchor = []
    for place, at in zip(
        values.field(task.anchor_name).to_pylist(), first.tolist(), strict=True
    ):
        if place is None or place["start_token"] is None:
            anchor.append(ROOT)
            continue
        key = place["start_token"] + at, place["end_token"] + at
        anchor.append(rows.get(key, ROOT))
    return np.array(anchor, np.int32)
