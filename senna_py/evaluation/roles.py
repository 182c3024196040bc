"""Scores of semantic roles, with the counts of srl-eval (CoNLL-2005 shared task)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage
from senna_py.labels.tag_schemes import Segment

Parts = tuple[tuple[int, int], ...]
Propositions = Mapping[int, Sequence[Segment]]

VERB = "V"


@dataclass(frozen=True)
class RoleScores(Scores):
    """Counts of sentences, gold propositions, arguments of each role, {role: Counts},
    mistakes.

    n_perfect: gold propositions whose arguments, V aside, are exactly those predicted;
    those of a predicate without any need not be there, as to srl-eval. n_extra:
    predicted propositions whose predicate gold lacks. confusions: {(gold role,
    predicted role): n} of arguments with the same tokens; where nothing has the same
    tokens, the other role is counts.NO_LABEL.
    """

    n_sentences: int
    n_propositions: int
    n_perfect: int
    n_extra: int = 0

    @property
    def perfect(self) -> float:
        """Percentage of the gold propositions that are perfect."""
        return percentage(self.n_perfect, self.n_propositions)

    @property
    def verb(self) -> Counts:
        """Counts of V."""
        return self.labels.get(VERB, Counts())

    @property
    def overall(self) -> Counts:
        """Counts of all roles except V: finding the predicate itself earns nothing."""
        return sum((c for role, c in self.labels.items() if role != VERB), Counts())


def join_continued(phrases: Iterable[Segment]) -> list[tuple[str, Parts]]:
    """Arguments made of phrases (label, begin, end): a list of (role, ((begin, end),
    ...)).

    A phrase C-x continues the last argument x before it; without one it is an argument
    x itself.
    """
    arguments: list[tuple[str, list[tuple[int, int]]]] = []
    last: dict[str, list[tuple[int, int]]] = {}
    for label, begin, end in phrases:
        role = label.removeprefix("C-")
        if role != label and role in last:
            last[role].append((begin, end))
        else:
            last[role] = [(begin, end)]
            arguments.append((role, last[role]))
    return [(role, tuple(parts)) for role, parts in arguments]


def score_roles(
    sentences: Iterable[tuple[Propositions, Propositions]], extra: bool = True
) -> RoleScores:
    """RoleScores of sentences, pairs (gold, predicted) of propositions.

    Propositions are {predicate: [(label, begin, end), ...]}, phrases in order, such as
    `tag_schemes.segments` gives for a column of roles. They are compared by predicate;
    the arguments of a predicate that only gold has are missed, those of one that only
    the prediction has are in excess, or, without `extra`, as in srl-eval, count for
    nothing. An argument is correct if its role and all its tokens are.
    """
    n_sentences = n_propositions = n_perfect = n_extra = 0
    pairs: Pairs = Counter()
    for gold_propositions, predicted_propositions in sentences:
        n_sentences += 1
        n_propositions += len(gold_propositions)
        only_predicted = predicted_propositions.keys() - gold_propositions.keys()
        n_extra += len(only_predicted)
        for predicate in gold_propositions.keys() | (
            only_predicted if extra else set()
        ):
            gold_at = _by_tokens(gold_propositions.get(predicate, ()))
            predicted_at = _by_tokens(predicted_propositions.get(predicate, ()))
            mistakes = 0
            for place in gold_at.keys() | predicted_at.keys():
                pair = gold_at.get(place), predicted_at.get(place)
                pairs[pair] += 1
                mistakes += pair[0] != pair[1] and not {VERB, None}.issuperset(pair)
            n_perfect += predicate in gold_propositions and not mistakes
    return RoleScores(pairs, n_sentences, n_propositions, n_perfect, n_extra)


def _by_tokens(phrases: Iterable[Segment]) -> dict[Parts, str]:
    """Arguments as {parts: role}; no two have the same tokens, because phrases do not
    overlap.
    """
    return {parts: role for role, parts in join_continued(phrases)}
