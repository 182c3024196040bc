"""Locks on directories and files; the system releases them however the process ends."""

import contextlib
import errno
import os

from senna_py.errors import SennaError
from senna_py.io.files import FULL_DISK, open_own

try:
    import fcntl
except ImportError:  # a system without them
    fcntl = None  # type: ignore[assignment]

__all__ = ["LOCK", "lock", "lock_descriptor", "lock_directory"]

LOCK = ".senna-py.lock"  # in a directory that a command fills, or behind the name of a file
_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
_held: set[int] = set()  # descriptors of this process


def lock_descriptor(descriptor):
    """Lock an open file for this process: True, False if another has it, None without locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in _TAKEN else None
    return True


@contextlib.contextmanager
def lock_directory(directory, note):
    """A context in which no other process fills `directory`, which is made if need be.

    note: prints a line, such as that the file system has no locks. Raises SennaError if another
    process has the lock, before anything is written, or if the directory cannot be written. What
    was made for the lock alone is removed at the end.
    """
    new, path = [], os.path.abspath(directory)
    while not os.path.exists(path):
        new.append(path)
        path = os.path.dirname(path)
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise SennaError(f"{directory}: not written: {error.strerror or error}") from None
    try:
        with lock(os.path.join(directory, LOCK), directory, note):
            yield
    finally:
        for path in new:
            with contextlib.suppress(OSError):  # something is in it
                os.rmdir(path)


@contextlib.contextmanager
def lock(path, name, note):
    """A context in which no other process has a lock on the file `path`, which is then removed.

    name: of what is locked, for messages; note: see `lock_directory`, also for errors.
    """
    descriptor = _open_locked(path, name, note)
    if descriptor is None:
        yield
        return
    _held.add(descriptor)
    try:
        yield
    finally:
        _held.discard(descriptor)
        with contextlib.suppress(OSError):
            os.unlink(path)  # nobody else has locked it: see `_is_at`
        os.close(descriptor)


def _open_locked(path, name, note):
    """Descriptor of the locked file, or None where there are no locks."""

    def tell(reason):
        note(f"{name}: not locked: {reason}; see that no other process uses it")

    while True:
        try:
            descriptor = open_own(path, os.O_RDWR)
        except OSError as error:
            if error.errno in FULL_DISK:  # which disk need not end a run
                tell(error.strerror)
                return None
            raise SennaError(f"{name}: not written: {error.strerror or error}") from None
        locked = lock_descriptor(descriptor)
        if locked is None:
            tell("the file system has no locks")
        if locked is None or (locked and _is_at(descriptor, path)):
            with contextlib.suppress(OSError):  # a full disk: the message will say less
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"process {os.getpid()} on {os.uname().nodename}".encode())
            return descriptor
        holder = "" if locked else os.pread(descriptor, 200, 0).decode("utf-8", "replace")
        os.close(descriptor)
        if not locked:
            raise SennaError(f"{name}: in use by {holder or 'another process'}")


def _is_at(descriptor, path):
    """Return whether an open file still has its name: whoever held the lock before removes it."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    return False


def _leave_to_parent():
    """Close the copies that a child got; it may live longer than its parent, and keep the lock."""
    while _held:
        os.close(_held.pop())


if fcntl is not None:
    os.register_at_fork(after_in_child=_leave_to_parent)
