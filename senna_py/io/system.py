"""Functions that differ between operating systems.

No other module checks the system. Linux supports everything here, macOS most of it,
and Windows little. Where a feature is missing, the functions have no effect or return a
default, unless their docstrings state otherwise.
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
except ImportError:  # all other systems
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
# Windows locks a byte, which others cannot read. It is far beyond the contents.
_LOCKED_BYTE = 1 << 30
_UTF8_CODE_PAGE = 65001  # Windows' number for UTF-8


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_limit() -> float:
    """Return the size of the machine's memory in bytes, or infinity if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def resident_memory() -> int | None:
    """Return the memory that this process occupies in bytes, or None if unknown.

    On macOS, it is the most that the process has occupied so far.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    if sys.platform == "darwin" and resource is not None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return None


def check_memory(what: object, needed: int) -> None:
    """Raise SennaError if something needs more memory than the machine has.

    Args:
        what: The name of the thing that needs memory, for the message.
        needed: The required memory in bytes.
    """
    if needed > (limit := memory_limit()):
        raise SennaError(
            f"{what}: needs about {needed / 2**30:,.1f} GiB of memory; there are "
            f"{limit / 2**30:,.1f} GiB"
        )


def host() -> str:
    """Return the host name of the machine."""
    import platform  # noqa: PLC0415 - commands start faster without it

    return platform.node()


def cache_directories(name: str) -> list[str]:
    """Return directories in which a program may store caches, the best first.

    All paths are absolute, so that no directory below the current one is used as a
    cache. The first is in the user's cache directory. On systems where files have
    owners, directories for temporary files follow, for users without a writable home
    directory.

    Args:
        name: The name of the program.
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
    """Split a path into its components; the first is the drive, or an empty string.

    The second component of an absolute path is an empty string, too.
    """
    drive, rest = os.path.splitdrive(path)
    return f"{drive.rstrip(':')}/{rest}".replace(os.sep, "/").split("/")


def lower_priority() -> None:
    """Lower the scheduling priority of this process."""
    if hasattr(os, "nice"):
        os.nice(10)


def after_fork(function: Callable[[], object]) -> None:
    """Register a callback that runs in every forked child process."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def use_utf8() -> None:
    """Switch the Windows console, standard output and standard error to UTF-8."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - other systems start faster without it

        ctypes.windll.kernel32.SetConsoleCP(_UTF8_CODE_PAGE)
        ctypes.windll.kernel32.SetConsoleOutputCP(_UTF8_CODE_PAGE)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8")


def require_open_files(needed: int) -> None:
    """Raise the limit on open files to `needed` if it is lower.

    Raises:
        OSError: If the hard limit is lower.
    """
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
    """Raise the limit on open files to `wanted` or, if it is lower, to the hard limit.

    Returns:
        The limit afterwards.
    """
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
    """Open a file without translation of line ends.

    Args:
        path: The file.
        flags: Constants of `os`, such as `os.O_WRONLY`.
        mode: The permissions of a new file.
        predictable: Whether another user could predict the name and create something
            else there. If so, symbolic links are not followed, and opening a pipe does
            not block.

    Returns:
        The file descriptor.

    Raises:
        OSError: If the file cannot be opened.
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
        waits: Whether to wait until no other process holds the lock. Windows does not
            wait.

    Raises:
        BlockingIOError: If another process holds the lock, and the call does not wait.
        OSError: If the file system or the operating system does not support locks.
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
    """Rename or remove an open file, and then close it.

    The file is locked until it has been renamed. Windows only renames closed files, so
    the file is closed first there.

    Args:
        descriptor: The open file.
        act: A function that renames or removes the file.

    Raises:
        OSError: If `act` fails.
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
    """Copy the mode of a file and, if permitted, its owner to another file.

    Args:
        path: The path of the first file. If it does not exist, nothing happens.
        descriptor: The other file, which is open.

    Raises:
        OSError: If the file at `path` cannot be examined.
    """
    try:
        old, new = os.stat(path), os.fstat(descriptor)
    except FileNotFoundError:
        return
    with contextlib.suppress(OSError, AttributeError):  # usually, only root may do this
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError, AttributeError):  # file systems without modes
        os.fchmod(descriptor, old.st_mode & 0o777)
