"""Convert models from and to SENNA's model directories."""

import shutil
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.features.caps import CAPS_KEYS
from senna_py.features.gazetteer import GAZETTEER_KEYS
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.locks import LOCK
from senna_py.layers.lookup import dense
from senna_py.models.joining import all_resources, native_path
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.senna_directory import (
    NETWORKS,
    SennaDirectory,
    resources_of,
    write_senna_directory,
)
from senna_py.models.storage import Storage
from senna_py.networks.base import TaggerNetwork
from senna_py.text.tokenizer_kinds import SENNA
from senna_py.text.vocabulary import Vocabulary

# The keys that SENNA requires in its lists, by list.
_NEEDED = {
    "words": ("PADDING", "UNKNOWN"),
    "suffix": ("PADDING", "NOSUFFIX"),
    "vbs": ("NOVB",),
}
_LABEL_KEYS = ["PADDING", "UNAVAILABLE"]


def import_senna(directory: AnyPath, path: AnyPath) -> Path:
    """Convert a SENNA directory to a native model.

    Numbers are rounded to float16. The word vectors of the first network become the
    shared vectors, and the other networks store their differences from these.

    Args:
        directory: The SENNA directory.
        path: The file or directory of the native model.

    Returns:
        The path of the file.

    Raises:
        SennaError: If a file of the directory is missing or malformed, if a number
            exceeds float16, or if the word tables of the networks have different sizes.
    """
    source, target = SennaDirectory(directory), native_path(path, [directory])
    parts = [_make_part(source, name) for name in source.networks]
    vectors = parts[0].network.tables[0]
    info = {"tokenizer": SENNA}
    write_model(target, source.words, vectors, parts, all_resources(source), info)
    return target


def _make_part(source: SennaDirectory, name: str) -> ModelPart:
    network, features = source.network(name), source.features(name)
    lists = {
        feature: source.feature_vocabulary(name, feature)
        for feature in features
        if find_feature(feature).own_table
    }
    if name == "psg":
        lists["psg-right"] = source.closing_brackets
    labels = source.labels(name)
    # A list may have additional keys after the labels.
    scored = [labels[index] for index in range(network.n_labels)]
    return ModelPart(
        name, network, features, Vocabulary.from_keys(scored, labels.name), lists
    )


def export_senna(storage: Storage, directory: AnyPath) -> None:
    """Write a model as a SENNA directory, without loss.

    Args:
        storage: The model.
        directory: The new directory, which may exist if it is empty.

    Raises:
        SennaError: If SENNA's format cannot represent the model, or the directory is
            not empty.
    """
    directory = Path(directory)
    source = storage if isinstance(storage, SennaDirectory) else _Exported(storage)
    with report_os_errors(directory):
        _check_empty(directory)
        source.write(directory)


def copy_native(storage: NativeModel, directory: AnyPath) -> None:
    """Copy the file of a native model to a new or empty directory.

    Raises:
        SennaError: If the directory is not empty, or a file cannot be read or written.
    """
    directory = Path(directory)
    with report_os_errors(directory), open(storage.path, "rb") as source:
        _check_empty(directory)
        replace_file(
            directory / FILE_NAME, lambda file: shutil.copyfileobj(source, file)
        )


def _check_empty(directory: Path) -> None:
    if directory.exists() and any(path.name != LOCK for path in directory.iterdir()):
        raise SennaError(f"{directory}: the directory is not empty")


class _List(NamedTuple):
    """A list with its keys in SENNA's order.

    Attributes:
        vocabulary: The keys.
        order: int[n_keys], the index of each key in the original list.
    """

    vocabulary: Vocabulary
    order: NDArray[np.int_]


