"""Sentences as networks are trained on them: features, what is to be learned, and
batches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.data import Sentences
from senna_py.tagging.kinds.base import Kind


def constraints(keys: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which IOBES tags can begin a sentence, follow each other, and end it.

    Returns bool[n_tags], bool[n_tags, n_tags] (source, destination), bool[n_tags].
    """
    begins = np.array([key[:2] not in ("I-", "E-") for key in keys])
    ends = np.array([key[:2] not in ("B-", "I-") for key in keys])
    kind = np.unique([key[2:] for key in keys], return_inverse=True)[1]
    follows = kind[:, None] == kind
    follows[ends] = True
    follows &= ends[:, None] == begins
    return begins, follows, ends


@dataclass
class Lesson:
    """What a batch has to learn for one task.

    words: the WordBatch of its sentences that have labels, without features; rows:
    int64[n], these words among those of the batch, or None where they are all of them;
    targets: of its kind.
    """

    words: WordBatch
    rows: np.ndarray | None
    targets: Any

    def fill(self, features: np.ndarray, states: np.ndarray | None) -> None:
        """Give its words their features and states, of those of the batch; states may
        be None.
        """
        rows = slice(None) if self.rows is None else self.rows
        self.words.features = features[rows]
        self.words.states = None if states is None else states[rows]


@dataclass
class Inputs:
    """Features and targets of a set of sentences.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; until:
    float64[n_sentences], the fraction of the epochs that train on each; labeled:
    int64[n], ascending, the sentences that have labels of each task, by its name;
    targets: of these sentences, by the same names, see `tagging.kinds`.
    """

    features: np.ndarray
    starts: np.ndarray
    until: np.ndarray
    labeled: dict[str, np.ndarray]
    targets: dict[str, Any]

    @classmethod
    def make(
        cls,
        sentences: Sentences,
        features: np.ndarray,
        starts: np.ndarray,
        kinds: Mapping[str, Kind],
    ) -> "Inputs":
        """Inputs of Sentences with features: int32[n_tokens, n_features]; kinds: by
        task.
        """
        labeled, targets = {}, {}
        weight = np.array(sentences.weight, np.float32)
        for name, kind in kinds.items():
            chosen = labeled[name] = np.array(sentences.labeled(name), np.int64)
            own = weight[chosen]
            labels = [sentences.labels[name][i] for i in chosen.tolist()]
            targets[name] = kind.targets(labels, None if (own == 1).all() else own)
        return cls(features, starts, np.array(sentences.until, float), labeled, targets)

    def words(self, chosen: np.ndarray) -> WordBatch:
        """The WordBatch of the sentences with the numbers `chosen`: int64[n],
        ascending.
        """
        begin, end = self.starts[chosen], self.starts[chosen + 1]
        starts = np.append(0, np.cumsum(end - begin)).astype(np.int32)
        return WordBatch(self.features[ranges(begin, end)], starts)

    def lessons(self, chosen: np.ndarray) -> dict[str, Lesson]:
        """The Lessons of the sentences with the numbers `chosen`, by task."""
        lengths, found = np.diff(self.starts)[chosen], {}
        begin = np.cumsum(lengths) - lengths
        for name, labeled in self.labeled.items():
            which = np.searchsorted(labeled, chosen)
            has = which < len(labeled)
            has[has] = labeled[which[has]] == chosen[has]
            if has.any():
                starts = np.append(0, np.cumsum(lengths[has])).astype(np.int32)
                words, targets = self.targets[name].batch(which[has], starts)
                rows = None if has.all() else ranges(begin[has], (begin + lengths)[has])
                found[name] = Lesson(words, rows, targets)
        return found

    def useful(self, progress: float = 0.0) -> np.ndarray:
        """Sentences to learn from when a fraction `progress` of the epochs is done:
        int64[n].
        """
        each = [
            self.labeled[name][targets.has_rows()]
            for name, targets in self.targets.items()
        ]
        found = np.unique(np.concatenate(each))
        return found[self.until[found] > progress]

    def arrays(self, name: str) -> list[np.ndarray]:
        """What is to be learned for a task, and of which sentences: a list of
        arrays.
        """
        return [self.labeled[name], *self.targets[name].arrays()]
