"""Files of named arrays in the safetensors format.

A file consists of an 8-byte little-endian length, a JSON header of that length, and the
arrays without gaps. The header has `__metadata__`, a mapping of strings, and the dtype,
the shape and the offsets of each array, relative to the end of the header. To align
the arrays, those with larger items are written first, and the header is padded. Reading
maps the file into memory and never executes code from it.

The library safetensors is not used, because it copies arrays when NumPy reads them.
"""

import json
import math
import mmap
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_bytes import map_file
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.nesting import parse_json
from senna_py.io.system import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DTYPES = {"F32": "<f4", "I32": "<i4", "F16": "<f2", "U8": "|u1", "I8": "|i1"}
_NAMES = {np.dtype(text): name for name, text in _DTYPES.items()}
_METADATA = "__metadata__"
_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 24  # in bytes
_MOST_DIMENSIONS = 4
_LARGEST = 1 << 48  # an exclusive limit of sizes and offsets


def write_tensors(
    path: AnyPath, metadata: Mapping[str, str], tensors: "Mapping[str, NDArray[Any]]"
) -> None:
    """Write named arrays to a file, which is replaced in one step.

    Args:
        path: The path of the file.
        metadata: The strings to store as `__metadata__`, by name.
        tensors: The arrays by name; float32, int32, float16, uint8 or int8.

    Raises:
        WriteError: If the file cannot be written.
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

    def write(file: BinaryIO) -> None:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in ordered:
            file.write(np.ascontiguousarray(tensors[name]).data)

    replace_file(path, write)


def read_tensors(path: AnyPath) -> "tuple[dict[str, str], dict[str, NDArray[Any]]]":
    """Read the metadata of a file, and memory-map its arrays.

    Files of other programs are accepted if `write_tensors` could have written them,
    apart from the order of the arrays.

    Returns:
        The metadata, and the arrays by name, which are read-only.

    Raises:
        SennaError: If the file cannot be read or is malformed. The message names the
            file and the place.
    """
    data = map_file(path)
    size = len(data)
    if size < 8:
        _fail(path, f"{size} bytes: too short to be a model")
    (length,) = struct.unpack_from("<Q", data)
    if length > min(size - 8, _LONGEST_HEADER):
        if data[8:9] != b"{":  # a header would begin with a brace
            _fail(path, "not a model")
        room = f"the file has {size - 8:,} left"
        _fail(
            path,
            f"not a model, or damaged: a header of {length:,} bytes at byte 8, {room}",
        )
    check_memory(path, size)  # a sparse file may be larger than disk and memory
    header = _parse_header(path, data[8 : 8 + length])
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(
        isinstance(value, str) for value in metadata.values()
    ):
        _fail(path, f"header: {_METADATA} is not an object of strings")
    arrays: dict[str, NDArray[Any]] = {}
    spans: list[tuple[int, int, str]] = []
    for name, item in header.items():
        entry = _check_entry(path, name, item, size - 8 - length)
        offset = 8 + length + entry.begin
        if offset % entry.dtype.itemsize:
            _fail(
                path,
                f"array {name!r}: byte {offset:,} is not a multiple of {entry.dtype.itemsize}",
            )
        spans.append((entry.begin, entry.end, name))
        flat = np.frombuffer(data, entry.dtype, math.prod(entry.shape), offset)
        arrays[name] = flat.reshape(entry.shape)
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
    """Check the format and the version that the metadata of a file declare.

    Args:
        metadata: The metadata of a file.
        what: A description of the expected contents, for the message.
        known: The expected format.
        version: The expected version.

    Raises:
        SennaError: If the format or the version differs.
    """
    if metadata.get("format") != known:
        raise SennaError(f"not {what}: its format is {metadata.get('format')!r}")
    if (actual := metadata.get("version")) != version:
        raise SennaError(
            f"version {actual!r} of the format; this program reads version {version}"
        )


def release_pages(array: Any) -> None:
    """Let the system drop the memory pages of the file that an array is mapped from.

    All arrays of the file are affected. Pages are loaded again on the next access,
    usually from the system's page cache. An array that is not mapped is left alone.
    """
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    mapped = base.obj if isinstance(base, memoryview) else base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _fail(path: AnyPath, problem: str) -> NoReturn:
    raise SennaError(f"{path}: {problem}")


def _parse_header(path: AnyPath, text: bytes) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) != len(pairs):
            raise ValueError("a name occurs twice")
        return values

    try:
        header = parse_json(text.decode(), object_pairs_hook=unique)
    except ValueError as error:
        _fail(path, f"header: not JSON: {error}")
    if not isinstance(header, dict):
        _fail(path, "header: not a JSON object")
    return header


class _Entry(NamedTuple):
    """The description of an array in a header.

    Attributes:
        dtype: The dtype of the array.
        shape: Its shape.
        begin: The offset of its first byte from the end of the header.
        end: The offset after its last byte.
    """

    dtype: np.dtype[Any]
    shape: list[int]
    begin: int
    end: int


def _check_entry(path: AnyPath, name: str, entry: Any, n_bytes: int) -> _Entry:
    """Parse and check the entry of an array in the header.

    n_bytes: The number of bytes in the file after the header.
    """
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
    # NumPy also limits the product of the sizes that are not zero.
    is_shape = _are_sizes(shape) and math.prod(filter(None, shape)) < _LARGEST
    if not is_shape or len(shape) > _MOST_DIMENSIONS:
        _fail(path, f"{where}: a shape of {shape!r}")
    if (
        not _are_sizes(offsets)
        or len(offsets) != 2
        or not offsets[0] <= offsets[1] <= n_bytes
    ):
        _fail(path, f"{where}: data_offsets {offsets!r}, in {n_bytes:,} bytes of data")
    begin, end = offsets
    needed = math.prod(shape) * dtype.itemsize
    if needed != end - begin:
        _fail(path, f"{where}: {needed:,} bytes by its shape, {end - begin:,} given")
    return _Entry(dtype, shape, begin, end)


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(
        type(value) is int and 0 <= value < _LARGEST for value in values
    )
