"""Sentences as networks are trained on them: features, targets and batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.data import Sentences
from senna_py.tagging.targets.base import Learner, Targets


def constraints(
    keys: Sequence[str],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which IOBES tags can begin a sentence, follow each other, and end it.

    They are bool[n_tags], bool[n_tags, n_tags] (source, destination), bool[n_tags].
    """
    begins = np.array([key[:2] not in ("I-", "E-") for key in keys])
    ends = np.array([key[:2] not in ("B-", "I-") for key in keys])
    label = np.unique([key[2:] for key in keys], return_inverse=True)[1]
    follows = label[:, None] == label
    follows[ends] = True
    follows &= ends[:, None] == begins
    return begins, follows, ends


@dataclass
class TaskBatch:
    """The part of a batch that has labels of one task.

    Attributes:
        words: The WordBatch of the sentences that have labels, at first without
            features.
        rows: int64[n], the places of these words in the batch; None if they are all.
        targets: The targets of these sentences.
    """

    words: WordBatch
    rows: NDArray[np.int64] | None
    targets: Targets

    def fill(
        self, features: NDArray[np.int32], states: NDArray[np.float32] | None
    ) -> None:
        """Give the words their features, and their states if there are any.

        Both are given for all words of the batch.
        """
        rows = slice(None) if self.rows is None else self.rows
        self.words.features = features[rows]
        self.words.states = None if states is None else states[rows]


@dataclass
class Inputs:
    """Features and targets of a set of sentences.

    Attributes:
        features: int32[n_tokens, n_features].
        starts: int32[n_sentences + 1], where the tokens of each begin, and the end.
        until: float64[n_sentences], the fraction of the epochs that train on each.
        labeled: int64[n], ascending, the sentences that have labels of each task.
        targets: The targets of these sentences, by task.
    """

    features: NDArray[np.int32]
    starts: NDArray[np.int32]
    until: NDArray[np.float64]
    labeled: dict[str, NDArray[np.int64]]
    targets: dict[str, Targets]

    @classmethod
    def make(
        cls,
        sentences: Sentences,
        features: NDArray[np.int32],
        starts: NDArray[np.int32],
        learners: Mapping[str, Learner],
    ) -> "Inputs":
        """Make inputs of sentences.

        Args:
            sentences: The sentences.
            features: int32[n_tokens, n_features].
            starts: int32[n_sentences + 1].
            learners: The learners of the tasks, with keys.
        """
        labeled, targets = {}, {}
        weight = np.array(sentences.weight, np.float32)
        for name, learner in learners.items():
            gold = sentences.gold[name]
            labeled[name] = gold.labeled
            weights = weight[gold.labeled]
            weighted = None if (weights == 1).all() else weights
            targets[name] = learner.targets(gold, weighted)
        return cls(features, starts, np.array(sentences.until, float), labeled, targets)

    def words(self, chosen: NDArray[np.int64]) -> WordBatch:
        """Return the WordBatch of some sentences; chosen: int64[n], ascending."""
        begin, end = self.starts[chosen], self.starts[chosen + 1]
        starts = np.append(0, np.cumsum(end - begin)).astype(np.int32)
        return WordBatch(self.features[ranges(begin, end)], starts)

    def batches(self, chosen: NDArray[np.int64]) -> dict[str, TaskBatch]:
        """Return the TaskBatch of each task for some sentences; chosen: see `words`."""
        lengths = np.diff(self.starts)[chosen]
        begin = np.cumsum(lengths) - lengths
        batches = {}
        for name, labeled in self.labeled.items():
            which = np.searchsorted(labeled, chosen)
            has_labels = which < len(labeled)
            has_labels[has_labels] = labeled[which[has_labels]] == chosen[has_labels]
            if has_labels.any():
                starts = np.append(0, np.cumsum(lengths[has_labels])).astype(np.int32)
                words, targets = self.targets[name].batch(which[has_labels], starts)
                rows = None
                if not has_labels.all():
                    rows = ranges(begin[has_labels], (begin + lengths)[has_labels])
                batches[name] = TaskBatch(words, rows, targets)
        return batches

    def useful(self, progress: float = 0.0) -> NDArray[np.int64]:
        """Return the sentences to learn from after a fraction of the epochs: int64[n]."""
        each = [
            self.labeled[name][targets.has_rows()]
            for name, targets in self.targets.items()
        ]
        sentences = np.unique(np.concatenate(each))
        return sentences[self.until[sentences] > progress]

    def arrays(self, name: str) -> list[NDArray[Any]]:
        """Return the arrays that say what is learned for a task, and from which sentences."""
        return [self.labeled[name], *self.targets[name].arrays()]
