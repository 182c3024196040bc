"""Counts of what was found and what was right, with precision, recall and F1 in percent."""

from dataclasses import dataclass

__all__ = ["NO_LABEL", "Counts", "counts_by_label", "percentage"]

NO_LABEL = "-"  # in confusions, beside what is missed or in excess


def percentage(part, whole):
    """100 part / whole; 0 of nothing is 0, as in the field's scripts."""
    return 100 * part / whole if whole else 0.0


def _f1(precision, recall):
    """Harmonic mean of precision and recall; 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are in the gold standard, were predicted, and are in both."""

    gold: int = 0
    predicted: int = 0
    correct: int = 0

    @property
    def excess(self):
        """Predicted, and wrong."""
        return self.predicted - self.correct

    @property
    def missed(self):
        """In the gold standard, and not predicted."""
        return self.gold - self.correct

    @property
    def precision(self):
        """Percentage of the predicted ones that are correct."""
        return percentage(self.correct, self.predicted)

    @property
    def recall(self):
        """Percentage of the gold ones that were predicted."""
        return percentage(self.correct, self.gold)

    @property
    def f1(self):
        """Harmonic mean of precision and recall."""
        return _f1(self.precision, self.recall)

    def __add__(self, other):
        """Count both."""
        return Counts(
            self.gold + other.gold,
            self.predicted + other.predicted,
            self.correct + other.correct,
        )


def counts_by_label(gold, predicted, correct):
    """One Counts for each label, in the order of labels; takes three collections.Counter."""
    return {
        label: Counts(gold[label], predicted[label], correct[label])
        for label in sorted(gold.keys() | predicted.keys())
    }
