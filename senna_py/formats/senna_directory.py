"""SENNA model directories: `hash/*.lst` (labels and words) and `data/*.dat` (weights)."""

import os
import threading
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.gazetteer import Gazetteer
from senna_py.formats.senna_weights import read_network, write_network
from senna_py.text.vocabulary import Vocabulary

__all__ = ["GAZETTEERS", "NETWORKS", "SennaDirectory", "write_senna_directory"]

GAZETTEERS = ("loc", "msc", "org", "per")
_GAZETTEER_FEATURES = tuple(f"gazetteer.{name}" for name in GAZETTEERS)

# Input features of each network, in the order of its lookup tables in the file.
NETWORKS = {
    "pos": ("word", "caps", "suffix"),
    "chk": ("word", "caps", "pos"),
    "ner": ("word", "caps", *_GAZETTEER_FEATURES),
    "pt0": ("word", "caps", "pos"),
    "vbs": ("word", "caps", "pos"),
    "srl": ("word", "caps", "pt0"),
    "psg": ("word", "caps", "pos", "psg"),
}
# Lists that stand under another name than the feature or the task they serve.
_LISTS = {"word": "words", "psg": "psg-left", **dict.fromkeys(_GAZETTEER_FEATURES, "gazetteer")}

_SORTED_LISTS = ("words", "suffix", *(f"ner.{name}" for name in GAZETTEERS))
_LONGEST_LIST = 2**31 - 2  # bytes; positions in a list are int32


class SennaDirectory:
    """A model directory, each part read when it is first asked for; shared by threads.

    tokenizer: the kind that finds its words in raw text, see `text.tokens.Tokenizer`; classes:
    names of word classes, spellings: of spellings; there are none. Raises SennaError naming the
    file for whatever is missing or malformed.
    """

    tokenizer = "senna"
    classes = spellings = ()

    def __init__(self, path):
        """Take the directory's path; only which networks it has is looked at now."""
        self.path = Path(path)
        files = _list_directory(self.path / "data")
        self.networks = tuple(name for name in NETWORKS if f"{name}.dat" in files)
        if not self.networks:
            raise SennaError(f"{self.path}: not a model directory: it has no data/*.dat network")
        self._parts = {}
        self._lock = threading.RLock()

    @property
    def info(self):
        """What the directory says about itself: nothing."""
        return {}

    def part_info(self, name):
        """What the directory says about the network `name`: nothing."""
        return {}

    @property
    def gazetteers(self):
        """Names of the gazetteers."""
        return GAZETTEERS if "ner" in self.networks else ()

    def weights_path(self, name):
        """Path of a weight file."""
        return self.path / "data" / f"{name}.dat"

    def list_path(self, name):
        """Path of a list."""
        return self.path / "hash" / f"{name}.lst"

    def _part(self, key, read):
        with self._lock:
            if key not in self._parts:
                self._parts[key] = read()
            return self._parts[key]

    def vocabulary(self, name):
        """Vocabulary of a list, by the name of its file without the ending."""
        return self._part(("list", name), lambda: self._read_list(name))

    def _read_list(self, name):
        path = self.list_path(name)
        data = _read_bytes(path)
        if len(data) > _LONGEST_LIST:
            raise SennaError(f"{path}: {len(data):,} bytes; the limit is {_LONGEST_LIST:,}")
        vocabulary = Vocabulary(data, path)
        if name in _SORTED_LISTS:
            vocabulary.check_order()
        return vocabulary

    def labels(self, task):
        """Vocabulary of the labels of `task`; the left-hand brackets for psg."""
        return self.vocabulary(_LISTS.get(task, task))

    @property
    def words(self):
        """Vocabulary of the dictionary."""
        return self.vocabulary("words")

    @property
    def closing_brackets(self):
        """Vocabulary of the right-hand brackets of tree labels."""
        return self.vocabulary("psg-right")

    def features(self, name):
        """Names of the input features of the network `name`."""
        return NETWORKS[name]

    def feature_vocabulary(self, name, feature):
        """Vocabulary whose indices are the values of a feature: the same for all networks."""
        return self.vocabulary(_LISTS.get(feature, feature))

    def missing(self, name):
        """Why the model has no network `name`."""
        return f"it has no {name} network ({self.weights_path(name)} is missing)"

    def network(self, name):
        """Read the network `name` and check it against the lists that go with it."""
        return self._part(("network", name), lambda: self._read_network(name))

    def _read_network(self, name):
        path = self.weights_path(name)
        network = read_network(path, name, NETWORKS[name])
        for feature, table in zip(NETWORKS[name], network.tables, strict=True):
            vocabulary = self.feature_vocabulary(name, feature)
            if len(vocabulary) != len(table):
                raise SennaError(
                    f"{vocabulary.name}: {len(vocabulary):,} keys, but the {feature} table of "
                    f"{path} has {len(table):,}"
                )
        n_labels = len(network.output_bias)
        lists = ("psg-left", "psg-right") if name == "psg" else (name,)
        for vocabulary in map(self.vocabulary, lists):
            if len(vocabulary) < n_labels:
                raise SennaError(
                    f"{vocabulary.name}: {len(vocabulary):,} labels, but {path} scores {n_labels:,}"
                )
        return network

    def gazetteer(self, name):
        """Gazetteer `name`, one of GAZETTEERS."""
        return self._part(("gazetteer", name), lambda: self._read_gazetteer(f"ner.{name}"))

    def word_classes(self, name):
        """Raise SennaError: there are none."""
        raise SennaError(f"{self.path}: the word classes {name} are missing")

    def spelling(self, name):
        """Raise SennaError: there is none."""
        raise SennaError(f"{self.path}: the spelling {name} is missing")

    def _read_gazetteer(self, name):
        phrases, path = self.vocabulary(name), self.weights_path(name)
        marks = np.frombuffer(_read_bytes(path), np.uint8)
        if len(marks) != len(phrases):
            raise SennaError(
                f"{path}: {len(marks):,} bytes for the {len(phrases):,} phrases of {phrases.name}"
            )
        if (wrong := np.flatnonzero(marks > 1)).size:
            raise SennaError(f"{path}: byte {wrong[0]} is {marks[wrong[0]]}, expected 0 or 1")
        return Gazetteer(phrases, marks)


