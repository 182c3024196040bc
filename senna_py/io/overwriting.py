"""A check that commands do not overwrite files that they read."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator

from senna_py.errors import UsageError

_Path = str | os.PathLike[str]


def check_paths(
    inputs: Iterable[_Path | None], outputs: Iterable[_Path | None] = ()
) -> None:
    """Raise UsageError if a command would write to a file that it also reads.

    Files are compared by device and inode, so that links, relative paths and case do
    not matter. Files that do not exist yet are compared by directory and name.

    Args:
        inputs: The paths that are read. `-` is standard input, a directory means all
            files in it, and None is ignored.
        outputs: The paths that are written besides standard output. None is ignored.
    """
    written: dict[object, object] = {
        _identity(path): path for path in outputs if path is not None
    }
    if sys.stdout is not None:
        written[_identity(1)] = "standard output"
    written.pop(None, None)
    for name, place in _files(inputs) if written else ():
        if (output := written.get(_identity(place))) is not None:
            raise UsageError(
                f"{output}: output would overwrite the input {name}: the same file"
            )


def _files(inputs: Iterable[_Path | None]) -> Iterator[tuple[_Path, _Path | int]]:
    """Yield the name of each input file for messages, and its path or descriptor."""
    for path in inputs:
        if path is None:
            continue
        if str(path) == "-":
            yield "standard input", 0
            continue
        yield path, path
        for directory, _, names in os.walk(path):
            for name in names:
                file = os.path.join(directory, name)
                yield file, file


def _identity(place: _Path | int) -> tuple[object, ...] | None:
    """Return a value that identifies a regular file, or None for anything else.

    Args:
        place: A path, which need not exist, or a descriptor.
    """
    try:
        status = os.stat(place)
    except FileNotFoundError:
        assert not isinstance(place, int)
        directory, name = os.path.split(os.path.realpath(place))
        with contextlib.suppress(OSError):
            status = os.stat(directory)
            return status.st_dev, status.st_ino, name
        return None
    except OSError:  # the error will be reported when the file is opened
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
