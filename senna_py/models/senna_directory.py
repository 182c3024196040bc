"""SENNA's model directories, with lists in `hash/*.lst` and weights in `data/*.dat`."""

import os
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Resource
from senna_py.features.registry import RESOURCES, networks_read
from senna_py.io.file_errors import prefix_errors, report_os_errors
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import find_task
from senna_py.models.native import FILE_NAME
from senna_py.models.senna_weights import read_network, write_network
from senna_py.models.storage import Storage
from senna_py.networks.base import TaggerNetwork
from senna_py.text.tokenizer_kinds import SENNA
from senna_py.text.vocabulary import Vocabulary

GAZETTEERS = ("loc", "msc", "org", "per")
_GAZETTEER_FEATURES = tuple(f"gazetteer.{name}" for name in GAZETTEERS)

# The features of each network, in the order of the lookup tables in its file.
NETWORKS = {
    "pos": ("word", "caps", "suffix"),
    "chk": ("word", "caps", "pos"),
    "ner": ("word", "caps", *_GAZETTEER_FEATURES),
    "pt0": ("word", "caps", "pos"),
    "vbs": ("word", "caps", "pos"),
    "srl": ("word", "caps", "pt0"),
    "psg": ("word", "caps", "pos", "psg"),
}
# The resources of each network, as (place, name, file name without suffix).
_RESOURCES = {"ner": tuple(("gazetteers", name, f"ner.{name}") for name in GAZETTEERS)}
# The names of lists that differ from the name of their feature or task.
_LISTS = {
    "word": "words",
    "psg": "psg-left",
    **dict.fromkeys(_GAZETTEER_FEATURES, "gazetteer"),
}

_SORTED_LISTS = ("words", "suffix", *(f"ner.{name}" for name in GAZETTEERS))
_LONGEST_LIST = 2**31 - 2  # in bytes; offsets in a list are int32


def resources_of(networks: Collection[str]) -> list[tuple[str, str, str]]:
    """Return the resources of networks, as tuples (place, name, file name)."""
    return [
        resource for network in networks for resource in _RESOURCES.get(network, ())
    ]


