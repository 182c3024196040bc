"""Scores of tags, token by token."""

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass

from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts, Tally, percentage


@dataclass(frozen=True)
class TokenScores:
    """Counts of each tag, {tag: Counts}, and of each mistake, {(gold, predicted): n}."""

    n_tokens: int
    n_correct: int
    labels: dict[str, Counts]
    confusions: Counter[tuple[str, str]]

    @property
    def accuracy(self) -> float:
        """Percentage of the tokens that have their gold tag."""
        return percentage(self.n_correct, self.n_tokens)

    @property
    def overall(self) -> Counts:
        """Counts of all tags."""
        return sum(self.labels.values(), Counts())


def score_tokens(sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> TokenScores:
    """TokenScores of sentences, pairs (gold, predicted) of sequences of one tag a token."""
    tally = Tally()
    for k, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        same_length(k, gold_tags, predicted_tags)
        tally.update(zip(gold_tags, predicted_tags, strict=True))
    n_tokens, wrong = tally.total(), tally.confusions
    return TokenScores(n_tokens, n_tokens - wrong.total(), tally.labels, wrong)


def same_length(number: int, gold: Sized, predicted: Sized) -> None:
    """Raise SennaError unless sentence `number` has a predicted tag for each gold tag."""
    if len(gold) != len(predicted):
        raise SennaError(
            f"sentence {number}: expected {len(gold)} predicted tags, found {len(predicted)}"
        )
