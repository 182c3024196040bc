"""Targets of heads for trees: the constituents over the words of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.labels import tree_keys
from senna_py.labels.tasks import TREES, Task
from senna_py.labels.trees import Phrase
from senna_py.networks.batch import WordBatch
from senna_py.tagging.targets.base import Learner, Targets

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class Constituent(NamedTuple):
    """A constituent, its sentence among those that have labels, and its probability."""

    phrase: Phrase  # whose tokens are counted in the sentence
    sentence: int
    share: float


def constituents_of(gold: Gold) -> Iterator[Constituent]:
    """Yield the constituents below the roots of gold trees.

    Phrases over the same words are one constituent. Soft gold has no roots, and its
    phrases are constituents.
    """
    rows = [Phrase(label, begin, end) for label, begin, end, *_ in gold.layer.rows()]
    scores = gold.layer.score
    owner = np.searchsorted(gold.starts, gold.layer.begin, side="right") - 1
    if scores is not None:
        shares = scores.tolist()
        for phrase, sentence, share in zip(rows, owner.tolist(), shares, strict=True):
            start = int(gold.starts[sentence])
            yield Constituent(_moved(phrase, start), sentence, share)
        return
    bounds = np.searchsorted(owner, np.arange(len(gold.starts)))
    starts = gold.starts.tolist()
    for sentence, (first, last) in enumerate(pairwise(bounds.tolist())):
        merged: list[Phrase] = []
        for phrase in rows[first + 1 : last]:
            if merged and merged[-1][1:] == phrase[1:]:
                labels = [merged[-1].label, phrase.label]
                label = tree_keys.label_of_phrases(labels)
                merged[-1] = merged[-1]._replace(label=label)
            else:
                merged.append(phrase)
        for phrase in merged:
            yield Constituent(_moved(phrase, starts[sentence]), sentence, 1)


def _moved(phrase: Phrase, start: int) -> Phrase:
    return Phrase(phrase.label, phrase.begin - start, phrase.end - start)


class TreeLearner(Learner):
    """The types of constituents.

    The keys are O and then B, I, E and S of each type, in the order of their names. A
    type is what the phrases over the same words are called, `S(VP`; a rare one is
    reduced to a part of it, see `labels.tree_keys.frequent_label`, and one that is not
    known even in part is not learned. Models store left-hand brackets as labels, and
    right-hand ones beside.
    """

    head, only = "trees", TREES
    approach, hidden, chooses = "chart", 224, False

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._counts: Counter[str] = Counter()
        self._min_count = 1
        self._reduced: dict[str, str] = {}

    def find_keys(self, gold: Gold, min_count: int) -> None:
        self._counts, self._min_count, self._reduced = Counter(), min_count, {}
        for phrase, _, share in constituents_of(gold):
            self._counts[phrase.label] += share  # type: ignore[assignment]
        self._take_types(sorted({self._reduce(label) for label in self._counts}))
        if len(self.keys) == 1:
            raise SennaError("no phrase below the roots of the trees")

    def _take_types(self, types: list[str]) -> None:
        self._number = {label: number for number, label in enumerate(types)}
        self._parts = {
            part for label in types for part in tree_keys.phrases_of_label(label)
        }
        self.keys = tree_keys.keys_of_types(types)

    def _reduce(self, label: str) -> str:
        if label not in self._reduced:
            self._reduced[label] = tree_keys.frequent_label(
                label,
                self._counts,
                self._min_count,
            )
        return self._reduced[label]

    def take_keys(self, keys: list[str]) -> None:
        types = [key.removeprefix("B-") for key in keys[1::4]]
        self._counts = Counter(
            {label: max(self._counts[label], self._min_count) for label in types}
        )
        self._reduced = {}
        self._take_types(types)

    def missing_from(self, keys: list[str]) -> set[str]:
        return {key[2:] for key in self.keys[1:]} - {key[2:] for key in keys}

    def unknown(self, gold: Gold) -> list[tuple[str, int]]:
        return sorted(
            (part, int(gold.starts[sentence]) + phrase.begin)
            for phrase, sentence, _ in constituents_of(gold)
            for part in tree_keys.phrases_of_label(phrase.label)
            if part not in self._parts
        )

    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        rows: list[tuple[int, int, int]] = []
        owner: list[int] = []
        shares: list[float] = []
        for (label, begin, end), sentence, share in constituents_of(gold):
            number = self._number.get(self._reduce(label))
            if number is not None:
                rows.append((begin, end, number))
                owner.append(sentence)
                shares.append(share)
        begins, ends, numbers = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        counts = np.bincount(owner, minlength=len(gold.starts) - 1)
        starts = np.append(0, np.cumsum(counts, dtype=np.int64))
        share_of = None
        if gold.layer.score is not None:
            share_of = np.array(shares, np.float32)
        return TreeTargets(
            tree_keys.Constituents(starts, begins, ends, numbers, share_of), weight
        )

    def stored(self) -> tuple[list[str], dict[str, list[str]]]:
        left, right = tree_keys.brackets_of_keys(self.keys)
        return left, {f"{self.task.name}-right": right}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        return tree_keys.keys_of_brackets(labels)


@dataclass
class TreeTargets(Targets):
    """Trees that a network is to give, for all sentences or for a batch.

    Attributes:
        trees: Their Constituents.
        weight: float32[n_sentences], by which the cost of each is multiplied, or None
            if all are 1.
    """

    trees: tree_keys.Constituents
    weight: NDArray[np.float32] | None = None

    @property
    def is_soft(self) -> bool:
        return self.weight is not None or self.trees.share is not None

    def shares(
        self, starts: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probabilities of constituents, and the weights of spans.

        They are float32[n] and float32[n_spans]. The weight of a sentence is that of
        all its spans, and the probabilities of its constituents are multiplied by it.
        starts: int32[n_sentences + 1], where the words of sentences begin, and the end.
        """
        n_words, trees = np.diff(starts).astype(np.int64), self.trees
        weight = self.weight
        if weight is None:
            weight = np.ones(len(n_words), np.float32)
        share = np.repeat(weight, np.diff(trees.starts))
        if trees.share is not None:
            share *= trees.share
        return share, np.repeat(weight, n_words * (n_words + 1) // 2)

    def has_rows(self) -> NDArray[np.bool_]:
        return np.ones(len(self.trees.starts) - 1, bool)

    def arrays(self) -> list[NDArray[Any]]:
        return [array for array in self.trees if array is not None]

    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        weight = None if self.weight is None else self.weight[which]
        return WordBatch(None, starts), TreeTargets(self.trees.take(which), weight)
