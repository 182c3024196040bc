"""Counts of what was found and what was right, with precision, recall and F1 in
percent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

Pairs = Counter[tuple[str | None, str | None]]
NO_LABEL = "-"  # in confusions, beside what is missed or in excess


def percentage(part: float, whole: float) -> float:
    """100 part / whole; 0 of nothing is 0, as in the field's scripts."""
    return 100 * part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of items in the gold standard, predicted, and in both."""

    gold: int = 0
    predicted: int = 0
    correct: int = 0

    @property
    def excess(self) -> int:
        """Predicted, and wrong."""
        return self.predicted - self.correct

    @property
    def missed(self) -> int:
        """In the gold standard, and not predicted."""
        return self.gold - self.correct

    @property
    def precision(self) -> float:
        """Percentage of the predicted ones that are correct."""
        return percentage(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """Percentage of the gold ones that were predicted."""
        return percentage(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return counts and percentages by name, as JSON has them."""
        names = "gold", "predicted", "correct", "precision", "recall", "f1"
        return {name: getattr(self, name) for name in names}

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.gold + other.gold,
            self.predicted + other.predicted,
            self.correct + other.correct,
        )


@dataclass(frozen=True)
class Scores:
    """Scores of items with labels.

    pairs: how often items have each pair of a gold and a predicted label, None where
    one has none.
    """

    pairs: Pairs

    @property
    def confusions(self) -> Counter[tuple[str, str]]:
        """Counts of mistakes, {(gold, predicted): n}, with NO_LABEL for none."""
        found: Counter[tuple[str, str]] = Counter()
        for pair, n in self.pairs.items():
            if pair[0] != pair[1]:
                gold, predicted = (NO_LABEL if each is None else each for each in pair)
                found[gold, predicted] += n
        return found

    @property
    def labels(self) -> dict[str, Counts]:
        """One Counts for each label, in the order of labels."""
        found: dict[str, Counts] = defaultdict(Counts)
        for (gold, predicted), n in self.pairs.items():
            if gold is not None:
                found[gold] += Counts(n, 0, n * (gold == predicted))
            if predicted is not None:
                found[predicted] += Counts(0, n)
        return dict(sorted(found.items()))
