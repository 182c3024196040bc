"""Files that are written in one step: the old file stays until the new one is complete."""

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
FULL_DISK = errno.ENOSPC, errno.EDQUOT  # error numbers of an OSError

_unfinished: set[str] = set()  # paths of files that do not have their final name yet


def replace_file(path: AnyPath, write: Callable[[BinaryIO], object]) -> None:
    """Write a file with `write(file)`, so that `path` never holds a part of the new one.

    If `path` is a symbolic link, its target is replaced. The new file keeps the mode of
    the old one. Pipes and devices are written directly.

    Args:
        path: The file to write; missing directories above it are made.
        write: A function that writes the contents to a binary file.

    Raises:
        WriteError: If the file cannot be written, for example because the disk is full.
            The old file is then unchanged.
    """
    with report_write_errors(path):
        if (stream := open_stream(path)) is not None:
            with open(stream, "wb") as file:
                write(file)
            return
    replace_files({path: write})


def replace_files(writes: Mapping[AnyPath, Callable[[BinaryIO], object]]) -> None:
    """Write several files that belong together, each as `replace_file` does.

    All are written before the first is replaced. While they are replaced, the last one
    is missing, so that no reader combines an old file with a new one.

    Args:
        writes: For each path, the function that writes its contents.

    Raises:
        WriteError: If a file cannot be written. All old files are then unchanged,
            unless the error occurs while the new ones are renamed.
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

    Until then it has an unpredictable name in the same directory. Raises OSError.
    """
    with new_files([target]) as (file,):
        yield file


@contextlib.contextmanager
def new_files(targets: Sequence[AnyPath]) -> Iterator[list[BinaryIO]]:
    """Open new binary files, which are renamed to `targets` if the block succeeds.

    If there are several, the last target is deleted before the first is replaced.
    Raises OSError.
    """
    targets_by_part = {
        f"{target}.{os.urandom(4).hex()}.part": target for target in targets
    }
    with _deleting_at_exit() as parts, contextlib.ExitStack() as stack:
        files: list[BinaryIO] = []
        for part in targets_by_part:
            files.append(stack.enter_context(open(part, "xb+")))
            parts.append(part)  # only now: a file that was there already is not ours
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
    """Delete the files of the yielded list however the block ends, signals included."""
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
            with contextlib.suppress(OSError):  # it has been renamed
                os.unlink(part)


def _end_by_signal(number: int, _: object) -> None:
    """Delete unfinished files, then let the signal end the process."""
    delete_unfinished()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def delete_unfinished() -> None:
    """Delete all unfinished files, for a process that is about to end at once."""
    for part in tuple(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(part)


def open_stream(path: AnyPath) -> int | None:
    """Open a pipe, a device or the file behind standard output for writing.

    Returns:
        A descriptor, or None if `path` is a regular file, a directory or missing.

    Raises:
        OSError: If it cannot be opened.
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
    """Return the path that writing `path` replaces: the target of a symbolic link."""
    return Path(os.path.realpath(path) if os.path.islink(path) else path)


def check_writable(path: AnyPath) -> None:
    """Raise OSError if the file at `path` is read-only; renaming would replace it."""
    with contextlib.suppress(FileNotFoundError):
        os.close(os.open(path, os.O_WRONLY))
