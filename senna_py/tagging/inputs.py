"""The inputs of training: features and targets of sentences, in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.sentences import Sentences
from senna_py.tagging.targets.base import Learner, Targets


def constraints(
    keys: Sequence[str],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which IOBES tags can begin a sentence, follow each other, and end it.

    Args:
        keys: The names of the tags.

    Returns:
        Three arrays: bool[n_tags], the possible first tags; bool[n_tags, n_tags], the
        possible transitions from row to column; and bool[n_tags], the possible last
        tags.
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
    """The sentences of a batch that have labels of one task.

    Attributes:
        words: The WordBatch of these sentences. It has no features until `fill`.
        rows: int64[n], the indices of their words in the whole batch; None if all
            sentences of the batch have labels.
        targets: The targets of these sentences.
    """

    words: WordBatch
    rows: NDArray[np.int64] | None
    targets: Targets

    def fill(
        self, features: NDArray[np.int32], states: NDArray[np.float32] | None
    ) -> None:
        """Set the features of the words, and the states of the trunk if there is one.

        Args:
            features: int32[n_words, n_features], for all words of the batch.
            states: float32[n_words, size], for all words of the batch, or None.
        """
        rows = slice(None) if self.rows is None else self.rows
        self.words.features = features[rows]
        self.words.states = None if states is None else states[rows]


@dataclass
class Inputs:
    """Features and targets of a set of sentences.

    Attributes:
        features: int32[n_tokens, n_features], rows of the lookup tables.
        starts: int32[n_sentences + 1], the first token of each sentence, and the number
            of tokens.
        until: float64[n_sentences], the fraction of the epochs that use each sentence.
        labeled: For each task, the indices of the sentences with labels: int64[n], in
            ascending order.
        targets: For each task, the targets of these sentences.
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
        """Create the inputs of sentences.

        Args:
            sentences: The sentences with their gold labels.
            features: See Inputs.
            starts: See Inputs.
            learners: The learner of each task, with keys.
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
        """Return a WordBatch of the sentences with the indices `chosen`, int64[n]."""
        begin, end = self.starts[chosen], self.starts[chosen + 1]
        starts = np.append(0, np.cumsum(end - begin)).astype(np.int32)
        return WordBatch(self.features[ranges(begin, end)], starts)

    def batches(self, chosen: NDArray[np.int64]) -> dict[str, TaskBatch]:
        """Return a TaskBatch for each task that has labels of some sentence.

        Args:
            chosen: int64[n], ascending, the indices of the sentences of the batch.
        """
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
        """Return the ascending indices of the sentences to train on: int64[n].

        Args:
            progress: The fraction of the epochs that is over; -1 for all sentences
                with targets.
        """
        each = [
            self.labeled[name][targets.has_rows()]
            for name, targets in self.targets.items()
        ]
        sentences = np.unique(np.concatenate(each))
        return sentences[self.until[sentences] > progress]

    def arrays(self, name: str) -> list[NDArray[Any]]:
        """Return the arrays with the labeled sentences and the targets of a task."""
        return [self.labeled[name], *self.targets[name].arrays()]
