"""Scores of tags, token by token."""

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass

from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage


@dataclass(frozen=True)
class TokenScores(Scores):
    """Counts of each tag, {tag: Counts}, and of each mistake, {(gold, predicted):
    n}.
    """

    n_tokens: int
    n_correct: int

    @property
    def accuracy(self) -> float:
        """Percentage of the tokens that have their gold tag."""
        return percentage(self.n_correct, self.n_tokens)

    @property
    def overall(self) -> Counts:
        """Counts of all tags."""
        return sum(self.labels.values(), Counts())


def score_tokens(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> TokenScores:
    """TokenScores of sentences, pairs (gold, predicted) of sequences of one tag a
    token.
    """
    pairs: Pairs = Counter()
    for k, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        same_length(k, gold_tags, predicted_tags)
        pairs.update(zip(gold_tags, predicted_tags, strict=True))
    n_correct = sum(n for (gold, predicted), n in pairs.items() if gold == predicted)
    return TokenScores(pairs, pairs.total(), n_correct)


def same_length(number: int, gold: Sized, predicted: Sized) -> None:
    """Raise SennaError unless sentence `number` has a predicted tag for each gold
    tag.
    """
    if len(gold) != len(predicted):
        raise SennaError(
            f"sentence {number}: expected {len(gold)} predicted tags, found {len(predicted)}"
        )
