"""Clauses of a dependency tree: who did what to whom, when and where.

The input is a sentence in Universal Dependencies. The output has token indices, so that
the rules know nothing of documents. Semantic roles refine the result where they exist.
"""

from __future__ import annotations

from typing import NamedTuple

from senna_py.labels import clause_modality
from senna_py.labels.clause_adjuncts import PredicateRoles
from senna_py.labels.clause_trees import (
    NOMINALS,
    OF_CLAUSE,
    OUTSIDE,
    RELATIVE_CLAUSE,
    SUBJECTS,
    VERB,
    WHEN,
    WHERE,
    ClauseTree,
    ParsedSentence,
    Phrase,
)

_EXPLETIVE = "it"  # *It was known that he left.*
_CLAUSES = {"ccomp", "csubj", "xcomp", "advcl"}
_OBJECT = "A1"
_OTHER_ADJUNCTS = {"MNR", "CAU", "ADV", "PNC", "PRP", "DIS", "EXT", "NEG", "MOD", "PRD"}


class Clause(NamedTuple):
    """What a predicate says of one subject and one object.

    Attributes:
        predicate: The verb or, in *Rome is old*, the copula.
        verb: The lemma of the verb with its particle, and with the preposition of the
            object: `give up`, `depend on`.
        subject: Who does it, or None.
        object: What it is done to, or what the subject is; or None.
        recipient: To whom, if this is an object of its own; or None.
        complement: What the object is, becomes or does: *president* in *they elected
            him president*, *to wait* in *she asked Bob to wait*; or None.
        when: The phrases that say when.
        where: The phrases that say where.
        others: The other phrases with prepositions.
        negated: Whether the predicate is negated.
        passive: Whether the clause is passive in the text.
        modality: The word that makes the clause less than a statement: a modal verb,
            the word that it is the complement of, *if*, the mark of an infinitive, such
            as *to*, `?` or `!`; or an empty string.
    """

    predicate: int
    verb: str
    subject: Phrase | None
    object: Phrase | None
    recipient: Phrase | None
    complement: Phrase | None
    when: tuple[Phrase, ...]
    where: tuple[Phrase, ...]
    others: tuple[Phrase, ...]
    negated: bool
    passive: bool
    modality: str


def find_clauses(sentence: ParsedSentence) -> list[Clause]:
    """Return the clauses of a sentence, in the order of their predicates.

    Passives have their agent as the subject. A clause with several coordinated subjects
    or objects is returned once for each combination.
    """
    tree = ClauseTree(sentence)
    clauses = [
        clause
        for predicate in tree.predicates()
        for clause in _Predicate(tree, predicate).clauses()
    ]
    return sorted(clauses, key=lambda clause: clause.predicate)


