"""Named arrays in one file, in the layout of safetensors.

An 8-byte little-endian length, a JSON header of that length (`__metadata__`: str to
str; for each array its dtype, shape and the bytes where it lies after the header), then
the arrays without a gap. Whoever writes puts arrays of wider numbers first, and pads
the header, so that every array is aligned. Reading maps the file and runs nothing that
it finds there.
"""

import json
import math
import mmap
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_bytes import map_file
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.nesting import parse_json
from senna_py.io.system import check_memory

_DTYPES = {"F32": "<f4", "I32": "<i4", "F16": "<f2", "U8": "|u1", "I8": "|i1"}
_NAMES = {np.dtype(text): name for name, text in _DTYPES.items()}
_METADATA = "__metadata__"
_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 24
_MOST_DIMENSIONS = 4
_LARGEST = 1 << 48


def write_tensors(
    path: AnyPath, metadata: Mapping[str, str], tensors: Mapping[str, np.ndarray]
) -> None:
    """Write `tensors`: float32, int32, float16, uint8 and int8 arrays by name, in one
    step.
    """
    ordered = sorted(tensors, key=lambda name: -tensors[name].dtype.itemsize)
    header: dict[str, Any] = {_METADATA: metadata}
    position = 0
    for name in ordered:
        array = tensors[name]
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [position, position + array.nbytes],
        }
        position += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)

    def write(file):
        file.write(struct.pack("<Q", len(text)) + text)
        for name in ordered:
            file.write(np.ascontiguousarray(tensors[name]).data)

    replace_file(path, write)


def read_tensors(path: AnyPath) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Metadata and arrays of a file: a dict of str to str, and a dict of arrays mapped
    from it.

    Raises SennaError naming the file and the place unless all of it is as
    `write_tensors` would have it; arrays may come in any order.
    """
    data = map_file(path)
    size = len(data)
    if size < 8:
        _fail(path, f"{size} bytes: too short to be a model")
    (length,) = struct.unpack_from("<Q", data)
    if length > min(size - 8, _LONGEST_HEADER):
        if (
            data[8:9] != b"{"
        ):  # what a header begins with; a text is not to be read as a length
            _fail(path, "not a model")
        room = f"the file has {size - 8:,} left"
        _fail(
            path,
            f"not a model, or damaged: a header of {length:,} bytes at byte 8, {room}",
        )
    check_memory(path, size)  # a file with holes may be larger than the disk
    header = _parse(path, data[8 : 8 + length])
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(
        isinstance(v, str) for v in metadata.values()
    ):
        _fail(path, f"header: {_METADATA} is not an object of strings")
    arrays, spans = {}, []
    for name, entry in header.items():
        dtype, shape, begin, end = _check_entry(path, name, entry, size - 8 - length)
        at = 8 + length + begin
        if at % dtype.itemsize:
            _fail(
                path,
                f"array {name!r}: byte {at:,} is not a multiple of {dtype.itemsize}",
            )
        spans.append((begin, end, name))
        arrays[name] = np.frombuffer(data, dtype, math.prod(shape), at).reshape(shape)
    position = 0
    for begin, end, name in sorted(spans):
        if begin != position:
            _fail(
                path,
                f"array {name!r}: begins at byte {begin:,} of the data, not {position:,}",
            )
        position = end
    if position != size - 8 - length:
        _fail(path, f"{size - 8 - length - position:,} bytes follow the last array")
    return metadata, arrays


def check_format(
    metadata: Mapping[str, str], what: str, known: str, version: str
) -> None:
    """Raise SennaError unless metadata are those of `what`, of a known format and
    version.
    """
    if metadata.get("format") != known:
        raise SennaError(f"not {what}: its format is {metadata.get('format')!r}")
    if (found := metadata.get("version")) != version:
        raise SennaError(
            f"version {found!r} of the format; this program reads version {version}"
        )


def release_pages(array: Any) -> None:
    """Give the memory of the file that `array` is mapped from back to the system.

    What is looked at later is mapped again, from the system's cache as a rule.
    """
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    mapped = base.obj if isinstance(base, memoryview) else base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _fail(path, problem):
    raise SennaError(f"{path}: {problem}")


def _parse(path, text):
    def unique(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a name occurs twice")
        return found

    try:
        header = parse_json(text.decode(), object_pairs_hook=unique)
    except ValueError as error:
        _fail(path, f"header: not JSON: {error}")
    if not isinstance(header, dict):
        _fail(path, "header: not a JSON object")
    return header


def _check_entry(path, name, entry, room):
    """Checked dtype, shape, first and end byte of an array; room: bytes of the data."""
    where = f"array {name!r}"
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        _fail(path, f"{where}: expected dtype, shape and data_offsets")
    if not isinstance(entry["dtype"], str) or entry["dtype"] not in _DTYPES:
        _fail(
            path,
            f"{where}: dtype {entry['dtype']!r}, expected one of {', '.join(_DTYPES)}",
        )
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    shape, offsets = entry["shape"], entry["data_offsets"]
    # NumPy multiplies the sizes that are not zero, too.
    is_shape = _are_sizes(shape) and math.prod(filter(None, shape)) < _LARGEST
    if not is_shape or len(shape) > _MOST_DIMENSIONS:
        _fail(path, f"{where}: a shape of {shape!r}")
    if (
        not _are_sizes(offsets)
        or len(offsets) != 2
        or not offsets[0] <= offsets[1] <= room
    ):
        _fail(path, f"{where}: data_offsets {offsets!r}, in {room:,} bytes of data")
    n_bytes = math.prod(shape) * dtype.itemsize
    if n_bytes != offsets[1] - offsets[0]:
        _fail(
            path,
            f"{where}: {n_bytes:,} bytes by its shape, {offsets[1] - offsets[0]:,} given",
        )
    return dtype, shape, *offsets


def _are_sizes(values):
    return isinstance(values, list) and all(
        type(value) is int and 0 <= value < _LARGEST for value in values
    )
