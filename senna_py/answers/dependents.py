"""The dependencies of a token: its head and its dependents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.other_names import OtherNames

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from senna_py.answers.document import Document
    from senna_py.answers.views import Token

_COORDINATED = "conj"


class Dependents(OtherNames):
    """The attributes of a Token that need dependencies.

    They raise UsageError if `dep` was not run.
    """

    __slots__ = ()
    document: Document
    i: int

    def _at(self, places: Iterable[int]) -> tuple[Token, ...]:
        token: type[Token] = type(self)  # type: ignore[assignment] # the only subclass
        return tuple([token(self.document, i) for i in places])

    def _heads(self) -> Sequence[int]:
        return self.document._lists.rows_named("arcs").anchor

    @property
    def head(self) -> Token | None:
        """The token's head; None for the root of the sentence."""
        head = self._heads()[self.i]
        return None if head < 0 else self._at([head])[0]

    @property
    def relation(self) -> str:
        """The token's relation to its head, such as nsubj."""
        return self.document._lists.rows_named("arcs").label[self.i]

    @property
    def children(self) -> tuple[Token, ...]:
        """The token's direct dependents, in text order."""
        return self._at(self.document._lists.children.get(self.i, ()))

    @property
    def lefts(self) -> tuple[Token, ...]:
        """The children to the left of the token."""
        return tuple(token for token in self.children if token.i < self.i)

    @property
    def rights(self) -> tuple[Token, ...]:
        """The children to the right of the token."""
        return tuple(token for token in self.children if token.i > self.i)

    @property
    def subtree(self) -> tuple[Token, ...]:
        """The token and all its descendants, in text order."""
        return self._at(self._below())

    @property
    def left_edge(self) -> Token:
        """The first token of the subtree."""
        return self._at(self._below()[:1])[0]

    @property
    def right_edge(self) -> Token:
        """The last token of the subtree."""
        return self._at(self._below()[-1:])[0]

    @property
    def ancestors(self) -> tuple[Token, ...]:
        """The token's head, the head's head, and so on up to the root of the sentence."""
        heads = self._heads()
        above = []
        head = heads[self.i]
        while head >= 0:
            above.append(head)
            head = heads[head]
        return self._at(above)

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The tokens with which this one is coordinated, in text order."""
        heads = self._heads()
        relations = self.document._lists.rows_named("arcs").label
        children = self.document._lists.children
        first = self.i
        while heads[first] >= 0 and _is_coordinated(relations[first]):
            first = heads[first]
        members = [first]
        for i in members:  # The list grows during iteration.
            below = children.get(i, ())
            members += [child for child in below if _is_coordinated(relations[child])]
        return self._at(i for i in sorted(members) if i != self.i)

    def _below(self) -> list[int]:
        """Return the indices of the token and all its descendants, in text order."""
        children = self.document._lists.children
        below = [self.i]
        for i in below:  # The list grows during iteration.
            below += children.get(i, ())
        return sorted(below)


def _is_coordinated(relation: str) -> bool:
    return relation.partition(":")[0] == _COORDINATED
