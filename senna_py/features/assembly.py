"""The input of a network, assembled from its features: for tagging and for training."""

from collections.abc import Callable, Iterable

import numpy as np

from senna_py.features.protocol import Batch, Column, NewRows, Resource
from senna_py.features.registry import find_feature
from senna_py.text.vocabulary import Vocabulary

__all__ = ["Assembly", "stack"]


class Assembly:
    """The features of one network; shared by threads.

    Columns are computed once a Batch for all networks that have a feature with the same
    Vocabulary.
    """

    def __init__(
        self,
        names: Iterable[str],
        vocabulary_of: Callable[[str], Vocabulary | None],
        resource_of: Callable[[str, str], Resource],
        words: Vocabulary,
    ):
        """Prepare the features `names`, which are in the order of the network's tables.

        vocabulary_of: gives the keys of a feature by its name, None for one that is computed;
        resource_of: gives a resource by its place and name; words: the dictionary. Raises
        SennaError if a vocabulary lacks a key, or if a resource is missing.
        """
        self._columns = []
        for name in names:
            feature, vocabulary = find_feature(name), vocabulary_of(name)
            kind = feature.resource_kind
            resource = None if kind is None else resource_of(kind.place, feature.resource)
            make = feature.column(vocabulary, resource, words)
            self._columns.append(((name, vocabulary), make))

    @classmethod
    def of_network(cls, storage, name: str) -> "Assembly":
        """The features of the network `name` of a `model.Storage`."""
        # The tree network keeps its own labels as it climbs.
        names = [feature for feature in storage.features(name) if feature != name]
        return cls(
            names,
            lambda feature: storage.feature_vocabulary(name, feature),
            storage.resource,
            storage.words,
        )

    def same_input(self, other: "Assembly") -> bool:
        """Return whether it gives the same for every Batch as another one of the same model."""
        return [key for key, _ in self._columns] == [key for key, _ in other._columns]

    def __call__(self, batch: Batch) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """The input of the network for a Batch, as `stack` returns it."""
        return stack([batch.once(key, make) for key, make in self._columns])


def stack(columns: list[Column]) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """The input of a network from its columns: indices, and rows computed for this batch.

    Returns int32[n_tokens, n_features], and float32[n, dim] by the number of each computed column,
    for `layers.lookup.with_rows`.
    """
    rows = {f: column.rows for f, column in enumerate(columns) if isinstance(column, NewRows)}
    index = [column.row if f in rows else column for f, column in enumerate(columns)]
    return np.stack(index, axis=1), rows
