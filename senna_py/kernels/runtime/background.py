"""A background process that compiles kernels and may outlive the command.

A command on a short text ends before its kernels are compiled. Without the background
process, each of these commands would start the compilation again.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import sys
import time

from senna_py.io import system
from senna_py.kernels.runtime.compile_events import LONG, tell_of_waiting

TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

# The environment variable that disables the background process if it is 0.
SWITCH = "SENNA_PY_BACKGROUND"
_PAUSE = 0.05  # seconds between two checks for a kernel that another process compiles
# The number of new objects after which garbage is collected while kernels are compiled,
# which makes many objects that stay.
_OBJECTS = 100_000
_SECONDS = 600  # the time limit of the process and of waiting for it
_BOOT = (
    "import sys; sys.path[:] = {}; "
    "from senna_py.kernels.runtime.background import _work as w; w()"
)


class _Order:
    """The work of the background process.

    Attributes:
        pickled: The pickled function and arguments that `_work` reads from standard
            input, or None if this process compiles its kernels itself.
        begun: Whether this process has started the background process.
    """

    pickled: bytes | None = None
    begun = False


def have_compiled(function: Callable[..., Any], *arguments: Any) -> None:
    """Have a background process compile kernels that are missing from the cache.

    It calls `function(*arguments)`, which are pickled. The process starts when the
    first kernel is missing. It never starts if SENNA_PY_BACKGROUND is 0 or the system
    cannot detach processes.
    """
    if system.CAN_DETACH and os.environ.get(SWITCH) != "0":
        _Order.pickled = pickle.dumps((function, arguments))


def made(path: str, directory: str, cache: str | None) -> bool:
    """Wait for a file of the cache that the background process writes.

    The process is started if none is running. The process that starts it tells the user
    at once, unless `tell_when_compiling` has set a delay. Processes that only wait tell
    the user after a few seconds.

    Args:
        path: The file.
        directory: The directory of the cache. Its lock ensures that only one process
            compiles kernels at a time.
        cache: The value of NUMBA_CACHE_DIR for the background process, or None.

    Returns:
        Whether the file exists. It may be missing after an error or after ten minutes,
        or if `have_compiled` was not called.
    """
    until = time.monotonic() + _SECONDS
    while _Order.pickled is not None and not os.path.exists(path):
        try:
            with alone(directory) as lock:
                if _Order.begun or time.monotonic() > until:  # the process failed
                    _Order.pickled = None
                elif not os.path.exists(path):
                    _Order.begun = True
                    tell_of_waiting(0)
                    _begin(lock, cache)
        except BlockingIOError:  # a process is compiling, perhaps for this one
            if time.monotonic() > until:
                _Order.pickled = None
            tell_of_waiting(_PAUSE, 0 if _Order.begun else LONG)
            time.sleep(_PAUSE)
        except OSError:
            _Order.pickled = None
    return os.path.exists(path)


@contextlib.contextmanager
def alone(directory: str, waits: bool = False) -> Iterator[Any]:
    """Return a context manager that keeps other processes from compiling kernels.

    If the system cannot detach processes, it takes no lock and yields None.

    Args:
        directory: The directory of the cache.
        waits: Whether to wait if another process is compiling kernels.

    Yields:
        The file descriptor of the lock.

    Raises:
        OSError: If the lock cannot be taken. It is a BlockingIOError if another process
            is compiling kernels and `waits` is false.
    """
    if not system.CAN_DETACH:
        yield None
        return
    path = os.path.join(directory, "senna-py.lock")
    lock = system.open_file(path, os.O_RDWR | os.O_CREAT, 0o600, predictable=True)
    try:
        system.lock(lock, waits)
        yield lock
    finally:
        os.close(lock)  # A process that was started keeps the lock.


@contextlib.contextmanager
def beside(function: Callable[..., object], *arguments: Any) -> Iterator[None]:
    """Return a context manager within which another process calls a function.

    It waits for the process at the end. With a single processor, it does nothing. It is
    only for the background process, before NumPy is imported.
    """
    if system.processors() < 2:
        yield
        return
    child = os.fork()
    if not child:
        _call_briefly(function, arguments)
    try:
        yield
    finally:
        os.waitpid(child, 0)


def _call_briefly(function: Callable[..., object], arguments: Any) -> NoReturn:
    """Call a function and end the process, after ten minutes at the latest."""
    import signal  # noqa: PLC0415 - only the background process needs it

    signal.alarm(_SECONDS)
    try:
        function(*arguments)
    finally:
        os._exit(0)


def compile_quickly() -> None:
    """Prepare a process whose only task is to compile kernels, before it imports Numba.

    Garbage is collected less often, and the errors by which Numba tries types are not
    colored.
    """
    gc.set_threshold(_OBJECTS)
    os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"


def _begin(lock: Any, cache: str | None) -> None:
    """Start the background process, which inherits the file descriptor of the lock."""
    import subprocess  # noqa: PLC0415 - few commands start the process

    paths = [os.path.abspath(path) for path in sys.path]
    more = {"NUMBA_CACHE_DIR": os.path.abspath(cache)} if cache else {}
    subprocess.run(
        [sys.executable, "-c", _BOOT.format(ascii(paths))],
        input=_Order.pickled,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[lock],
        cwd=os.path.sep,
        env={**os.environ, **more, SWITCH: "0"},
        start_new_session=True,
    )


def _work() -> None:
    """Compile kernels in a forked child, while the parent exits at once."""
    if os.fork():
        os._exit(0)
    compile_quickly()
    _call_briefly(*pickle.load(sys.stdin.buffer))
