"""One rule for all commands: no output goes over a file that is read in the same call.

What reads a file calls `reads`, what is going to write one `writes`, in any order. Files are
compared by device and inode, so that links, relative paths and another case do not matter; one that
is not there yet, by its directory and name.
"""

import contextlib
import os
import stat
import sys

from senna_py.errors import UsageError

__all__ = ["check_output", "no_inputs", "one_call", "reads", "reads_all", "writes", "written"]


class _Call:
    """The files of a call: dicts from their identity to their name."""

    def __init__(self):
        self.inputs, self.outputs = {}, {}
        self.notes_inputs = True


_call = None  # of this process, while a command runs


@contextlib.contextmanager
def one_call():
    """A context within which all that is read and written belongs to one call of a command.

    Standard output is written. Outside of any, nothing is compared; one within another belongs to
    that.
    """
    global _call  # noqa: PLW0603 - a process runs one command; its threads share it
    if _call is not None:
        yield
        return
    _call = _Call()
    if sys.stdout is not None:
        writes(1, "standard output")
    try:
        yield
    finally:
        _call = None


@contextlib.contextmanager
def no_inputs():
    """A context in which files are looked at that may be replaced, as what is there already."""
    if _call is None:
        yield
        return
    before, _call.notes_inputs = _call.notes_inputs, False
    try:
        yield
    finally:
        _call.notes_inputs = before


def reads(path):
    """Note that `path` is read, `-` for standard input; raises UsageError if it is written, too."""
    if _call is None or not _call.notes_inputs:
        return
    name, place = ("standard input", 0) if path == "-" else (path, path)
    key = _identity(place)
    if key is None:
        return
    if key in _call.outputs:
        _refuse(_call.outputs[key], name)
    _call.inputs[key] = name


def reads_all(directory):
    """Note that the files which stand in a directory are read, see `reads`; none if it is not."""
    if _call is not None:
        with contextlib.suppress(OSError):
            for name in os.listdir(directory):
                reads(os.path.join(directory, name))


def writes(path, name=None):
    """Note that `path` will be written: a path, or a descriptor with its `name`.

    Raises UsageError if it is read, too. From `written` on, it may be read.
    """
    key = _identity(path) if _call is not None else None
    if key is None:
        return
    name = name or path
    if key in _call.inputs:
        _refuse(name, _call.inputs[key])
    _call.outputs[key] = name


@contextlib.contextmanager
def written(path, own=False):
    """A context in which `path` is written, over what was there.

    own: it is a file of the call itself, such as a checkpoint, which may have read it. Raises
    UsageError as `writes` does.
    """
    key = _identity(path) if _call is not None else None
    if own and key is not None:
        _call.inputs.pop(key, None)
    writes(path)
    try:
        yield
    finally:
        if key is not None:  # the next file may get the same inode
            _call.outputs.pop(key, None)


def check_output(path):
    """Raise UsageError if `path`, which will be written later, is read in this call."""
    with written(path):
        pass


def _refuse(output, source):
    raise UsageError(f"{output}: output would overwrite the input {source}: the same file")


def _identity(place):
    """What tells a regular file, by path or descriptor, from others; None for anything else."""
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
