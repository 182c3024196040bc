"""Checkpoints: named arrays and a JSON header in one `.npz` file, written in one step."""

import contextlib
import json

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.files import replace_file
from senna_py.io.nesting import parse_json
from senna_py.io.overwriting import reads

__all__ = ["CHECKPOINT", "read_arrays", "read_header", "write_arrays"]

CHECKPOINT = "checkpoint.npz"  # in the directory of a run
_META = "meta"


def write_arrays(path, meta, **arrays):
    """Write `meta`, a dict for JSON, and `arrays` to `path`."""
    header = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    replace_file(path, lambda file: np.savez(file, **{_META: header}, **arrays), own=True)


def read_arrays(path, only=None):
    """The dict and the dict of arrays that `write_arrays` wrote; raises SennaError if damaged.

    only: names of the arrays to read, where they are there; None for all.
    """
    with _opened(path) as stored:
        names = [name for name in stored.files if name != _META and (only is None or name in only)]
        return _header(stored), {name: stored[name] for name in names}


def read_header(path):
    """The dict that `write_arrays` wrote, without reading the arrays; raises SennaError."""
    with _opened(path) as stored:
        return _header(stored)


def _header(stored):
    return parse_json(stored[_META].tobytes())


@contextlib.contextmanager
def _opened(path):
    """The open file of a checkpoint; raises SennaError for what is wrong while it is read."""
    import zipfile  # noqa: PLC0415 - tagging does not need it
    import zlib  # noqa: PLC0415

    reads(path)
    try:
        with np.load(path, allow_pickle=False) as stored:
            yield stored
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, TypeError, AttributeError, RuntimeError,
            zipfile.BadZipFile, zlib.error):  # fmt: skip
        # RuntimeError: for flags of encryption, or of a version of zip that Python cannot read.
        # What NumPy says of foreign files is how to load them "unsafely".
        raise SennaError(f"{path}: not a checkpoint, or damaged") from None
