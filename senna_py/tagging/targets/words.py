"""Targets of networks that tag words: a tag for each word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.soft_labels import SoftLabels
from senna_py.tagging.targets.base import Learner, Targets

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class WordLearner(Learner):
    """Learns a tag for each word. IOBES tags of rare segment types are left out."""

    head = "words"

    def find_keys(self, gold: Gold, min_count: int) -> None:
        names, rows = tags_of(gold)
        if self.task.shape.each_token:
            self.keys = sorted(names)
            return
        counts: Counter[str] = Counter()
        n_rows = np.bincount(rows, minlength=len(names)).tolist()
        for name, n in zip(names, n_rows, strict=True):
            if name[:2] in ("B-", "S-"):
                counts[name[2:]] += n
        frequent = (
            name for name in names if name != "O" and counts[name[2:]] >= min_count
        )
        self.keys = ["O", *sorted(frequent)]

    def missing_from(self, keys: list[str]) -> set[str]:
        types = {key[2:] for key in keys}
        return {self._shown(key, types) for key in super().missing_from(keys)}

    def _shown(self, tag: str, types: Collection[str]) -> str:
        """Return a tag as shown to users: its type if the type is not in `types`."""
        if self.task.shape.each_token or tag[2:] in types:
            return tag
        return tag[2:]

    def unknown(self, gold: Gold) -> list[tuple[str, int]]:
        names, rows = tags_of(gold)
        known, types = {*self.keys}, {key[2:] for key in self.keys}
        is_unknown = np.array([name not in known for name in names], bool)
        at = np.flatnonzero(is_unknown[rows])
        tokens = tokens_of_rows(gold, at)
        return [
            (self._shown(names[row], types), token)
            for row, token in zip(rows[at].tolist(), tokens.tolist(), strict=True)
        ]

    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        return TagTargets(gold.starts, *self.numbered(gold), weight)

    def numbered(self, gold: Gold) -> tuple[NDArray[np.int32], SoftLabels | None]:
        """Return the gold tags and soft labels, numbered by `keys`.

        Tags that are not in `keys` are replaced by the first key.

        Returns:
            int32[n_rows], the key of each row, and the soft labels or None.
        """
        names, rows = tags_of(gold)
        index = {key: number for number, key in enumerate(self.keys)}
        key_of = np.array([index.get(name, 0) for name in names], np.int32)
        soft = gold.soft
        if soft is not None:
            soft = SoftLabels(soft.begin, key_of[soft.label], soft.share)
        return key_of[rows], soft

    def has_nothing(self, gold: Gold) -> bool:
        return not self.task.shape.each_token and {*tags_of(gold)[0]} <= {"O"}


def tags_of(gold: Gold) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the names of the gold tags, and the tag of each row, int32[n_rows]."""
    tags = gold.layer.tags
    if tags is None:
        return gold.layer.names, gold.layer.label
    return tags.names, tags.tag


def tokens_of_rows(gold: Gold, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the token index of each of the given rows, int64[n]."""
    tags = gold.layer.tags
    if tags is None:
        return rows
    sequence = np.searchsorted(tags.begin, rows, side="right") - 1
    return rows - tags.begin[sequence] + tags.first[sequence]


@dataclass
class TagTargets(Targets):
    """Target tags of a network that tags words, for all sentences or for a batch.

    Attributes:
        row_starts: int64[n_sequences + 1], the first row of each sequence of tags, and
            the number of rows.
        gold: int32[n_rows], the tag of each row.
        soft: The distributions over tags, whose most probable tags are in `gold`; None
            if all tags are certain.
        weight: float32[n_sequences], the factor for the cost of each sequence, or None
            if all are 1.
    """

    row_starts: NDArray[np.int64]
    gold: NDArray[np.int32]
    soft: SoftLabels | None = None
    weight: NDArray[np.float32] | None = None

    @property
    def is_soft(self) -> bool:
        return self.soft is not None or self.weight is not None

    def shares(self, n_labels: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the distributions over tags and the weights of sequences.

        They are float32[n_rows, n_labels] and float32[n_sequences].
        """
        weight = self.weight
        if weight is None:
            weight = np.ones(len(self.row_starts) - 1, np.float32)
        if self.soft is not None:
            return self.soft.dense(n_labels), weight
        return np.eye(n_labels, dtype=np.float32)[self.gold], weight

    def has_rows(self) -> NDArray[np.bool_]:
        return np.diff(self.row_starts) > 0

    def arrays(self) -> list[NDArray[Any]]:
        arrays: list[NDArray[Any]] = [self.row_starts, self.gold]
        if self.soft is not None:
            arrays += [self.soft.begin, self.soft.label, self.soft.share]
        return arrays

    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        return WordBatch(None, starts), self.take(which)

    def take(self, which: NDArray[np.int64]) -> TagTargets:
        """Return the targets of the sequences with the given indices, int64[n]."""
        begin, end = self.row_starts[which], self.row_starts[which + 1]
        rows = ranges(begin, end)
        return TagTargets(
            np.append(0, np.cumsum(end - begin)),
            self.gold[rows],
            None if self.soft is None else self.soft.take(rows),
            None if self.weight is None else self.weight[which],
        )
