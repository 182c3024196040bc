"""Native models: networks, words, gazetteers and what made them in one file.

docs/native-model.md has the format; arrays lie in the layout of `formats.tensors`. Word vectors
stand in the file once, as float16; the word table of a network is kept as the rows in which it
differs from them.
"""

import json
import re
import threading
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.formats.tensors import read_tensors, write_tensors
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.shapes import check_shapes, is_optional
from senna_py.networks.tables import ChangedTable, dense
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork
from senna_py.text.features import GAZETTEER_KEYS, PLACE_KEYS, is_token_feature
from senna_py.text.gazetteer import Gazetteer, phrase_lines
from senna_py.text.vocabulary import Vocabulary

__all__ = ["FILE_NAME", "NativeModel", "Part", "write_model"]

FILE_NAME = "model.safetensors"
_FORMAT, _VERSION = "senna-py", "1"
_KINDS = {"window": WindowNetwork, "sentence": SentenceNetwork, "tree": TreeNetwork}
# What the tasks of the tagger run; a network of any other name may be of any kind.
_TASK_KINDS = {"srl": "sentence", "psg": "tree"} | dict.fromkeys(
    ("pos", "chk", "ner", "pt0", "vbs"), "window"
)
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST_LIST = 2**31 - 2  # bytes; positions in a list are int32


@dataclass
class Part:
    """One network with everything it needs.

    name: its task, pos, chk, ner, pt0, vbs, srl or psg, or any other; features: one name per
    lookup table, in order (see `text.features`); labels: the Vocabulary of what it predicts;
    vocabularies: the keys of each feature but `word`; those of a gazetteer may be missing, and
    are then told by their number. A TreeNetwork named psg has its right-hand brackets under
    `psg-right`. info: anything JSON can say: configuration, scores, licence, data.
    """

    name: str
    network: WindowNetwork | SentenceNetwork | TreeNetwork
    features: tuple[str, ...]
    labels: Vocabulary
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    info: dict = field(default_factory=dict)


def write_model(path, words, vectors, parts, gazetteers=None, info=None):
    """Write a native model to the file `path`, in one step.

    words: Vocabulary; vectors: float32[n_words, dim] or float16; parts: a list of Part, whose
    `word` tables have that shape; gazetteers: a dict from a name to an iterable of phrases, or to
    bytes that `phrase_lines` made; info: anything JSON can say about the whole. Raises SennaError
    if the parts do not fit together or float16 cannot hold a number.
    """
    shared = _half(path, "vectors", vectors)
    tensors = {"words": _lines(words), "vectors": shared}
    for name, phrases in (gazetteers or {}).items():
        data = phrases if isinstance(phrases, bytes) else phrase_lines(phrases)
        tensors[f"gazetteers/{name}"] = np.frombuffer(data, np.uint8)
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
    metadata = {"format": _FORMAT, "version": _VERSION, "model": text}
    # What is written is what can be read: one set of checks serves both.
    contents = _Contents(path, metadata, tensors)
    for part in parts:
        contents.read_part(part.name)
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
    kind = next(kind for kind, cls in _KINDS.items() if type(part.network) is cls)
    sizes = {f.name: int(getattr(part.network, f.name)) for f in fields(part.network)
             if f.type is int}  # fmt: skip
    return {
        "name": part.name, "kind": kind, "features": list(part.features), "info": part.info,
        **sizes,
    }  # fmt: skip


