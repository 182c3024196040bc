"""Models from and to SENNA directories."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.caps import CAPS_KEYS
from senna_py.features.gazetteer import GAZETTEER_KEYS
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.locks import LOCK
from senna_py.layers.lookup import dense
from senna_py.models.joining import all_resources, native_path
from senna_py.models.native import FILE_NAME, NativeModel, write_model
from senna_py.models.native_parts import ModelPart
from senna_py.models.senna_directory import (
    NETWORKS,
    SennaDirectory,
    resources_of,
    write_senna_directory,
)
from senna_py.models.storage import Storage
from senna_py.text.vocabulary import Vocabulary

_NEEDED = {
    "words": ("PADDING", "UNKNOWN"),
    "suffix": ("PADDING", "NOSUFFIX"),
    "vbs": ("NOVB",),
}
_LABEL_KEYS = ["PADDING", "UNAVAILABLE"]


def import_senna(directory: AnyPath, path: AnyPath) -> Path:
    """Write the SENNA directory as a native model to `path`, a file or a directory.

    The vectors of its first network are shared; all numbers are rounded to float16.
    Returns the path of the file. Raises SennaError if the networks' word tables differ
    in size.
    """
    source, target = SennaDirectory(directory), native_path(path, [directory])
    parts = [_part_of(source, name) for name in source.networks]
    vectors = parts[0].network.tables[0]
    info = {"tokenizer": "senna"}
    write_model(target, source.words, vectors, parts, all_resources(source), info)
    return target


def _part_of(source, name):
    network, features = source.network(name), source.features(name)
    own = [f for f in features if find_feature(f).own_table]
    lists = {f: source.feature_vocabulary(name, f) for f in own}
    if name == "psg":
        lists["psg-right"] = source.closing_brackets
    labels = source.labels(name)
    # A list may go on with keys that are no labels.
    scored = [labels[index] for index in range(network.n_labels)]
    return ModelPart(
        name, network, features, Vocabulary.from_keys(scored, labels.name), lists
    )


def export_senna(storage: Storage, directory: AnyPath) -> None:
    """Write a model as the SENNA directory `directory`, exactly.

    storage: a NativeModel or a SennaDirectory. Raises SennaError naming what SENNA's
    format cannot hold, or if the directory exists and is not empty.
    """
    directory = Path(directory)
    source = storage if isinstance(storage, SennaDirectory) else _Exported(storage)
    with report_os_errors(directory):
        _check_empty(directory)
        source.write(directory)


def copy_native(storage: NativeModel, directory: AnyPath) -> None:
    """Copy a NativeModel to a directory, new or empty; raises SennaError if that
    fails.
    """
    directory = Path(directory)
    with report_os_errors(directory), open(storage.path, "rb") as source:
        _check_empty(directory)
        replace_file(
            directory / FILE_NAME, lambda file: shutil.copyfileobj(source, file)
        )


def _check_empty(directory):
    if directory.exists() and any(path.name != LOCK for path in directory.iterdir()):
        raise SennaError(f"{directory}: the directory is not empty")


@dataclass
class _List:
    """A list as SENNA wants it: its Vocabulary, and the old index of each key:
    int[n_keys].
    """

    vocabulary: Vocabulary
    order: np.ndarray


class _Exported:
    """A native model as a SENNA directory has it."""

    def __init__(self, storage):
        self._storage = storage
        self._names = [name for name in NETWORKS if name in storage.networks]
        self._vocabularies, self._marks = {}, {}
        for name in storage.networks:
            self._check_network(name)
        words = _sorted(storage.words)
        self._add_list("words", words.vocabulary.data)
        self._networks = {name: self._convert(name, words) for name in self._names}
        for name in self._names:
            self._add_labels(name)
        self._add_resources()

    def write(self, path):
        write_senna_directory(
            path, self._networks, self._marks, self._vocabularies.__getitem__
        )

    def _refuse(self, what):
        raise SennaError(f"{self._storage.path}: SENNA's format cannot hold {what}")

    def _check_network(self, name):
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
        has = set(network.arrays())
        if "final" in has:
            self._refuse(f"the scores of the last tag of {name}")
        if "hidden_weight" not in has:
            self._refuse(f"the network {name} without a hidden layer")
        if name == "vbs" and "transition" in has:
            self._refuse("transition scores of vbs")
        if name != "vbs" and "transition" not in has:
            self._refuse(f"the network {name} without transition scores")

    def _convert(self, name, words):
        """The network with its tables in the order of SENNA's lists."""
        network, tables, padding = self._storage.network(name), [], []
        for feature, table, index in zip(
            NETWORKS[name], network.tables, network.padding, strict=True
        ):
            listed = words if feature == "word" else self._feature_list(name, feature)
            tables.append(dense(table)[listed.order])
            padding.append(int(np.flatnonzero(listed.order == index)[0]))
        if name == "ner" and len(set(padding[2:])) > 1:
            self._refuse("a padding of each gazetteer; it has one for all")
        return network.changed(tables=tables, padding=np.array(padding, np.int32))

    def _feature_list(self, name, feature):
        vocabulary = self._storage.feature_vocabulary(name, feature)
        if feature in NETWORKS:
            listed = _List(vocabulary, np.arange(len(vocabulary)))
            if feature == name:  # the tree network's own
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

    def _add_labels(self, name):
        if name == "psg" or name in self._vocabularies:
            return
        if any(name in NETWORKS[other] for other in self._names):
            return  # the list that the other network brings has the labels too
        data = self._storage.labels(name).data
        self._add_list(name, data + "".join(f"{key}\n" for key in _LABEL_KEYS).encode())

    def _add_list(self, name, data):
        listed = self._vocabularies.setdefault(name, Vocabulary(data, name))
        for key in _NEEDED.get(name, ()):
            if key not in listed:
                self._refuse(f"a list {name} without the key {key}")
        if listed.data != data:
            self._refuse(f"different lists {name} for its networks")

    def _add_resources(self):
        lists = {
            (place, name): listed for place, name, listed in resources_of(self._names)
        }
        for place, found in all_resources(self._storage).items():
            kind = RESOURCES[place]
            for name, resource in found.items():
                listed = lists.get((place, name))
                if listed is None:
                    self._refuse(f"the {kind.title(name)}")
                self._vocabularies[listed], self._marks[listed] = kind.to_senna(
                    resource, name
                )
        for place, name in lists:
            self._storage.resource(place, name)  # which raises if it is missing


def _sorted(vocabulary):
    """The keys in byte order, in which SENNA searches."""
    keys = [vocabulary.key(index) for index in range(len(vocabulary))]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__))
    listed = Vocabulary(
        b"".join(keys[index] + b"\n" for index in order), vocabulary.name
    )
    listed.check_order()
    return _List(listed, order)
