"""Output to a file or standard output, each batch written at once and completely."""

import contextlib
import os
import select
import stat
import sys

from senna_py.errors import SennaError

__all__ = ["open_output"]


@contextlib.contextmanager
def open_output(path, inputs):
    """Context of a function that writes bytes to the file `path`, or to standard output if None.

    inputs: paths that are read at the same time, `-` for standard input. Raises SennaError if the
    output is one of them, before anything is lost, or if it cannot be written.
    """
    try:
        if path is None:
            if sys.stdout is None:
                raise SennaError("standard output is closed")
            name, descriptor = "standard output", os.dup(sys.stdout.fileno())
            _check_not_read(os.fstat(descriptor), inputs, name)
        else:
            name = path
            if os.path.exists(path):
                _check_not_read(os.stat(path), inputs, name)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    except OSError as error:
        raise SennaError(f"{path or 'standard output'}: {error.strerror}") from None
    try:
        yield lambda data: _write(descriptor, name, data)
    finally:
        os.close(descriptor)


def _check_not_read(status, inputs, name):
    """Raise SennaError if the file with `status` is one of the inputs."""
    if not stat.S_ISREG(status.st_mode):
        return
    for path in inputs:
        try:
            other = os.fstat(0) if path == "-" else os.stat(path)
        except OSError:
            continue  # it will be reported when it is opened
        if os.path.samestat(status, other):
            source = "standard input" if path == "-" else path
            raise SennaError(f"{name}: output would overwrite the input {source}: the same file")


def _write(descriptor, name, data):
    """Write all of `data`; wait if the reader left its end of a pipe non-blocking."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            select.select([], [descriptor], [])
        except BrokenPipeError:
            raise
        except OSError as error:
            raise SennaError(f"{name}: {error.strerror}") from None
