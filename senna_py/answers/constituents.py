"""Constituents of the parse tree of a sentence, as views of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from senna_py.answers.views import Span, Token
from senna_py.immutable import refusing_changes
from senna_py.labels import brackets
from senna_py.labels.brackets import Leaf, Phrase
from senna_py.labels.trees import EMPTY, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.answers.document import Document

NO_ROW = -1  # The row of the root of a sentence without tokens.


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Constituent(Span):
    """A constituent of a parse tree: a span that knows what is above and below it.

    The tree of a sentence is its root.
    """

    _row: int = NO_ROW

    @property
    def parent(self) -> Constituent | None:
        """The smallest constituent that holds it; None for the root."""
        if self._row == NO_ROW:
            return None
        parent = self.document._lists.nesting(self._task)[0][self._row]
        return None if parent < 0 else self._at(parent)

    @property
    def children(self) -> tuple[Constituent | Token, ...]:
        """The constituents and tokens right below it, in the order of the text."""
        children: list[Constituent | Token] = []
        end, place = self._end_row(), self.start
        row = self._row + 1
        while row < end:
            child = self._at(row)
            children += [Token(self.document, i) for i in range(place, child.start)]
            children.append(child)
            place, row = child.end, child._end_row()
        children += [Token(self.document, i) for i in range(place, self.end)]
        return tuple(children)

    @property
    def leaves(self) -> list[Leaf]:
        """Words and parts of speech of its tokens."""
        tags = self.document._lists.leaf_tags[self.start : self.end]
        words = (token.text for token in self)
        return [Leaf(*pair) for pair in zip(words, tags, strict=True)]

    @property
    def phrases(self) -> list[Phrase]:
        """Label, start and end of this constituent and all below, outer ones first."""
        if self._row == NO_ROW:
            return [Phrase(self.label, self.start, self.end)]
        rows = self.document._lists.rows(self._task)
        part = slice(self._row, self._end_row())
        return [*map(Phrase, rows.label[part], rows.begin[part], rows.end[part])]

    def subtrees(self) -> Iterator[Constituent]:
        """Yield this constituent and all below it, outer ones first."""
        yield self
        for row in range(self._row + 1, self._end_row()):
            yield self._at(row)

    def find(self, label: str) -> list[Constituent]:
        """List the constituents with a label, such as NP, among this and all below."""
        return [tree for tree in self.subtrees() if tree.label == label]

    def to_tree(self) -> Tree:
        """Return the same as a `Tree`, which stands for itself without a document."""
        return build_tree(*self._flat()) if self else EMPTY

    def pformat(self, margin: int = 70) -> str:
        """Return bracketed text, indented where it is wider than `margin` characters."""
        return "\n".join(
            brackets.bracket_lines(*brackets.printable(*self._flat()), margin)
        )

    def __str__(self) -> str:
        """Return bracketed text on one line, with words and parts of speech.

        Round brackets in words and labels are `-LRB-` and `-RRB-`, and white space is
        an underscore. The tree of a sentence without tokens is empty text.
        """
        return brackets.bracket_text(*brackets.printable(*self._flat()))

    def __repr__(self) -> str:
        return f"Constituent({self.label}, {self.start}:{self.end}, {self.text!r})"

    def _flat(self) -> tuple[list[Leaf], list[Phrase]]:
        """Return leaves, and phrases that count from the first of them."""
        at = self.start
        phrases = [Phrase(label, a - at, b - at) for label, a, b in self.phrases]
        return self.leaves, phrases

    def _at(self, row: int) -> Constituent:
        return constituent_at(self.document, self._task, row)

    def _end_row(self) -> int:
        """Return the row after the last one below it."""
        if self._row == NO_ROW:
            return self._row + 1
        return self.document._lists.nesting(self._task)[1][self._row]


def constituent_at(document: Document, task: str, row: int) -> Constituent:
    """Return the constituent of a row of the layer of a task."""
    rows = document._lists.rows(task)
    return Constituent(
        document,
        rows.begin[row],
        rows.end[row],
        rows.label[row],
        rows.score[row],
        _task=task,
        _row=row,
    )
