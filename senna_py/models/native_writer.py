"""Write native models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows, dense, table_name
from senna_py.models.native_contents import SPLITTER_ARRAYS, WORDS_OF_TOKENS, Contents
from senna_py.models.native_header import FORMAT, VERSION
from senna_py.models.native_parts import ModelPart, read_part
from senna_py.models.tensors import write_tensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.features.protocol import Resources
    from senna_py.io.files import AnyPath
    from senna_py.networks.base import TaggerNetwork
    from senna_py.text.splitter import SentenceSplitter
    from senna_py.text.vocabulary import Vocabulary
    from senna_py.text.word_splitting import WordSplitter

    Halves = NDArray[np.float16]
    Tensors = dict[str, NDArray[Any]]

# The arrays of a word table, which is stored as changes of the shared vectors.
_WORD_TABLE = {"changed_rows", "changed_vectors", "changed_scales"}


def write_model(
    path: AnyPath,
    words: Vocabulary,
    vectors: NDArray[Any] | ByteRows,
    parts: Sequence[ModelPart],
    resources: Resources | None = None,
    info: Mapping[str, Any] | None = None,
    splitter: SentenceSplitter | None = None,
    word_splitter: WordSplitter | None = None,
) -> None:
    """Write a native model in one step.

    Args:
        path: The file.
        words: The dictionary.
        vectors: The shared word vectors, float[n_words, dim]. If they are ByteRows, the
            word tables of all networks are stored in 8 bits, too.
        parts: The networks. Their word tables must have the shape of `vectors`.
        resources: The resources of features, by place (a key of
            `features.registry.RESOURCES`) and by name, or None.
        info: The information about the model, convertible to JSON, or None.
        splitter: The sentence splitter, or None.
        word_splitter: The splitter for multiword tokens, or None.

    Raises:
        SennaError: If the parts are inconsistent, a number exceeds float16, or the file
            cannot be written.
    """
    resources = resources or {}
    shared = vectors
    if not isinstance(vectors, ByteRows):
        shared = _to_half(path, "vectors", vectors)
    tensors: Tensors = {
        "words": _encode_lines(words),
        **_row_tensors(shared, "vectors", "vector_scales"),
    }
    for place in RESOURCES:
        for name, resource in resources.get(place, {}).items():
            tensors[f"{place}/{name}"] = resource.array
    tensors |= _splitter_tensors(path, splitter) | _word_tensors(word_splitter)
    entries: list[dict[str, Any]] = []
    for number, part in enumerate(parts):
        part_tensors = _part_tensors(path, part, shared)
        shared_names = _find_shared(part, parts[:number], part_tensors)
        entries.append(_make_entry(part, shared_names))
        for names in shared_names.values():
            for name in names:
                del part_tensors[name]
        for name, array in part_tensors.items():
            tensors[f"networks/{part.name}/{name}"] = array
    description = {"info": info or {}, "networks": entries}
    try:
        text = json.dumps(description, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SennaError(
            f"{path}: not written: the information is not JSON: {error}"
        ) from None
    metadata = {"format": FORMAT, "version": VERSION, "model": text}
    # Reading the contents before they are written ensures that the file can be read.
    contents = Contents(path, metadata, tensors)
    for part in parts:
        read_part(contents, part.name)
    for place, by_name in resources.items():
        for name in by_name:
            contents.read_resource(place, name)
    contents.read_splitter()
    contents.read_word_splitter()
    write_tensors(path, metadata, tensors)


def _make_entry(
    part: ModelPart, shared_names: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the header's entry for a network.

    shared_names: The arrays that are stored with other networks, from `_find_shared`.
    """
    entry: dict[str, Any] = {
        "name": part.name,
        "kind": part.network.kind,
        "features": list(part.features),
        "info": part.info,
    }
    if part.carried:
        entry["carried"] = True
    if part.pooling:
        entry["pooling"] = part.pooling
    entry |= part.network.sizes()
    if shared_names:
        entry["shared"] = shared_names
    return entry


def _word_tensors(splitter: WordSplitter | None) -> Tensors:
    if splitter is None:
        return {}
    text = "".join(f"{line}\n" for line in splitter.lines())
    return {
        WORDS_OF_TOKENS: np.frombuffer(
            text.encode("utf-8", "surrogateescape"), np.uint8
        )
    }


def _splitter_tensors(path: AnyPath, splitter: SentenceSplitter | None) -> Tensors:
    if splitter is None:
        return {}
    lines = "".join(f"{word}\n" for word in splitter.abbreviations).encode()
    arrays = (
        _to_half(path, "sentences", splitter.weights),
        np.packbits(splitter.known),
        np.frombuffer(lines, np.uint8),
    )
    names = (f"sentences/{name}" for name in SPLITTER_ARRAYS)
    return dict(zip(names, arrays, strict=True))


def _encode_lines(vocabulary: Vocabulary) -> NDArray[np.uint8]:
    """Return the keys of a vocabulary as text, one per line: uint8[n_bytes]."""
    keys = vocabulary.byte_keys()
    return np.frombuffer(b"".join(key + b"\n" for key in keys), np.uint8)


def _to_half(path: AnyPath, name: str, array: NDArray[Any]) -> Halves:
    """Round an array to float16; raise SennaError for numbers out of its range."""
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(array).astype("<f2")
    if not np.isfinite(half).all():
        raise SennaError(
            f"{path}: not written: {name} has a number that float16 cannot hold"
        )
    return half


