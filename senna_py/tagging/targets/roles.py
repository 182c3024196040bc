"""Targets of networks for roles: a sequence of tags for each predicate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.targets.base import Targets
from senna_py.tagging.targets.words import TagTargets, WordLearner

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class RoleLearner(WordLearner):
    """Learns the IOBES tags of the arguments of each predicate."""

    head, hidden = "roles", 192

    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        anchors, tags = gold.layer.anchors, gold.layer.tags
        assert anchors is not None and tags is not None, "roles hang on predicates"
        first = np.searchsorted(anchors, gold.starts).astype(np.int64)
        counts = np.diff(first)
        if weight is not None:
            weight = np.repeat(weight, counts)
        within = anchors.astype(np.int64) - np.repeat(gold.starts[:-1], counts)
        return RoleTargets(tags.begin, *self.numbered(gold), weight, first, within)


def _none() -> NDArray[np.int64]:
    return np.empty(0, np.int64)


@dataclass
class RoleTargets(TagTargets):
    """Target tags of a network for roles, whose sequences belong to predicates.

    Attributes:
        first: int64[n_sentences + 1], the first predicate of each sentence, and the
            number of predicates.
        within: int64[n_predicates], the word index of each predicate in its sentence.
    """

    first: NDArray[np.int64] = field(default_factory=_none)
    within: NDArray[np.int64] = field(default_factory=_none)

    def has_rows(self) -> NDArray[np.bool_]:
        return np.diff(self.first) > 0

    def arrays(self) -> list[NDArray[Any]]:
        return [*super().arrays(), self.first, self.within]

    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        begin, end = self.first[which], self.first[which + 1]
        chosen = ranges(begin, end)
        predicate = np.repeat(starts[:-1], end - begin) + self.within[chosen]
        return WordBatch(None, starts).of_predicates(predicate), self.take(chosen)
