"""Write output to a file or to standard output, without buffering."""

import contextlib
import errno
import os
import select
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors, report_write_errors
from senna_py.io.files import AnyPath, check_writable, open_stream, target_of
from senna_py.io.locks import open_locked
from senna_py.io.overwriting import check_paths
from senna_py.io.system import close_after, copy_owner_and_mode, open_file

_PARTIAL = ".partial"  # the suffix of an incomplete file


@contextlib.contextmanager
def open_output(
    path: AnyPath | None, inputs: Iterable[AnyPath | None], live: bool = False
) -> Iterator["Output"]:
    """Open a file or standard output for writing, as a context manager.

    A regular file is replaced in one step at the end of the block. Until then, the
    output is in a file beside it with the suffix `.partial`. Unless it is empty, that
    file stays if the block raises an exception, if the process is killed, or if
    `Output.incomplete` was called. Pipes and devices such as `/dev/stdout` are written
    directly.

    Args:
        path: The file; None means standard output.
        inputs: The paths that the block reads; `-` is standard input.
        live: Whether to write to a regular file directly.

    Raises:
        UsageError: If the output is one of the inputs.
        SennaError: If the output cannot be written. If the block raises a SennaError,
            the path of the incomplete output is added to its message.
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


def _partial(target: Path) -> Path:
    # Path.with_name would fail for a path without a name, which is rejected later.
    return Path(f"{target}{_PARTIAL}")


def _standard_output() -> "Output":
    if sys.stdout is None:
        raise SennaError("standard output is closed")
    with report_os_errors("standard output"):
        return Output("standard output", os.dup(sys.stdout.fileno()))


def _open(path: AnyPath, live: bool) -> "Output":
    try:
        descriptor = open_stream(path)
        if descriptor is None and not live:
            return _NewFile(path)
        if descriptor is None:
            descriptor = open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError as error:
        name, reason = error.filename or path, error.strerror
        directory = os.path.dirname(path) or "."
        if error.errno == errno.ENOENT and not os.path.isdir(directory):
            name = path
        elif Path(name) != Path(path) and not os.path.lexists(name):
            # The partial file cannot be created.
            name, reason = path, f"{reason} in its directory"
        raise SennaError(f"{name}: not written: {reason}") from None
    return Output(path, descriptor)


class Output:
    """An open file or standard output, to which bytes are written.

    Attributes:
        left: A message with the path of the incomplete output, or None.
    """

    left: str | None = None

    def __init__(self, name: AnyPath, descriptor: int) -> None:
        """Take over an open file descriptor; messages call the output `name`."""
        self._name, self._descriptor = str(name), descriptor

    def write(self, data: bytes | memoryview) -> None:
        """Write all of `data`, even if the reader of a pipe made it non-blocking.

        Raises:
            BrokenPipeError: If the reader of a pipe has closed it.
            WriteError: If the data cannot be written for another reason.
        """
        view = memoryview(data)
        with report_write_errors(self._name):
            while view:
                try:
                    view = view[os.write(self._descriptor, view) :]
                except BlockingIOError:
                    select.select([], [self._descriptor], [])

    def incomplete(self) -> None:
        """Mark the output as incomplete, so that it does not replace a file.

        This has no effect on an output that is written directly.
        """

    def close(self, complete: bool) -> None:
        """Close the output.

        Args:
            complete: Whether everything has been written. If not, no file is replaced.

        Raises:
            WriteError: If the last data cannot be written, or the file cannot be
                replaced.
        """
        os.close(self._descriptor)


class _NewFile(Output):
    """An output to a partial file, which is renamed when it is complete."""

    def __init__(self, path: AnyPath) -> None:
        self._target = target_of(path)
        self._partial = _partial(self._target)
        self._is_empty, self._is_incomplete = True, False
        check_writable(self._target)
        # A partial file of an earlier run keeps its contents until the first write.
        descriptor, is_locked = open_locked(self._partial, os.O_WRONLY)
        super().__init__(path, descriptor)
        if is_locked is False:
            os.close(descriptor)
            raise SennaError(f"{path}: another process writes it, to {self._partial}")

    def write(self, data: bytes | memoryview) -> None:
        if self._is_empty and len(data):
            self._begin()
        super().write(data)

    def _begin(self) -> None:
        with report_write_errors(self._name):
            os.ftruncate(self._descriptor, 0)
            copy_owner_and_mode(self._target, self._descriptor)
        self._is_empty = False
        self.left = f"what was written is in {self._partial}"

    def incomplete(self) -> None:
        self._is_incomplete = True

    def close(self, complete: bool) -> None:
        is_whole = False
        try:
            if complete and not self._is_incomplete:
                if self._is_empty:
                    self._begin()
                with report_write_errors(self._name):
                    os.fsync(self._descriptor)
                is_whole = True
        finally:
            if is_whole:
                with report_write_errors(self._name):
                    close_after(self._descriptor, self._take_name)
            else:
                with contextlib.suppress(OSError):
                    close_after(self._descriptor, self._leave)

    def _leave(self) -> None:
        # If nothing was written, a file that is not empty is from an earlier run.
        if self._is_empty and not os.path.getsize(self._partial):
            self._partial.unlink()

    def _take_name(self) -> None:
        os.replace(self._partial, self._target)
        self.left = None
