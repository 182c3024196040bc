"""Initialization of networks from those of a trained model, for fine-tuning."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError, SettingError
from senna_py.features.assembly import find_resources
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.files import AnyPath
from senna_py.layers.lookup import dense
from senna_py.models.native import NativeModel
from senna_py.networks.base import TaggerNetwork
from senna_py.tagging.config import Config
from senna_py.tagging.defaults import find_network, other_features
from senna_py.tagging.targets import LEARNERS

# The arrays of the output layer, with the number of their last axes along which they
# have an element for each label. Only elements of known labels are copied.
_OUTPUT_ARRAYS = {
    "output_weight": 1,
    "output_bias": 1,
    "initial": 1,
    "transition": 2,
    "final": 1,
}


class InitialNetwork:
    """A trained network of a native model, from which a new network is initialized.

    Attributes:
        part: The ModelPart of the network.
        words: The vocabulary of the words of its model.
        word_vectors: float32[n_words, dim], the word vectors of its model.
        vocabularies: The vocabularies of its features with tables of their own, except
            its own labels, by feature name.
        resources: The resources of its features, by place (a key of `RESOURCES`) and name.
        keys: Its labels, in the form of `Learner.keys`.
    """

    def __init__(self, model: NativeModel, name: str) -> None:
        self._path, self.part = model.path, model.part(name)
        self.words = model.words
        self.word_vectors = dense(model.vectors).astype(np.float32)
        features = [find_feature(each) for each in self.part.features]
        self.vocabularies = {
            feature.name: self.part.vocabularies[feature.name]
            for feature in features
            if feature.own_table and feature.name != name
        }
        self._label_keys = {
            feature.name: self.vocabularies[feature.name].keys()
            for feature in features
            if not feature.of_tokens and feature.name in self.vocabularies
        }
        self.resources: dict[str, dict[str, Any]] = find_resources(
            model, self.part.features
        )
        self.keys = LEARNERS[self.part.network.labels].keys_of_model(
            self.part.labels.keys()
        )

    def check_labels(self, label_sets: Mapping[str, list[str]]) -> None:
        """Check that the cascade has the labels that the network was trained with.

        Args:
            label_sets: The labels of each network of the cascade, by its name.

        Raises:
            SettingError: If the labels of a network of the cascade differ.
        """
        for name, keys in self._label_keys.items():
            labels = label_sets.get(name, [])
            if keys[: len(labels)] != labels:
                raise SettingError(
                    f"cascade.{name}: its labels are not those that {self.part.name} "
                    f"of {self._path} was trained with"
                )

    def check_features(self, features: Mapping[str, int]) -> None:
        """Check that a run has the features of the network, in the same order.

        Args:
            features: The size of the vectors of each feature except `word`.

        Raises:
            SettingError: If the features differ. (Sizes are not compared.)
        """
        names = [name for name in self.part.features if name != "word"]
        if [*features] != names:
            tables = self.part.network.tables[-len(names) :]
            sizes = [dense(table).shape[1] for table in tables]
            trained = dict(zip(names, sizes, strict=True))
            network = f"network {self.part.name} of {self._path}"
            raise other_features(features, trained, network)

    def digest(self) -> int:
        """Return a checksum (CRC-32) of the network's tables and arrays."""
        network = self.part.network
        return digest(*map(dense, (*network.tables, *network.arrays().values())))

    def begin(
        self, network: TaggerNetwork, names: Sequence[str], keys: Sequence[str]
    ) -> None:
        """Copy the trained parameters into a new network, in place.

        Of the output layer, the parameters of known labels are copied; those of new
        labels stay random. The vectors of a feature that is the task itself are copied
        only if the labels are the same.

        Args:
            network: The new network.
            names: The names of its features, in the order of its tables.
            keys: Its labels.

        Raises:
            SennaError: If an array is missing in the trained network, or has another
                shape there.
        """
        trained, same = self.part.network, [*keys] == self.keys
        for column, name in enumerate(names):
            if name != self.part.name or same:
                self._copy(
                    network.tables[column],
                    trained.tables[column],
                    f"the vectors of {name}",
                )
        arrays = trained.arrays()
        for name, array in network.arrays().items():
            if name not in _OUTPUT_ARRAYS or (same and name in arrays):
                self._copy(array, arrays.get(name), name)
            elif name in arrays:
                self._copy_known(array, arrays[name], keys, _OUTPUT_ARRAYS[name])

    def _copy_known(
        self,
        array: NDArray[Any],
        trained: NDArray[Any],
        keys: Sequence[str],
        n_axes: int,
    ) -> None:
        """Copy the parameters of known labels, in place, if other sizes are the same.

        Args:
            array: The new array.
            trained: The trained array.
            keys: The new labels.
            n_axes: The number of last axes that have an element for each label.
        """
        n_others = array.ndim - n_axes
        if (
            trained.ndim != array.ndim
            or trained.shape[:n_others] != array.shape[:n_others]
            or {*array.shape[n_others:]} != {len(keys)}
            or {*trained.shape[n_others:]} != {len(self.keys)}
        ):
            return
        position = {key: i for i, key in enumerate(self.keys)}
        known = [(i, position[key]) for i, key in enumerate(keys) if key in position]
        new, old = np.array(known, np.intp).reshape(-1, 2).T
        other_axes = [np.arange(size) for size in array.shape[:n_others]]
        array[np.ix_(*other_axes, *[new] * n_axes)] = dense(trained)[
            np.ix_(*other_axes, *[old] * n_axes)
        ]

    def _copy(
        self, array: NDArray[Any], trained: NDArray[Any] | None, what: str
    ) -> None:
        if trained is None or trained.shape != array.shape:
            shown = "none" if trained is None else _shape(trained)
            raise SennaError(
                f"network.init: {what}: {_shape(array)} by these settings, but "
                f"{shown} in network {self.part.name} of {self._path}"
            )
        array[...] = dense(trained)


def _shape(array: NDArray[Any]) -> str:
    return " x ".join(map(str, array.shape))


def read_initial(config: Config, directory: AnyPath) -> dict[str, InitialNetwork]:
    """Return the trained networks from which the networks of a run start, by task.

    The result is empty if `network.init` is not set. Tasks that the model lacks are
    missing; new heads are made for them on the shared trunk. If it lacks all tasks, the
    first task starts from the network that `network.init` names.

    Args:
        config: The configuration of the run.
        directory: The directory of the run, to which `network.init` may be relative.

    Raises:
        SettingError: If the model has no suitable network, or the features or resources
            of the configuration differ from those of the model.
    """
    if not config.network.init:
        return {}
    tasks = config.tasks or [config.task]
    model, name = find_network(config.network.init, tasks, directory)
    if any(config.resources.get(each.setting) for each in RESOURCES.values()):
        raise SettingError(f"network.init: lists and classes are those of {model.path}")
    networks = {
        task: InitialNetwork(model, task)
        for task in config.tasks
        if task in model.networks
    }
    if not networks:
        networks = {tasks[0]: InitialNetwork(model, name)}
    for network in networks.values():
        network.check_features(config.features)
    return networks


def digest(*arrays: NDArray[Any]) -> int:
    """Return a checksum (CRC-32) of the contents of arrays, ignoring their shapes."""
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).data, total)
    return total
