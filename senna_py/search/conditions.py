"""Conditions on words as boolean arrays, and spans by label.

Each distinct value is tested once; the result for a token is looked up by its number.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.feats import Feats
from senna_py.labels.tasks import Structure
from senna_py.search.errors import PatternError
from senna_py.search.syntax import NOWHERE, SENTENCE, All, Any, Compare, Not
from senna_py.search.table import WORD, Column, attribute_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.search.syntax import Condition, Tag, Value
    from senna_py.search.table import Table

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

_SECONDS = 10.0  # The processor time that a condition may take for a batch of text.
_MISSING = ("", "_")  # The values that mean that a word has none.


class Spans(NamedTuple):
    """Spans of tokens.

    Attributes:
        begin: int[n], the first token of each span.
        end: int[n], the index after the last token.
        first: int[n], the first token from which relations of the span start.
        last: int[n], the index after the last of these tokens.
    """

    begin: Ints
    end: Ints
    first: Ints
    last: Ints


def accepted(value: Value | None, names: Iterable[str]) -> Bools:
    """Return whether each name is as it must be; without a value, whether it is one.

    Raises:
        UsageError: If a regular expression takes too long.
    """
    if value is None:
        return np.array([name not in _MISSING for name in names], bool)
    last = time.thread_time() + _SECONDS
    found = []
    for name in names:
        found.append(value.accepts(name))
        if time.thread_time() > last:
            raise value.too_slow(name)
    return np.array(found, bool)


class Conditions:
    """Evaluates conditions on the words of a table, each of them once."""

    def __init__(self, table: Table, pattern: str) -> None:
        """Store the table, and the text of the pattern for error messages."""
        self.table, self._pattern = table, pattern
        self._masks: dict[Condition, Bools] = {}
        self._spans: dict[Tag, Spans] = {}

    def layer(self, task: str, at: int) -> Layer:
        """Return the layer of a task that is named at a place of the pattern.

        Raises:
            PatternError: If there is none.
        """
        layer = self.table.layers.get(task)
        if layer is None:
            known = ", ".join(self.table.layers) or "no layers"
            problem = f"the text was not tagged with {task}; there are {known}"
            raise PatternError(self._pattern, at, problem)
        return layer

    def mask(self, condition: Condition) -> Bools:
        """Return whether a condition holds for each token: bool[n_tokens + 1].

        The last item is False, so that the place after all tokens can be looked up.
        """
        mask = self._masks.get(condition)
        if mask is None:
            mask = np.append(self._evaluate(condition), False)
            self._masks[condition] = mask
        return mask

    def _evaluate(self, condition: Condition) -> Bools:
        match condition:
            case Compare():
                return self._compare(condition)
            case Not(inner):
                return ~self.mask(inner)[:-1]
            case Any(parts):
                out = np.zeros(self.table.n_tokens, bool)
                for part in parts:
                    out |= self.mask(part)[:-1]
                return out
            case All(parts):
                out = np.ones(self.table.n_tokens, bool)
                for part in parts:
                    out &= self.mask(part)[:-1]
                return out

    def _compare(self, compare: Compare) -> Bools:
        column = self.column(compare.attribute, compare.at)
        if column is not None:
            return accepted(compare.value, column.names)[column.label]
        task = attribute_named(compare.attribute, self.table.layers).task
        layer = self.layer(task, compare.at)
        rows = accepted(compare.value, layer.names)[layer.label]
        # Count the spans that begin and end before each token.
        n_tokens = self.table.n_tokens
        opened = np.bincount(layer.begin[rows], minlength=n_tokens + 1)
        closed = np.bincount(layer.end[rows], minlength=n_tokens + 1)
        return np.cumsum(opened - closed)[:n_tokens] > 0

    def column(self, name: str, at: int) -> Column | None:
        """Return the values of an attribute, or None if words may have several or none.

        Raises:
            PatternError: If there is no layer of the attribute's task.
        """
        attribute = attribute_named(name, self.table.layers)
        if attribute.task == WORD:
            return self.table.words
        layer = self.layer(attribute.task, at)
        if not layer.shape.each_token:
            return None
        if attribute.feature:
            names = [Feats(each).get(attribute.feature, "") for each in layer.names]
            return Column([name or "" for name in names], layer.label)
        return Column(layer.names, layer.label)

    def value(self, name: str, begin: int, end: int) -> str:
        """Return the value of an attribute for the tokens `begin:end`.

        These are the values of all tokens or, if words may have several or none, the
        label of the shortest span around the tokens; it is empty if there is none.
        """
        column = self.column(name, NOWHERE)
        if column is not None:
            return " ".join(column.names[each] for each in column.label[begin:end])
        layer = self.layer(attribute_named(name, self.table.layers).task, NOWHERE)
        around = np.flatnonzero((layer.begin <= begin) & (layer.end >= end))
        if not len(around):
            return ""
        shortest = around[np.argmin(layer.end[around] - layer.begin[around])]
        return layer.names[layer.label[shortest]]

    def spans(self, tag: Tag) -> Spans:
        """Return the spans that a tag describes, sorted by begin."""
        spans = self._spans.get(tag)
        if spans is None:
            spans = self._spans[tag] = self._find_spans(tag)
        return spans

    def _find_spans(self, tag: Tag) -> Spans:
        if tag.task == SENTENCE:
            starts = self.table.starts.astype(np.int64)
            has_tokens = starts[1:] > starts[:-1]
            begin, end = starts[:-1][has_tokens], starts[1:][has_tokens]
            return Spans(begin, end, begin, end)
        task = attribute_named(tag.task, self.table.layers).task
        layer = self.layer(task, tag.at)
        rows = np.flatnonzero(accepted(tag.value, layer.names)[layer.label])
        begin = layer.begin[rows].astype(np.int64)
        end = layer.end[rows].astype(np.int64)
        first, last = begin, end
        if layer.shape.structure is Structure.HEADS:
            assert layer.anchor is not None, "each token has a head"
            left, right = subtrees(layer.anchor)
            begin, end = left[rows], right[rows] + 1
        order = np.argsort(begin, kind="stable")
        return Spans(begin[order], end[order], first[order], last[order])


def subtrees(head: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Return the first and the last token of each token's subtree.

    Args:
        head: int32[n_tokens], the head of each token, or -1.
    """
    left = np.arange(len(head))
    right = left.copy()
    below = np.flatnonzero(head >= 0)
    above = head[below]
    while True:
        before = left.copy(), right.copy()
        np.minimum.at(left, above, left[below])
        np.maximum.at(right, above, right[below])
        if np.array_equal(left, before[0]) and np.array_equal(right, before[1]):
            return left, right
