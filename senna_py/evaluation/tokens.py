"""Score the tags of tokens."""

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
        n_correct: The number of tokens with the correct tag.
    """

    n_tokens: int
    n_correct: int

    @property
    def accuracy(self) -> float:
        """The percentage of tokens with the correct tag."""
        return percentage(self.n_correct, self.n_tokens)

    @property
    def overall(self) -> Counts:
        """The sums of the counts of all labels."""
        return sum(self.labels.values(), Counts())


def score_tokens(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> TokenScores:
    """Score the tags of tokens.

    Args:
        sentences: The gold and the predicted tags of each sentence.

    Raises:
        SennaError: If a sentence has different numbers of gold and predicted tags.
    """
    pairs: Pairs = Counter()
    for number, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        check_lengths(number, gold_tags, predicted_tags)
        pairs.update(zip(gold_tags, predicted_tags, strict=True))
    n_correct = sum(n for (gold, predicted), n in pairs.items() if gold == predicted)
    return TokenScores(pairs, pairs.total(), n_correct)


def check_lengths(number: int, gold: Sized, predicted: Sized) -> None:
    """Raise SennaError if a sentence has different numbers of gold and predicted tags.

    Args:
        number: The number of the sentence, for the message.
        gold: The gold tags.
        predicted: The predicted tags.
    """
    if len(gold) != len(predicted):
        raise SennaError(
            f"sentence {number}: expected {len(gold)} predicted tags, found {len(predicted)}"
        )
