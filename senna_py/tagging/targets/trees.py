"""Targets of networks for trees: labeled spans of words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.labels import tree_keys
from senna_py.labels.tasks import TREES, Task
from senna_py.networks.batch import WordBatch
from senna_py.tagging.targets.base import Learner, Targets

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class GoldConstituents(NamedTuple):
    """The constituents below the roots of gold trees.

    Attributes:
        labels: The distinct labels.
        label: int32[n], the label of each constituent, an index of `labels`.
        begin: int32[n], the first token of each constituent.
        end: int32[n], the index after the last token of each constituent.
        sentence: int64[n], the index of its sentence among the labeled sentences.
        share: float64[n], the probability of each constituent, or None if all are
            certain.
    """

    labels: list[str]
    label: NDArray[np.int32]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]
    sentence: NDArray[np.int64]
    share: NDArray[np.floating[Any]] | None

    def counts(self) -> Counter[str]:
        """Return the count of each label that occurs; soft labels sum probabilities."""
        counts = np.bincount(self.label, self.share, len(self.labels)).tolist()
        return Counter(
            {label: n for label, n in zip(self.labels, counts, strict=True) if n}
        )


def constituents_of(gold: Gold) -> GoldConstituents:
    """Return the constituents of gold trees, without the roots.

    Phrases over the same words are merged into one constituent with a joint label. Soft
    gold labels are constituents already, and have no roots.
    """
    layer, labels = gold.layer, [*gold.layer.names]
    label, begin, end = layer.label, layer.begin, layer.end
    sentence = np.searchsorted(gold.starts, begin, side="right") - 1
    if layer.score is not None:
        return GoldConstituents(labels, label, begin, end, sentence, layer.score)
    is_root = np.ones(len(label), bool)
    is_root[1:] = sentence[1:] != sentence[:-1]
    label, begin, end = (array[~is_root] for array in (label, begin, end))
    sentence = sentence[~is_root]
    is_first = np.ones(len(label), bool)
    is_first[1:] = (begin[1:] != begin[:-1]) | (end[1:] != end[:-1])
    first = np.flatnonzero(is_first)
    sizes = np.diff(np.append(first, len(label)))
    merged = label[first]
    numbers = {name: number for number, name in enumerate(labels)}
    for row in np.flatnonzero(sizes > 1).tolist():
        chain = label[first[row] : first[row] + sizes[row]].tolist()
        text = tree_keys.label_of_phrases([labels[number] for number in chain])
        merged[row] = numbers.setdefault(text, len(numbers))
    return GoldConstituents(
        [*numbers], merged, begin[first], end[first], sentence[first], None
    )


class TreeLearner(Learner):
    """Learns the types of constituents.

    A type is the joint label of all phrases over the same words, such as `S(VP`. The
    keys are O, and then B, I, E and S for each type, sorted by type. A rare type is
    reduced to a part of it (see `labels.tree_keys.frequent_label`), and a constituent
    without a known part is not learned. Models store opening brackets as labels, and
    closing brackets in an additional vocabulary.
    """

    head, only = "trees", TREES
    approach, hidden, chooses = "chart", 224, False

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._counts: Counter[str] = Counter()
        self._min_count = 1
        self._reduced: dict[str, str] = {}

    def find_keys(self, gold: Gold, min_count: int) -> None:
        self._counts = constituents_of(gold).counts()
        self._min_count, self._reduced = min_count, {}
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
        trees = constituents_of(gold)
        unknown = [
            [
                part
                for part in tree_keys.phrases_of_label(label)
                if part not in self._parts
            ]
            for label in trees.labels
        ]
        rows = np.flatnonzero(np.array([*map(bool, unknown)], bool)[trees.label])
        tokens = trees.begin[rows].tolist()
        return sorted(
            (part, token)
            for label, token in zip(trees.label[rows].tolist(), tokens, strict=True)
            for part in unknown[label]
        )

    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        trees = constituents_of(gold)
        used = trees.counts()
        numbers = [
            self._number.get(self._reduce(label), -1) if label in used else -1
            for label in trees.labels
        ]
        number = np.array(numbers, np.int32)[trees.label]
        rows = np.flatnonzero(number >= 0)
        sentence = trees.sentence[rows]
        first = gold.starts[sentence]
        counts = np.bincount(sentence, minlength=len(gold.starts) - 1)
        share = None if trees.share is None else trees.share[rows].astype(np.float32)
        constituents = tree_keys.Constituents(
            np.append(0, np.cumsum(counts, dtype=np.int64)),
            (trees.begin[rows] - first).astype(np.int32),
            (trees.end[rows] - first).astype(np.int32),
            number[rows],
            share,
        )
        return TreeTargets(constituents, weight)

    def labels_in_model(self) -> tuple[list[str], dict[str, list[str]]]:
        left, right = tree_keys.brackets_of_keys(self.keys)
        return left, {f"{self.task.name}-right": right}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        return tree_keys.keys_of_brackets(labels)


@dataclass
class TreeTargets(Targets):
    """Target trees, for all sentences or for a batch.

    Attributes:
        trees: The constituents of the trees.
        weight: float32[n_sentences], the factor for the cost of each sentence, or None
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
        """Return the weighted probabilities of constituents, and the weights of spans.

        Every span of a sentence, and so every constituent, has the weight of the
        sentence.

        Args:
            starts: int32[n_sentences + 1], the first word of each sentence, and the
                number of words.

        Returns:
            float32[n], the probability of each constituent multiplied by its weight,
            and float32[n_spans], the weight of each possible span.
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
