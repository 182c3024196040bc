"""The base classes Learner, for the labels of a head, and Targets, for training it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from senna_py.labels.tasks import Task
from senna_py.networks.batch import WordBatch

if TYPE_CHECKING:
    from senna_py.tagging.gold.base import Gold


class Learner(ABC):
    """Defines the labels of a head, and converts gold labels to its targets.

    Attributes:
        head: The type of head.
        only: The only task for which the head may be used, or "" for any task.
        approach: The default approach for a network of a single task.
        hidden: The default number of hidden units of a head that scores pairs of words,
            if it is on dilated blocks; 0 for a head that scores single words.
        chooses: Whether the settings `criterion` and `constrained` can be changed.
        task: The task.
        keys: The labels of the network, in the order of its outputs. Empty before
            `find_keys` or `take_keys`.
    """

    head: ClassVar[str]
    only: ClassVar[str] = ""
    approach: ClassVar[str] = "dilated"
    hidden: ClassVar[int] = 0
    chooses: ClassVar[bool] = True

    def __init__(self, task: Task) -> None:
        self.task = task
        self.keys: list[str] = []

    @abstractmethod
    def find_keys(self, gold: Gold, min_count: int) -> None:
        """Set `keys` to the labels of the training sentences.

        Args:
            gold: The gold labels of the training sentences.
            min_count: The minimum number of occurrences of a segment or constituent
                type. Rarer types of segments become O; rarer types of constituents are
                reduced to a more frequent part. It is ignored for other labels.

        Raises:
            SennaError: If there is nothing to learn.
        """

    def take_keys(self, keys: list[str]) -> None:
        """Set `keys` to the labels of another network."""
        self.keys = list(keys)

    def missing_from(self, keys: list[str]) -> set[str]:
        """Return the labels that are in `self.keys` but not in `keys`, for messages."""
        return {*self.keys} - {*keys}

    @abstractmethod
    def unknown(self, gold: Gold) -> list[tuple[str, int]]:
        """Return the gold labels that are not in `keys`, and their token indices."""

    @abstractmethod
    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        """Convert gold labels to targets of the network.

        Args:
            gold: The gold labels.
            weight: float32[n_sentences], the factor for the cost of each labeled
                sentence, or None if all are 1.
        """

    def labels_in_model(self) -> tuple[list[str], dict[str, list[str]]]:
        """Return the labels that a model stores, and other vocabularies by name."""
        return self.keys, {}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        """Convert the stored labels of a model to keys."""
        return labels

    def has_nothing(self, gold: Gold) -> bool:
        """Return whether there is nothing to learn, because all gold labels are O."""
        return False


class Targets(ABC):
    """The target outputs of a network for a set or a batch of sentences.

    Attributes:
        weight: float32[n], the factor for the cost of each sentence or, for roles, of
            each predicate; None if all are 1.
    """

    weight: NDArray[np.float32] | None

    @property
    @abstractmethod
    def is_soft(self) -> bool:
        """Whether there are soft labels or weights, so that costs must use `shares`."""

    @abstractmethod
    def has_rows(self) -> NDArray[np.bool_]:
        """Return whether each sentence has anything to learn: bool[n_sentences]."""

    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]:
        """Return the arrays of the targets, without weights, for a checksum."""

    @abstractmethod
    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        """Return a batch of sentences as a WordBatch without features, and its targets.

        Args:
            which: int64[n], ascending, the indices of the sentences among these
                targets.
            starts: int32[n + 1], the first word of each sentence in the batch, and the
                number of words.
        """
