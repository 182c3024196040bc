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

NO_ROW = -1  # The row index of the root of a sentence without tokens.


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Constituent(Span):
    """A constituent of a parse tree: a span with a parent and children.

    The tree of a sentence is represented by its root.

    Example:
        >>> tree = doc.sentences[1].tree
        >>> tree.label, tree.children[0].label, tree.find("NP")[1].text
        ('S1', 'S', 'a speech')
    """

    _row: int = NO_ROW

    @property
    def parent(self) -> Constituent | None:
        """The smallest constituent that contains this one, or None for the root."""
        if self._row == NO_ROW:
            return None
        parent = self.document._lists.nesting(self._task)[0][self._row]
        return None if parent < 0 else self._at(parent)

    @property
    def children(self) -> tuple[Constituent | Token, ...]:
        """The constituents and tokens directly below this one, in text order."""
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
        """The words of the constituent's tokens, with their parts of speech."""
        tags = self.document._lists.leaf_tags[self.start : self.end]
        words = (token.text for token in self)
        return [Leaf(*pair) for pair in zip(words, tags, strict=True)]

    @property
    def phrases(self) -> list[Phrase]:
        """This constituent and its descendants as `Phrase`s, in preorder.

        Token indices are relative to the document.
        """
        if self._row == NO_ROW:
            return [Phrase(self.label, self.start, self.end)]
        rows = self.document._lists.rows(self._task)
        selected = slice(self._row, self._end_row())
        return [
            *map(Phrase, rows.label[selected], rows.begin[selected], rows.end[selected])
        ]

    def subtrees(self) -> Iterator[Constituent]:
        """Yield this constituent and its descendants, in preorder.

        Example:
            >>> [each.label for each in doc.sentences[1].tree.subtrees()]
            ['S1', 'S', 'NP', 'VP', 'NP']
        """
        yield self
        for row in range(self._row + 1, self._end_row()):
            yield self._at(row)

    def find(self, label: str) -> list[Constituent]:
        """Return the constituents in `subtrees` with the given label, such as NP.

        Example:
            >>> [each.text for each in doc.sentences[1].tree.find("NP")]
            ['She', 'a speech']
        """
        return [tree for tree in self.subtrees() if tree.label == label]

    def to_tree(self) -> Tree:
        """Return the constituent as a `Tree`, which does not refer to a document.

        Example:
            >>> doc.sentences[1].tree.to_tree()
            <Tree S1: She gave a speech .>
        """
        return build_tree(*self._flat()) if self else EMPTY

    def pformat(self, margin: int = 70) -> str:
        """Return the constituent as bracketed text.

        A constituent is on one line if the line is shorter than `margin` characters.
        Otherwise, each child is on a separate, indented line.

        Example:
            >>> print(doc.sentences[1].tree.pformat(margin=40))
            (S1
              (S
                (NP (PRP She))
                (VP
                  (VBD gave)
                  (NP (DT a) (NN speech)))
                (. .)))
        """
        return "\n".join(
            brackets.bracket_lines(*brackets.printable(*self._flat()), margin)
        )

    def __str__(self) -> str:
        """Return the constituent as bracketed text on one line.

        Round brackets in words and labels are written as `-LRB-` and `-RRB-`, and white
        space as an underscore. The tree of a sentence without tokens is an empty
        string.
        """
        return brackets.bracket_text(*brackets.printable(*self._flat()))

    def __repr__(self) -> str:
        return f"Constituent({self.label}, {self.start}:{self.end}, {self.text!r})"

    def _flat(self) -> tuple[list[Leaf], list[Phrase]]:
        """Return the leaves and phrases, with token indices relative to the start."""
        at = self.start
        phrases = [Phrase(label, a - at, b - at) for label, a, b in self.phrases]
        return self.leaves, phrases

    def _at(self, row: int) -> Constituent:
        return constituent_at(self.document, self._task, row)

    def _end_row(self) -> int:
        """Return the row after the constituent's last descendant."""
        if self._row == NO_ROW:
            return self._row + 1
        return self.document._lists.nesting(self._task)[1][self._row]


def constituent_at(document: Document, task: str, row: int) -> Constituent:
    """Return the constituent at a row of a task's layer."""
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
