"""Score semantic roles like srl-eval (CoNLL-2005 shared task)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage
from senna_py.labels.tag_schemes import Segment

Parts = tuple[tuple[int, int], ...]  # the ranges of tokens of an argument, (begin, end)
# The phrases (label, begin, end) of each predicate, in the order of the tokens.
Propositions = Mapping[int, Sequence[Segment]]

VERB = "V"


@dataclass(frozen=True)
class RoleScores(Scores):
    """Scores of semantic roles.

    `labels` counts arguments by role, and `confusions` pairs arguments of a predicate
    with the same tokens.

    Attributes:
        n_sentences: The number of sentences.
        n_propositions: The number of gold propositions.
        n_perfect: The number of gold propositions whose arguments, except V, were
            predicted exactly. As in srl-eval, a proposition without arguments is
            perfect even if its predicate was not predicted.
        n_extra: The number of predicted propositions whose predicate is not in the gold
            standard.
    """

    n_sentences: int
    n_propositions: int
    n_perfect: int
    n_extra: int = 0

    @property
    def perfect(self) -> float:
        """The percentage of gold propositions that are perfect."""
        return percentage(self.n_perfect, self.n_propositions)

    @property
    def verb(self) -> Counts:
        """The counts of V, the predicate itself."""
        return self.labels.get(VERB, Counts())

    @property
    def overall(self) -> Counts:
        """The counts of all roles except V."""
        roles = (self.labels[role] for role in self.labels if role != VERB)
        return sum(roles, Counts())


def join_continued(phrases: Iterable[Segment]) -> list[tuple[str, Parts]]:
    """Return the arguments that phrases form, as pairs of a role and its parts.

    A phrase C-x is a part of the last argument x before it. If there is none, it is an
    argument x by itself.
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
    """Score semantic roles.

    Propositions are compared by predicate. An argument is correct if its role and all
    its tokens are correct. All arguments of a gold predicate that was not predicted
    count as missed.

    Args:
        sentences: The gold and the predicted propositions of each sentence.
        extra: Whether the arguments of predicted predicates that are not in the gold
            standard count as wrong. Otherwise, they are ignored, as in srl-eval.
    """
    n_sentences = n_propositions = n_perfect = n_extra = 0
    pairs: Pairs = Counter()
    for gold_propositions, predicted_propositions in sentences:
        n_sentences += 1
        n_propositions += len(gold_propositions)
        n_extra += len(predicted_propositions.keys() - gold_propositions.keys())
        predicates = set(gold_propositions)
        if extra:
            predicates.update(predicted_propositions)
        for predicate in predicates:
            gold = _by_tokens(gold_propositions.get(predicate, ()))
            predicted = _by_tokens(predicted_propositions.get(predicate, ()))
            mistakes = 0
            for parts in gold.keys() | predicted.keys():
                pair = gold.get(parts), predicted.get(parts)
                pairs[pair] += 1
                mistakes += pair[0] != pair[1] and not {VERB, None}.issuperset(pair)
            n_perfect += predicate in gold_propositions and not mistakes
    return RoleScores(pairs, n_sentences, n_propositions, n_perfect, n_extra)


def _by_tokens(phrases: Iterable[Segment]) -> dict[Parts, str]:
    """Return the arguments as {parts: role}.

    Phrases do not overlap, so no two arguments have the same parts.
    """
    return {parts: role for role, parts in join_continued(phrases)}