def _part_tensors(path, part, shared):
    """Arrays of a part by name; shared: float16[n_words, dim]."""
    out = {"labels": _lines(part.labels)}
    for feature, vocabulary in _all_vocabularies(part).items():
        out[f"vocabularies/{feature}"] = _lines(vocabulary)
    for f in fields(part.network):
        value = getattr(part.network, f.name)
        if f.name == "tables":
            for k, (feature, table) in enumerate(zip(part.features, value, strict=True)):
                half = _half(path, f"{part.name}: table {k} ({feature})", dense(table))
                if feature != "word":
                    out[f"tables/{k}"] = half
                    continue
                if half.shape != shared.shape:
                    raise SennaError(
                        f"{path}: not written: the word table of {part.name} has the shape "
                        f"{list(half.shape)}, the shared vectors {list(shared.shape)}"
                    )
                changed = (half.view(np.uint16) != shared.view(np.uint16)).any(axis=1)
                out["changed_rows"] = np.flatnonzero(changed).astype("<i4")
                out["changed_vectors"] = half[changed]
        elif f.name == "padding":
            out[f.name] = np.asarray(value).astype("<i4")
        elif value is not None and f.type is not int:
            out[f.name] = _half(path, f"{part.name}: {f.name}", value)
    return out


def _all_vocabularies(part):
    known = dict(part.vocabularies)
    for feature, table in zip(part.features, part.network.tables, strict=True):
        if feature.startswith("gazetteer.") and feature not in known:
            keys = PLACE_KEYS if len(table) == len(PLACE_KEYS) else GAZETTEER_KEYS
            known[feature] = Vocabulary.from_keys(keys, feature)
    return known


