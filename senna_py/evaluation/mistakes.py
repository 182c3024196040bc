"""The sentences with the most mistakes, for reports."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from senna_py.evaluation.trees import VALID
from senna_py.labels.tag_schemes import segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from senna_py.evaluation.trees import TreePair, TreeScores
    from senna_py.labels.tag_schemes import Segment

__all__ = ["Compared", "WorstSentence", "WorstTree", "worst_sentences", "worst_trees"]

_MOST = 20


class Compared(NamedTuple):
    """Gold and predicted segments of a sentence, or of one predicate of it, which is the name."""

    name: str
    gold: list[Segment]
    predicted: list[Segment]

    @property
    def n_mistakes(self) -> int:
        """Segments of the gold standard that are missing, or those in excess if these are more."""
        gold, predicted = set(self.gold), set(self.predicted)
        return max(len(gold - predicted), len(predicted - gold))


class WorstSentence(NamedTuple):
    """A sentence: its number, from 1, how many mistakes it has, its words, and its labels."""

    number: int
    n_mistakes: int
    words: Sequence[str]
    comparisons: list[Compared]


class WorstTree(NamedTuple):
    """A sentence of trees: its number, from 1, wrong and missing brackets, and the trees."""

    number: int
    n_mistakes: int
    pair: TreePair


def worst_sentences(
    kind: str, sentences: Iterable[tuple[Sequence[str], Any, Any]], most: int = _MOST
) -> list[WorstSentence]:
    """The `most` sentences with the most mistakes, the worst first; none without a mistake.

    kind: `tags`, `segments`, or `roles`; sentences: their words, gold labels and predicted ones:
    tags, or {predicate: its tags or segments}.
    """
    found = (
        WorstSentence(number, sum(c.n_mistakes for c in compared), words, compared)
        for number, (words, gold, predicted) in enumerate(sentences, 1)
        for compared in [_compare(kind, words, gold, predicted)]
    )
    return nlargest(most, filter(_n_mistakes, found), key=_n_mistakes)


def worst_trees(
    scores: TreeScores, pairs: Sequence[TreePair], most: int = _MOST
) -> list[WorstTree]:
    """The `most` pairs of trees with the most brackets that are wrong or missing, worst first."""
    found = (
        WorstTree(number, each.brackets.excess + each.brackets.missed, pair)
        for number, (each, pair) in enumerate(zip(scores.sentences, pairs, strict=True), 1)
        if each.status == VALID
    )
    return nlargest(most, filter(_n_mistakes, found), key=_n_mistakes)


def _n_mistakes(sentence: WorstSentence | WorstTree) -> int:
    return sentence.n_mistakes


def _compare(kind: str, words: Sequence[str], gold: Any, predicted: Any) -> list[Compared]:
    if kind == "roles":
        return [
            Compared(
                words[predicate],
                _segments(gold.get(predicate, ())),
                _segments(predicted.get(predicate, ())),
            )
            for predicate in sorted({*gold, *predicted})
        ]
    if kind == "tags":
        return [Compared("", _of_tokens(gold), _of_tokens(predicted))]
    return [Compared("", segments(gold), segments(predicted))]


def _of_tokens(tags: Sequence[str]) -> list[Segment]:
    return [(tag, i, i + 1) for i, tag in enumerate(tags)]


def _segments(labels: Any) -> list[Segment]:
    """Segments of a predicate, which are given as such or as tags."""
    return segments(labels) if labels and isinstance(labels[0], str) else list(labels)
