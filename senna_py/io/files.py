"""Replace files atomically: the old file stays until the new one is complete."""

import contextlib
import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from senna_py.io import system
from senna_py.io.file_errors import report_write_errors
from senna_py.io.system import copy_owner_and_mode, open_file

AnyPath = str | os.PathLike[str]
FULL_DISK = errno.ENOSPC, errno.EDQUOT  # the `errno` of an OSError for a full disk

_unfinished: set[str] = set()  # paths of files without their final names


def replace_file(path: AnyPath, write: Callable[[BinaryIO], object]) -> None:
    """Write a file atomically, by renaming a complete new file to `path`.

    If `path` is a symbolic link, its target is replaced. The new file keeps the mode of
    the old one and, if permitted, its owner. Pipes, devices, and the file to which
    standard output is redirected are written directly.

    Args:
        path: The file to write; missing directories above it are created.
        write: A function that writes the contents to a binary file.

    Raises:
        WriteError: If the file cannot be written, for example because the disk is full.
            An old file that is to be replaced is then unchanged.
        BrokenPipeError: If `path` is a pipe whose reader has closed it.
    """
    with report_write_errors(path):
        if (stream := open_stream(path)) is not None:
            with open(stream, "wb") as file:
                write(file)
            return
    replace_files({path: write})


def replace_files(writes: Mapping[AnyPath, Callable[[BinaryIO], object]]) -> None:
    """Write several files that belong together.

    Each file is written as in `replace_file`, but none is replaced until all are
    complete. During the replacement, the last file is missing, so that no reader
    combines an old file with a new one.

    Args:
        writes: For each path, a function that writes the contents to a binary file.

    Raises:
        WriteError: If a file cannot be written. All old files are then unchanged,
            unless the error occurs while the new files are renamed.
    """
    targets = {}
    for path in writes:
        with report_write_errors(path):
            targets[path] = target_of(path)
            targets[path].parent.mkdir(parents=True, exist_ok=True)
            check_writable(targets[path])
    *_, last = writes
    with report_write_errors(last), new_files([*targets.values()]) as files:
        for (path, write), file in zip(writes.items(), files, strict=True):
            with report_write_errors(path):
                copy_owner_and_mode(targets[path], file.fileno())
                write(file)
                file.flush()


@contextlib.contextmanager
def new_file(target: AnyPath) -> Iterator[BinaryIO]:
    """Open a new binary file, which is renamed to `target` if the block succeeds.

    Until then it has a random name in the same directory.

    Raises:
        OSError: If the file cannot be created, written or renamed.
    """
    with new_files([target]) as (file,):
        yield file


@contextlib.contextmanager
def new_files(targets: Sequence[AnyPath]) -> Iterator[list[BinaryIO]]:
    """Open new binary files, which are renamed to `targets` if the block succeeds.

    If there are several, the last target is deleted before the first is replaced.

    Raises:
        OSError: If a file cannot be created, written or renamed.
    """
    targets_by_part = {
        f"{target}.{os.urandom(4).hex()}.part": target for target in targets
    }
    with _deleting_at_exit() as parts, contextlib.ExitStack() as stack:
        files: list[BinaryIO] = []
        for part in targets_by_part:
            files.append(stack.enter_context(open(part, "xb+")))
            parts.append(part)  # only after `open`: an existing file is not ours
            _unfinished.add(part)
        yield files
        for file in files:
            file.flush()
            os.fsync(file.fileno())
            file.close()
        if len(targets) > 1:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(targets[-1])
        for part, target in targets_by_part.items():
            os.replace(part, target)


@contextlib.contextmanager
def _deleting_at_exit() -> Iterator[list[str]]:
    """Yield a list of files, which are deleted when the block ends.

    The block adds paths to the list. The files are also deleted if an exception or a
    signal ends the block.
    """
    parts: list[str] = []
    handlers = {}
    for number in system.STOP_SIGNALS:
        # Only the main thread may handle signals.
        with contextlib.suppress(ValueError):
            if signal.getsignal(number) is signal.SIG_DFL:
                handlers[number] = signal.signal(number, _end_by_signal)
    try:
        yield parts
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for part in parts:
            _unfinished.discard(part)
            with contextlib.suppress(OSError):  # the file may have been renamed
                os.unlink(part)


def _end_by_signal(number: int, _: object) -> None:
    """Handle a signal: delete unfinished files, and let the signal end the process."""
    delete_unfinished()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def delete_unfinished() -> None:
    """Delete all unfinished files of this process, which is about to exit."""
    for part in tuple(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(part)


def open_stream(path: AnyPath) -> int | None:
    """Open `path` for writing if it must be written directly instead of replaced.

    Only pipes, devices, and the file to which standard output is redirected are opened.

    Returns:
        A descriptor, or None if `path` is another regular file, is a directory, or does
        not exist.

    Raises:
        OSError: If `path` cannot be opened.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if sys.stdout is not None:
        with contextlib.suppress(OSError):  # descriptor 1 may be closed
            if os.path.samestat(status, os.fstat(1)):
                return os.dup(1)
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return open_file(path, os.O_WRONLY)


def target_of(path: AnyPath) -> Path:
    """Return `path` or, if it is a symbolic link, the path of its target."""
    return Path(os.path.realpath(path) if os.path.islink(path) else path)


def check_writable(path: AnyPath) -> None:
    """Raise OSError if there is a file at `path` that is not writable.

    Renaming would replace even a read-only file.
    """
    with contextlib.suppress(FileNotFoundError):
        os.close(os.open(path, os.O_WRONLY))