class _Contents:
    """The checked contents of a model, from a file or on the way to it."""

    def __init__(self, path, metadata, tensors):
        self.path, self._tensors = path, tensors
        if metadata.get("format") != _FORMAT:
            self.fail(f"not a model of senna-py: its format is {metadata.get('format')!r}")
        if metadata.get("version") != _VERSION:
            self.fail(f"version {metadata.get('version')!r} of the format; this program reads "
                      f"version {_VERSION}")  # fmt: skip
        try:
            model = json.loads(metadata.get("model", ""))
        except (ValueError, RecursionError) as error:
            self.fail(f"model: not JSON: {error}")
        if not isinstance(model, dict) or not isinstance(model.get("info"), dict):
            self.fail("model: expected an object with info and networks")
        self.info = model["info"]
        self.entries = self._check_entries(model.get("networks"))
        self._check_cascade()
        self._check_names()
        self.words = self.lines("words")
        self.vectors = self.tensor("vectors", np.float16, 2)
        if len(self.vectors) != len(self.words) or not self.vectors.size:
            self.fail(f"vectors: shape {list(self.vectors.shape)} for {len(self.words):,} words")

    def fail(self, problem):
        raise SennaError(f"{self.path}: {problem}")

    def _check_entries(self, entries):
        """Networks by name: what the header says of each."""
        if not isinstance(entries, list) or not entries:
            self.fail("model: expected a list of networks")
        found = {}
        for number, entry in enumerate(entries):
            where = f"model: network {number + 1}"
            if not isinstance(entry, dict):
                self.fail(f"{where}: not an object")
            name, kind, features = (entry.get(key) for key in ("name", "kind", "features"))
            if not isinstance(name, str) or not _NAME.fullmatch(name) or is_token_feature(name):
                self.fail(f"{where}: no usable name: {name!r}")
            where = f"network {name}"
            if name in found:
                self.fail(f"{where}: occurs twice")
            if not isinstance(kind, str) or kind not in _KINDS:
                self.fail(f"{where}: kind {kind!r}, expected one of {', '.join(_KINDS)}")
            if kind != _TASK_KINDS.get(name, kind):
                self.fail(f"{where}: a {kind} network cannot do this task")
            if not isinstance(features, list) or not features:
                self.fail(f"{where}: no features")
            if not all(isinstance(feature, str) for feature in features):
                self.fail(f"{where}: features that are no names")
            if len(set(features)) != len(features):
                self.fail(f"{where}: a feature occurs twice")
            if not isinstance(entry.setdefault("info", {}), dict):
                self.fail(f"{where}: info is not an object")
            found[name] = entry
        return found

    def _check_cascade(self):
        """Every label that is a feature is predicted before, word by word."""
        needs = {}
        for name, entry in self.entries.items():
            try:
                labels = [f for f in entry["features"] if not is_token_feature(f)]
            except SennaError as error:
                self.fail(f"network {name}: {error}")
            if entry["kind"] == "tree":
                if entry["features"][-1] != name:
                    self.fail(f"network {name}: its last feature is not its own label")
                labels.pop()
            for label in labels:
                if self.entries.get(label, {"kind": "window"})["kind"] != "window":
                    self.fail(f"network {name}: {label} does not label single words")
            needs[name] = set(labels)
        while ready := [name for name in needs if not needs[name] & set(needs)]:
            for name in ready:
                del needs[name]
        if needs:
            self.fail(f"networks {', '.join(needs)}: each needs labels of another")

    def _check_names(self):
        """Nothing lies in the file that no part of the model asks for."""
        for name in self._tensors:
            place, _, rest = name.partition("/")
            network, slash, _ = rest.partition("/")
            known = {
                "words": not rest,
                "vectors": not rest,
                "gazetteers": _NAME.fullmatch(rest),
                "networks": slash and network in self.entries,
            }
            if not known.get(place):
                self.fail(f"array {name!r} belongs to nothing")

    @property
    def gazetteers(self):
        """Names of the gazetteers."""
        places = (name.partition("/") for name in self._tensors)
        return tuple(name for place, _, name in places if place == "gazetteers")

    def tensor(self, name, dtype, n_dimensions):
        """An array, of the dtype and dimensions that it must have."""
        array = self._tensors.get(name)
        if array is None:
            self.fail(f"array {name!r} is missing")
        if array.dtype != dtype or array.ndim != n_dimensions:
            self.fail(
                f"array {name!r}: {array.dtype}{list(array.shape)}, expected "
                f"{np.dtype(dtype)} of {n_dimensions} dimensions"
            )
        return array

    def text(self, name):
        """Bytes of a list."""
        array = self.tensor(name, np.uint8, 1)
        if len(array) > _LONGEST_LIST:
            self.fail(f"{name}: {len(array):,} bytes; the limit is {_LONGEST_LIST:,}")
        return array.tobytes()

    def lines(self, name):
        """Vocabulary of a list."""
        return Vocabulary(self.text(name), f"{self.path}: {name}")

    def read_part(self, name):
        """The Part `name`, with its layers as float32 and its tables checked."""
        entry, prefix = self.entries[name], f"networks/{name}/"
        left = {key for key in self._tensors if key.startswith(prefix)}

        def take(key, dtype, n_dimensions):
            left.discard(prefix + key)
            return self.tensor(prefix + key, dtype, n_dimensions)

        def floats(key, n_dimensions):
            array = take(key, np.float16, n_dimensions).astype(np.float32)
            if not np.isfinite(array).all():
                self.fail(f"array {prefix + key!r}: a number that is not finite")
            return array

        cls = _KINDS[entry["kind"]]
        values = {}
        for f in fields(cls):
            if f.name == "tables":
                values[f.name] = [
                    self._word_table(take) if feature == "word" else floats(f"tables/{k}", 2)
                    for k, feature in enumerate(entry["features"])
                ]
            elif f.name == "padding":
                values[f.name] = take(f.name, np.int32, 1)
            elif f.type is int:
                values[f.name] = entry.get(f.name)
                if type(values[f.name]) is not int:
                    self.fail(f"network {name}: {f.name} is {values[f.name]!r}, not an integer")
            elif prefix + f.name in left or not is_optional(cls, f.name):
                n_dimensions = self._tensors.get(prefix + f.name, np.empty(0)).ndim
                values[f.name] = floats(f.name, n_dimensions)
            else:
                values[f.name] = None
        network = cls(**values)
        try:
            check_shapes(network)
        except SennaError as error:
            self.fail(f"network {name}: {error}")
        return self._with_lists(entry, network, prefix, left)

    def _word_table(self, take):
        rows = take("changed_rows", np.int32, 1)
        changed = take("changed_vectors", np.float16, 2)
        if changed.shape != (len(rows), self.vectors.shape[1]):
            self.fail(
                f"changed_vectors: shape {list(changed.shape)} for {len(rows):,} rows of "
                f"{self.vectors.shape[1]}"
            )
        if len(rows) and not (rows[0] >= 0 and rows[-1] < len(self.vectors)
                              and (rows[1:] > rows[:-1]).all()):  # fmt: skip
            self.fail(f"changed_rows: not increasing, or beyond {len(self.vectors):,} words")
        if not np.isfinite(changed).all():
            self.fail("changed_vectors: a number that is not finite")
        return ChangedTable(self.vectors, rows, changed)

    def _with_lists(self, entry, network, prefix, left):
        name, lists = entry["name"], {}
        labels = self.lines(f"{prefix}labels")
        if len(labels) != len(network.output_bias):
            self.fail(
                f"network {name}: {len(labels):,} labels, it scores {len(network.output_bias):,}"
            )
        for feature, table in zip(entry["features"], network.tables, strict=True):
            if feature != "word":
                lists[feature] = self.lines(f"{prefix}vocabularies/{feature}")
                if len(lists[feature]) != len(table):
                    self.fail(
                        f"network {name}: {len(lists[feature]):,} keys of {feature}, its table "
                        f"has {len(table):,}"
                    )
        if entry["kind"] == "tree":
            closing = f"{name}-right"
            lists[closing] = self.lines(f"{prefix}vocabularies/{closing}")
            if len(lists[closing]) < len(labels):
                self.fail(f"network {name}: {len(labels):,} labels, but fewer closing brackets")
        for feature in set(lists) & set(self.entries) - {name}:
            predicted = self.lines(f"networks/{feature}/labels").keys()
            if lists[feature].keys()[: len(predicted)] != predicted:
                self.fail(
                    f"network {name}: its keys of {feature} do not begin with the labels of "
                    f"network {feature}"
                )
        left -= {f"{prefix}vocabularies/{feature}" for feature in lists} | {f"{prefix}labels"}
        if left:
            self.fail(f"array {min(left)!r} belongs to nothing")
        return Part(name, network, tuple(entry["features"]), labels, lists, entry["info"])


