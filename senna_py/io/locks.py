"""Locks on directories and files; the system releases them however the process ends."""

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
    """Keep other processes from filling a directory while the block runs.

    The directory is made if need be. Whatever was made only for the lock is removed at
    the end.

    Args:
        directory: The directory.
        note: Prints a line; it is called if the file system has no locks.

    Raises:
        SennaError: If another process holds the lock, or if the directory cannot be
            written. Nothing has been written then.
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
        # On a full disk, the message for other processes names no holder.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"process {os.getpid()} on {system.host()}".encode())
        yield
    finally:
        _held.discard(descriptor)
        # We hold the lock, so nobody else has locked the file: see `open_locked`.
        with contextlib.suppress(OSError):
            system.close_after(descriptor, lambda: os.unlink(path))
        _remove_empty(missing)


def _remove_empty(directories: list[str]) -> None:
    for path in directories:
        with contextlib.suppress(OSError):  # there is something in it
            os.rmdir(path)


def open_locked(path: str | os.PathLike[str], flags: int) -> tuple[int, bool | None]:
    """Open and lock the file `path`, which is made if it is missing.

    Args:
        path: The file. Its name is predictable, so a symbolic link is not followed.
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
    """Return whether an open file still has its name: former holders remove the file."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    return False


def _leave_to_parent() -> None:
    """Close a child's copies of the locks, so that they end with the parent process."""
    while _held:
        os.close(_held.pop())


system.after_fork(_leave_to_parent)
