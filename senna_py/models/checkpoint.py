"""Checkpoints, which are `.npz` files of arrays and a JSON header, and `.npy` files.

Reading never executes code from a file, and allocates no more memory than the file's
size: the arrays of checkpoints are not compressed, and each must have exactly the
number of bytes that its type and shape require. `numpy.load` does not check this.
"""

import contextlib
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.nesting import parse_json

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

CHECKPOINT = "checkpoint.npz"  # the name of the checkpoint in the directory of a run
_HEADER = "meta"  # the name of the array that holds the JSON header
_SUFFIX = ".npy"
_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS, _LARGEST = 8, 1 << 48
_PIECE = 1 << 24  # the number of bytes that are read at a time


class ArrayHeader(NamedTuple):
    """The dtype, the shape and the memory order of an array in a file."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: Any  # "C" or "F"


def read_npy(file: IO[bytes], size: int) -> NDArray[Any]:
    """Read an array from a file of `size` bytes that is open at its start.

    Raises:
        EOFError: If the file ends before the end of the array.
        ValueError: If the header is malformed or does not match `size`. NumPy may raise
            other exceptions.
    """
    header = read_npy_header(file, size)
    data = bytearray(math.prod(header.shape) * header.dtype.itemsize)
    for begin in range(0, len(data), _PIECE):
        piece = memoryview(data)[begin : begin + _PIECE]
        if file.readinto(piece) < len(piece):  # type: ignore[attr-defined]
            raise EOFError("the file ends in an array")
    return np.ndarray(header.shape, header.dtype, data, order=header.order)


def read_npy_header(file: IO[bytes], size: int) -> ArrayHeader:
    """Read the header of an array from a file of `size` bytes.

    Afterwards the file is at the first number of the array.

    Raises:
        ValueError: If the header is malformed, or the file does not have exactly the
            bytes that the array needs. NumPy may raise other exceptions.
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
        shape, is_fortran, dtype = readers[version](file, _LONGEST_HEADER)
    except OSError:
        raise
    except Exception as error:  # Python's parser and tokenizer raise various errors
        raise ValueError(f"header: {error}") from None
    if dtype.hasobject or len(shape) > _MOST_DIMENSIONS:
        raise ValueError("objects, or too many dimensions")
    if not all(0 <= n < _LARGEST for n in shape):
        raise ValueError(f"shape {shape}")
    if math.prod(shape) * dtype.itemsize != size - file.tell():
        raise ValueError(f"{size} bytes for {dtype}{list(shape)}")
    return ArrayHeader(dtype, shape, "F" if is_fortran else "C")


def write_arrays(
    path: AnyPath, header: Mapping[str, Any], /, **arrays: NDArray[Any]
) -> None:
    """Write a checkpoint in one step.

    Args:
        path: The file.
        header: The header, which must be convertible to JSON.
        arrays: The arrays by name.
    """
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    members: dict[str, Any] = {_HEADER: text, **arrays}
    replace_file(path, lambda file: np.savez(file, **members))


def read_arrays(
    path: AnyPath,
    only: Collection[str] | None = None,
    check: Callable[[dict[str, Any], dict[str, Any]], None] | None = None,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the header and the arrays of a checkpoint.

    Args:
        path: The checkpoint.
        only: The names of the arrays to read; missing ones are ignored. None reads all.
        check: A function that is called before any array is read, with the header and a
            dict of the dtype and shape of each array. It may raise SennaError. By
            default, nothing is checked.

    Returns:
        The header, and the arrays by name.

    Raises:
        SennaError: If the file cannot be read, is not a checkpoint, or is damaged.
    """
    with _opened(path) as archive:
        members = _members(archive)
        text = _read_array(archive, members.pop(_HEADER))
        if text.dtype != np.uint8 or text.ndim != 1:
            raise ValueError("its header is no text")
        # Python's JSON writes NaN and infinity as constants, which are accepted here.
        header = parse_json(text.tobytes(), parse_constant=float)
        if check is not None:
            shapes = {name: _read_shape(archive, members[name]) for name in members}
            check(header, shapes)
        names = [name for name in members if only is None or name in only]
        return header, {name: _read_array(archive, members[name]) for name in names}


def _members(archive: "ZipFile") -> dict[str, "ZipInfo"]:
    """Return the members of an archive by the names of their arrays.

    Raises ValueError if a member is not an array, repeats a name, or is compressed.
    """
    members: dict[str, ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(_SUFFIX)
        if name == member.filename or name in members or member.compress_type:
            raise ValueError(
                "no array, one that comes twice, or one that is compressed"
            )
        members[name] = member
    return members


def _read_shape(
    archive: "ZipFile", member: "ZipInfo"
) -> tuple[np.dtype[Any], tuple[int, ...]]:
    with archive.open(member) as file:
        header = read_npy_header(file, member.file_size)
    return header.dtype, header.shape


def _read_array(archive: "ZipFile", member: "ZipInfo") -> NDArray[Any]:
    with archive.open(member) as file:
        array = read_npy(file, member.file_size)
        file.read(1)  # zipfile compares the checksum at the end of the member
        return array


@contextlib.contextmanager
def _opened(path: AnyPath) -> Iterator["ZipFile"]:
    """Open a checkpoint as a context manager.

    Errors that a damaged file causes in the block are raised as SennaError.
    """
    import zipfile  # noqa: PLC0415 - tagging does not need it
    import zlib  # noqa: PLC0415

    damage: tuple[type[Exception], ...] = (
        ValueError,
        KeyError,
        EOFError,
        TypeError,
        AttributeError,
        OverflowError,
        RuntimeError,  # for encrypted members, and versions that Python cannot read
        zipfile.BadZipFile,
        zlib.error,
    )
    try:
        with report_os_errors(path), zipfile.ZipFile(path) as archive:
            yield archive
    except damage:
        raise SennaError(f"{path}: not a checkpoint, or damaged") from None
