"""Targets of networks for dependencies: the head and the relation of each word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import ROOT
from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.targets.base import Learner, Targets

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class ArcLearner(Learner):
    """Learns the head of each word, and its relation to the head."""

    head, hidden, chooses = "arcs", 256, False

    def find_keys(self, gold: Gold, min_count: int) -> None:
        self.keys = sorted(gold.layer.names)

    def unknown(self, gold: Gold) -> list[tuple[str, int]]:
        known = {*self.keys}
        return [
            (relation, token)
            for token, relation in enumerate(gold.layer.texts())
            if relation not in known
        ]

    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        layer = gold.layer
        assert layer.anchor is not None, "each word hangs on its head"
        index = {key: number for number, key in enumerate(self.keys)}
        key_of = np.array([index.get(name, 0) for name in layer.names], np.int32)
        first = np.repeat(gold.starts[:-1], np.diff(gold.starts))
        head = np.where(layer.anchor == ROOT, ROOT, layer.anchor - first)
        share = None if layer.score is None else layer.score.astype(np.float32)
        return ArcTargets(
            gold.starts, head.astype(np.int32), key_of[layer.label], share, weight
        )


@dataclass
class ArcTargets(Targets):
    """Target heads and relations, for all sentences or for a batch.

    Attributes:
        begin: int64[n_sentences + 1], the first word of each sentence, and the number
            of words.
        head: int32[n_tokens], the head of each word, as a word index in the sentence;
            ROOT for the root.
        label: int32[n_tokens], the relation of each word, an index of the keys.
        share: float32[n_tokens], the probability of the head and relation of each word,
            a factor for its cost; None if all are certain.
        weight: float32[n_sentences], the factor for the cost of each sentence, or None
            if all are 1.
    """

    begin: NDArray[np.int64]
    head: NDArray[np.int32]
    label: NDArray[np.int32]
    share: NDArray[np.float32] | None = None
    weight: NDArray[np.float32] | None = None

    @property
    def is_soft(self) -> bool:
        return self.share is not None or self.weight is not None

    def shares(self) -> NDArray[np.float32]:
        """Return the factor for the cost of each word, float32[n_tokens]."""
        share = self.share
        if share is None:
            share = np.ones(len(self.head), np.float32)
        if self.weight is None:
            return share
        return share * np.repeat(self.weight, np.diff(self.begin))

    def has_rows(self) -> NDArray[np.bool_]:
        return np.diff(self.begin) > 0

    def arrays(self) -> list[NDArray[Any]]:
        arrays: list[NDArray[Any]] = [self.begin, self.head, self.label]
        return arrays if self.share is None else [*arrays, self.share]

    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        rows = ranges(self.begin[which], self.begin[which + 1])
        return WordBatch(None, starts), ArcTargets(
            starts.astype(np.int64),
            self.head[rows],
            self.label[rows],
            None if self.share is None else self.share[rows],
            None if self.weight is None else self.weight[which],
        )