def _to_bytes(
    path: AnyPath,
    name: str,
    array: Any,
    rounding: type[ByteRows] | type[ByteColumns] = ByteRows,
) -> ByteRows | ByteColumns:
    """Round an array to 8 bits; raise SennaError if a number is not finite."""
    if isinstance(array, np.ndarray) and not np.isfinite(array).all():
        raise SennaError(f"{path}: not written: {name} has a number that is not finite")
    return rounding.of(array)


def _row_tensors(
    rows: NDArray[Any] | ByteRows | ByteColumns, name: str, scales: str
) -> Tensors:
    """Return the tensors of an array: its numbers and, in 8 bits, its scales."""
    if isinstance(rows, np.ndarray):
        return {name: rows}
    return {name: rows.numbers, scales: rows.scales.astype("<f4")}


def _part_tensors(path: AnyPath, part: ModelPart, shared: Any) -> Tensors:
    """Return all tensors of a network by name, without the prefix `networks/NAME/`.

    shared: The shared word vectors as they are stored, float16[n_words, dim] or
        ByteRows.
    """
    tensors = {"labels": _encode_lines(part.labels)}
    for feature, vocabulary in part.vocabularies.items():
        tensors[f"vocabularies/{feature}"] = _encode_lines(vocabulary)
    network = part.network
    members = network.members()
    if not members:
        return tensors | _network_tensors(
            path, part.name, part.features, network, shared
        )
    for k, (member, columns) in enumerate(members):
        features = [part.features[column] for column in columns]
        arrays = _network_tensors(path, part.name, features, member, shared)
        tensors |= {f"members/{k}/{name}": array for name, array in arrays.items()}
    return tensors | _layer_tensors(path, part.name, network)


def _network_tensors(
    path: AnyPath,
    name: str,
    features: Sequence[str],
    network: TaggerNetwork,
    shared: Any,
) -> Tensors:
    """Return the tensors of the tables, padding and layers of a network or member."""
    with prefix_errors(f"{path}: network {name}"):
        has_own_table = [find_feature(feature).own_table for feature in features]
    tensors: Tensors = {}
    columns = zip(features, has_own_table, network.tables, strict=True)
    for k, (feature, is_own, table) in enumerate(columns):
        what, rows = f"{name}: table {k} ({feature})", dense(table)
        if is_own:
            tensors[table_name(k)] = _to_half(path, what, rows)
        else:
            store = _to_bytes if isinstance(shared, ByteRows) else _to_half
            tensors |= _changed_rows(path, name, store(path, what, rows), shared)
    tensors["padding"] = np.asarray(network.padding).astype("<i4")
    return tensors | _layer_tensors(path, name, network)


def _layer_tensors(path: AnyPath, name: str, network: TaggerNetwork) -> Tensors:
    """Return the tensors of the layers of a network, by name."""
    declared = network.declare(network.sizes())
    rounded = {array.name for array in declared if array.rounded}
    tensors: Tensors = {}
    for key, array in network.arrays().items():
        store: Any = _to_half
        if key in rounded:
            store = partial(_to_bytes, rounding=ByteColumns)
        stored = store(path, f"{name}: {key}", array)
        tensors |= _row_tensors(stored, key, f"{key}_scales")
    return tensors


def _find_shared(
    part: ModelPart, others: Sequence[ModelPart], tensors: Tensors
) -> dict[str, list[str]]:
    """Return the names of tensors that a network shares with earlier networks.

    part: The network.
    others: The earlier networks.
    tensors: The tensors of the network.

    Returns:
        {network: names}, where the network is the first that has the tensors.
    """
    shared: dict[str, list[str]] = {}
    left = set(tensors)
    for other in others:
        names = set(part.network.shared_names(other.network))
        names |= {f"{name}_scales" for name in names}
        for k, feature in enumerate(part.features):
            if table_name(k) not in names or feature != other.features[k]:
                continue
            if feature == "word":
                names |= _WORD_TABLE
            keys = part.vocabularies.get(feature)
            others_keys = other.vocabularies.get(feature)
            if keys is None or others_keys is None:
                continue
            if keys.data == others_keys.data:
                names.add(f"vocabularies/{feature}")
        if common := sorted(names & left):
            shared[other.name] = common
            left.difference_update(common)
    return shared


def _changed_rows(path: AnyPath, name: str, table: Any, shared: Any) -> Tensors:
    """Return tensors with the rows of a word table that differ from the shared vectors.

    Of ByteRows, only the rows that have `moved` are included. Raises SennaError if the
    shapes differ.

    path, name: The file and the name of the network, for messages.
    table: The word table, float16[n_words, dim] or ByteRows.
    shared: The shared vectors, of the same type.
    """
    if table.shape != shared.shape:
        raise SennaError(
            f"{path}: not written: the word table of {name} has the shape {list(table.shape)}, "
            f"the shared vectors {list(shared.shape)}"
        )
    if isinstance(shared, ByteRows):
        is_changed = table.moved(shared)
    else:
        is_changed = (table.view(np.uint16) != shared.view(np.uint16)).any(axis=1)
    return {
        "changed_rows": np.flatnonzero(is_changed).astype("<i4"),
        **_row_tensors(table[is_changed], "changed_vectors", "changed_scales"),
    }