class _Predicate(PredicateRoles):
    """A predicate of a sentence, with the phrases of its clause."""

    def __init__(self, tree: ClauseTree, i: int) -> None:
        super().__init__(tree, i)
        self.passive = self.copula is None and tree.is_passive(i)
        self.preposition = ""

    def clauses(self) -> list[Clause]:
        """Return the clause for each combination of a subject and an object."""
        tree = self.tree
        if clause_modality.is_light(tree, self.i):
            return []
        agents, subjects, recipients = self._subjects()
        adjuncts = self.adjuncts()
        objects = self._objects(subjects, adjuncts)
        is_command = clause_modality.is_command(tree, self.i)
        if not (agents or objects or is_command):
            return []
        phrases = self._phrases(adjuncts, {*agents, *objects, *recipients})
        complement = self._complement(objects)
        clause = Clause(
            predicate=self.place,
            verb=self._verb(),
            subject=None,
            object=None,
            recipient=self._phrase_of(recipients[0]) if recipients else None,
            complement=None if complement is None else self._phrase_of(complement),
            when=tuple(phrases[WHEN]),
            where=tuple(phrases[WHERE]),
            others=tuple(phrases[""]),
            negated=clause_modality.is_negated(tree, self.i),
            passive=self.passive,
            modality=clause_modality.modality(tree, self.i),
        )
        one_without: list[int | None] = [None]
        clauses = (
            clause._replace(
                subject=self._stated(agent),
                object=self._stated(object_),
                negated=clause.negated or self._is_denied(agent, object_),
            )
            for agent in agents or one_without
            for object_ in objects or one_without
        )
        return [
            each
            for each in clauses
            # *Nobody came* has neither, and says something.
            if each.subject or each.object or each.negated or is_command
        ]

    def _is_denied(self, *words: int | None) -> bool:
        """Return whether one of the subjects and objects denies the clause.

        The noun that a relative clause is about does not.
        """
        return any(
            clause_modality.is_denied(self.tree, i)
            for i in words
            if i is not None
            and not self._is_clause(i)
            and not (self.tree.bases[self.i] == "acl" and i == self.tree.heads[self.i])
        )

    def _is_clause(self, i: int) -> bool:
        """Return whether a subject or an object is a clause."""
        is_clause = self.tree.bases[i] in _CLAUSES
        # The noun that a relative clause is about is none, wherever it stands.
        is_inside = is_clause and self.i in self.tree.below(i)
        return (is_clause and not is_inside) or self._reports(i)

    def _reports(self, i: int) -> bool:
        """Return whether this is an aside that reports a clause: *I left, she said*."""
        return self.tree.heads[self.i] == i and self.tree.bases[self.i] == "parataxis"

    def _subjects(self) -> tuple[list[int], list[int], list[int]]:
        """Return who does it, who or what it is done to, and the recipients."""
        tree = self.tree
        subjects = [
            member
            for subject in tree.subjects(self.i)
            for member in tree.with_conjuncts(subject)
        ]
        recipients = tree.having(self.i, "iobj")
        if not self.passive:
            return subjects, [], recipients
        agents = [
            member
            for child in tree.agents(self.i)
            for member in tree.with_conjuncts(child)
        ]
        if tree.having(self.i, "obj", "ccomp"):  # *She was given a book.*
            people = [
                each
                for each in subjects
                if tree.bases[each] != "csubj" and tree.lemmas[each] != _EXPLETIVE
            ]
            return agents, [], people[:1]
        return agents, subjects, recipients

    def _objects(self, passive: list[int], adjuncts: dict[int, str]) -> list[int]:
        """Return the heads of the objects.

        Args:
            passive: The subjects of a passive.
            adjuncts: The adjuncts, from which an object with a preposition is removed.
        """
        tree = self.tree
        if self.copula is not None:
            return [] if self.i in adjuncts else tree.with_conjuncts(self.i)
        direct = [tree.antecedent(i, self.i) for i in tree.having(self.i, "obj")]
        objects = direct or passive or self._shared_objects() or self._gap()
        if objects:
            members = (each for i in objects for each in tree.with_conjuncts(i))
            return [*dict.fromkeys(members)]
        clauses = tree.having(self.i, "ccomp", "xcomp")
        if clauses or (clauses := self._quotation()):
            return clauses[:1]
        if self.passive:
            return []
        for i, sort in adjuncts.items():
            if not sort and i > self.i and self._is_argument(i):
                self.preposition = tree.phrase(i).preposition
                return tree.with_conjuncts(tree.antecedent(i, self.i))
        return self._gerunds()[:1]

    def _gerunds(self) -> list[int]:
        """Return the adverbial clauses with the role of an object.

        *Look forward to meeting you* has one.
        """
        tree = self.tree
        return [
            child
            for child in tree.having(self.i, "advcl")
            if self.role_of(child) == _OBJECT
            and not tree.is_finite(child)
            and "VerbForm=Inf" not in tree.sentence.feats[child]
        ]

    def _shared_objects(self) -> list[int]:
        """Return the object after a verb that stands before it: *bought and ate it*."""
        tree = self.tree
        first = tree.first_conjunct(self.i)
        if first == self.i or tree.bases[self.i] != "conj":
            return []
        if tree.having(self.i, *SUBJECTS):
            return []
        return [i for i in tree.having(first, "obj") if i > self.i]

    def _gap(self) -> list[int]:
        """Return the noun of a relative clause without a pronoun: *the book I read*.

        In *the book I want to read*, the noun is the object of the inner clause.
        """
        tree, clauses = self.tree, [self.i]
        while tree.bases[clauses[-1]] in ("xcomp", "ccomp"):
            clauses.append(tree.heads[clauses[-1]])
        if tree.relations[clauses[-1]] != RELATIVE_CLAUSE or self.passive:
            return []
        noun = tree.heads[clauses[-1]]
        if noun in tree.subjects(self.i):
            return []
        if tree.bases[self.i] == "ccomp" and not tree.having(self.i, *SUBJECTS):
            return []
        if any(
            tree.antecedent(child, clause) == noun
            for clause in clauses
            for child in self._with_possessors(clause)
        ):
            return []
        if self.roles:
            return [noun] if self.is_numbered(noun) else []
        is_simple = len(clauses) == 1 and not tree.having(self.i, "xcomp", "ccomp")
        return [noun] if is_simple else []

    def _with_possessors(self, clause: int) -> list[int]:
        """Return the children of a predicate, and *whose* in *whose car broke down*."""
        children = self.tree.children[clause]
        nouns = [each for child in children for each in self.tree.having(child, "nmod")]
        return [*children, *nouns]

    def _quotation(self) -> list[int]:
        """Return the clause that a verb in the middle of or after it reports."""
        if not self._reports(head := self.tree.heads[self.i]):
            return []
        if not self.tree.having(self.i, "nsubj"):
            return []
        return [head] if not self.roles or self.is_numbered(head) else []

    def _complement(self, objects: list[int]) -> int | None:
        """Return the predicate or the clause beside the objects, or None."""
        if self.copula is not None or not objects or self._is_clause(objects[0]):
            return None
        return next(iter(self.tree.having(self.i, "xcomp", "ccomp")), None)

    def _is_argument(self, i: int) -> bool:
        """Return whether a phrase with a preposition may be the object."""
        tree = self.tree
        if not tree.having(i, "case") or tree.upos[i] not in NOMINALS:
            return False
        label = self.role_of(i)
        return label.rpartition("-")[2] not in _OTHER_ADJUNCTS

    def _phrases(
        self, adjuncts: dict[int, str], used: set[int]
    ) -> dict[str, list[Phrase]]:
        """Return the phrases of the adjuncts that are not subjects or objects."""
        tree = self.tree
        shown: dict[str, list[Phrase]] = {WHEN: [], WHERE: [], "": []}
        # The object of *Ann is proud of him* has the words *of him*.
        predicate = self._phrase_of(self.i) if self.i in used else None
        for i, sort in adjuncts.items():
            if (noun := tree.antecedent(i, self.i)) in used:
                continue
            if predicate is not None and predicate.begin <= i < predicate.end:
                continue
            without = self._clause_words() if i == self.i else []
            phrase = tree.with_preposition(i, without)
            if noun != i:
                phrase = tree.phrase(noun, [self.i])._replace(
                    preposition=phrase.preposition
                )
            shown[sort].append(phrase)
        return shown

    def _clause_words(self) -> list[int]:
        """Return the children of a predicate noun that are not part of its phrase."""
        tree, i = self.tree, self.i
        denying = clause_modality.denying_words(tree, i)
        return [
            child
            for child in tree.children[i]
            if tree.bases[child] in OF_CLAUSE | OUTSIDE
            or child in denying
            or (tree.bases[child] in ("obl", "advmod") and self.sort_of(child))
        ]

    def _stated(self, i: int | None) -> Phrase | None:
        """Return the phrase of a subject or an object, without what denies it."""
        if i is None:
            return None
        tree = self.tree
        if i == self.i or not clause_modality.is_negative_pronoun(tree, i):
            return self._phrase_of(i)
        members = tree.having(i, "nmod")  # *none of the members*
        return self._phrase_of(members[0]) if members else None

    def _phrase_of(self, i: int) -> Phrase:
        """Return the phrase of a subject or an object."""
        tree = self.tree
        if i == self.i:
            return tree.phrase(i, self._clause_words())
        if self._reports(i):
            return tree.clause(i, [self.i])
        if self._is_clause(i):
            is_verb = tree.upos[i] == VERB or tree.copula(i) is not None
            whole = is_verb or tree.bases[i] != "xcomp"
            return tree.clause(i) if whole else tree.phrase(i)
        inside = [
            child
            for child in tree.children[i]
            if tree.relations[child] == RELATIVE_CLAUSE and self.i in tree.below(child)
        ]
        denying = clause_modality.denying_words(tree, i)
        return tree.phrase(i, [self.i, *inside, *denying])

    def _verb(self) -> str:
        tree = self.tree
        if self.copula is not None:
            return tree.lemmas[self.copula]
        particles = [
            tree.lemmas[child]
            for child in tree.children[self.i]
            if self.is_particle(child)
        ]
        preposition = [self.preposition] if self.preposition else []
        return " ".join([tree.lemmas[self.i], *particles, *preposition])
