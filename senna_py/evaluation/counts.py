"""Counts of gold, predicted and correct items, from which scores are computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

# The number of items with each pair of a gold and a predicted label. If an item is only
# gold or only predicted, the other label is None.
Pairs = Counter[tuple[str | None, str | None]]
NO_LABEL = "-"  # replaces None in confusions


def percentage(part: float, whole: float) -> float:
    """Return 100 part / whole or, as in the standard scripts, 0 if `whole` is 0."""
    return 100 * part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of items, with precision, recall and F1 in percent.

    Attributes:
        gold: The number of items in the gold standard.
        predicted: The number of predicted items.
        correct: The number of predicted items that are correct.
    """

    gold: int = 0
    predicted: int = 0
    correct: int = 0

    @property
    def excess(self) -> int:
        """The number of predicted items that are not correct."""
        return self.predicted - self.correct

    @property
    def missed(self) -> int:
        """The number of gold items that were not predicted correctly."""
        return self.gold - self.correct

    @property
    def precision(self) -> float:
        """The percentage of predicted items that are correct."""
        return percentage(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """The percentage of gold items that were predicted correctly."""
        return percentage(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall in percent, or 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return the counts and the scores by name, for JSON."""
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
    """Base class of the scores of items with labels.

    Attributes:
        pairs: The number of items with each pair of a gold and a predicted label.
    """

    pairs: Pairs

    @property
    def confusions(self) -> Counter[tuple[str, str]]:
        """The number of items with each pair of different gold and predicted labels."""
        confusions: Counter[tuple[str, str]] = Counter()
        for pair, n in self.pairs.items():
            if pair[0] != pair[1]:
                gold, predicted = (NO_LABEL if name is None else name for name in pair)
                confusions[gold, predicted] += n
        return confusions

    @property
    def labels(self) -> dict[str, Counts]:
        """The counts of items with each label, sorted by label."""
        counts: dict[str, Counts] = defaultdict(Counts)
        for (gold, predicted), n in self.pairs.items():
            if gold is not None:
                counts[gold] += Counts(n, 0, n if gold == predicted else 0)
            if predicted is not None:
                counts[predicted] += Counts(0, n)
        return dict(sorted(counts.items()))
