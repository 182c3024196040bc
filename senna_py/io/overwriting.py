"""One rule for all commands: no output goes over a file that is read in the same
call.
"""

import contextlib
import os
import stat
import sys

from senna_py.errors import UsageError


def check_paths(inputs, outputs=()):
    """Raise UsageError if a file that a command reads is one that it writes, by
    whatever name.

    inputs: paths, `-` for standard input; of a directory, all files in it; outputs:
    paths, besides standard output; None stands for no path in either. Files are
    compared by device and inode, whatever their links, relative paths and case; one
    that is not there yet, by directory and name.
    """
    written = {_identity(path): path for path in outputs if path is not None}
    if sys.stdout is not None:
        written[_identity(1)] = "standard output"
    written.pop(None, None)
    for name, place in _files(inputs) if written else ():
        if (output := written.get(_identity(place))) is not None:
            raise UsageError(
                f"{output}: output would overwrite the input {name}: the same file"
            )


def _files(inputs):
    """Yield the name of each file of some inputs, and its path or descriptor."""
    for path in inputs:
        if path is None:
            continue
        if str(path) == "-":
            yield "standard input", 0
            continue
        yield path, path
        for directory, _, names in os.walk(path):
            for name in names:
                yield (os.path.join(directory, name),) * 2


def _identity(place):
    """Identity of a regular file, by path or descriptor: equal for equal files; None
    for others.
    """
    try:
        status = os.stat(place)
    except FileNotFoundError:
        directory, name = os.path.split(os.path.realpath(place))
        with contextlib.suppress(OSError):
            status = os.stat(directory)
            return status.st_dev, status.st_ino, name
        return None
    except OSError:  # it will be reported when it is opened
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
