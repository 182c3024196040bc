"""Arrays of NumPy's format `.npy`, and checkpoints: named arrays and a JSON header in
one `.npz`.

Reading runs nothing that it finds and allocates no more than the file has: arrays of
checkpoints are stored as they are, and each must have the bytes that its type and shape
ask for.
"""

import contextlib
import json
import math
from collections.abc import Callable, Collection, Mapping
from io import BufferedIOBase
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.nesting import parse_json

CHECKPOINT = "checkpoint.npz"  # in the directory of a run
_META = "meta"
_SUFFIX = ".npy"
_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS, _LARGEST = 8, 1 << 48
_PIECE = 1 << 24  # bytes that are read at a time


def read_npy(file: BufferedIOBase, size: int) -> np.ndarray:
    """The array in a file of `size` bytes, open at its start; raises as
    `read_npy_header` does.
    """
    dtype, shape, order = read_npy_header(file, size)
    data = bytearray(math.prod(shape) * dtype.itemsize)
    for begin in range(0, len(data), _PIECE):
        wanted = memoryview(data)[begin : begin + _PIECE]
        if file.readinto(wanted) < len(wanted):
            raise EOFError("the file ends in an array")
    return np.ndarray(shape, dtype, data, order=order)


def read_npy_header(
    file: BufferedIOBase, size: int
) -> tuple[np.dtype, tuple[int, ...], Any]:
    """Dtype, shape and order, `C` or `F`, of the array in an open file of `size` bytes.

    The file is left where the numbers begin. Raises ValueError, or what NumPy raises,
    unless it has just as many bytes as they need: so nothing is allocated that the file
    only speaks of.
    """
    version = np.lib.format.read_magic(file)
    formats = np.lib.format
    readers = {
        (1, 0): formats.read_array_header_1_0,
        (2, 0): formats.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError(f"version {version} of npy")
    try:
        shape, turned, dtype = readers[version](file, _LONGEST_HEADER)
    except OSError:
        raise
    except (
        Exception
    ) as error:  # Python's parser and tokenizer, too, raise what is their own
        raise ValueError(f"header: {error}") from None
    if dtype.hasobject or len(shape) > _MOST_DIMENSIONS:
        raise ValueError("objects, or too many dimensions")
    if not all(0 <= n < _LARGEST for n in shape):
        raise ValueError(f"shape {shape}")
    if math.prod(shape) * dtype.itemsize != size - file.tell():
        raise ValueError(f"{size} bytes for {dtype}{list(shape)}")
    return dtype, shape, "F" if turned else "C"


def write_arrays(path: AnyPath, meta: Mapping[str, Any], **arrays: np.ndarray) -> None:
    """Write `meta`, a dict for JSON, and `arrays` to `path`."""
    header = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    named: dict[str, Any] = {_META: header, **arrays}
    replace_file(path, lambda file: np.savez(file, **named))


def read_arrays(
    path: AnyPath,
    only: Collection[str] | None = None,
    check: Callable[[dict[str, Any], dict[str, Any]], None] | None = None,
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The dict and the dict of arrays that `write_arrays` wrote; raises SennaError if
    damaged.

    only: names of the arrays to read, where they are there; None for all. check: called
    with the dict, and the dtype and shape of each array by name, before any is read; it
    may raise.
    """
    with _opened(path) as stored:
        members = _members(stored)
        meta = _array(stored, members.pop(_META))
        if meta.dtype != np.uint8 or meta.ndim != 1:
            raise ValueError("its header is no text")
        header = parse_json(
            meta.tobytes(), parse_constant=float
        )  # as json.dumps writes them
        if check is not None:
            check(
                header,
                {name: _described(stored, member) for name, member in members.items()},
            )
        names = [name for name in members if only is None or name in only]
        return header, {name: _array(stored, members[name]) for name in names}


def _members(stored):
    """The entries of an archive by the names of their arrays, that of the dict among
    them.
    """
    found = {}
    for member in stored.infolist():
        name = member.filename.removesuffix(_SUFFIX)
        if name == member.filename or name in found or member.compress_type:
            raise ValueError(
                "no array, one that comes twice, or one that is compressed"
            )
        found[name] = member
    return found


def _described(stored, member):
    with stored.open(member) as file:
        return read_npy_header(file, member.file_size)[:2]


def _array(stored, member):
    with stored.open(member) as file:
        array = read_npy(file, member.file_size)
        file.read(1)  # the end, where the sum over the bytes is checked
        return array


@contextlib.contextmanager
def _opened(path):
    """The archive of a checkpoint; raises SennaError for what is wrong while it is
    read.
    """
    import zipfile  # noqa: PLC0415 - tagging does not need it
    import zlib  # noqa: PLC0415

    damage = ValueError, KeyError, EOFError, TypeError, AttributeError, OverflowError
    # RuntimeError: for flags of encryption, or of a version of zip that Python cannot
    # read.
    damage += RuntimeError, zipfile.BadZipFile, zlib.error
    try:
        with report_os_errors(path), zipfile.ZipFile(path) as stored:
            yield stored
    except damage:
        raise SennaError(f"{path}: not a checkpoint, or damaged") from None
