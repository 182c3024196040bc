"""The parts of a pattern, as the parser returns them.

`at` is always the index of the part's first character in the text of the pattern.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import regex

from senna_py.errors import UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

SENTENCE = "s"  # The name of the tag for sentences.
# The processor time that a regular expression may take for one value.
_SECONDS = 1.0
_SHOWN = 40  # The number of characters of a value in an error.
NOWHERE = -1  # The place of what is not in the text of the pattern.


@dataclass(frozen=True)
class Value:
    """What a value must be.

    Attributes:
        text: A regular expression for the whole value, or the value itself.
        is_exact: Whether `text` is the value itself.
        ignores_case: Whether upper and lower case are the same.
    """

    text: str
    is_exact: bool = False
    ignores_case: bool = False

    @cached_property
    def _regex(self) -> regex.Pattern[str]:
        text = regex.escape(self.text) if self.is_exact else self.text
        return regex.compile(text, regex.IGNORECASE if self.ignores_case else 0)

    def accepts(self, value: str) -> bool:
        """Return whether a value is as it must be; other threads run meanwhile.

        Raises:
            UsageError: If the regular expression takes too long.
        """
        try:
            found = self._regex.fullmatch(value, timeout=_SECONDS, concurrent=True)
        except TimeoutError:
            raise self.too_slow(value) from None
        return found is not None

    def too_slow(self, value: str) -> UsageError:
        """Return the error for an expression that takes too long for a value."""
        return UsageError(
            f"the regular expression {self.text!r} takes too long, for example for "
            f"{one_line(value[:_SHOWN])!r}: it can match the same text in many ways"
        )

    def check(self) -> None:
        """Raise regex.error if `text` is no regular expression."""
        assert self._regex


@dataclass(frozen=True)
class Compare:
    """A condition on an attribute of a word; without a value, that it has one."""

    attribute: str
    value: Value | None
    at: int


@dataclass(frozen=True)
class Not:
    """The condition that another one does not hold."""

    condition: Condition


@dataclass(frozen=True)
class All:
    """The condition that several others hold; if there are none, it always holds."""

    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Any:
    """The condition that one of several others holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Word:
    """One word."""

    condition: Condition


@dataclass(frozen=True)
class Tag:
    """A labeled span of a task, such as `<ner="PER"/>`, or a sentence."""

    task: str
    value: Value | None
    at: int


@dataclass(frozen=True)
class Node:
    """A word or a span with its relations to others.

    Attributes:
        start: The word or the span.
        relations: The relations, all of which must hold.
        names: The names by which the node is captured if it is the target of a
            relation.
    """

    start: Word | Tag
    relations: tuple[Relation, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A relation to another word or span.

    Attributes:
        task: The task whose layer has the relation, such as `dep`.
        label: What its label must be, or None for any label.
        goes_up: Whether the target is the head (`<`), and not a dependent (`>`).
        is_chain: Whether several steps may lead to the target (`>>` and `<<`).
        target: The target.
        is_negated: Whether there must be no such target.
        is_optional: Whether there need not be one.
    """

    task: str
    label: Value | None
    goes_up: bool
    is_chain: bool
    target: Node
    is_negated: bool
    is_optional: bool
    at: int


@dataclass(frozen=True)
class Sequence:
    """Parts that follow each other."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Alternatives:
    """Parts one of which must match."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Repeat:
    """A part that is repeated; without `most`, any number of times."""

    part: Part
    least: int
    most: int | None


@dataclass(frozen=True)
class Capture:
    """A part with a name."""

    name: str
    part: Part
    at: int


@dataclass(frozen=True)
class Region:
    """A span of a task whose words are matched by a part from the first to the last."""

    tag: Tag
    part: Part


@dataclass(frozen=True)
class Edge:
    """The beginning or the end of a span, which is a place and has no word."""

    tag: Tag
    is_end: bool


@dataclass(frozen=True)
class Same:
    """The condition that an attribute of two captures is the same, or not."""

    left: str
    left_attribute: str
    right: str
    right_attribute: str
    is_negated: bool
    at: int


@dataclass(frozen=True)
class Before:
    """The condition that a capture ends before another one begins."""

    left: str
    right: str


@dataclass(frozen=True)
class Query:
    """A whole pattern.

    Attributes:
        part: What is matched.
        within: A span in which a match must lie, or None.
        conditions: Conditions on captures.
        names: The names of all captures, in the order of the pattern.
        targets: The names of those that are targets of relations.
    """

    part: Part
    within: Tag | None
    conditions: tuple[Same | Before, ...]
    names: tuple[str, ...]
    targets: frozenset[str]


class Use(NamedTuple):
    """A place of a pattern that names an attribute or a task.

    Attributes:
        name: The name.
        value: What the label must be, or None.
        at: The place, or NOWHERE if a column of the output names the attribute.
        is_attribute: Whether it is an attribute of a word, and not a tag or a relation.
    """

    name: str
    value: Value | None
    at: int
    is_attribute: bool = False


if TYPE_CHECKING:
    Condition: TypeAlias = Compare | Not | All | Any
    Part: TypeAlias = Node | Sequence | Alternatives | Repeat | Capture | Region | Edge


def children(part: Part) -> Iterable[Part]:
    """Return the parts of which a part consists."""
    match part:
        case Sequence(parts) | Alternatives(parts):
            return parts
        case Repeat(inner) | Capture(_, inner) | Region(_, inner):
            return (inner,)
    return ()


def can_be_empty(part: Part) -> bool:
    """Return whether a part can match without a word."""
    match part:
        case Edge():
            return True
        case Node():
            return False
        case Alternatives(parts):
            return any(map(can_be_empty, parts))
        case Repeat(inner, least):
            return least == 0 or can_be_empty(inner)
    return all(map(can_be_empty, children(part)))


def has_word(part: Part) -> bool:
    """Return whether a part can match a word."""
    return isinstance(part, Node) or any(map(has_word, children(part)))


def captures_of(part: Part) -> Iterator[str]:
    """Yield the names that a part captures, in the order of the pattern."""
    match part:
        case Capture(name, inner):
            yield name
            yield from captures_of(inner)
        case Node():
            yield from targets_of(part)
        case _:
            for inner in children(part):
                yield from captures_of(inner)


def targets_of(node: Node) -> Iterator[str]:
    """Yield the names that are captured by the relations of a node."""
    for relation in node.relations:
        yield from relation.target.names
        yield from targets_of(relation.target)


def nodes_of(part: Part) -> Iterator[Node]:
    """Yield the nodes of a part, without targets of relations."""
    if isinstance(part, Node):
        yield part
    for inner in children(part):
        yield from nodes_of(inner)
