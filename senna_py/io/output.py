"""Output to a file or standard output, each batch written at once and completely."""

import contextlib
import errno
import os
import select
import sys
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors, report_write_errors
from senna_py.io.files import check_writable, open_stream, target_of
from senna_py.io.locks import open_locked
from senna_py.io.overwriting import check_paths
from senna_py.io.system import close_after, copy_owner_and_mode, open_file

_PARTIAL = ".partial"


@contextlib.contextmanager
def open_output(path, inputs, live=False):
    """Context of an Output to the file `path`, or to standard output if None.

    A regular file gets its name at the end only, in one step: until then `path` stays
    as it is and the output is in a file beside it, whose name ends in `.partial` and
    which stays there if the block raises, the process is ended, or the Output is said
    to be `incomplete`. live: write into `path` at once. What no file can replace
    (pipes, devices, `/dev/stdout`) always is.

    inputs: paths that are read at the same time, `-` for standard input. Raises
    UsageError if the output is one of them, and SennaError if it cannot be written;
    errors that pass say where it is.
    """
    check_paths(inputs, [] if path is None else [path, _partial(target_of(path))])
    output = _standard_output() if path is None else _open(path, live)
    try:
        try:
            yield output
        except BaseException:
            output.close(False)
            raise
        output.close(True)
    except SennaError as error:
        if output.left is not None:
            error.args = (f"{error}; {output.left}", *error.args[1:])
        raise


def _partial(target):
    return Path(f"{target}{_PARTIAL}")  # of the target `.`, too, which is refused later


def _standard_output():
    if sys.stdout is None:
        raise SennaError("standard output is closed")
    with report_os_errors("standard output"):
        return Output("standard output", os.dup(sys.stdout.fileno()))


def _open(path, live):
    try:
        descriptor = open_stream(path)
        if descriptor is None and not live:
            return _NewFile(path)
        if descriptor is None:
            descriptor = open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError as error:
        name, reason = error.filename or path, error.strerror
        if error.errno == errno.ENOENT and not os.path.isdir(
            os.path.dirname(path) or "."
        ):
            name = path
        elif Path(name) != Path(path) and not os.path.lexists(name):
            name, reason = (
                path,
                f"{reason} in its directory",
            )  # a file beside it cannot be made
        raise SennaError(f"{name}: not written: {reason}") from None
    return Output(path, descriptor)


class Output:
    """Destination of bytes: an open file or standard output.

    left: where the output is if this is not the right end of it, for a message; else
    None.
    """

    left = None

    def __init__(self, name, descriptor):
        """name: for messages; descriptor: open for writing."""
        self._name, self._descriptor = str(name), descriptor

    def write(self, data):
        """Write all of `data`; wait if the reader left its end of a pipe
        non-blocking.
        """
        view = memoryview(data)
        with report_write_errors(self._name):
            while view:
                try:
                    view = view[os.write(self._descriptor, view) :]
                except BlockingIOError:
                    select.select([], [self._descriptor], [])

    def incomplete(self):
        """Say that something is missing: what was written is not to replace a file."""

    def close(self, complete):
        """End writing; complete: whether all has been written."""
        os.close(self._descriptor)


class _NewFile(Output):
    """Output that becomes a file when it is complete."""

    def __init__(self, path):
        self._target = target_of(path)
        self._partial = _partial(self._target)
        self._empty, self._missing = True, False
        check_writable(self._target)
        # What an earlier call left there stays until there is output.
        descriptor, locked = open_locked(self._partial, os.O_WRONLY)
        super().__init__(path, descriptor)
        if locked is False:
            os.close(descriptor)
            raise SennaError(f"{path}: another process writes it, to {self._partial}")

    def write(self, data):
        if self._empty and len(data):
            self._begin()
        super().write(data)

    def _begin(self):
        with report_write_errors(self._name):
            os.ftruncate(self._descriptor, 0)
            copy_owner_and_mode(self._target, self._descriptor)
        self._empty, self.left = False, f"what was written is in {self._partial}"

    def incomplete(self):
        self._missing = True

    def close(self, complete):
        is_whole = False
        try:
            if complete and not self._missing:
                if self._empty:
                    self._begin()
                with report_write_errors(self._name):
                    os.fsync(self._descriptor)
                is_whole = True
        finally:
            with (
                report_write_errors(self._name)
                if is_whole
                else contextlib.suppress(OSError)
            ):
                close_after(
                    self._descriptor, self._take_name if is_whole else self._leave
                )

    def _leave(self):
        if self._empty and not os.path.getsize(
            self._partial
        ):  # else it is of an earlier call
            self._partial.unlink()

    def _take_name(self):
        os.replace(self._partial, self._target)
        self.left = None