class _Exported:
    """A native model, converted to the contents of a SENNA directory."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._names = [name for name in NETWORKS if name in storage.networks]
        self._vocabularies: dict[str, Vocabulary] = {}
        self._marks: dict[str, NDArray[np.uint8]] = {}
        for name in storage.networks:
            self._check_network(name)
        words = _sorted(storage.words)
        self._add_list("words", words.vocabulary.data)
        self._networks = {name: self._convert(name, words) for name in self._names}
        for name in self._names:
            self._add_labels(name)
        self._add_resources()

    def write(self, path: Path) -> None:
        write_senna_directory(
            path, self._networks, self._marks, self._vocabularies.__getitem__
        )

    def _refuse(self, what: str) -> NoReturn:
        raise SennaError(f"{self._storage.path}: SENNA's format cannot hold {what}")

    def _check_network(self, name: str) -> None:
        if name not in NETWORKS:
            self._refuse(f"the network {name}; it has {', '.join(NETWORKS)}")
        network = self._storage.network(name)
        if reason := network.beyond_senna:
            self._refuse(f"the {network.kind} approach of {name}; {reason}")
        features, expected = self._storage.features(name), NETWORKS[name]
        for feature in features:
            if feature not in expected:
                self._refuse(f"the feature {feature} of {name}")
        if features != expected:
            self._refuse(
                f"the features {', '.join(features)} of {name}; it has {', '.join(expected)}"
            )
        arrays = set(network.arrays())
        if "final" in arrays:
            self._refuse(f"the scores of the last tag of {name}")
        if "hidden_weight" not in arrays:
            self._refuse(f"the network {name} without a hidden layer")
        if name == "vbs" and "transition" in arrays:
            self._refuse("transition scores of vbs")
        if name != "vbs" and "transition" not in arrays:
            self._refuse(f"the network {name} without transition scores")

    def _convert(self, name: str, words: _List) -> TaggerNetwork:
        """Return a network with its table rows in the order of SENNA's lists."""
        network: TaggerNetwork = self._storage.network(name)
        tables: list[NDArray[np.float32]] = []
        padding: list[int] = []
        for feature, table, index in zip(
            NETWORKS[name], network.tables, network.padding, strict=True
        ):
            listed = words if feature == "word" else self._feature_list(name, feature)
            tables.append(dense(table)[listed.order])
            padding.append(int(np.flatnonzero(listed.order == index)[0]))
        if name == "ner" and len(set(padding[2:])) > 1:
            self._refuse("a padding of each gazetteer; it has one for all")
        return network.changed(tables=tables, padding=np.array(padding, np.int32))

    def _feature_list(self, name: str, feature: str) -> _List:
        vocabulary = self._storage.feature_vocabulary(name, feature)
        if feature in NETWORKS:
            listed = _List(vocabulary, np.arange(len(vocabulary)))
            if feature == name:  # the tree network reads its own labels
                self._add_list("psg-left", vocabulary.data)
                self._add_list("psg-right", self._storage.closing_brackets.data)
                return listed
            if vocabulary.keys()[-2:] != _LABEL_KEYS:
                self._refuse(
                    f"the feature {feature} of {name} whose keys do not end with PADDING and "
                    "UNAVAILABLE"
                )
            self._add_list(feature, vocabulary.data)
            return listed
        listed = _sorted(vocabulary)
        expected = {"caps": CAPS_KEYS, "suffix": None}.get(feature, GAZETTEER_KEYS)
        if expected and listed.vocabulary.keys() != sorted(expected):
            self._refuse(
                f"the keys of {feature} of {name}; it has {' '.join(expected)}"
            )
        self._add_list(feature.partition(".")[0], listed.vocabulary.data)
        return listed

    def _add_labels(self, name: str) -> None:
        if name == "psg" or name in self._vocabularies:
            return
        if any(name in NETWORKS[other] for other in self._names):
            return  # the list that another network reads begins with these labels
        data = self._storage.labels(name).data
        self._add_list(name, data + "".join(f"{key}\n" for key in _LABEL_KEYS).encode())

    def _add_list(self, name: str, data: bytes) -> None:
        listed = self._vocabularies.setdefault(name, Vocabulary(data, name))
        for key in _NEEDED.get(name, ()):
            if key not in listed:
                self._refuse(f"a list {name} without the key {key}")
        if listed.data != data:
            self._refuse(f"different lists {name} for its networks")

    def _add_resources(self) -> None:
        lists = {
            (place, name): listed for place, name, listed in resources_of(self._names)
        }
        for place, by_name in all_resources(self._storage).items():
            sort = RESOURCES[place]
            for name, resource in by_name.items():
                listed = lists.get((place, name))
                if listed is None:
                    self._refuse(f"the {sort.title(name)}")
                self._vocabularies[listed], self._marks[listed] = sort.to_senna(
                    resource, name
                )
        for place, name in lists:
            self._storage.resource(place, name)  # raises SennaError if it is missing


def _sorted(vocabulary: Vocabulary) -> _List:
    """Return a list sorted by bytes, because SENNA uses binary search."""
    keys = vocabulary.byte_keys()
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__))
    listed = Vocabulary(
        b"".join(keys[index] + b"\n" for index in order), vocabulary.name
    )
    listed.check_order()
    return _List(listed, order)
