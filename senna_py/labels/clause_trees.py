"""The dependency tree of a sentence, as questions about clauses see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from senna_py.labels.dependencies import depths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Range = tuple[int, int]  # A range of tokens: the first one and the end.

WHEN, WHERE = "when", "where"
VERB, _AUXILIARY = "VERB", "AUX"
NOMINALS = {"NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "DET", "ADJ"}
# The relations in which a verb is the predicate of a clause.
_CLAUSES = {
    *("root", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj", "list"),
    *("dislocated", "reparandum", "nsubj", "obj", "obl", "appos", "orphan", "dep"),
}
SUBJECTS = "nsubj", "csubj"
# Dependents that are not part of a phrase: coordination, clauses and asides.
OUTSIDE = {
    *("conj", "cc", "mark", "advcl", "parataxis", "appos", "discourse", "vocative"),
    *("list", "dislocated", "reparandum", "orphan"),
}
# Dependents of a predicate noun or adjective that belong to the clause.
OF_CLAUSE = {"nsubj", "csubj", "cop", "aux", "expl"}
RELATIVE_CLAUSE, AGENT, PARTICLE = "acl:relcl", "obl:agent", "compound:prt"
_RELATIVE_WORDS = {"who", "whom", "which", "that"}
_TO, _OF = "to", "of"
_DEEPEST = 200  # Longer paths from a word to its root are cut.
_OPENING = {")": "(", "]": "[", "”": "“", "’": "‘", "''": "``", "»": "«", '"': '"'}
# Verbs whose subject is also the subject of the infinitive after an object.
_SUBJECT_CONTROL = {"promise"}
_UPON = {"on", "upon"}


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence with its layers; all indices are relative to the sentence.

    Attributes:
        forms: The words.
        lemmas: The lemma of each word, or the word in lower case.
        upos: The universal part of speech of each word.
        feats: The features of each word, or empty strings.
        heads: The head of each word, or -1 for the root.
        relations: The relation of each word to its head.
        roles: The label and range of each argument, by predicate.
        places: The time expressions and the names of places: WHEN or WHERE, and the
            range.
    """

    forms: Sequence[str]
    lemmas: Sequence[str]
    upos: Sequence[str]
    feats: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]
    roles: Mapping[int, Sequence[tuple[str, int, int]]] = field(default_factory=dict)
    places: Sequence[tuple[str, int, int]] = ()


class Phrase(NamedTuple):
    """A phrase of a clause.

    Attributes:
        begin: The first token.
        end: The index after the last token.
        preposition: The prepositions that it begins with, or an empty string.
    """

    begin: int
    end: int
    preposition: str = ""


def _without_cycles(heads: Sequence[int]) -> list[int]:
    """Return heads with words as additional roots, where paths are too long or endless."""
    return [
        -1 if depth is None or (depth and depth % _DEEPEST == 0) else head
        for head, depth in zip(heads, depths(heads), strict=True)
    ]


def _link_clauses(upos: list[str], heads: list[int], relations: list[str]) -> set[int]:
    """Make the copula the verb of *the problem is that he left*, and return it.

    In Universal Dependencies, the copula hangs on *left*, which has two subjects. Here,
    *left* becomes a clause that hangs on the copula.
    """
    linking = set()
    for copula in [i for i, relation in enumerate(relations) if relation == "cop"]:
        i = heads[copula]
        children = [child for child, head in enumerate(heads) if head == i]
        marks = [child for child in children if relations[child] == "mark"]
        is_outer = any(relations[child].endswith(":outer") for child in children)
        if i < 0 or not (is_outer or (marks and upos[i] == VERB)):
            continue
        first = next((mark for mark in marks if mark > copula), copula)
        heads[copula], relations[copula], upos[copula] = heads[i], relations[i], VERB
        heads[i], relations[i] = copula, "ccomp"
        linking.add(copula)
        for child in children:
            is_last = relations[child] == "punct" and child > i
            if child != copula and (child < first or is_last):
                heads[child] = copula
    return linking


