"""The dependencies of a token, as it sees them: its head, and what depends on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.other_names import OtherNames

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.annotation import Sentence, Token

_COORDINATED = "conj"


class InTree(OtherNames):
    """What a Token knows of the dependencies. Where `dep` was not run, all is a
    UsageError.
    """

    __slots__ = ()
    sentence: Sentence
    index: int

    def _at(self, indices: Iterable[int]) -> tuple[Token, ...]:
        token: type[Token] = type(self)  # type: ignore[assignment] # the one that derives from it
        return tuple([token(self.sentence, index) for index in indices])

    @property
    def head(self) -> Token | None:
        """The token that it depends on; None for the root of the sentence."""
        head = self.sentence.arcs[self.index].head
        return None if head is None else self._at([head])[0]

    @property
    def relation(self) -> str:
        """Its relation to its head, such as nsubj."""
        return self.sentence.arcs[self.index].relation

    @property
    def children(self) -> tuple[Token, ...]:
        """The tokens that depend on it, in their order."""
        return self._at(
            i for i, arc in enumerate(self.sentence.arcs) if arc.head == self.index
        )

    @property
    def lefts(self) -> tuple[Token, ...]:
        """The children before it."""
        return tuple(token for token in self.children if token.index < self.index)

    @property
    def rights(self) -> tuple[Token, ...]:
        """The children after it."""
        return tuple(token for token in self.children if token.index > self.index)

    @property
    def subtree(self) -> tuple[Token, ...]:
        """The token, and all that depend on it or on those, in their order."""
        return self._at(self._below())

    @property
    def left_edge(self) -> Token:
        """The first token of its subtree."""
        return self._at(self._below()[:1])[0]

    @property
    def right_edge(self) -> Token:
        """The last token of its subtree."""
        return self._at(self._below()[-1:])[0]

    @property
    def ancestors(self) -> tuple[Token, ...]:
        """Its head, the head of that, and so on up to the root of the sentence."""
        found, arcs = [], self.sentence.arcs
        head = arcs[self.index].head
        while head is not None:
            found.append(head)
            head = arcs[head].head
        return self._at(found)

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The tokens that it is coordinated with, in their order, without itself."""
        arcs, first = self.sentence.arcs, self.index
        while (head := arcs[first].head) is not None and _is_coordinated(
            arcs[first].relation
        ):
            first = head
        found = [first]
        for i in found:  # which grows
            found += [
                k
                for k, arc in enumerate(arcs)
                if arc.head == i and _is_coordinated(arc.relation)
            ]
        return self._at(i for i in sorted(found) if i != self.index)

    def _below(self) -> list[int]:
        """Indices of its subtree, in their order."""
        children: dict[int | None, list[int]] = {}
        for i, arc in enumerate(self.sentence.arcs):
            children.setdefault(arc.head, []).append(i)
        found = [self.index]
        for i in found:  # which grows
            found += children.get(i, ())
        return sorted(found)


def _is_coordinated(relation: str) -> bool:
    return relation.partition(":")[0] == _COORDINATED
