"""Columns of a table of matches: their places and texts, and attributes of their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.errors import UsageError
from senna_py.search.conditions import Conditions
from senna_py.search.hits import hits_in
from senna_py.search.pattern import Pattern
from senna_py.search.printing import OF_MATCH
from senna_py.search.syntax import NOWHERE, Use

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.search.hits import Hit, SearchBatch


class MatchColumn(NamedTuple):
    """A column of a table of matches.

    Attributes:
        name: The name, as the user wrote it.
        capture: The capture that is shown, or None for the whole match.
        attribute: The attribute of its words. It is empty for a text or a place.
    """

    name: str
    capture: str | None
    attribute: str = ""

    @property
    def is_place(self) -> bool:
        """Whether the column has a place or a text that every match has."""
        return self.capture is None and not self.attribute


def read_columns(text: str, captures: Sequence[str]) -> tuple[MatchColumn, ...]:
    """Return the columns that are named in a text, such as `verb.lemma,verb,id`.

    Args:
        text: The names, with commas between them.
        captures: The captures of the pattern.

    Raises:
        UsageError: If a name is missing or repeated, or there is no such capture.
    """
    columns = []
    for name in map(str.strip, text.split(",")):
        first, _, rest = name.partition(".")
        if not first or name.endswith("."):
            raise UsageError(f"a column needs a name: {text!r}")
        if name in captures:
            columns.append(MatchColumn(name, name))
        elif name in OF_MATCH:
            columns.append(MatchColumn(name, None))
        elif rest and first in captures:
            columns.append(MatchColumn(name, first, rest))
        elif rest and not rest[0].isupper():  # It is not a feature.
            known = ", ".join(captures) or "no captures"
            raise UsageError(
                f"the column {name}: no capture {first}; there are {known}"
            )
        else:
            columns.append(MatchColumn(name, None, name))
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the column {name} is named twice")
    return tuple(columns)


class ColumnPattern(Pattern):
    """A pattern whose matches are shown as rows of chosen columns.

    It also needs the layers of the attributes in these columns.

    Attributes:
        columns: The columns.
    """

    __slots__ = ("columns",)

    columns: tuple[MatchColumn, ...]

    def __init__(self, text: str, columns: str) -> None:
        """Compile a pattern.

        Args:
            text: The text of the pattern.
            columns: The names of the columns; see `read_columns`.

        Raises:
            PatternError: If it is not a pattern.
            UsageError: If there is no such column.
        """
        super().__init__(text)
        self.columns = read_columns(columns, self.names)

    def uses(self) -> Iterator[Use]:
        """Yield each use of an attribute or a task, also those of columns."""
        yield from super().uses()
        for column in self.columns:
            if column.attribute:
                yield Use(column.attribute, None, NOWHERE, True)

    def rows(self, batch: SearchBatch, context: int | None) -> Iterator[list[Any]]:
        """Yield the row of each match in a batch.

        Args:
            batch: The batch.
            context: The number of characters on each side of a match, or None for all.

        Raises:
            UsageError: If a layer is missing.
        """
        conditions = Conditions(batch.table, self.text)
        has_places = any(each.is_place for each in self.columns)
        for hit in hits_in(batch, self):
            places = hit.to_dict(context) if has_places else {}
            yield [
                places[each.name] if each.is_place else _value(each, hit, conditions)
                for each in self.columns
            ]

    def __reduce__(self) -> tuple[type[Pattern], tuple[str, ...]]:
        """Support pickling by the text and the columns."""
        return type(self), (self.text, ",".join(each.name for each in self.columns))


def _value(column: MatchColumn, hit: Hit, conditions: Conditions) -> str | None:
    """Return the value of a column for a match, or None if its capture is missing."""
    begin, end = hit.begin, hit.end
    if column.capture is not None:
        if column.capture not in hit.captures:
            return None
        begin, end = hit.captures[column.capture]
        if not column.attribute:
            return hit.sentence.between(begin, end)
    first = hit.first_token
    return conditions.value(column.attribute, first + begin, first + end)
