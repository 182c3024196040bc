"""Checkpoints: named arrays and a JSON header in one `.npz` file, written in one step.

Reading runs nothing that it finds and allocates no more than the file has: arrays are stored as
they are, and each must have the bytes that its type and shape ask for.
"""

import contextlib
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.files import AnyPath, replace_file, system_errors
from senna_py.io.nesting import parse_json
from senna_py.models.npy import read_npy, read_npy_header

CHECKPOINT = "checkpoint.npz"  # in the directory of a run
_META = "meta"
_SUFFIX = ".npy"


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
    """The dict and the dict of arrays that `write_arrays` wrote; raises SennaError if damaged.

    only: names of the arrays to read, where they are there; None for all. check: called with the
    dict, and the dtype and shape of each array by name, before any is read; it may raise.
    """
    with _opened(path) as stored:
        members = _members(stored)
        meta = _array(stored, members.pop(_META))
        if meta.dtype != np.uint8 or meta.ndim != 1:
            raise ValueError("its header is no text")
        header = parse_json(meta.tobytes(), parse_constant=float)  # as json.dumps writes them
        if check is not None:
            check(header, {name: _described(stored, member) for name, member in members.items()})
        names = [name for name in members if only is None or name in only]
        return header, {name: _array(stored, members[name]) for name in names}


def _members(stored):
    """The entries of an archive by the names of their arrays, that of the dict among them."""
    found = {}
    for member in stored.infolist():
        name = member.filename.removesuffix(_SUFFIX)
        if name == member.filename or name in found or member.compress_type:
            raise ValueError("no array, one that comes twice, or one that is compressed")
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
    """The archive of a checkpoint; raises SennaError for what is wrong while it is read."""
    import zipfile  # noqa: PLC0415 - tagging does not need it
    import zlib  # noqa: PLC0415

    damage = ValueError, KeyError, EOFError, TypeError, AttributeError, OverflowError
    # RuntimeError: for flags of encryption, or of a version of zip that Python cannot read.
    damage += RuntimeError, zipfile.BadZipFile, zlib.error
    try:
        with system_errors(path), zipfile.ZipFile(path) as stored:
            yield stored
    except damage:
        raise SennaError(f"{path}: not a checkpoint, or damaged") from None
