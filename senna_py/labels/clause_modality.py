"""Whether a clause is stated, denied, asked, ordered or only supposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.labels.clause_trees import NOMINALS, RELATIVE_CLAUSE, SUBJECTS, VERB

if TYPE_CHECKING:
    from senna_py.labels.clause_trees import ClauseTree

_NEGATIONS = {"not", "n't", "never", "neither", "nor"}
_NEGATIVE_PRONOUNS = {"nobody", "none", "nothing"}
_NO = "no"
_NEGATIVE_DETERMINERS = {_NO, "neither"}
_ONLY = "only"  # *Not only* denies nothing.
# Words before a clause or a coordinated phrase that exclude it: *instead of waiting*.
_EXCLUDING = {"without", "instead", "rather"}
_EITHER = {"or", "nor"}
_MODALS = {"can", "could", "may", "might", "must", "ought", "shall", "should", "would"}
_CONDITIONS = {"if", "unless", "whether"}
_TO = "to"
# Verbs that form a tense or a modality with an infinitive: *has to go*, *is going to go*.
_LIGHT_VERBS = {"go", "have", "use"}
QUESTION, COMMAND = "?", "!"


def is_light(tree: ClauseTree, i: int) -> bool:
    """Return whether a verb only forms a tense or a modality with its infinitive."""
    return tree.lemmas[i] in _LIGHT_VERBS and any(
        tree.is_infinitive(child) for child in tree.having(i, "xcomp")
    )


def is_command(tree: ClauseTree, i: int) -> bool:
    """Return whether a verb is an imperative: *do not wait* is one, too."""
    words = i, *tree.having(i, "aux")
    is_imperative = any("Mood=Imp" in tree.sentence.feats[word] for word in words)
    return is_imperative and not tree.subjects(i)


def is_negated(tree: ClauseTree, i: int) -> bool:
    """Return whether the predicate of a clause is negated."""
    if is_excluded(tree, i) or any(
        negates(tree, child) for child in tree.having(i, "advmod", "aux")
    ):
        return True
    coordinators = _coordinators(tree, i)
    if not coordinators.isdisjoint(_NEGATIONS):  # *neither sings nor dances*
        return True
    shares = tree.bases[i] == "conj" and not tree.having(i, *SUBJECTS)
    return (
        shares
        and not coordinators.isdisjoint(_EITHER)
        and is_negated(tree, tree.heads[i])
    )


def _coordinators(tree: ClauseTree, i: int) -> set[str]:
    """Return the coordinators before a predicate or, in a list, before its last member.

    *Or* also coordinates *modify* in *copy, modify or sell*.
    """
    coordinators = tree.having(i, "cc")
    if not coordinators and tree.bases[i] == "conj":
        later = (j for j in tree.having(tree.heads[i], "conj") if j > i)
        coordinators = [word for j in later for word in tree.having(j, "cc")]
    return {tree.lemmas[word] for word in coordinators}


def is_excluded(tree: ClauseTree, i: int) -> bool:
    """Return whether the word before a clause or a phrase says that it is not so."""
    return any(
        tree.lemmas[child] in _EXCLUDING for child in tree.having(i, "mark", "cc")
    )


def is_denied(tree: ClauseTree, i: int) -> bool:
    """Return whether a subject or an object denies the clause: *nobody*, *no answer*."""
    if is_excluded(tree, i) or is_negative_pronoun(tree, i):
        return True
    first = tree.first_conjunct(i)
    coordinators = [*tree.having(i, "cc"), *tree.having(first, "cc")]
    if any(tree.lemmas[child] in _NEGATIONS for child in coordinators):
        return True  # *neither he nor she*
    return bool(denying_words(tree, i))


def is_negative_pronoun(tree: ClauseTree, i: int) -> bool:
    """Return whether a word is *nobody* or *nothing*, or begins *none of them*."""
    if tree.upos[i] not in NOMINALS:
        return False
    # *No one* has the determiner, and the feature as well.
    return (
        tree.lemmas[i] in _NEGATIVE_PRONOUNS or "PronType=Neg" in tree.sentence.feats[i]
    )


def denying_words(tree: ClauseTree, i: int) -> list[int]:
    """Return the children of a noun that deny it: *no*, *neither*, *not*."""
    determiners = [
        child
        for child in tree.having(i, "det")
        if tree.lemmas[child] in _NEGATIVE_DETERMINERS
        or "PronType=Neg" in tree.sentence.feats[child]
    ]
    return [*determiners, *(j for j in tree.having(i, "advmod") if negates(tree, j))]


def negates(tree: ClauseTree, word: int) -> bool:
    """Return whether an adverb or an auxiliary negates its head."""
    if any(tree.lemmas[child] == _NO for child in tree.children[word]):
        return True  # *no longer*
    is_negative = (
        tree.lemmas[word] in _NEGATIONS or "Polarity=Neg" in tree.sentence.feats[word]
    )
    return is_negative and tree.lemmas[word + 1 : word + 2] != [_ONLY]


def modality(tree: ClauseTree, i: int) -> str:
    """Return the word that makes a clause less than a statement, or an empty string."""
    head, base = tree.heads[i], tree.bases[i]
    if words := [*_conditions(tree, i), *_modals(tree, i)]:
        return words[0]
    if base == "xcomp" and tree.lemmas[head] in _LIGHT_VERBS:
        return modality(tree, head) or tree.lemmas[head]
    shares = base == "conj" and not tree.having(i, "mark", *SUBJECTS)
    if shares and not tree.is_finite(i):
        return modality(tree, head)
    return _embedding(tree, i) or (COMMAND if is_command(tree, i) else "")


def _conditions(tree: ClauseTree, i: int) -> list[str]:
    marks = (tree.lemmas[child] for child in tree.having(i, "mark"))
    return [mark for mark in marks if mark in _CONDITIONS]


def _modals(tree: ClauseTree, i: int) -> list[str]:
    return [
        tree.lemmas[child]
        for child in tree.having(i, "aux")
        if tree.lemmas[child] in _MODALS or "VerbType=Mod" in tree.sentence.feats[child]
    ]


def _embedding(tree: ClauseTree, i: int) -> str:
    """Return what a clause depends on, or the mark of a question.

    A clause that is coordinated with a reported one is reported, too.
    """
    head, base = tree.heads[i], tree.bases[i]
    # The clause of *the problem is that he left* is stated where the problem is.
    is_linked = base == "ccomp" and head in tree.linking and tree.is_finite(i)
    # *They accused her of lying.*
    is_content = base in ("ccomp", "xcomp") or (
        tree.is_gerund_with_of(i) and tree.upos[head] == VERB
    )
    if is_content and not is_linked:
        return tree.lemmas[head]
    if is_linked and is_negated(tree, head):
        return _NO
    if is_linked or base == "conj":
        return next(iter(_conditions(tree, head)), "") or _embedding(tree, head)
    marks = [tree.lemmas[child] for child in tree.having(i, "mark")]
    if marks and base in ("advcl", "acl", "csubj") and tree.is_infinitive(i):
        return _TO if _TO in marks else marks[0]
    if base == "acl":
        return _noun_embedding(tree, i)
    return QUESTION if _is_asked(tree, i) else ""


def _noun_embedding(tree: ClauseTree, i: int) -> str:
    """Return the word that makes a clause beside a noun less than a statement."""
    head = tree.heads[i]
    if is_denied(tree, head):
        return _NO  # *There is no cure that works.*
    is_content = tree.having(i, "mark") and tree.relations[i] != RELATIVE_CLAUSE
    return tree.lemmas[head] if is_content else ""  # *the claim that he left*


def _is_asked(tree: ClauseTree, i: int) -> bool:
    """Return whether a clause, and not another one beside it, has a question mark."""
    first = tree.heads[i] if tree.bases[i] == "parataxis" else i
    forms = tree.sentence.forms
    return any(
        forms[mark] == "?"
        and forms[mark - 1] not in ("(", ".")
        and i == max(j for j in (first, *tree.having(first, "parataxis")) if j < mark)
        for mark in tree.having(first, "punct")
        if first < mark and i < mark
    )
