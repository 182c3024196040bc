"""Combinations of labels of one word that occur in training data.

The tag, the universal part of speech and the features of a word depend on each other,
but each is predicted by a separate head. A model stores the combinations that occur in
its training data, and `networks.combinations` chooses among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.stored_rows import array_of_rows, rows_of_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray


class TagCombinations:
    """The combinations of labels that words have, as a resource of a model.

    Attributes:
        tasks: The names of at least two tasks that label each word.
        rows: The combinations, each with one label for each task.
    """

    def __init__(
        self, tasks: Sequence[str], rows: Iterable[Sequence[str]] = ()
    ) -> None:
        self.tasks = tuple(tasks)
        self.rows = [tuple(row) for row in rows]

    @classmethod
    def learned(
        cls, tasks: Sequence[str], tags: Mapping[str, Mapping[int, Sequence[str]]]
    ) -> TagCombinations:
        """Return the combinations that occur in sentences, sorted.

        Args:
            tasks: The names of the tasks.
            tags: The labels of the words of each sentence, by task and by the index of
                the sentence. Sentences without labels of all tasks are left out.
        """
        rows: set[tuple[str, ...]] = set()
        numbers = set.intersection(*(set(tags[task]) for task in tasks))
        for number in numbers:
            rows.update(zip(*(tags[task][number] for task in tasks), strict=True))
        return cls(tasks, sorted(rows))

    @classmethod
    def from_array(cls, array: NDArray[np.uint8], name: str) -> TagCombinations:
        """Return the combinations that a model stores as an array.

        Args:
            array: uint8[n_bytes], the value of the attribute `array`.
            name: The name of the array, for messages.

        Raises:
            SennaError: If the array is malformed.
        """
        tasks, *rows = rows_of_array(array, name) or [[]]
        if len(tasks) < 2 or any(len(row) != len(tasks) for row in rows):
            raise SennaError(f"{name}: not a table of the labels of several tasks")
        return cls(tasks, rows)

    @property
    def array(self) -> NDArray[np.uint8]:
        """The tasks and the combinations as lines with tabs: uint8[n_bytes]."""
        return array_of_rows((self.tasks, *self.rows))

    def numbers(self, labels: Sequence[Sequence[str]]) -> NDArray[np.int32]:
        """Return the combinations as indices of labels: int32[n, n_tasks].

        Combinations with a label that is not in `labels` are left out.

        Args:
            labels: The labels of each task.
        """
        places = [{name: i for i, name in enumerate(names)} for names in labels]
        known = [
            [place[label] for place, label in zip(places, row, strict=True)]
            for row in self.rows
            if all(label in place for place, label in zip(places, row, strict=True))
        ]
        return np.array(known, np.int32).reshape(-1, len(labels))