class ClauseTree:
    """The dependency tree of a sentence, with what is asked of single words."""

    def __init__(self, sentence: ParsedSentence) -> None:
        self.sentence = sentence
        self.lemmas = [lemma.lower() for lemma in sentence.lemmas]
        self.upos, self.heads = [*sentence.upos], _without_cycles(sentence.heads)
        self.relations = [*sentence.relations]
        # The copulas that link a subject to a clause.
        self.linking = _link_clauses(self.upos, self.heads, self.relations)
        self.bases = [relation.partition(":")[0] for relation in self.relations]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for i, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(i)
        self._bases_of = [
            {self.bases[child] for child in children} for children in self.children
        ]

    def having(self, i: int, *bases: str) -> list[int]:
        """Return the children of a word with one of the given relations."""
        if self._bases_of[i].isdisjoint(bases):
            return []
        return [child for child in self.children[i] if self.bases[child] in bases]

    def first_conjunct(self, i: int) -> int:
        """Return the first word of the coordination that a word belongs to."""
        while self.bases[i] == "conj" and self.heads[i] >= 0:
            i = self.heads[i]
        return i

    def with_conjuncts(self, i: int) -> list[int]:
        """Return a nominal and all nominals that are coordinated with it."""
        members = [i]
        for member in members:  # The list grows during iteration.
            members += [
                child
                for child in self.having(member, "conj")
                if self.upos[child] in NOMINALS and not self.copula(child)
            ]
        return members

    def copula(self, i: int) -> int | None:
        """Return the copula of a predicate, or None."""
        return next(iter(self.having(i, "cop")), None)

    def predicates(self) -> list[int]:
        """Return the words that are predicates of clauses."""
        return [
            i
            for i in range(len(self.heads))
            if (self.upos[i] in (VERB, _AUXILIARY) or self.copula(i) is not None)
            and self.bases[self.first_conjunct(i)] in _CLAUSES
        ]

    def is_past_participle(self, i: int) -> bool:
        """Return whether a word is a past participle."""
        feats = self.sentence.feats[i]
        return "VerbForm=Part" in feats and "Tense=Past" in feats

    def is_question_word(self, i: int) -> bool:
        """Return whether a word asks or relates: *when*, *where*, *how*."""
        feats = self.sentence.feats[i]
        return self.bases[i] == "advmod" and (
            "PronType=Int" in feats or "PronType=Rel" in feats
        )

    def is_infinitive(self, i: int) -> bool:
        """Return whether a word is an infinitive, or the English one with *to*."""
        if any(self.lemmas[child] == _TO for child in self.having(i, "mark")):
            return True
        is_bare = "VerbForm=Inf" in self.sentence.feats[i]
        return is_bare and not self.having(i, "aux", "cop")

    def is_passive(self, i: int) -> bool:
        """Return whether a verb is passive."""
        if i in self.linking:
            return False
        relations = {self.relations[child] for child in self.children[i]}
        if any(relation.endswith(":pass") for relation in relations):
            return True
        if not self.is_past_participle(i):
            return False
        if self.relations[i] in ("acl", "xcomp") and not self.having(i, "aux"):
            return True  # *the car sold*, *have the car sold*
        shares = not self.having(i, "aux", *SUBJECTS)
        return shares and self.bases[i] == "conj" and self.is_passive(self.heads[i])

    def below(self, i: int, without: Iterable[int] = ()) -> set[int]:
        """Return a word and its descendants, without some words and their descendants."""
        left_out, below = set(without), [i]
        for word in below:  # The list grows during iteration.
            below += [child for child in self.children[word] if child not in left_out]
        return set(below)

    def phrase(self, i: int, without: Iterable[int] = ()) -> Phrase:
        """Return the phrase of a nominal, without prepositions and relative clauses."""
        cases = self.having(i, "case")
        outside = self.having(i, *OUTSIDE)
        if self.copula(i) is not None:
            outside += self.having(i, *OF_CLAUSE)
        outside += self.relative_clauses(i)
        before = [case for case in cases if case < i]
        words = self.below(i, [*outside, *before, *without])
        begin, end = self._run(i, words)
        # That of *which she relies on* is stranded.
        prepositions = before or [case for case in cases if self.upos[case] == "ADP"]
        fixed = [word for case in prepositions for word in self.having(case, "fixed")]
        preposition = " ".join(self.lemmas[word] for word in (*prepositions, *fixed))
        return Phrase(begin, end, preposition)

    def relative_clauses(self, i: int) -> list[int]:
        """Return the relative clauses that are not part of the phrase of a word.

        The clause of *what she wants* belongs to its pronoun.
        """
        if self.upos[i] in ("PRON", "ADV") and self.lemmas[i].startswith("wh"):
            return []
        return [
            child
            for child in self.children[i]
            if self.relations[child] == RELATIVE_CLAUSE
        ]

    def with_preposition(self, i: int, without: Iterable[int] = ()) -> Phrase:
        """Return the phrase of a word, with its prepositions."""
        members = self.with_conjuncts(i)
        coordinated = {*members, *self.having(i, "cc")} if len(members) > 1 else set()
        outside = [
            *(child for child in self.having(i, *OUTSIDE) if child not in coordinated),
            *(clause for member in members for clause in self.relative_clauses(member)),
            *without,
        ]
        begin, end = self._run(i, self.below(i, outside))
        return Phrase(begin, end, self.phrase(i).preposition)

    def clause(self, i: int, without: Iterable[int] = ()) -> Phrase:
        """Return the words of a whole clause."""
        return Phrase(*self._run(i, self.below(i, without)))

    def _run(self, i: int, words: set[int]) -> Range:
        """Return the longest range around a word, without punctuation at its edges.

        It has only the given words, besides punctuation.
        """

        def is_mark(word: int) -> bool:
            return self.upos[word] == "PUNCT"

        begin, end = i, i + 1
        while begin and (begin - 1 in words or is_mark(begin - 1)):
            begin -= 1
        while end < len(self.heads) and (end in words or is_mark(end)):
            end += 1
        while begin < i and is_mark(begin):
            begin += 1
        while end > i + 1 and is_mark(end - 1) and not self._closes(begin, end):
            end -= 1
        return begin, end

    def _closes(self, begin: int, end: int) -> bool:
        """Return whether the last mark of a range closes one that the range opens."""
        forms = self.sentence.forms
        opening = _OPENING.get(forms[end - 1])
        if opening is None:
            return False
        n_closing = forms[begin : end - 1].count(forms[end - 1])
        n_opening = forms[begin : end - 1].count(opening)
        return n_opening % 2 == 1 if opening == '"' else n_opening > n_closing

    def antecedent(self, i: int, clause: int) -> int:
        """Return the noun that a relative pronoun stands for, or the word itself.

        Args:
            i: The word.
            clause: The predicate whose dependent it is.
        """
        is_relative = "PronType=Rel" in self.sentence.feats[i]
        if not is_relative and (
            self.lemmas[i] not in _RELATIVE_WORDS or self.upos[i] != "PRON"
        ):
            return i
        if any(self.relations[child] == RELATIVE_CLAUSE for child in self.children[i]):
            return i  # *What she wants* has no other noun.
        while clause >= 0 and self.relations[clause] != RELATIVE_CLAUSE:
            clause = self.heads[clause]
        return i if clause < 0 else self.heads[clause]

    def subjects(self, i: int) -> list[int]:
        """Return the subjects of a predicate, shared ones and antecedents included."""
        direct = self.having(i, *SUBJECTS)
        if direct:
            return [self.antecedent(child, i) for child in direct]
        head, base = self.heads[i], self.bases[i]
        if base == "conj" or (base == "advcl" and not self.is_finite(i)):
            return self._shared_subjects(i)
        if base == "xcomp":
            return self._controllers(head)
        is_participle = self.relations[i] == "acl" and not self.having(i, "mark")
        return [head] if is_participle else []

    def _shared_subjects(self, i: int) -> list[int]:
        """Return the subjects of a coordinated or adverbial clause without its own."""
        head = self.first_conjunct(self.heads[i])
        if self.is_gerund_with_of(i) and (objects := self.having(head, "obj")):
            return [self.antecedent(objects[0], head)]  # *accuse her of lying*
        is_purpose = self.bases[i] == "advcl" and self.is_infinitive(i)
        if is_purpose and self.is_passive(head):
            return self.agents(head)  # *It was sold by Ann to save money.*
        return self.subjects(head)

    def is_gerund_with_of(self, i: int) -> bool:
        """Return whether a word is the verb of an adverbial clause such as *of lying*."""
        return self.bases[i] == "advcl" and any(
            self.lemmas[child] == _OF for child in self.having(i, "mark")
        )

    def agents(self, i: int) -> list[int]:
        """Return the agents of a passive: *by two men*."""
        return [child for child in self.children[i] if self.relations[child] == AGENT]

    def is_finite(self, i: int) -> bool:
        """Return whether a clause has a finite verb."""
        words = [i, *self.having(i, "aux", "cop")]
        return any("VerbForm=Fin" in self.sentence.feats[word] for word in words)

    def _controllers(self, governor: int) -> list[int]:
        """Return the subjects of an infinitive that is the complement of a verb."""
        objects = self.having(governor, "obj", "iobj")
        if objects and self.lemmas[governor] not in _SUBJECT_CONTROL:
            return [self.antecedent(each, governor) for each in objects[:1]]
        if callees := self._callees(governor):
            return callees
        return self.subjects(governor)

    def _callees(self, governor: int) -> list[int]:
        """Return whom a verb with *on* asks to do something: *call on her to speak*."""
        obliques = [i for i in self.having(governor, "obl") if i > governor]
        return [
            i
            for i in obliques[:1]
            if self.upos[i] in ("PRON", "PROPN", "NOUN")
            and any(self.lemmas[case] in _UPON for case in self.having(i, "case"))
            and not any(begin <= i < end for _, begin, end in self.sentence.places)
        ]
