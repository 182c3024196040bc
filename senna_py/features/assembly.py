"""The input of a network: a column of indices for each of its features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.registry import RESOURCES, find_feature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch, FormValue, Resource
    from senna_py.text.vocabulary import Vocabulary


def find_resources(
    storage: Any, names: Iterable[str]
) -> dict[str, dict[str, Resource]]:
    """Load from a model the resources that features need.

    Args:
        storage: The Storage of a model.
        names: The names of the features.

    Returns:
        The resources, by place and name. A place without resources has an empty dict.

    Raises:
        SennaError: If the model lacks a resource.
    """
    resources: dict[str, dict[str, Resource]] = {place: {} for place in RESOURCES}
    for feature in map(find_feature, names):
        if (resource_type := feature.resource_type) is not None:
            resources[resource_type.place][feature.resource] = storage.resource(
                resource_type.place, feature.resource
            )
    return resources


class Assembly:
    """Computes the feature columns of one network; several threads may share it.

    A column is computed once per Batch and shared by all networks that have the same
    feature with the same Vocabulary.

    Attributes:
        values: The values of forms that the features read, by their keys.
    """

    def __init__(
        self,
        names: Iterable[str],
        vocabularies: Mapping[str, Vocabulary],
        resources: Mapping[str, Mapping[str, Resource]],
    ) -> None:
        """Prepare a function that computes the column of each feature.

        Args:
            names: The names of the features, in the order of the network's tables.
            vocabularies: The keys of every feature except words, by feature name.
            resources: The resources that the features need, by place and name.

        Raises:
            SennaError: If a vocabulary lacks a key that its feature needs.
        """
        self._columns: list[tuple[Any, Callable[[Batch], NDArray[np.int32]]]] = []
        self._of_form: list[bool] = []
        self.values: dict[Any, FormValue] = {}
        for name in names:
            feature = find_feature(name)
            vocabulary = vocabularies[name] if feature.own_table else None
            resource_type = feature.resource_type
            resource = (
                None
                if resource_type is None
                else resources[resource_type.place][feature.resource]
            )
            make = feature.column(vocabulary, resource)
            self._columns.append(((name, vocabulary), make))
            self._of_form.append(feature.of_form)
            value = feature.form_value(resource)
            if value is not None:
                self.values[resource] = value

    @classmethod
    def of_network(cls, storage: Any, name: str) -> Assembly:
        """Return the assembly of a network.

        Args:
            storage: The Storage of the model.
            name: The name of the network.

        Raises:
            SennaError: If the model lacks a resource, or a key that a feature needs.
        """
        return cls.of_networks(storage, [name])[name]

    @classmethod
    def of_networks(cls, storage: Any, names: Iterable[str]) -> dict[str, Assembly]:
        """Return the assembly of each network by its name.

        Networks with the same features and vocabularies share an assembly.

        Args:
            storage: The Storage of the model.
            names: The names of the networks.

        Raises:
            SennaError: If the model lacks a resource, or a key that a feature needs.
        """
        of_networks: dict[str, Assembly] = {}
        by_input: dict[Any, Assembly] = {}
        for name in names:
            # The tree network updates its own labels from level to level.
            features = [each for each in storage.features(name) if each != name]
            vocabularies = {
                each: storage.feature_vocabulary(name, each) for each in features
            }
            key = (*features, *map(id, vocabularies.values()))
            if key not in by_input:
                resources = find_resources(storage, features)
                by_input[key] = cls(features, vocabularies, resources)
            of_networks[name] = by_input[key]
        return of_networks

    def same_input(self, other: Assembly) -> bool:
        """Return whether another assembly of the model computes the same columns."""
        return [key for key, _ in self._columns] == [key for key, _ in other._columns]

    def places(self, of_form: bool) -> list[int]:
        """Return the indices of the features that depend only on a token's form.

        Args:
            of_form: Whether to return these indices, or the indices of all others.
        """
        return [k for k, each in enumerate(self._of_form) if each == of_form]

    def columns(self, batch: Batch, places: Iterable[int]) -> NDArray[np.int32]:
        """Return some of the features of a Batch: int32[n_tokens, n].

        Args:
            batch: The Batch.
            places: The indices of the features.
        """
        pairs = [self._columns[k] for k in places]
        columns = np.empty((len(batch.tokens), len(pairs)), np.int32)
        for k, (key, make) in enumerate(pairs):
            columns[:, k] = batch.once(key, make)
        return columns

    def __call__(self, batch: Batch) -> NDArray[np.int32]:
        """Return the input of the network for a Batch: int32[n_tokens, n_features]."""
        return self.columns(batch, range(len(self._columns)))
