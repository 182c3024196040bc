"""Locks on directories and files, which the system releases when the process ends."""

import contextlib
import os
from collections.abc import Callable, Iterator

from senna_py.errors import SennaError
from senna_py.io import system

LOCK = ".senna-py.lock"  # the name of the lock file in a directory
_held: set[int] = set()  # descriptors of the locks that this process holds


@contextlib.contextmanager
def lock_directory(
    directory: str | os.PathLike[str], note: Callable[[str], object]
) -> Iterator[None]:
    """Hold the lock of a directory while a block runs.

    The directory is created if it is missing. The lock file, and directories that were
    created and are still empty, are removed at the end.

    Args:
        directory: The directory.
        note: A callback that prints a line. It is called if the file system has no
            locks.

    Raises:
        SennaError: If another process holds the lock, or if the directory is not
            writable. The block does not run then.
    """
    missing, parent = [], os.path.abspath(directory)
    while not os.path.exists(parent):
        missing.append(parent)
        parent = os.path.dirname(parent)
    path = os.path.join(directory, LOCK)
    try:
        os.makedirs(directory, exist_ok=True)
        descriptor, is_locked = open_locked(path, os.O_RDWR)
    except OSError as error:
        _remove_empty(missing)
        raise SennaError(
            f"{directory}: not written: {error.strerror or error}"
        ) from None
    if is_locked is False:
        holder = os.read(descriptor, 200).decode("utf-8", "replace")
        os.close(descriptor)
        raise SennaError(f"{directory}: in use by {holder or 'another process'}")
    if is_locked is None:
        note(
            f"{directory}: not locked: the file system has no locks; make sure that no "
            "other process uses it"
        )
    _held.add(descriptor)
    try:
        # If the disk is full, the error of other processes does not name the holder.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"process {os.getpid()} on {system.host()}".encode())
        yield
    finally:
        _held.discard(descriptor)
        # The file may be removed while it is locked; see `_has_name`.
        with contextlib.suppress(OSError):
            system.close_after(descriptor, lambda: os.unlink(path))
        _remove_empty(missing)


def _remove_empty(directories: list[str]) -> None:
    for path in directories:
        with contextlib.suppress(OSError):  # the directory is not empty
            os.rmdir(path)


def open_locked(path: str | os.PathLike[str], flags: int) -> tuple[int, bool | None]:
    """Open a file, which is created if it is missing, and try to lock it.

    Args:
        path: The file. Symbolic links are not followed, because the name is
            predictable.
        flags: Constants of `os`, such as `os.O_RDWR`.

    Returns:
        The descriptor, and whether this process holds the lock: False if another
        process does, None if the file system has no locks.

    Raises:
        OSError: If the file cannot be opened, or is a symbolic link.
    """
    while True:
        descriptor = system.open_file(path, flags | os.O_CREAT, predictable=True)
        is_locked: bool | None = True
        try:
            system.lock(descriptor)
        except BlockingIOError:
            is_locked = False
        except OSError:
            is_locked = None
        if not is_locked or _has_name(descriptor, path):
            return descriptor, is_locked
        os.close(descriptor)


def _has_name(descriptor: int, path: str | os.PathLike[str]) -> bool:
    """Return whether an open file is still at `path`.

    The previous holder of the lock may have removed it.
    """
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    return False


def _leave_to_parent() -> None:
    """Close the copies of the locks in a forked child.

    The locks are then released when the parent process ends.
    """
    while _held:
        os.close(_held.pop())


system.after_fork(_leave_to_parent)
