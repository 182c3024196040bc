"""Locks on directories and files; the system releases them however the process ends."""

import contextlib
import os

from senna_py.errors import SennaError
from senna_py.io import system

LOCK = ".senna-py.lock"  # in a directory that a command fills
_held: set[int] = set()  # descriptors of this process


@contextlib.contextmanager
def lock_directory(directory, note):
    """A context in which no other process fills `directory`, which is made if need be.

    note: prints a line, such as that the file system has no locks. Raises SennaError if
    another process has the lock, before anything is written, or if the directory cannot
    be written. What was made for the lock alone is removed at the end.
    """
    new, above, path = [], os.path.abspath(directory), os.path.join(directory, LOCK)
    while not os.path.exists(above):
        new.append(above)
        above = os.path.dirname(above)
    try:
        os.makedirs(directory, exist_ok=True)
        descriptor, locked = open_locked(path, os.O_RDWR)
    except OSError as error:
        _remove(new)
        raise SennaError(
            f"{directory}: not written: {error.strerror or error}"
        ) from None
    if locked is False:
        holder = (
            os.read(descriptor, 200).decode("utf-8", "replace") or "another process"
        )
        os.close(descriptor)
        raise SennaError(f"{directory}: in use by {holder}")
    if locked is None:
        note(
            f"{directory}: not locked: the file system has no locks; see that no other process "
            "uses it"
        )
    _held.add(descriptor)
    try:
        with contextlib.suppress(OSError):  # a full disk: the message will say less
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"process {os.getpid()} on {system.host()}".encode())
        yield
    finally:
        _held.discard(descriptor)
        with contextlib.suppress(
            OSError
        ):  # nobody else has locked it: see `open_locked`
            system.close_after(descriptor, lambda: os.unlink(path))
        _remove(new)


def _remove(directories):
    for path in directories:
        with contextlib.suppress(OSError):  # something is in it
            os.rmdir(path)


def open_locked(path, flags):
    """A descriptor of the file `path`, made if it is not there, and whether this
    process locked it.

    That is False if another process has the lock, None without locks. Raises OSError,
    for a symbolic link too: others can foresee the name, and mean another file.
    """
    while True:
        descriptor = system.open_file(path, flags | os.O_CREAT, predictable=True)
        try:
            system.lock(descriptor)
            locked = True
        except OSError as error:
            locked = False if isinstance(error, BlockingIOError) else None
        if not locked or _is_at(descriptor, path):
            return descriptor, locked
        os.close(descriptor)


def _is_at(descriptor, path):
    """Return whether an open file still has its name: whoever held the lock before
    removes it.
    """
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    return False


def _leave_to_parent():
    """Close the copies that a child got; it may live longer than its parent, and keep
    the lock.
    """
    while _held:
        os.close(_held.pop())


system.after_fork(_leave_to_parent)
