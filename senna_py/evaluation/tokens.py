"""Scores of tags, token by token."""

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass

from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage


@dataclass(frozen=True)
class TokenScores(Scores):
    """Scores of tags; `labels` counts tokens by tag.

    Attributes:
        n_tokens: The number of tokens.
        n_correct: The number of tokens with the right tag.
    """

    n_tokens: int
    n_correct: int

    @property
    def accuracy(self) -> float:
        """The percentage of tokens with the right tag."""
        return percentage(self.n_correct, self.n_tokens)

    @property
    def overall(self) -> Counts:
        """The counts of all tags together."""
        return sum(self.labels.values(), Counts())


def score_tokens(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> TokenScores:
    """Score tags, token by token.

    Args:
        sentences: The gold and the predicted tags of each sentence.

    Raises:
        SennaError: If a sentence has more or fewer predicted tags than gold ones.
    """
    pairs: Pairs = Counter()
    for number, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        check_lengths(number, gold_tags, predicted_tags)
        pairs.update(zip(gold_tags, predicted_tags, strict=True))
    n_correct = sum(n for (gold, predicted), n in pairs.items() if gold == predicted)
    return TokenScores(pairs, pairs.total(), n_correct)


def check_lengths(number: int, gold: Sized, predicted: Sized) -> None:
    """Raise SennaError unless sentence `number` has as many predicted as gold tags."""
    if len(gold) != len(predicted):
        raise SennaError(
            f"sentence {number}: expected {len(gold)} predicted tags, found {len(predicted)}"
        )
