"""What is asked of the system where systems differ: only this module knows what each
has.

Linux has all of it, macOS most, Windows little. A function does without what is
missing.
"""

import contextlib
import math
import os
import signal
import sys

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
# Signals by which a user ends a command; Windows has none for a terminal that is
# closed.
STOPS = signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)
CAN_DETACH = fcntl is not None and hasattr(
    os, "fork"
)  # a process can outlive its parent, locked
_LOCKED_BYTE = 1 << 30  # on Windows, where nobody else can read what is locked
_UTF8 = 65001  # number of Windows


def processors():
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_limit():
    """Bytes of memory of the machine, free or not; infinity if the system does not
    say.
    """
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def check_room(what, needed):
    """Raise SennaError if `what`, a file or else, needs more bytes of memory than there
    are.
    """
    if needed > (limit := memory_limit()):
        raise SennaError(
            f"{what}: needs about {needed / 2**30:,.1f} GiB of memory; there are "
            f"{limit / 2**30:,.1f} GiB"
        )


def host():
    """Name of the machine."""
    import platform  # noqa: PLC0415 - a short start

    return platform.node()


def cache_directories(name: str) -> list[str]:
    """Return directories in which a program of a name may keep caches, the best first.

    All are absolute: what the current directory has is never taken for a cache. The
    first is the user's own. A user without a home has none, or one that cannot be
    written: then a directory among the temporary files serves, if the system can tell
    whose it is.
    """
    if os.name == "nt":
        user = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        user = os.path.expanduser("~/Library/Caches")
    else:
        user = os.environ.get("XDG_CACHE_HOME", "")
        user = user if os.path.isabs(user) else os.path.expanduser("~/.cache")
    found = [os.path.join(user, name)]
    if hasattr(os, "geteuid"):
        temporary = (os.environ.get("TMPDIR", ""), "/tmp", "/var/tmp")
        found += [os.path.join(each, f"{name}-{os.geteuid()}") for each in temporary]
    return [each for each in found if os.path.isabs(each)]


def steps_of(path):
    """The names in a path, that of its drive first, if it has one: a list of str."""
    drive, rest = os.path.splitdrive(path)
    return f"{drive.rstrip(':')}/{rest}".replace(os.sep, "/").split("/")


def be_nice():
    """Let other processes go first."""
    if hasattr(os, "nice"):
        os.nice(10)


def after_fork(function):
    """Have the child call a function after each fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def use_utf8():
    """Have the console of Windows take and show UTF-8, as all output here is."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - a short start elsewhere

        ctypes.windll.kernel32.SetConsoleCP(_UTF8)
        ctypes.windll.kernel32.SetConsoleOutputCP(_UTF8)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8")


def room_for_files(needed):
    """Allow this process so many open files; raises OSError if more than it may
    have.
    """
    if resource is None:
        return
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < needed:
        if 0 <= most < needed:
            raise OSError(
                f"only {most} open files are allowed (ulimit -n), of {needed}"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


def open_files(wanted):
    """Number of open files that this process may have, raised to those wanted as far as
    it may.
    """
    if resource is None:
        return wanted
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < wanted:
        limit = min(wanted, most) if most >= 0 else wanted
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
    return limit if limit >= 0 else wanted


def open_file(path, flags, mode=0o666, foreseen=False):
    """Descriptor of a file by `os.O_` flags, for bytes as they are; raises OSError.

    foreseen: others can foresee the name: no link is followed, no reader of a pipe
    waited for.
    """
    for name in ("O_BINARY", *(("O_NOFOLLOW", "O_NONBLOCK") if foreseen else ())):
        flags |= getattr(os, name, 0)
    return os.open(path, flags, mode)


def lock(descriptor, waits=False):
    """Lock an open file until it is closed, or the process ends.

    Raises BlockingIOError if another process has the lock, unless `waits` for its end,
    and OSError if there are no locks.
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


def close_after(descriptor, act):
    """Call `act`, which renames or removes an open file, then close it; raises OSError
    of `act`.

    Until it is renamed, it stays locked, except on Windows, which does that to closed
    files only.
    """
    try:
        act()
    except PermissionError:
        os.close(descriptor)
        descriptor = None
        act()
    finally:
        if descriptor is not None:
            os.close(descriptor)


def take_over(descriptor, path):
    """Give an open file the mode of `path`, if there, and its owner if allowed; raises
    OSError.
    """
    try:
        status, own = os.stat(path), os.fstat(descriptor)
    except FileNotFoundError:
        return
    with contextlib.suppress(OSError, AttributeError):  # as a rule only root may
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            os.fchown(descriptor, status.st_uid, status.st_gid)
    with contextlib.suppress(OSError, AttributeError):  # file systems without modes
        os.fchmod(descriptor, status.st_mode & 0o777)
