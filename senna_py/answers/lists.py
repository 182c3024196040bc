"""A document as lists, for views, which read spans and tokens one by one."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from senna_py.answers.layer import ROOT
from senna_py.answers.missing import ByTask, not_run
from senna_py.labels.dependencies import depths
from senna_py.labels.tag_schemes import encode
from senna_py.labels.tasks import POS, TABLE, UPOS, XPOS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from senna_py.answers.packing import Packed
    from senna_py.labels.tasks import Task

_Value = TypeVar("_Value")
TASKS = {task.attribute: task.name for task in TABLE.values() if task.attribute}
_PARTS_OF_SPEECH = (POS, XPOS, UPOS)
_NO_TAG = "_"  # The part of speech of a leaf where none is known.


class Rows(NamedTuple):
    """The spans of a layer.

    Attributes:
        label: The label of each span.
        begin: The first token of each.
        end: The token after its last one.
        anchor: What each hangs on, or ROOT; empty if spans hang on nothing.
        score: The probability of each, or None.
        anchors: The tokens that spans may hang on.
        bounds: The first span of each sentence, and the number of spans.
    """

    label: Sequence[str]
    begin: Sequence[int]
    end: Sequence[int]
    anchor: list[int]
    score: Sequence[float | None]
    anchors: list[int]
    bounds: list[int]

    def anchor_of(self, row: int) -> int:
        """Return what a span hangs on, or ROOT."""
        return self.anchor[row] if self.anchor else ROOT


class Lists:
    """Lists that are made from a packed document when they are first read."""

    __slots__ = ("_made", "packed")

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._made: dict[str, Any] = {}

    def _once(self, key: str, make: Callable[[], _Value]) -> _Value:
        """Return what `make` made for a key; threads that ask at once may make it twice."""
        value: _Value | None = self._made.get(key)
        if value is None:
            value = self._made[key] = make()
        return value

    @property
    def starts(self) -> list[int]:
        """The first token of each sentence, and the number of tokens."""
        return self._once("starts", self._make_starts)

    def _make_starts(self) -> list[int]:
        begin, _, starts = self.packed.columns(0, 3)
        return [*starts.tolist(), len(begin)]

    @property
    def first_characters(self) -> list[int]:
        """The first character of each token."""
        return self._once("first", lambda: self._list(0))

    @property
    def last_characters(self) -> list[int]:
        """The character after the last one of each token."""
        return self._once("last", lambda: self._list(1))

    def _list(self, column: int) -> list[int]:
        values: list[int] = self.packed.columns(column, column + 1)[0].tolist()
        return values

    def sentence_characters(self, number: int) -> tuple[int, int]:
        """Return the first and the end character of a sentence."""
        begin, end = self.packed.columns(3, 5)
        return begin[number], end[number]

    def sentence_of(self, i: int) -> int:
        """Return the number of the sentence of a token."""
        starts = self.starts
        return min(bisect_right(starts, i) - 1, len(starts) - 2)

    def task(self, name: str) -> Task:
        """Return a task whose layer there is."""
        return self.packed.form.layers[name][0].task

    def rows(self, task: str) -> Rows:
        """Return the spans of a layer, which may be hidden; raises KeyError."""
        key = f"rows {task}"
        rows: Rows | None = self._made.get(key)
        if rows is None:
            rows = self._made[key] = self._make_rows(task)
        return rows

    def _make_rows(self, task: str) -> Rows:
        form, columns = self.packed.columns_of(task)
        each = form.task.shape.each_token
        if not each and "label" not in columns:
            return self._rows_of_tags(task)
        names = self.packed.names_of(form)
        label: Sequence[str] = names
        if "label" in columns:
            label = [*map(names.__getitem__, columns["label"])]
        lists = {key: each.tolist() for key, each in columns.items() if key != "label"}
        n, starts = len(label), self.starts
        begin = range(n) if each else lists["begin"]
        return Rows(
            label,
            begin,
            range(1, n + 1) if each else lists["end"],
            lists.get("anchor", []),
            lists.get("score") or [None] * n,
            lists.get("anchors", []),
            starts if each else _bounds(begin, starts),
        )

    def _rows_of_tags(self, task: str) -> Rows:
        """Return the spans that tags make."""
        layer = self.packed.layer(task)
        begin: list[int] = layer.begin.tolist()
        score = [None] * len(begin) if layer.score is None else layer.score.tolist()
        bounds = _bounds(begin, self.starts)
        return Rows(layer.texts(), begin, layer.end.tolist(), [], score, [], bounds)

    def rows_named(self, name: str) -> Rows:
        """Return the spans of the task with an attribute; raises UsageError."""
        task = TASKS[name]
        if task in self.packed.form.shown:
            return self.rows(task)
        if len(self.starts) == 1:  # Nothing is in no sentence, whatever was run.
            return Rows([], (), (), [], (), [], [0])
        raise not_run(name, task, self.packed.form.tag_tasks)

    def tags(self, task: str) -> tuple[str, ...]:
        """Return the tags of a task; raises UsageError if it was not run."""
        tags: tuple[str, ...] | None = self._made.get(task)
        if tags is None:
            known = self.packed.form.tag_tasks
            if task not in known:
                return ByTask(dict.fromkeys(known, ("",)))[task]
            tags = self._made[task] = self._make_tags(task)
        return tags

    def _make_tags(self, task: str) -> tuple[str, ...]:
        form, columns = self.packed.columns_of(task)
        if "tag" in columns:
            return tuple(map(form.tag_names.__getitem__, columns["tag"]))
        names = self.packed.names_of(form)
        if not form.task.shape.each_token:
            rows = self.rows(task)
            spans = [*zip(rows.label, rows.begin, rows.end, strict=True)]
            return tuple(encode(spans, self.starts[-1], "iobes"))
        label = columns.get("label")
        return names if label is None else tuple(map(names.__getitem__, label))

    def scores(self, task: str) -> list[float] | None:
        """Return the probabilities of the tags of a task, if it has any."""
        column = self.packed.form.scored_tasks.get(task)
        if column is None:
            return None
        _, columns = self.packed.columns_of(task)
        scores: list[float] = columns[column].tolist()
        return scores

    @property
    def leaf_tags(self) -> Sequence[str]:
        """The parts of speech of the leaves of trees."""
        known = self.packed.form.layers
        task = next((task for task in _PARTS_OF_SPEECH if task in known), None)
        return [_NO_TAG] * self.starts[-1] if task is None else self.rows(task).label

    @property
    def depths(self) -> list[int]:
        """How far each token is from the root of its sentence."""
        heads = self.rows_named("arcs").anchor
        return self._once("depths", lambda: [depth or 0 for depth in depths(heads)])

    @property
    def children(self) -> dict[int, list[int]]:
        """The tokens that depend on each token."""
        heads = self.rows_named("arcs").anchor
        return self._once("children", lambda: _by_head(heads))

    def nesting(self, task: str) -> tuple[list[int], list[int]]:
        """Return the row above each row, or -1, and the row after those below it."""
        return self._once(f"nesting {task}", lambda: _nesting(self.rows(task)))


def _bounds(begin: Sequence[int], starts: list[int]) -> list[int]:
    """Return the first row of each sentence, and the number of rows.

    Rows are in the order of their sentences, but need not be in that of their tokens.
    """
    if len(starts) == 2:
        return [0, len(begin)]
    bounds, row, n = [0], 0, len(begin)
    for end in starts[1:]:
        while row < n and begin[row] < end:
            row += 1
        bounds.append(row)
    return bounds


def _by_head(heads: Sequence[int]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for i, head in enumerate(heads):
        children.setdefault(head, []).append(i)
    return children


def _nesting(rows: Rows) -> tuple[list[int], list[int]]:
    """Return the row above each row, or -1, and the row after the last one below it."""
    above, after = [-1] * len(rows.label), [len(rows.label)] * len(rows.label)
    holding: list[int] = []
    for row, begin in enumerate(rows.begin):
        while holding and rows.end[holding[-1]] <= begin:
            after[holding.pop()] = row
        if holding:
            above[row] = holding[-1]
        holding.append(row)
    return above, after