class NativeModel:
    """A native model, each part read when it is first asked for; shared by threads.

    Raises SennaError naming the file for whatever is missing or malformed.
    """

    def __init__(self, path):
        """Take the path of the file, or of a directory with FILE_NAME in it, and map it."""
        self.path = Path(path)
        if self.path.is_dir():
            self.path /= FILE_NAME
        self._contents = _Contents(self.path, *read_tensors(self.path))
        self.networks = tuple(self._contents.entries)
        self.info = self._contents.info
        self.version = _VERSION
        self.words = self._contents.words
        self.gazetteers = self._contents.gazetteers
        self._parts = {}
        self._lock = threading.RLock()

    def _once(self, key, read):
        with self._lock:
            if key not in self._parts:
                self._parts[key] = read()
            return self._parts[key]

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
        """Vocabulary whose indices are the values of a feature of the network `name`."""
        return self.words if feature == "word" else self.part(name).vocabularies[feature]

    def gazetteer(self, name):
        """Gazetteer `name`."""
        return self._once(("gazetteer", name), lambda: Gazetteer.from_lines(self.phrases(name)))

    def phrases(self, name):
        """Phrases of the gazetteer `name` as bytes, one a line."""
        if name not in self.gazetteers:
            raise SennaError(f"{self.path}: the gazetteer {name} is missing")
        return self._contents.text(f"gazetteers/{name}")

    def part_info(self, name):
        """What the file says about the network `name`: a dict."""
        return self._contents.entries[name]["info"]

    def missing(self, name):
        """Why the model has no network `name`."""
        return f"it has no {name} network"
