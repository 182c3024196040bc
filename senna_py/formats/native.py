"""Native models: networks, words, gazetteers and what made them in one file.

docs/native-model.md has the format; arrays lie in the layout of `formats.tensors`. Word vectors
stand in the file once, as float16; the word table of a network is kept as the rows in which it
differs from them.
"""

import json
import threading
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.gazetteer import Gazetteer, phrase_lines
from senna_py.features.index import GAZETTEER_KEYS, PLACE_KEYS
from senna_py.features.spelling import spelling_feature
from senna_py.features.word_class import WordClasses
from senna_py.formats.native_header import FORMAT, VERSION
from senna_py.formats.native_parts import Contents, Part
from senna_py.formats.tensors import read_tensors, release_pages, write_tensors
from senna_py.layers.lookup import dense, table_name
from senna_py.text.vocabulary import Vocabulary

__all__ = ["FILE_NAME", "NativeModel", "Part", "write_model"]

FILE_NAME = "model.safetensors"


def write_model(
    path, words, vectors, parts, gazetteers=None, info=None, classes=None, spellings=None
):
    """Write a native model to the file `path`, in one step.

    words: Vocabulary; vectors: float32[n_words, dim] or float16; parts: a list of Part, whose
    `word` tables have that shape; gazetteers: a dict from a name to an iterable of phrases, or to
    bytes that `phrase_lines` made; info: anything JSON can say about the whole; classes: word
    classes as `class_lines` makes them, bytes by name; spellings: the arrays of each
    `networks.character_network.Spelling`, dicts by name. Raises SennaError if the parts do not
    fit together or float16 cannot hold a number.
    """
    shared = _half(path, "vectors", vectors)
    tensors = {"words": _lines(words), "vectors": shared}
    for name, phrases in (gazetteers or {}).items():
        data = phrases if isinstance(phrases, bytes) else phrase_lines(phrases)
        tensors[f"gazetteers/{name}"] = np.frombuffer(data, np.uint8)
    for name, data in (classes or {}).items():
        tensors[f"classes/{name}"] = np.frombuffer(data, np.uint8)
    for name, arrays in (spellings or {}).items():
        for key, array in arrays.items():
            place = f"spellings/{name}/{key}"
            tensors[place] = array if array.dtype == np.uint8 else _half(path, place, array)
    entries = []
    for part in parts:
        entries.append(_part_entry(part))
        for name, array in _part_tensors(path, part, shared).items():
            tensors[f"networks/{part.name}/{name}"] = array
    description = {"info": info or {}, "networks": entries}
    try:
        text = json.dumps(description, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SennaError(f"{path}: not written: the information is not JSON: {error}") from None
    metadata = {"format": FORMAT, "version": VERSION, "model": text}
    # What is written is what can be read: one set of checks serves both.
    contents = Contents(path, metadata, tensors)
    for part in parts:
        contents.read_part(part.name)
    for name in spellings or {}:
        contents.read_spelling(name)
    write_tensors(path, metadata, tensors)


def _lines(vocabulary):
    """Keys of a Vocabulary, one a line: uint8[n_bytes]."""
    keys = [vocabulary.key(index) for index in range(len(vocabulary))]
    return np.frombuffer(b"".join(key + b"\n" for key in keys), np.uint8)


def _half(path, name, array):
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(array).astype("<f2")
    if not np.isfinite(half).all():
        raise SennaError(f"{path}: not written: {name} has a number that float16 cannot hold")
    return half


def _part_entry(part):
    return {
        "name": part.name, "kind": part.network.kind, "features": list(part.features),
        "info": part.info, **part.network.sizes(),
    }  # fmt: skip


def _part_tensors(path, part, shared):
    """Arrays of a part by name; shared: float16[n_words, dim]."""
    out = {"labels": _lines(part.labels)}
    for feature, vocabulary in _all_vocabularies(part).items():
        out[f"vocabularies/{feature}"] = _lines(vocabulary)
    network = part.network
    for k, (feature, table) in enumerate(zip(part.features, network.tables, strict=True)):
        if spelling_feature(feature):
            continue  # computed from the words
        half = _half(path, f"{part.name}: table {k} ({feature})", dense(table))
        if feature == "word":
            out |= _changes(path, part.name, half, shared)
        else:
            out[table_name(k)] = half
    out["padding"] = np.asarray(network.padding).astype("<i4")
    for name, array in network.arrays().items():
        out[name] = _half(path, f"{part.name}: {name}", array)
    return out


def _changes(path, name, table, shared):
    """Arrays with the rows in which a word table differs from the shared vectors: float16."""
    if table.shape != shared.shape:
        raise SennaError(
            f"{path}: not written: the word table of {name} has the shape {list(table.shape)}, "
            f"the shared vectors {list(shared.shape)}"
        )
    changed = (table.view(np.uint16) != shared.view(np.uint16)).any(axis=1)
    return {
        "changed_rows": np.flatnonzero(changed).astype("<i4"),
        "changed_vectors": table[changed],
    }


def _all_vocabularies(part):
    known = dict(part.vocabularies)
    for feature, table in zip(part.features, part.network.tables, strict=True):
        if feature.startswith("gazetteer.") and feature not in known:
            keys = PLACE_KEYS if len(table) == len(PLACE_KEYS) else GAZETTEER_KEYS
            known[feature] = Vocabulary.from_keys(keys, feature)
    return known


class NativeModel:
    """A native model, each part read when it is first asked for; shared by threads.

    Raises SennaError naming the file for whatever is missing or malformed.
    """

    def __init__(self, path):
        """Take the path of the file, or of a directory with FILE_NAME in it, and map it."""
        self.path = Path(path)
        if self.path.is_dir():
            self.path /= FILE_NAME
        self._contents = Contents(self.path, *read_tensors(self.path))
        self.networks = tuple(self._contents.entries)
        self.info = self._contents.info
        self.version = VERSION
        self.words = self._contents.words
        self.gazetteers = self._contents.names("gazetteers")
        self.classes = self._contents.names("classes")
        self.spellings = self._contents.names("spellings")
        self._parts = {}
        self._lock = threading.RLock()

    def _once(self, key, read):
        with self._lock:
            if key not in self._parts:
                self._parts[key] = read()
            return self._parts[key]

    @property
    def tokenizer(self):
        """Kind of tokenizer that finds the words in raw text, see `text.tokens.Tokenizer`."""
        return self.info.get("tokenizer", "senna")

    @property
    def vectors(self):
        """The shared word vectors: float16[n_words, dim], mapped from the file."""
        return self._contents.vectors

    def part(self, name):
        """The Part `name`, checked."""
        return self._once(("part", name), lambda: self._read_part(name))

    def _read_part(self, name):
        part = self._contents.read_part(name)
        for feature, vocabulary in part.vocabularies.items():
            # Equal lists become one, so that a feature is computed once for all networks.
            same = self._once(("list", feature, vocabulary.data), lambda v=vocabulary: v)
            part.vocabularies[feature] = same
        release_pages(self._contents.vectors)  # all of it was checked, few rows will be used
        return part

    def network(self, name):
        """Read the network `name`."""
        return self.part(name).network

    def features(self, name):
        """Names of the input features of the network `name`; none if the model lacks it."""
        entry = self._contents.entries.get(name)
        return tuple(entry["features"]) if entry else ()

    def labels(self, name):
        """Vocabulary of the labels of the network `name`; the left-hand brackets for psg."""
        return self.part(name).labels

    @property
    def closing_brackets(self):
        """Vocabulary of the right-hand brackets of tree labels."""
        return self.part("psg").vocabularies["psg-right"]

    def feature_vocabulary(self, name, feature):
        """Vocabulary whose indices are the values of a feature of the network `name`.

        None for a spelling, whose values are words.
        """
        if spelling_feature(feature):
            return None
        return self.words if feature == "word" else self.part(name).vocabularies[feature]

    def gazetteer(self, name):
        """Gazetteer `name`."""
        return self._once(("gazetteer", name), lambda: self._read_gazetteer(name))

    def _read_gazetteer(self, name):
        return Gazetteer.from_lines(self._phrases(name), f"{self.path}: gazetteers/{name}")

    def phrases(self, name):
        """Phrases of the gazetteer `name` as bytes, one a line."""
        return self._phrases(name).tobytes()

    def _phrases(self, name):
        if name not in self.gazetteers:
            raise SennaError(f"{self.path}: the gazetteer {name} is missing")
        return self._contents.text(f"gazetteers/{name}")

    def word_classes(self, name):
        """WordClasses `name`."""
        place = f"{self.path}: classes/{name}"
        return self._once(("classes", name), lambda: WordClasses(self.class_lines(name), place))

    def class_lines(self, name):
        """The word classes `name` as bytes, see `features.word_class.class_lines`."""
        if name not in self.classes:
            raise SennaError(f"{self.path}: the word classes {name} are missing")
        return self._contents.text(f"classes/{name}").tobytes()

    def spelling(self, name):
        """Spelling `name`."""
        return self._once(("spelling", name), lambda: self._contents.read_spelling(name))

    def part_info(self, name):
        """What the file says about the network `name`: a dict."""
        return self._contents.entries[name]["info"]

    def missing(self, name):
        """Why the model has no network `name`."""
        return f"it has no {name} network"
