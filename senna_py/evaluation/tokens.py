"""Scores of tags, token by token."""

from collections import Counter
from dataclasses import dataclass

from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts, counts_by_label, percentage

__all__ = ["TokenScores", "same_length", "score_tokens"]


@dataclass(frozen=True)
class TokenScores:
    """Counts of each tag, {tag: Counts}, and of each mistake, {(gold, predicted): n}."""

    n_tokens: int
    n_correct: int
    labels: dict
    confusions: Counter

    @property
    def accuracy(self):
        """Percentage of the tokens that have their gold tag."""
        return percentage(self.n_correct, self.n_tokens)

    @property
    def overall(self):
        """Counts of all tags."""
        return sum(self.labels.values(), Counts())


def score_tokens(sentences):
    """TokenScores of sentences, pairs (gold, predicted) of sequences of one tag a token."""
    pairs = Counter()
    for k, (gold, predicted) in enumerate(sentences, 1):
        same_length(k, gold, predicted)
        pairs.update(zip(gold, predicted, strict=True))
    gold, predicted, correct, confusions = Counter(), Counter(), Counter(), Counter()
    for pair, n in pairs.items():
        gold[pair[0]] += n
        predicted[pair[1]] += n
        if pair[0] == pair[1]:
            correct[pair[0]] = n
        else:
            confusions[pair] = n
    labels = counts_by_label(gold, predicted, correct)
    return TokenScores(gold.total(), correct.total(), labels, confusions)


def same_length(number, gold, predicted):
    """Raise SennaError unless sentence `number` has a predicted tag for each gold tag."""
    if len(gold) != len(predicted):
        raise SennaError(
            f"sentence {number}: expected {len(gold)} predicted tags, found {len(predicted)}"
        )
