"""Counts of what was found and what was right, with precision, recall and F1 in percent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections import Counter

__all__ = ["NO_LABEL", "Counts", "counts_by_label", "percentage"]

NO_LABEL = "-"  # in confusions, beside what is missed or in excess


def percentage(part: float, whole: float) -> float:
    """100 part / whole; 0 of nothing is 0, as in the field's scripts."""
    return 100 * part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall; 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


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
        """Harmonic mean of precision and recall."""
        return _f1(self.precision, self.recall)

    def as_dict(self) -> dict[str, float]:
        """Return counts and percentages by name, as JSON has them."""
        names = "gold", "predicted", "correct", "precision", "recall", "f1"
        return {name: getattr(self, name) for name in names}

    def __add__(self, other: Counts) -> Counts:
        """Count both."""
        return Counts(
            self.gold + other.gold, self.predicted + other.predicted, self.correct + other.correct
        )


def counts_by_label(
    gold: Counter[str], predicted: Counter[str], correct: Counter[str]
) -> dict[str, Counts]:
    """One Counts for each label, in the order of labels; takes three collections.Counter."""
    return {
        label: Counts(gold[label], predicted[label], correct[label])
        for label in sorted(gold.keys() | predicted.keys())
    }
