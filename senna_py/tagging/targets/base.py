"""What the head of a network learns: its labels, and targets for batches of sentences."""

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
    """The labels that a head learns for a task, and the targets that gold makes of them.

    Attributes:
        head: The sort of head.
        only: The only task that it may learn, or an empty string.
        approach: The approach of networks of one task, by default.
        hidden: The units of a head over pairs of words on dilated blocks, by default; 0
            of a head over words.
        chooses: Whether `criterion` and `constrained` are a choice.
        task: The task.
        keys: The labels that the network gives; empty until they are found or taken.
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
        """Take the labels of training sentences as keys.

        Args:
            gold: The labels.
            min_count: How often the type of a segment or a constituent must occur. A
                rarer one is read as something else.

        Raises:
            SennaError: There is nothing to learn.
        """

    def take_keys(self, keys: list[str]) -> None:
        """Take the labels of another network as keys, however rare they are here."""
        self.keys = list(keys)

    def missing_from(self, keys: list[str]) -> set[str]:
        """Return the names, as users know them, of own keys that are not among others."""
        return {*self.keys} - {*keys}

    @abstractmethod
    def unknown(self, gold: Gold) -> list[tuple[str, int]]:
        """Return the names of labels that are no keys, each with a token of the gold."""

    @abstractmethod
    def targets(self, gold: Gold, weight: NDArray[np.float32] | None) -> Targets:
        """Return what a network is to give for sentences.

        Args:
            gold: The labels.
            weight: float32[n_sentences], by which the cost of each sentence is
                multiplied, or None if all are 1.
        """

    def labels_in_model(self) -> tuple[list[str], dict[str, list[str]]]:
        """Return the labels as a model stores them, and further lists by name."""
        return self.keys, {}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        """Return the keys that a model stores as these labels."""
        return labels

    def has_nothing(self, gold: Gold) -> bool:
        """Return whether gold says nothing to learn, as where all words are O."""
        return False


class Targets(ABC):
    """What a network is to give for some sentences.

    Attributes:
        weight: float32[n], by which the cost of each sentence or predicate is
            multiplied, or None if all are 1.
    """

    weight: NDArray[np.float32] | None

    @property
    @abstractmethod
    def is_soft(self) -> bool:
        """Whether costs need `shares`, as there are soft labels or weights."""

    @abstractmethod
    def has_rows(self) -> NDArray[np.bool_]:
        """Return bool[n_sentences]: whether there is something to learn from each."""

    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]:
        """Return the arrays that say what is learned."""

    @abstractmethod
    def batch(
        self, which: NDArray[np.int64], starts: NDArray[np.int32]
    ) -> tuple[WordBatch, Targets]:
        """Return a WordBatch without features, and the targets, of some sentences.

        Args:
            which: int64[n], ascending, the numbers of the sentences.
            starts: int32[n + 1], where their words begin, and the end.
        """