class SennaDirectory(Storage):
    """A model in the original format: a SENNA directory."""

    format = "SENNA"
    tokenizer = SENNA
    vector_bits = 32

    def __init__(self, path: AnyPath) -> None:
        """Find the networks of a directory; their files are read on first use.

        Raises:
            SennaError: If the directory does not exist or has no network.
        """
        super().__init__(path)
        with report_os_errors(self.path / "data"):
            if not self.path.is_dir():
                problem = "no such file or directory"
                if self.path.exists():
                    problem = "not a directory"
                raise SennaError(f"{self.path}: {problem}")
            self.networks = tuple(
                name for name in NETWORKS if self.weights_path(name).exists()
            )
        if not self.networks:
            raise SennaError(
                f"{self.path}: not a model directory: it has no {FILE_NAME}, "
                "and no network of SENNA (data/*.dat)"
            )
        self.info = {}  # the format has no place for it

    def labelled(self, name: str) -> str:
        return find_task(name).shape.head

    def resources(self, place: str) -> tuple[str, ...]:
        return tuple(
            name for where, name, _ in resources_of(self.networks) if where == place
        )

    def weights_path(self, name: str) -> Path:
        """Return the path of `data/NAME.dat`: a network, or the marks of a resource."""
        return self.path / "data" / f"{name}.dat"

    def vocabulary(self, name: str) -> Vocabulary:
        """Return the keys of the list in the file `hash/NAME.lst`."""
        return self._once(("list", name), lambda: self._read_list(name))

    def _read_list(self, name: str) -> Vocabulary:
        path = self.path / "hash" / f"{name}.lst"
        with report_os_errors(path):
            data = path.read_bytes()
        if len(data) > _LONGEST_LIST:
            raise SennaError(
                f"{path}: {len(data):,} bytes; the limit is {_LONGEST_LIST:,}"
            )
        vocabulary = Vocabulary(data.removeprefix(BOM_UTF8), path)
        if name in _SORTED_LISTS:
            vocabulary.check_order()
        return vocabulary

    def labels(self, name: str) -> Vocabulary:
        return self._label_list(_LISTS.get(name, name))

    def _label_list(self, name: str) -> Vocabulary:
        vocabulary = self.vocabulary(name)
        vocabulary.check_labels()
        return vocabulary

    @property
    def words(self) -> Vocabulary:
        return self.vocabulary("words")

    @property
    def closing_brackets(self) -> Vocabulary:
        return self._label_list("psg-right")

    def features(self, name: str) -> tuple[str, ...]:
        return NETWORKS[name]

    def reads(self, name: str) -> list[str]:
        return networks_read(NETWORKS.get(name, ()))

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary:
        return self.vocabulary(_LISTS.get(feature, feature))

    def missing(self, name: str) -> str:
        return f"{super().missing(name)} ({self.weights_path(name)} is missing)"

    def network(self, name: str) -> TaggerNetwork:
        return self._once(("network", name), lambda: self._read_network(name))

    def _read_network(self, name: str) -> TaggerNetwork:
        path = self.weights_path(name)
        network = read_network(path, name, NETWORKS[name])
        for feature, table in zip(NETWORKS[name], network.tables, strict=True):
            vocabulary = self.feature_vocabulary(name, feature)
            if len(vocabulary) != len(table):
                raise SennaError(
                    f"{vocabulary.name}: {len(vocabulary):,} keys, but the {feature} table of "
                    f"{path} has {len(table):,}"
                )
        n_labels = network.n_labels
        lists = ("psg-left", "psg-right") if name == "psg" else (name,)
        for vocabulary in map(self.vocabulary, lists):
            if len(vocabulary) < n_labels:
                raise SennaError(
                    f"{vocabulary.name}: {len(vocabulary):,} labels, but {path} scores {n_labels:,}"
                )
        return network

    def resource(self, place: str, name: str) -> Resource:
        lists = {
            (place, each): listed for place, each, listed in resources_of(self.networks)
        }
        if (place, name) not in lists:
            raise SennaError(
                f"{self.path}: the {RESOURCES[place].title(name)} is missing"
            )
        return self._once(
            (place, name), lambda: self._read_resource(place, lists[place, name])
        )

    def _read_resource(self, place: str, listed: str) -> Resource:
        keys, marks = self.vocabulary(listed), self._read_marks(listed)
        with prefix_errors(self.weights_path(listed)):
            return RESOURCES[place].from_senna(keys, marks)

    def _read_marks(self, listed: str) -> np.ndarray:
        """Return the marks of a resource's list: uint8[n_keys]."""
        keys, path = self.vocabulary(listed), self.weights_path(listed)
        with report_os_errors(path):
            data = path.read_bytes()
        if len(data) != len(keys):
            raise SennaError(
                f"{path}: {len(data):,} bytes for the {len(keys):,} phrases of {keys.name}"
            )
        return np.frombuffer(data, np.uint8)

    def write(self, path: Path) -> None:
        """Copy the model to the new directory `path`; all files are checked first."""
        marks = {}
        for place, name, listed in resources_of(self.networks):
            self.resource(place, name)
            marks[listed] = self._read_marks(listed)
        networks = {name: self.network(name) for name in self.networks}
        write_senna_directory(path, networks, marks, self.vocabulary)


def write_senna_directory(
    path: Path,
    networks: Mapping[str, TaggerNetwork],
    marks: Mapping[str, np.ndarray],
    find_list: Callable[[str], Vocabulary],
) -> None:
    """Write a model to a new directory.

    The files are written to a temporary directory first. The lists, without which no
    network can be read, are moved to their final place last.

    Args:
        path: The directory.
        networks: The networks by name.
        marks: The contents of the resources' weight files, by name: uint8[n_keys], a
            byte for each key.
        find_list: A function that returns the list with a given name, such as `words`.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - commands start faster

    path.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path, suffix=".part") as part:
        data, lists = Path(part, "data"), Path(part, "hash")
        data.mkdir()
        lists.mkdir()
        names: set[str] = set()
        for name, network in networks.items():
            write_network(data / f"{name}.dat", network)
            names.update(_LISTS.get(feature, feature) for feature in NETWORKS[name])
            names.update(("psg-left", "psg-right") if name == "psg" else (name,))
        for name, array in marks.items():
            names.add(name)
            (data / f"{name}.dat").write_bytes(array.tobytes())
        for name in sorted(names):
            (lists / f"{name}.lst").write_bytes(find_list(name).data)
        for directory in (data, lists):
            os.replace(directory, path / directory.name)