def write_senna_directory(source, path):
    """Write what a SennaDirectory holds to the new directory `path`.

    Every network is read, checked and written back; the bytes are those of the source.
    """
    path = Path(path)
    # Whatever is malformed is found before anything is written.
    networks = {name: source.network(name) for name in source.networks}
    gazetteers = {n: source.gazetteer(n) for n in GAZETTEERS if "ner" in networks}
    (path / "hash").mkdir(parents=True)
    (path / "data").mkdir()
    names = set()
    for name, network in networks.items():
        write_network(path / "data" / f"{name}.dat", network)
        names.update(_LISTS.get(feature, feature) for feature in NETWORKS[name])
        names.update(("psg-left", "psg-right") if name == "psg" else (name,))
    for name, gazetteer in gazetteers.items():
        names.add(f"ner.{name}")
        (path / "data" / f"ner.{name}.dat").write_bytes(gazetteer.entity.tobytes())
    for name in sorted(names):
        (path / "hash" / f"{name}.lst").write_bytes(source.vocabulary(name).data)


def _list_directory(path):
    """Names in the directory `path` of a model; none if the model lacks it."""
    try:
        return os.listdir(path)
    except FileNotFoundError:
        if os.path.isdir(path.parent):
            return []
        raise SennaError(f"{path.parent}: no such file or directory") from None
    except NotADirectoryError:
        raise SennaError(f"{path.parent}: not a directory") from None
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror}") from None


def _read_bytes(path):
    try:
        return path.read_bytes()
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
