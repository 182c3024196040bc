"""Clauses of a dependency tree: who did what to whom, when and where.

The input is a sentence in Universal Dependencies. The output has token indices, so that
the rules know nothing of documents. Semantic roles refine the result where they exist.
"""

from __future__ import annotations

from typing import NamedTuple

from senna_py.labels.clause_trees import (
    AGENT,
    NOMINALS,
    OF_CLAUSE,
    OUTSIDE,
    PARTICLE,
    RELATIVE_CLAUSE,
    SUBJECTS,
    VERB,
    WHEN,
    WHERE,
    ClauseTree,
    ParsedSentence,
    Phrase,
)

_TEMPORAL = {"obl:tmod", "obl:unmarked"}
_NEGATIONS = {"not", "n't", "never", "neither", "nor"}
_MODALS = {"can", "could", "may", "might", "must", "should", "would", "ought"}
_CONDITIONS = {"if", "unless", "whether"}
# Verbs that form a tense or a modality with an infinitive: *has to go*, *is going to go*.
_LIGHT_VERBS = {"go", "have", "use"}
# The roles that adjuncts have, with the places that they describe.
_ADJUNCTS = {"TMP": WHEN, "LOC": WHERE}
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
        when: The phrases that say when.
        where: The phrases that say where.
        others: The other phrases with prepositions.
        negated: Whether the predicate is negated.
        passive: Whether the clause is passive in the text.
        modality: The word that makes the clause less than a statement: a modal verb,
            the verb that it is the complement of, *if*, or the mark of an infinitive,
            such as *to*; or an empty string.
    """

    predicate: int
    verb: str
    subject: Phrase | None
    object: Phrase | None
    recipient: Phrase | None
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


class _Predicate:
    """A predicate of a sentence, with the phrases of its clause."""

    def __init__(self, tree: ClauseTree, i: int) -> None:
        self.tree, self.i = tree, i
        self.copula = tree.copula(i)
        self.place = i if self.copula is None else self.copula
        self.passive = self.copula is None and tree.is_passive(i)
        self.roles = tree.sentence.roles.get(self.place, ())
        self.preposition = ""

    def clauses(self) -> list[Clause]:
        """Return the clause for each combination of a subject and an object."""
        if self._is_light():
            return []
        agents, subjects, recipients = self._subjects()
        adjuncts = self._adjuncts()
        objects = self._objects(subjects, adjuncts)
        if not (agents or objects or self._is_imperative()):
            return []
        phrases = self._phrases(adjuncts, {*agents, *objects, *recipients})
        clause = Clause(
            predicate=self.place,
            verb=self._verb(),
            subject=None,
            object=None,
            recipient=self._phrase_of(recipients[0]) if recipients else None,
            when=tuple(phrases[WHEN]),
            where=tuple(phrases[WHERE]),
            others=tuple(phrases[""]),
            negated=self._is_negated(self.i) or any(map(self._is_neither, agents)),
            passive=self.passive,
            modality=self._modality(self.i),
        )
        return [
            clause._replace(subject=subject, object=object_)
            for subject in self._phrases_of(agents)
            for object_ in self._phrases_of(objects)
        ]

    def _is_light(self) -> bool:
        """Return whether the verb only forms a tense with its infinitive."""
        tree = self.tree
        return tree.lemmas[self.i] in _LIGHT_VERBS and any(
            tree.is_infinitive(child) for child in tree.having(self.i, "xcomp")
        )

    def _is_imperative(self) -> bool:
        return "Mood=Imp" in self.tree.sentence.feats[self.i]

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
            for child in tree.children[self.i]
            if tree.relations[child] == AGENT
            for member in tree.with_conjuncts(child)
        ]
        if tree.having(self.i, "obj"):  # *She was given a book.*
            return agents, [], subjects[:1]
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
            return [each for i in objects for each in tree.with_conjuncts(i)]
        clauses = tree.having(self.i, "ccomp", "xcomp")
        if clauses or (clauses := self._quotation()):
            return clauses[:1]
        if self.passive:
            return []
        for i, sort in adjuncts.items():
            if not sort and i > self.i and self._is_argument(i):
                self.preposition = tree.phrase(i).preposition
                return tree.with_conjuncts(tree.antecedent(i, self.i))
        return []

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
        """Return the noun of a relative clause without a pronoun: *the book I read*."""
        tree = self.tree
        if tree.relations[self.i] != RELATIVE_CLAUSE or self.passive:
            return []
        noun = tree.heads[self.i]
        if noun in tree.subjects(self.i):
            return []
        if any(
            tree.antecedent(child, self.i) == noun for child in tree.children[self.i]
        ):
            return []
        is_argument = [
            begin <= noun < end
            for label, begin, end in self.roles
            if label[:1] == "A" and label[1:].isdigit()
        ]
        return [noun] if not self.roles or any(is_argument) else []

    def _quotation(self) -> list[int]:
        """Return the clause that a verb in the middle of or after it reports."""
        tree = self.tree
        if tree.bases[self.i] != "parataxis" or not tree.having(self.i, "nsubj"):
            return []
        return [tree.heads[self.i]]

    def _is_argument(self, i: int) -> bool:
        """Return whether a phrase with a preposition may be the object."""
        tree = self.tree
        if not tree.having(i, "case") or tree.upos[i] not in NOMINALS:
            return False
        label = self._role_of(i)
        return label.rpartition("-")[2] not in _OTHER_ADJUNCTS

    def _role_of(self, i: int) -> str:
        """Return the role of the argument that a word is in, or an empty string."""
        for label, begin, end in self.roles:
            if begin <= i < end and label != "V":
                return label
        return ""

    def _adjuncts(self) -> dict[int, str]:
        """Return the obliques and adverbs, with WHEN, WHERE or an empty string.

        The predicate of *She is in Rome* is one of them, too.
        """
        tree = self.tree
        adjuncts = {
            i: self._sort_of(i)
            for i in tree.having(self.i, "obl", "advmod")
            if tree.relations[i] != AGENT and not tree.is_question_word(i)
        }
        if self.copula is not None and (
            tree.upos[self.i] == "ADV" or tree.having(self.i, "case")
        ):
            adjuncts[self.i] = self._sort_of(self.i)
        return {
            i: sort for i, sort in adjuncts.items() if sort or tree.bases[i] != "advmod"
        }

    def _sort_of(self, i: int) -> str:
        """Return WHEN, WHERE or an empty string for an adjunct."""
        label = self._role_of(i)
        sort = _ADJUNCTS.get(label.rpartition("-")[2], "")
        if sort or (label and i != self.i):
            return sort
        for sort, begin, end in self.tree.sentence.places:
            if begin <= i < end:
                return sort
        return WHEN if self.tree.relations[i] in _TEMPORAL else ""

    def _phrases(
        self, adjuncts: dict[int, str], used: set[int]
    ) -> dict[str, list[Phrase]]:
        """Return the phrases of the adjuncts that are not subjects or objects."""
        shown: dict[str, list[Phrase]] = {WHEN: [], WHERE: [], "": []}
        for i, sort in adjuncts.items():
            if self.tree.antecedent(i, self.i) in used:
                continue
            without = self._clause_words() if i == self.i else []
            shown[sort].append(self.tree.with_preposition(i, without))
        return shown

    def _clause_words(self) -> list[int]:
        """Return the children of a predicate noun that are not part of its phrase."""
        tree, i = self.tree, self.i
        return [
            child
            for child in tree.children[i]
            if tree.bases[child] in OF_CLAUSE | OUTSIDE
            or tree.lemmas[child] in _NEGATIONS
            or (tree.bases[child] in ("obl", "advmod") and self._sort_of(child))
        ]

    def _phrases_of(self, words: list[int]) -> list[Phrase | None]:
        """Return the phrases of subjects or objects, or only None if there are none."""
        return [self._phrase_of(i) for i in words] or [None]

    def _phrase_of(self, i: int) -> Phrase:
        """Return the phrase of a subject or an object."""
        tree = self.tree
        if i == self.i:
            return tree.phrase(i, self._clause_words())
        if tree.heads[self.i] == i and tree.bases[self.i] == "parataxis":
            return tree.clause(i, [self.i])
        if tree.bases[i] in ("ccomp", "csubj"):
            return tree.clause(i)
        if tree.bases[i] == "xcomp":
            is_verb = tree.upos[i] == VERB or tree.copula(i) is not None
            return tree.clause(i) if is_verb else tree.phrase(i)
        return tree.phrase(i, [self.i])

    def _verb(self) -> str:
        tree = self.tree
        if self.copula is not None:
            return tree.lemmas[self.copula]
        particles = [
            tree.lemmas[child]
            for child in tree.children[self.i]
            if tree.relations[child] == PARTICLE
        ]
        preposition = [self.preposition] if self.preposition else []
        return " ".join([tree.lemmas[self.i], *particles, *preposition])

    def _is_negated(self, i: int) -> bool:
        tree = self.tree
        if any(
            tree.lemmas[child] in _NEGATIONS
            or "Polarity=Neg" in tree.sentence.feats[child]
            for child in tree.having(i, "advmod", "aux")
        ):
            return True
        coordinators = {tree.lemmas[child] for child in tree.having(i, "cc")}
        shares = tree.bases[i] == "conj" and not coordinators.isdisjoint({"or", "nor"})
        return shares and self._is_negated(tree.heads[i])

    def _is_neither(self, i: int) -> bool:
        """Return whether a coordinated subject is negated: *neither he nor she*."""
        tree = self.tree
        pairs = tree.having(tree.first_conjunct(i), "cc")
        return any(tree.lemmas[child] in _NEGATIONS for child in pairs)

    def _modality(self, i: int) -> str:
        """Return the word that makes a clause less than a statement, or an empty string."""
        tree = self.tree
        modals = [
            tree.lemmas[child]
            for child in tree.having(i, "aux", "mark")
            if tree.lemmas[child] in _MODALS | _CONDITIONS
            or "VerbType=Mod" in tree.sentence.feats[child]
        ]
        if modals:
            return modals[0]
        head, base = tree.heads[i], tree.bases[i]
        if base == "xcomp" and tree.lemmas[head] in _LIGHT_VERBS:
            return self._modality(head) or tree.lemmas[head]
        if base in ("ccomp", "xcomp"):
            return tree.lemmas[head]
        if base == "conj" and not tree.having(i, "aux", "mark", *SUBJECTS):
            return self._modality(head)
        marks = [tree.lemmas[child] for child in tree.having(i, "mark")]
        is_infinitive = base in ("advcl", "acl") and tree.is_infinitive(i)
        return marks[0] if marks and is_infinitive else ""
