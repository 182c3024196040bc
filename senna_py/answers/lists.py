"""The contents of a document as lists, from which its views read single items."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

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
_NO_TAG = "_"  # The part of speech of a leaf if no task provides one.


class Rows(NamedTuple):
    """The spans of a layer, as lists with an item for each span.

    Attributes:
        label: The labels.
        begin: The indices of the first tokens.
        end: The indices after the last tokens.
        anchor: The anchors, or ROOT; empty if the shape has no anchors.
        score: The probabilities, or None.
        anchors: The tokens that may be anchors; see Layer.
        bounds: The index of each sentence's first span, and the number of spans.
    """

    label: Sequence[str]
    begin: Sequence[int]
    end: Sequence[int]
    anchor: list[int]
    score: Sequence[float | None]
    anchors: list[int]
    bounds: list[int]


class Lists:
    """The contents of a packed document as lists, each made on first use."""

    __slots__ = ("_made", "packed")

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._made: dict[str, Any] = {}

    def _once(self, key: str, make: Callable[[], _Value]) -> _Value:
        """Return the cached value for a key, calling `make` on first use.

        Concurrent callers may both call it.
        """
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
        """The offset of the first character of each token."""
        return self._once("first", lambda: self._list(0))

    @property
    def last_characters(self) -> list[int]:
        """The offset after the last character of each token."""
        return self._once("last", lambda: self._list(1))

    @property
    def forms(self) -> dict[int, str]:
        """The forms that are not in the text, by token index."""
        if not self.packed.form.has_words:
            return {}
        return self._once("forms", self._make_forms)

    def _make_forms(self) -> dict[int, str]:
        words = self.packed.word_forms()
        if words is None:
            return {}
        return dict(zip(words.spelled.tolist(), words.forms, strict=True))

    @property
    def continues(self) -> list[int]:
        """The tokens that belong to the surface token of the token before them."""
        if not self.packed.form.has_words:
            return []
        return self._once("continues", self._make_continues)

    def _make_continues(self) -> list[int]:
        words = self.packed.word_forms()
        return [] if words is None else words.continues.tolist()

    def surface_tokens(self, begin: int, end: int) -> list[tuple[int, int]]:
        """Return the surface tokens in a range of tokens, each as the range of its words.

        Args:
            begin: The first token.
            end: The index after the last token.

        Returns:
            For each surface token, its first word and the index after its last word.
        """
        continues = self.continues
        if not continues:
            return [(i, i + 1) for i in range(begin, end)]
        others = continues[bisect_left(continues, begin) : bisect_left(continues, end)]
        starts = sorted({*range(begin, end)}.difference(others))
        return [*pairwise([*starts, end])] if starts else []

    def words_of(self, i: int) -> tuple[int, int]:
        """Return the range of the words of a token's surface token, (begin, end)."""
        begin, end, continues = i, i + 1, self.continues
        at = bisect_right(continues, i)
        while at and continues[at - 1] == begin:
            at, begin = at - 1, begin - 1
        at = bisect_right(continues, i)
        while at < len(continues) and continues[at] == end:
            at, end = at + 1, end + 1
        return begin, end

    def _list(self, column: int) -> list[int]:
        values: list[int] = self.packed.columns(column, column + 1)[0].tolist()
        return values

    def sentence_characters(self, number: int) -> tuple[int, int]:
        """Return the start and end offset of a sentence, in characters."""
        begin, end = self.packed.columns(3, 5)
        return begin[number], end[number]

    def sentence_of(self, i: int) -> int:
        """Return the index of a token's sentence."""
        starts = self.starts
        return min(bisect_right(starts, i) - 1, len(starts) - 2)

    def task(self, name: str) -> Task:
        """Return the Task of a layer by its name."""
        return self.packed.form.layers[name][0].task

    def rows(self, task: str) -> Rows:
        """Return the spans of a layer, even of a hidden one (see `Contents.hidden`).

        Raises:
            KeyError: If there is no such layer.
        """
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
        """Return the spans of a layer that is stored as tags."""
        layer = self.packed.layer(task)
        begin: list[int] = layer.begin.tolist()
        score = [None] * len(begin) if layer.score is None else layer.score.tolist()
        bounds = _bounds(begin, self.starts)
        return Rows(layer.texts(), begin, layer.end.tolist(), [], score, [], bounds)

    def rows_named(self, name: str) -> Rows:
        """Return the spans of the task whose attribute is `name`, such as `entities`.

        Raises:
            UsageError: If the task was not run.
        """
        task = TASKS[name]
        if task in self.packed.form.shown:
            return self.rows(task)
        if len(self.starts) == 1:  # Without sentences there are no spans of any task.
            return Rows([], (), (), [], (), [], [0])
        raise not_run(name, task, self.packed.form.tag_tasks)

    def tags(self, task: str) -> tuple[str, ...]:
        """Return the tag of each token for a task.

        Raises:
            UsageError: If the task was not run.
        """
        tags: tuple[str, ...] | None = self._made.get(task)
        if tags is None:
            known = self.packed.form.tag_tasks
            if task not in known:
                return ByTask(dict.fromkeys(known, ("",)), "tags")[task]
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
        """Return the probability of each token's tag, or None if not requested."""
        column = self.packed.form.scored_tasks.get(task)
        if column is None:
            return None
        return self._once(f"scores {task}", lambda: self._make_scores(task, column))

    def _make_scores(self, task: str, column: str) -> list[float]:
        _, columns = self.packed.columns_of(task)
        scores: list[float] = columns[column].tolist()
        return scores

    @property
    def leaf_tags(self) -> Sequence[str]:
        """The part of speech of each token, or `_` if no task provides it."""
        known = self.packed.form.layers
        task = next((task for task in _PARTS_OF_SPEECH if task in known), None)
        if task is not None:
            return self.rows(task).label
        return self._once("no tags", lambda: [_NO_TAG] * self.starts[-1])

    @property
    def depths(self) -> list[int]:
        """The depth of each token in its dependency tree; 0 for the root."""
        heads = self.rows_named("arcs").anchor
        return self._once("depths", lambda: [depth or 0 for depth in depths(heads)])

    @property
    def children(self) -> dict[int, list[int]]:
        """The dependents of each token that has any, in text order.

        The roots of all sentences are stored under the key -1.
        """
        heads = self.rows_named("arcs").anchor
        return self._once("children", lambda: _by_head(heads))

    def nesting(self, task: str) -> tuple[list[int], list[int]]:
        """Return each row's parent row, or -1, and the row after its descendants."""
        return self._once(f"nesting {task}", lambda: _nesting(self.rows(task)))


def _bounds(begin: Sequence[int], starts: list[int]) -> list[int]:
    """Return the index of each sentence's first row, followed by the number of rows.

    Rows are grouped by sentence, but not necessarily sorted by token within a sentence.
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
    """Return each row's parent row, or -1, and the row after its descendants."""
    above, after = [-1] * len(rows.label), [len(rows.label)] * len(rows.label)
    holding: list[int] = []
    for row, begin in enumerate(rows.begin):
        while holding and rows.end[holding[-1]] <= begin:
            after[holding.pop()] = row
        if holding:
            above[row] = holding[-1]
        holding.append(row)
    return above, after
