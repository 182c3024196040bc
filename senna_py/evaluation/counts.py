"""Counts of what was found and what was right, with precision, recall and F1 in percent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

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
            self.gold + other.gold, self.predicted + other.predicted, self.correct + other.correct
        )


class Tally:
    """Counts items by label as they come, and mistakes: confusions, {(gold, predicted): n}."""

    def __init__(self) -> None:
        self.confusions: Counter[tuple[str, str]] = Counter()
        self._gold: Counter[str] = Counter()
        self._predicted: Counter[str] = Counter()
        self._correct: Counter[str] = Counter()

    def add(self, gold: str | None, predicted: str | None, n: int = 1) -> None:
        """Count n items with their gold and predicted label; None if there is none."""
        if gold is not None:
            self._gold[gold] += n
        if predicted is not None:
            self._predicted[predicted] += n
        if gold is not None and gold == predicted:
            self._correct[gold] += n
        else:
            one, other = (NO_LABEL if each is None else each for each in (gold, predicted))
            self.confusions[one, other] += n

    @property
    def labels(self) -> dict[str, Counts]:
        """One Counts for each label, in the order of labels."""
        return {
            label: Counts(self._gold[label], self._predicted[label], self._correct[label])
            for label in sorted(self._gold.keys() | self._predicted.keys())
        }
