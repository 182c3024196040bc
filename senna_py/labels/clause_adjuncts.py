"""The adjuncts of a predicate: phrases that say when, where, with what and to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.labels.clause_modality import negates
from senna_py.labels.clause_trees import (
    AGENT,
    PARTICLE,
    RELATIVE_CLAUSE,
    VERB,
    WHEN,
    WHERE,
)

if TYPE_CHECKING:
    from senna_py.labels.clause_trees import ClauseTree

_TEMPORAL = {"obl:tmod", "obl:unmarked"}
# The roles that adjuncts have, with the places that they describe.
_ADJUNCTS = {"TMP": WHEN, "LOC": WHERE}
_RELATIVE_ADVERBS = {"when": WHEN, "where": WHERE}
# The roles of directions and of the particle of a verb: *call him back*.
_DIRECTION, _OF_VERB = "AM-DIR", {"V", "C-V"}


class PredicateRoles:
    """A predicate of a sentence, with its copula, its roles and its adjuncts.

    Attributes:
        tree: The dependency tree of the sentence.
        i: The predicate: a verb, or a noun or an adjective with a copula.
        copula: The copula, or None.
        place: The verb or the copula.
        roles: The label and range of each argument.
    """

    def __init__(self, tree: ClauseTree, i: int) -> None:
        self.tree, self.i = tree, i
        self.copula = tree.copula(i)
        self.place = i if self.copula is None else self.copula
        self.roles = tree.sentence.roles.get(self.place, ())

    def adjuncts(self) -> dict[int, str]:
        """Return the obliques and adverbs, with WHEN, WHERE or an empty string.

        The predicate of *She is in Rome* is one of them, too.
        """
        tree = self.tree
        adjuncts = {
            i: self.sort_of(i)
            for i in tree.having(self.i, "obl", "advmod")
            if tree.relations[i] != AGENT
            and not self.is_particle(i)
            and (not tree.is_question_word(i) or self._is_relative(i))
        }
        if self.copula is not None and (
            tree.upos[self.i] == "ADV" or tree.having(self.i, "case")
        ):
            adjuncts[self.i] = self.sort_of(self.i)
        return {
            i: sort
            for i, sort in adjuncts.items()
            if tree.bases[i] != "advmod"
            or (sort and not negates(tree, i))
            or self._is_whole_argument(i)
        }

    def sort_of(self, i: int) -> str:
        """Return WHEN, WHERE or an empty string for an adjunct."""
        label = self.role_of(i)
        sort = _ADJUNCTS.get(label.rpartition("-")[2], "")
        if sort or (label and i != self.i):
            return sort
        for sort, begin, end in self.tree.sentence.places:
            if begin <= i < end:
                return sort
        if self.tree.bases[i] == "advmod" and self._is_relative(i):
            return _RELATIVE_ADVERBS.get(self.tree.lemmas[i], "")
        return WHEN if self.tree.relations[i] in _TEMPORAL else ""

    def role_of(self, i: int) -> str:
        """Return the role of the argument that a word is in, or an empty string."""
        for label, begin, end in self.roles:
            if begin <= i < end and (label != "V" or i != self.place):
                return label
        return ""

    def is_numbered(self, i: int) -> bool:
        """Return whether a word is in an argument with a number, such as A1."""
        return any(
            begin <= i < end and label.removeprefix("C-")[1:].isdigit()
            for label, begin, end in self.roles
        )

    def is_particle(self, i: int) -> bool:
        """Return whether a word belongs to the verb: *give up*, *the car I paid for*."""
        tree = self.tree
        if tree.relations[i] == PARTICLE:
            return True
        is_adverb = tree.bases[i] == "advmod" and tree.upos[i] != VERB
        if is_adverb and self.role_of(i) in _OF_VERB:
            return True
        is_stranded = tree.bases[i] in ("obl", "case") and not tree.children[i]
        return is_stranded and tree.upos[i] == "ADP" and i > self.i

    def _is_relative(self, i: int) -> bool:
        """Return whether an adverb stands for a noun: *the town where we met*."""
        tree = self.tree
        is_inside = tree.relations[self.i] == RELATIVE_CLAUSE
        return is_inside and tree.antecedent(i, self.i) != i

    def _is_whole_argument(self, i: int) -> bool:
        """Return whether a word is the head of an argument: *away from the fire*."""
        for label, begin, end in self.roles:
            if begin <= i < end and (label[1:].isdigit() or label == _DIRECTION):
                return self.tree.below(i).issuperset(range(begin, end))
        return False
