"""The input of a network, assembled from its features: for tagging and for training."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from senna_py.features.protocol import Batch, Resource
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.text.vocabulary import Vocabulary


def resources_of(storage: Any, names: Iterable[str]) -> dict[str, dict[str, Resource]]:
    """Features' resources in a Storage, by place and name; raises SennaError if one is
    missing.
    """
    found: dict[str, dict[str, Resource]] = {place: {} for place in RESOURCES}
    for feature in map(find_feature, names):
        if (kind := feature.resource_kind) is not None:
            found[kind.place][feature.resource] = storage.resource(
                kind.place, feature.resource
            )
    return found


class Assembly:
    """The features of one network; shared by threads.

    Columns are computed once per Batch for all networks with the same feature and
    Vocabulary.
    """

    def __init__(
        self,
        names: Iterable[str],
        vocabularies: Mapping[str, Vocabulary],
        resources: Mapping[str, Mapping[str, Resource]],
    ):
        """Prepare the features `names`, which are in the order of the network's tables.

        vocabularies: the keys of features by their names, but for words; resources: by
        place and name, those that the features need. Raises SennaError if a vocabulary
        lacks a key.
        """
        self._columns = []
        for name in names:
            feature = find_feature(name)
            vocabulary = vocabularies[name] if feature.own_table else None
            kind = feature.resource_kind
            resource = None if kind is None else resources[kind.place][feature.resource]
            make = feature.column(vocabulary, resource)
            self._columns.append(((name, vocabulary), make))

    @classmethod
    def of_network(cls, storage, name: str) -> "Assembly":
        """The features of a network in a Storage; raises SennaError if a resource is
        missing.
        """
        # The tree network keeps its own labels as it climbs.
        names = [feature for feature in storage.features(name) if feature != name]
        vocabularies = {
            feature: storage.feature_vocabulary(name, feature) for feature in names
        }
        return cls(names, vocabularies, resources_of(storage, names))

    def same_input(self, other: "Assembly") -> bool:
        """Return whether it gives the same for every Batch as another one of the same
        model.
        """
        return [key for key, _ in self._columns] == [key for key, _ in other._columns]

    def __call__(self, batch: Batch) -> np.ndarray:
        """The input of the network for a Batch: int32[n_tokens, n_features]."""
        return np.stack([batch.once(key, make) for key, make in self._columns], axis=1)
