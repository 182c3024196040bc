"""Semantic roles: for each predicate a tag for each word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from senna_py.corpora.escapes import split_roles
from senna_py.errors import counted
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.evaluation.roles import score_roles
from senna_py.labels.tag_schemes import segments
from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.kinds.base import Block, Kind, Pairs, Targets
from senna_py.tagging.kinds.words import Segments, TagTargets, tag_arrays


class Roles(Segments):
    """Segments of words beside each predicate: {predicate: list of tags, or
    SoftTags}.
    """

    name, labels = "roles", "roles"
    hidden, options = 192, ("find-predicates",)
    strict = Kind.strict

    def sources(self, soft: bool = False) -> list[tuple[str, ...]]:
        return [self.task.gold]

    def read(self, block: Block) -> Any:
        predicates = [
            i for i, mark in enumerate(block.columns["predicate"]) if mark != "-"
        ]
        roles = split_roles(block.roles, len(predicates))
        if len(roles) != len(predicates):
            n_others = len(block.sentence.columns) - len(block.roles)
            raise block.file.error(
                block.sentence.line,
                f"expected {counted(n_others + len(predicates), 'column')} in a sentence of "
                f"{counted(len(predicates), 'predicate')}, found {len(block.sentence.columns)}",
            )
        read = self.read_soft if block.data.is_soft(self.task.name) else self.read_hard
        return {
            p: read(block, cells) for p, cells in zip(predicates, roles, strict=True)
        }

    def sequences(self, labels: Iterable[Any]) -> list[list[str]]:
        return [tags for roles in labels for tags in roles.values()]

    def targets(self, labels: list[Any], weight: np.ndarray | None) -> Targets:
        index = {key: i for i, key in enumerate(self.keys)}
        counts = [*map(len, labels)]
        first = np.append(0, np.cumsum(counts, dtype=np.int64))
        within = np.array([p for roles in labels for p in roles], np.int64)
        weight = None if weight is None else np.repeat(weight, counts)
        return RoleTargets(
            *tag_arrays(self.sequences(labels), index), weight, first, within
        )

    def decode(
        self, answer: Any, names: Sequence[str], starts: np.ndarray
    ) -> list[Any]:
        tags = super().decode(answer, names, starts)
        first = answer.first.tolist()
        return [
            {int(answer.predicate[p] - begin): tags[p] for p in range(a, b)}
            for begin, (a, b) in zip(starts.tolist(), pairwise(first), strict=False)
        ]

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        renamed = super().renamed
        return {predicate: renamed(tags, names) for predicate, tags in labels.items()}

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        return score_roles((_phrases(gold), _phrases(found)) for gold, found in pairs)


def _phrases(tags):
    return {predicate: segments(sequence) for predicate, sequence in tags.items()}


@dataclass
class RoleTargets(TagTargets):
    """Tags that a network for roles is to give: a sequence of rows for each predicate.

    first: int64[n_sentences + 1], the predicates of each sentence; within:
    int64[n_predicates], the word of each, counted from the start of its sentence.
    """

    first: Any = None
    within: Any = None

    def has_rows(self) -> np.ndarray:
        return np.diff(self.first) > 0

    def arrays(self) -> list[np.ndarray]:
        return [*super().arrays(), self.first, self.within]

    def batch(self, which: np.ndarray, starts: np.ndarray) -> tuple[WordBatch, Targets]:
        begin, end = self.first[which], self.first[which + 1]
        chosen = ranges(begin, end)
        predicate = np.repeat(starts[:-1], end - begin) + self.within[chosen]
        return WordBatch(None, starts).of_predicates(predicate), self._take(chosen)
