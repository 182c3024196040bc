"""A compiled pattern."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import UsageError
from senna_py.labels.tasks import FEATS
from senna_py.search.errors import PatternError
from senna_py.search.matching import Matcher
from senna_py.search.parsing import parse
from senna_py.search.rows import Rows, TooManyRows
from senna_py.search.selection import Hits, selected
from senna_py.search.syntax import (
    NOWHERE,
    SENTENCE,
    All,
    Any,
    Compare,
    Edge,
    Node,
    Not,
    Region,
    Same,
    Tag,
    Use,
    Word,
    children,
)
from senna_py.search.table import ADVICE, WORD, Column, Table, attribute_named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from senna_py.search.syntax import Condition, Part

_TOKENS_AT_ONCE = 1 << 16  # The most tokens of sentences that are matched together.


class Pattern:
    """A pattern over the words, spans and relations of documents.

    It is compiled once and can search any number of documents. The language is
    described in the guide, under Search.

    Example:
        >>> from senna_py import Pattern
        >>> pattern = Pattern('verb:[pos="V.*"] >obj object:[]')
        >>> pattern.names
        ('verb', 'object')
        >>> [match["object"].text for match in doc.search(pattern)]
        ['Berlin', 'speech']
    """

    __slots__ = ("_query", "text")

    text: str

    def __init__(self, text: str) -> None:
        """Compile a pattern.

        Args:
            text: The text of the pattern.

        Raises:
            PatternError: If it is not a pattern; the message says where.
        """
        if not isinstance(text, str):
            raise TypeError(f"a pattern is a str, not {type(text).__name__}")
        self._query = parse(text)
        self.text = text

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the captures, in the order of the pattern."""
        return self._query.names

    def tasks(self, known: Collection[str] = ()) -> tuple[str, ...]:
        """Return the tasks whose layers the pattern needs.

        Args:
            known: The tasks that there are. They decide what a name means: `Number` is
                a feature unless there is a task of this name.
        """
        tasks = (attribute_named(use.name, known).task for use in self.uses())
        return tuple(dict.fromkeys(each for each in tasks if each != WORD))

    def check_tasks(self, known: Collection[str], lacking: str) -> tuple[str, ...]:
        """Return the tasks that the pattern needs, all of which must be known.

        Args:
            known: The tasks that there are.
            lacking: What lacks the task, for the message, such as `the model has no`.

        Raises:
            PatternError: If a task is not known.
        """
        for use in self.uses():
            task = attribute_named(use.name, known).task
            if task not in known and task != WORD:
                shown = _shown(known, use.is_attribute)
                problem = f"{lacking} {task}; there are {shown}"
                raise self._lacking(use, problem)
        return self.tasks(known)

    def _lacking(self, use: Use, problem: str) -> UsageError:
        """Return the error that a task is lacking, with advice on other names."""
        if use.name in ADVICE:
            problem = f"there is no attribute {use.name}; {ADVICE[use.name]}"
        if use.at == NOWHERE:
            return UsageError(f"the column {use.name}: {problem}")
        return PatternError(self.text, use.at, problem)

    def error_of_task(
        self, task: str, known: Collection[str], problem: str
    ) -> UsageError:
        """Return an error that points at the first use of a task.

        Args:
            task: The task, one of `tasks(known)`.
            known: The tasks that there are; see `tasks`.
            problem: The message.
        """
        uses = (
            use for use in self.uses() if attribute_named(use.name, known).task == task
        )
        return self._lacking(next(uses), problem)

    def find(self, table: Table) -> Hits:
        """Return the matches in a table.

        Raises:
            PatternError: If the table lacks a layer.
            UsageError: If the pattern matches in too many ways.
        """
        starts = table.starts
        bounds = [0]
        while bounds[-1] < len(starts) - 1:
            after = starts[bounds[-1]] + _TOKENS_AT_ONCE
            last = int(np.searchsorted(starts, after, side="right")) - 1
            bounds.append(max(last, bounds[-1] + 1))
        if len(bounds) <= 2:
            return self._find(table)
        cuts = starts[bounds]
        pieces = {n: [*each.split(cuts)] for n, each in table.layers.items()}
        parts = []
        for number, (first, last) in enumerate(pairwise(bounds)):
            begin, end = int(starts[first]), int(starts[last])
            part = Table(
                starts[first : last + 1] - starts[first],
                Column(table.words.names, table.words.label[begin:end]),
                {name: layers[number] for name, layers in pieces.items()},
            )
            parts.append(self._find(part).shifted(begin))
        return Hits.joined(parts, self.names)

    def _find(self, table: Table) -> Hits:
        matcher = Matcher(self._query, table, self.text)
        try:
            rows = Rows.joined([*_all_rows(matcher, matcher.starts())])
        except TooManyRows:
            raise UsageError(
                "the pattern can match a sentence in more ways than fit into memory"
            ) from None
        return selected(rows, self.names, matcher.observed)

    def uses(self) -> Iterator[Use]:
        """Yield each use of an attribute or a task."""
        yield from _uses_of(self._query.part)
        if self._query.within is not None:
            yield from _uses_of_tag(self._query.within)
        for condition in self._query.conditions:
            if isinstance(condition, Same):
                yield Use(condition.left_attribute, None, condition.at, True)
                yield Use(condition.right_attribute, None, condition.at, True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[type[Pattern], tuple[str, ...]]:
        """Support pickling by the text."""
        return Pattern, (self.text,)

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"


def _all_rows(matcher: Matcher, starts: NDArray[np.int64]) -> Iterator[Rows]:
    """Yield the matches that begin at some tokens, for fewer at once if necessary."""
    try:
        yield matcher.rows(starts)
    except TooManyRows:
        if len(starts) <= 1:
            raise
        half = len(starts) // 2
        yield from _all_rows(matcher, starts[:half])
        yield from _all_rows(matcher, starts[half:])


def _shown(known: Collection[str], is_attribute: bool) -> str:
    """Return the names that a pattern can use, for a message."""
    names = [*known, "word"] if is_attribute else known
    features = " and features such as Number" if is_attribute and FEATS in known else ""
    return (", ".join(names) or "none") + features


def _uses_of(part: Part) -> Iterator[Use]:
    if isinstance(part, Node):
        yield from _uses_of_node(part)
    elif isinstance(part, Region | Edge):
        yield from _uses_of_tag(part.tag)
    for inner in children(part):
        yield from _uses_of(inner)


def _uses_of_node(node: Node) -> Iterator[Use]:
    if isinstance(node.start, Word):
        yield from _uses_of_condition(node.start.condition)
    else:
        yield from _uses_of_tag(node.start)
    for relation in node.relations:
        yield Use(relation.task, relation.label, relation.at)
        yield from _uses_of_node(relation.target)


def _uses_of_tag(tag: Tag) -> Iterator[Use]:
    if tag.task != SENTENCE:
        yield Use(tag.task, tag.value, tag.at)


def _uses_of_condition(condition: Condition) -> Iterator[Use]:
    match condition:
        case Compare(attribute, value, at):
            yield Use(attribute, value, at, True)
        case Not(inner):
            yield from _uses_of_condition(inner)
        case All(parts) | Any(parts):
            for part in parts:
                yield from _uses_of_condition(part)
