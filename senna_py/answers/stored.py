"""Documents serialized as bytes: a header, the text, and columns in small dtypes.

The bytes begin with MAGIC, a CRC-32 checksum of the header and everything after it, and
the lengths of the header and of the text. The header is JSON. It lists the tasks with
the names of their labels, and the dtype and the length of each column. The text and the
columns follow. A column of integers has the smallest dtype that holds all of its
values.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.layer import Layer
from senna_py.answers.tags import PathScores, Tags
from senna_py.answers.task_objects import header_entry, read_task
from senna_py.answers.word_forms import WordForms
from senna_py.io.nesting import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MAGIC = b"\x89senna-doc1\n"
_LENGTHS = struct.Struct("<III")  # The checksum, and the lengths of header and text.
_INTS = ("|i1", "<i2", "<i4")
_TYPES = (*_INTS, "<f4", "<f8")


def contents_to_bytes(contents: Contents) -> bytes:
    """Serialize contents; only the names of labels that occur are stored."""
    columns: list[NDArray[Any]] = [
        contents.characters.ravel(),
        contents.sentence_starts,
        contents.sentence_characters.ravel(),
    ]
    layers = []
    for name, layer in contents.layers.items():
        stored = _columns_of(layer)
        described, names = header_entry(layer.task), {"names": "label", "tags": "tag"}
        for key, column in names.items():
            if column in stored:
                known = layer.names if key == "names" else _tag_names(layer)
                used, stored[column] = np.unique(stored[column], return_inverse=True)
                described[key] = [known[i] for i in used.tolist()]
        described |= {"columns": [*stored], "hidden": name in contents.hidden}
        layers.append(described)
        columns += stored.values()
    if contents.words is not None:
        columns += [contents.words.continues, contents.words.spelled]
    packed = [_narrow(column) for column in columns]
    header: dict[str, Any] = {
        "start_char": contents.start_char,
        "layers": layers,
        "columns": [[each.dtype.str, len(each)] for each in packed],
    }
    if contents.words is not None:
        header["forms"] = contents.words.forms
    text = contents.text.encode("utf-8", "surrogatepass")
    head = json.dumps(header, separators=(",", ":")).encode()
    body = b"".join([head, text, *(each.tobytes() for each in packed)])
    checksum = zlib.crc32(body)
    return MAGIC + _LENGTHS.pack(checksum, len(head), len(text)) + body


def _tag_names(layer: Layer) -> tuple[str, ...]:
    assert layer.tags is not None, "a layer with tags"
    return layer.tags.names


def _columns_of(layer: Layer) -> dict[str, NDArray[Any]]:
    """Return the columns to store for a layer, by name."""
    columns: dict[str, NDArray[Any] | None] = {}
    tags = layer.tags if layer.shape.flat else None
    if tags is None or layer.has_stored_spans:
        columns["label"] = layer.label
        if not layer.shape.each_token:
            columns |= {"begin": layer.begin, "end": layer.end}
        columns |= {"anchor": layer.anchor, "score": layer.score}
        columns["anchors"] = layer.anchors
    if tags is not None:
        columns["tag"] = tags.tag
        if tags.scores is not None:
            columns |= {"tag_score": tags.scores.tag, "next_score": tags.scores.next}
    return {name: each for name, each in columns.items() if each is not None}


def _narrow(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column ready for storage.

    Integers get the smallest dtype that holds all values; floats become little-endian.
    Raises OverflowError if int32 cannot hold an integer.
    """
    if column.dtype.kind == "f":
        return column.astype(column.dtype.newbyteorder("<"), copy=False)
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    for dtype in _INTS:
        limits = np.iinfo(dtype)
        if limits.min <= low and high <= limits.max:
            return column.astype(dtype)
    raise OverflowError("more characters than int32 can count")


def contents_of_bytes(data: bytes) -> Contents:
    """Deserialize contents, which are not checked for consistency.

    Raises:
        ValueError: If the bytes are damaged.
        TypeError: If `data` is not bytes.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise ValueError("not the bytes of a document: wrong first bytes")
    try:
        checksum, head, text = _LENGTHS.unpack_from(data, len(MAGIC))
        body = data[len(MAGIC) + _LENGTHS.size :]
        if zlib.crc32(body) != checksum:
            raise ValueError("damaged bytes of a document: the checksum is wrong")
        header = parse_json(body[:head])
        decoded = body[head : head + text].decode("utf-8", "surrogatepass")
        columns = _read_columns(body[head + text :], header["columns"])
        return _read_contents(header, decoded, columns)
    except (
        struct.error,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        OverflowError,
        StopIteration,
    ) as error:
        problem = f"{type(error).__name__}: {error}"
        raise ValueError(f"damaged bytes of a document: {problem}") from None


def _read_columns(data: bytes, described: list[list[Any]]) -> Iterator[NDArray[Any]]:
    """Yield the columns; integers become int32.

    Raises ValueError if a column is malformed, or bytes follow the last one.
    """
    at = 0
    for dtype, length in described:
        if dtype not in _TYPES or length < 0:
            raise ValueError(f"no column of {length} {dtype}")
        column = np.frombuffer(data, dtype, length, at)
        at += column.nbytes
        yield column.astype(np.int32) if dtype in _INTS else column
    if at != len(data):
        raise ValueError(f"{len(data) - at} bytes after the last column")


def _read_contents(
    header: dict[str, Any], text: str, columns: Iterator[NDArray[Any]]
) -> Contents:
    characters, starts, places = next(columns), next(columns), next(columns)
    if not len(starts):
        raise ValueError("no sentences")
    layers, hidden = {}, set()
    for described in header["layers"]:
        values = {name: next(columns) for name in described["columns"]}
        layer = _read_layer(described, values, starts)
        layers[layer.task.name] = layer
        if described["hidden"]:
            hidden.add(layer.task.name)
    words = None
    if "forms" in header:
        words = WordForms(next(columns), next(columns), _texts(header["forms"]))
    if next(columns, None) is not None:
        raise ValueError("more columns than layers have")
    start_char = header["start_char"]
    if not isinstance(start_char, int) or len(places) != 2 * (len(starts) - 1):
        raise ValueError("sentences without places")
    return Contents(
        text,
        start_char,
        characters.reshape(-1, 2),
        starts,
        places.reshape(-1, 2),
        layers,
        frozenset(hidden),
        words,
    )


def _read_layer(
    described: dict[str, Any], values: dict[str, NDArray[Any]], starts: NDArray[Any]
) -> Layer:
    task = read_task(described)
    tags = None
    if "tag" in values:
        scores = None
        if "tag_score" in values:
            scores = PathScores(values["tag_score"], values["next_score"])
        names = _texts(described["tags"])
        begin = starts.astype(np.int64)
        tags = Tags(names, values["tag"], begin, starts[:-1], scores)
        if "label" not in values:
            return Layer.from_tags(task, tags)
    each = task.shape.each_token
    return Layer(
        task,
        _texts(described["names"]),
        values["label"],
        None if each else values["begin"],
        None if each else values["end"],
        anchor=values.get("anchor"),
        score=values.get("score"),
        anchors=values.get("anchors"),
        tags=tags,
    )


def _texts(values: list[Any]) -> tuple[str, ...]:
    for each in values:
        if not isinstance(each, str):
            raise TypeError(f"expected text, not {type(each).__name__}")
    return tuple(values)
