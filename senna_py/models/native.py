"""Native models: networks, words, what features need and what made them in one file.

docs/reference/file-formats.md has the format; arrays lie in the layout of
`models.tensors`. Word vectors stand in the file once, as float16 or ByteRows; the word
table of a network is kept as the rows in which it differs from them. Arrays of several
networks stand there once, with the first.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Resource, Resources
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import TREES
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows, dense, table_name
from senna_py.models import native_parts
from senna_py.models.native_header import FORMAT, VERSION
from senna_py.models.storage import Storage
from senna_py.models.tensors import read_tensors, release_pages, write_tensors
from senna_py.networks.base import TaggerNetwork
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.vocabulary import Vocabulary

FILE_NAME = "model.safetensors"
_WORD_TABLE = {"changed_rows", "changed_vectors", "changed_scales"}


def write_model(
    path: AnyPath,
    words: Vocabulary,
    vectors: np.ndarray | ByteRows,
    parts: Sequence[native_parts.ModelPart],
    resources: Resources | None = None,
    info: Mapping[str, Any] | None = None,
    splitter: SentenceSplitter | None = None,
) -> None:
    """Write a native model to the file `path`, in one step.

    words: Vocabulary; vectors: float32[n_words, dim] or float16; or ByteRows, to store
    the word tables of all parts as such; parts: a list of ModelPart, whose `word`
    tables have that shape;
    resources: what features need, a dict of each kind's place (see
    `features.registry.RESOURCES`) to a dict of Resource by name; info: anything JSON
    can say about the whole. Raises SennaError if the parts do not fit together or
    float16 cannot hold a number.
    """
    resources = resources or {}
    shared = (
        vectors if isinstance(vectors, ByteRows) else _half(path, "vectors", vectors)
    )
    tensors = {
        "words": _lines(words),
        **_row_arrays(shared, "vectors", "vector_scales"),
    }
    for place in RESOURCES:
        for name, resource in resources.get(place, {}).items():
            tensors[f"{place}/{name}"] = resource.array
    if splitter is not None:
        lines = "".join(f"{word}\n" for word in splitter.abbreviations).encode()
        arrays = (
            _half(path, "sentences", splitter.weights),
            np.packbits(splitter.known),
            np.frombuffer(lines, np.uint8),
        )
        tensors |= {
            f"sentences/{name}": array
            for name, array in zip(native_parts.SPLITTER_ARRAYS, arrays, strict=True)
        }
    entries = []
    for number, part in enumerate(parts):
        own = _part_tensors(path, part, shared)
        owned = _owned_by_others(part, parts[:number], own)
        entries.append(
            {
                "name": part.name,
                "kind": part.network.kind,
                "features": list(part.features),
                "info": part.info,
                **({"carried": True} if part.carried else {}),
                **part.network.sizes(),
                **({"shared": owned} if owned else {}),
            }
        )
        for name in (name for names in owned.values() for name in names):
            del own[name]
        tensors |= {
            f"networks/{part.name}/{name}": array for name, array in own.items()
        }
    description = {"info": info or {}, "networks": entries}
    try:
        text = json.dumps(description, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SennaError(
            f"{path}: not written: the information is not JSON: {error}"
        ) from None
    metadata = {"format": FORMAT, "version": VERSION, "model": text}
    # What is written is what can be read: one set of checks serves both.
    contents = native_parts.Contents(path, metadata, tensors)
    for part in parts:
        contents.read_part(part.name)
    for place, found in resources.items():
        for name in found:
            contents.read_resource(place, name)
    contents.read_splitter()
    write_tensors(path, metadata, tensors)


def _lines(vocabulary):
    """Keys of a Vocabulary, one per line: uint8[n_bytes]."""
    keys = [vocabulary.key(index) for index in range(len(vocabulary))]
    return np.frombuffer(b"".join(key + b"\n" for key in keys), np.uint8)


def _half(path, name, array):
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(array).astype("<f2")
    if not np.isfinite(half).all():
        raise SennaError(
            f"{path}: not written: {name} has a number that float16 cannot hold"
        )
    return half


def _bytes(path, name, array, kind=ByteRows):
    if isinstance(array, np.ndarray) and not np.isfinite(array).all():
        raise SennaError(f"{path}: not written: {name} has a number that is not finite")
    return kind.of(array)


def _row_arrays(rows, name, scales):
    """Arrays of the file by name that hold rows: float16[n, dim], ByteRows or
    ByteColumns.
    """
    if isinstance(rows, np.ndarray):
        return {name: rows}
    return {name: rows.numbers, scales: rows.scales.astype("<f4")}


def _part_tensors(path, part, shared):
    """Arrays of a part by name; shared: float16[n_words, dim] or ByteRows."""
    out = {"labels": _lines(part.labels)}
    for feature, vocabulary in part.vocabularies.items():
        out[f"vocabularies/{feature}"] = _lines(vocabulary)
    network, own = part.network, [("", part.features, part.network)]
    if members := network.members():
        own = [
            (f"members/{k}/", [part.features[c] for c in columns], member)
            for k, (member, columns) in enumerate(members)
        ]
    for place, features, member in own:
        tensors = _network_tensors(path, part.name, features, member, shared)
        out |= {place + name: array for name, array in tensors.items()}
    if members:
        out |= _layer_tensors(path, part.name, network)
    return out


def _network_tensors(path, name, features, network, shared):
    with prefix_errors(f"{path}: network {name}"):
        are_own = [find_feature(feature).own_table for feature in features]
    out, columns = {}, zip(features, are_own, network.tables, strict=True)
    for k, (feature, is_own, table) in enumerate(columns):
        what, rows = f"{name}: table {k} ({feature})", dense(table)
        if is_own:
            out[table_name(k)] = _half(path, what, rows)
        else:
            store = _bytes if isinstance(shared, ByteRows) else _half
            out |= _changes(path, name, store(path, what, rows), shared)
    out["padding"] = np.asarray(network.padding).astype("<i4")
    return out | _layer_tensors(path, name, network)


def _layer_tensors(path, name, network):
    out, rounded = (
        {},
        {each.name for each in network.declare(network.sizes()) if each.rounded},
    )
    for key, array in network.arrays().items():
        store = partial(_bytes, kind=ByteColumns) if key in rounded else _half
        out |= _row_arrays(store(path, f"{name}: {key}", array), key, f"{key}_scales")
    return out


def _owned_by_others(part, others, tensors):
    """Names of `tensors` of a ModelPart that one of the `others` has, by the name of
    that one.
    """
    owned, left = {}, set(tensors)
    for other in others:
        names = set(part.network.shared_names(other.network))
        names |= {f"{name}_scales" for name in names}
        for k, feature in enumerate(part.features):
            if table_name(k) not in names or feature != other.features[k]:
                continue
            names |= _WORD_TABLE if feature == "word" else set()
            lists = [each.vocabularies.get(feature) for each in (part, other)]
            if None not in lists and lists[0].data == lists[1].data:
                names.add(f"vocabularies/{feature}")
        if found := sorted(names & left):
            owned[other.name] = found
            left.difference_update(found)
    return owned


def _changes(path, name, table, shared):
    """Arrays with the rows in which a word table differs from the shared vectors.

    Both are float16[n_words, dim] or both ByteRows, of which only rows count that have
    moved.
    """
    if table.shape != shared.shape:
        raise SennaError(
            f"{path}: not written: the word table of {name} has the shape {list(table.shape)}, "
            f"the shared vectors {list(shared.shape)}"
        )
    if isinstance(shared, ByteRows):
        changed = table.moved(shared)
    else:
        changed = (table.view(np.uint16) != shared.view(np.uint16)).any(axis=1)
    return {
        "changed_rows": np.flatnonzero(changed).astype("<i4"),
        **_row_arrays(table[changed], "changed_vectors", "changed_scales"),
    }


class NativeModel(Storage):
    """A native model; vectors: shared word vectors, float16[n_words, dim] or ByteRows,
    mapped.
    """

    format, version = FORMAT, VERSION

    def __init__(self, path: AnyPath) -> None:
        """Map the file at `path`, or FILE_NAME in that directory."""
        super().__init__(path)
        if self.path.is_dir():
            self.path /= FILE_NAME
        self._contents = native_parts.Contents(self.path, *read_tensors(self.path))
        self.vectors, self.networks = (
            self._contents.vectors,
            tuple(self._contents.entries),
        )
        self.info = self._contents.info
        self.tokenizer = self.info.get("tokenizer", "senna")
        self.vector_bits = 8 if self._contents.in_bytes() else 16

    @property
    def own_networks(self) -> tuple[str, ...]:
        """Names of the networks that are not carried for the sake of others."""
        return tuple(
            n for n, entry in self._contents.entries.items() if not entry["carried"]
        )

    @property
    def words(self) -> Vocabulary:
        return self._contents.words

    @property
    def splitter(self) -> SentenceSplitter | None:
        return self._once(("splitter",), self._contents.read_splitter)

    def part(self, name: str) -> native_parts.ModelPart:
        """The ModelPart `name`, checked."""
        return self._once(("part", name), lambda: self._read_part(name))

    def _read_part(self, name):
        part = self._contents.read_part(name)
        for feature, vocabulary in part.vocabularies.items():
            # Equal lists become one, so that a feature is computed once for all
            # networks.
            same = self._once(
                ("list", feature, vocabulary.data), lambda v=vocabulary: v
            )
            part.vocabularies[feature] = same
        release_pages(
            self._contents.tensors["vectors"]
        )  # all was checked, few rows will be used
        return part

    def network(self, name: str) -> TaggerNetwork:
        return self.part(name).network

    def features(self, name: str) -> tuple[str, ...]:
        entry = self._contents.entries.get(name)
        return tuple(entry["features"]) if entry else ()

    def reads(self, name: str) -> tuple[str, ...]:
        entry = self._contents.entries.get(name)
        return tuple(entry["reads"]) if entry else ()

    def knows_labels(self, name: str, other: native_parts.ModelPart) -> bool:
        """Whether the network `name` knows the labels of a ModelPart, or does not read
        them.
        """
        if other.name not in self.reads(name):
            return True
        return native_parts.begins_with_labels(
            self.feature_vocabulary(name, other.name), other.labels
        )

    def labels(self, name: str) -> Vocabulary:
        return self.part(name).labels

    @property
    def closing_brackets(self) -> Vocabulary:
        return self.part(TREES).vocabularies[f"{TREES}-right"]

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary:
        own = find_feature(feature).own_table
        return self.part(name).vocabularies[feature] if own else self.words

    def labelled(self, name: str) -> str:
        return self._contents.entries[name]["labelled"]

    def resources(self, place: str) -> tuple[str, ...]:
        return self._contents.resources(place)

    def resource(self, place: str, name: str) -> Resource:
        key = "resource", place, name
        return self._once(key, lambda: self._contents.read_resource(place, name))

    def part_info(self, name: str) -> dict[str, Any]:
        return self._contents.entries[name]["info"]
