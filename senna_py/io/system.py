"""Everything that differs between operating systems, which no other module checks.

Linux has all of it, macOS most, Windows little. Where something is missing, functions
do without it.
"""

import contextlib
import math
import os
import signal
import sys
from collections.abc import Callable

from senna_py.errors import SennaError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:  # all others
    msvcrt = None  # type: ignore[assignment]
try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

END_OF_INPUT = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D on an empty line"
# Signals by which a user ends a command. Windows sends none when a terminal is closed.
STOP_SIGNALS = signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)
# Whether a process can outlive its parent and hold a lock.
CAN_DETACH = fcntl is not None and hasattr(os, "fork")
_LOCKED_BYTE = 1 << 30  # far beyond the contents: on Windows others cannot read it
_UTF8_CODE_PAGE = 65001  # of Windows


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_limit() -> float:
    """Return the bytes of memory of the machine, or infinity if they are unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def check_memory(what: object, needed: int) -> None:
    """Raise SennaError if `what` needs more bytes of memory than the machine has."""
    if needed > (limit := memory_limit()):
        raise SennaError(
            f"{what}: needs about {needed / 2**30:,.1f} GiB of memory; there are "
            f"{limit / 2**30:,.1f} GiB"
        )


def host() -> str:
    """Return the name of the machine."""
    import platform  # noqa: PLC0415 - commands start faster without it

    return platform.node()


def cache_directories(name: str) -> list[str]:
    """List the directories in which the program `name` may keep caches, the best first.

    All are absolute, so that a directory below the current one is never taken for a
    cache. The first is in the user's home. For users without a writable home there are
    directories for temporary files, if the system can tell who owns them.
    """
    if os.name == "nt":
        user = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        user = os.path.expanduser("~/Library/Caches")
    else:
        user = os.environ.get("XDG_CACHE_HOME", "")
        user = user if os.path.isabs(user) else os.path.expanduser("~/.cache")
    directories = [os.path.join(user, name)]
    if hasattr(os, "geteuid"):
        for temporary in (os.environ.get("TMPDIR", ""), "/tmp", "/var/tmp"):
            directories.append(os.path.join(temporary, f"{name}-{os.geteuid()}"))
    return [directory for directory in directories if os.path.isabs(directory)]


def path_components(path: str) -> list[str]:
    """Split a path into its names; a drive, if there is one, is the first."""
    drive, rest = os.path.splitdrive(path)
    return f"{drive.rstrip(':')}/{rest}".replace(os.sep, "/").split("/")


def lower_priority() -> None:
    """Let other processes use the processors first."""
    if hasattr(os, "nice"):
        os.nice(10)


def after_fork(function: Callable[[], object]) -> None:
    """Register a function that every forked child calls."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def use_utf8() -> None:
    """Make the console of Windows read and show UTF-8, as all our output is."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - other systems start faster without it

        ctypes.windll.kernel32.SetConsoleCP(_UTF8_CODE_PAGE)
        ctypes.windll.kernel32.SetConsoleOutputCP(_UTF8_CODE_PAGE)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8")


def require_open_files(needed: int) -> None:
    """Allow this process `needed` open files; raise OSError if the hard limit is lower."""
    if resource is None:
        return
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < needed:
        if 0 <= most < needed:
            raise OSError(
                f"only {most} open files are allowed (ulimit -n), but {needed} are needed"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


def allow_open_files(wanted: int) -> int:
    """Raise the limit of open files towards `wanted`; return how many are allowed now."""
    if resource is None:
        return wanted
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < wanted:
        limit = min(wanted, most) if most >= 0 else wanted
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
    return limit if limit >= 0 else wanted


def open_file(
    path: str | os.PathLike[str],
    flags: int,
    mode: int = 0o666,
    predictable: bool = False,
) -> int:
    """Open a file without translating line ends; raise OSError.

    Args:
        path: The file.
        flags: Constants of `os`, such as `os.O_WRONLY`.
        mode: The permissions of a new file.
        predictable: Whether another user could predict the name and put something else
            there. Then links are not followed, and opening a pipe does not wait.

    Returns:
        The file descriptor.
    """
    names = ["O_BINARY"]
    if predictable:
        names += ["O_NOFOLLOW", "O_NONBLOCK"]
    for name in names:
        flags |= getattr(os, name, 0)
    return os.open(path, flags, mode)


def lock(descriptor: int, waits: bool = False) -> None:
    """Lock an open file until it is closed or the process ends.

    Args:
        descriptor: The open file.
        waits: Whether to wait until no other process holds the lock.

    Raises:
        BlockingIOError: If another process holds the lock and `waits` is false.
        OSError: If the file system or the operating system has no locks.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        elif msvcrt is not None:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            raise OSError("the system has no locks")
    except PermissionError as error:
        raise BlockingIOError(*error.args) from None


def close_after(descriptor: int, act: Callable[[], object]) -> None:
    """Close an open file after `act`, which renames or removes it; raise OSError of `act`.

    The file stays locked until it is renamed. Windows renames only closed files: there
    the file is closed first.
    """
    is_open = True
    try:
        act()
    except PermissionError:
        os.close(descriptor)
        is_open = False
        act()
    finally:
        if is_open:
            os.close(descriptor)


def copy_owner_and_mode(path: str | os.PathLike[str], descriptor: int) -> None:
    """Copy the mode of the file at `path`, and its owner if allowed, to an open file.

    Nothing happens if there is no such file. Raises OSError.
    """
    try:
        old, new = os.stat(path), os.fstat(descriptor)
    except FileNotFoundError:
        return
    with contextlib.suppress(OSError, AttributeError):  # usually only root may
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError, AttributeError):  # file systems without modes
        os.fchmod(descriptor, old.st_mode & 0o777)
