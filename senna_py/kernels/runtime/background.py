"""A separate process that compiles kernels and outlives the one that needs them.

A command on a short text ends before its kernels are compiled. Without the separate
process, each such command would start the compilation again.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import time

from senna_py.io import system
from senna_py.kernels.runtime.compile_events import LONG, tell_of_waiting

TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# The environment variable; if it is 0, no process outlives a command.
SWITCH = "SENNA_PY_BACKGROUND"
_PAUSE = 0.05  # seconds between two looks for a kernel that another process compiles
_SECONDS = 600  # the longest life of the process, and the longest wait for it
_BOOT = (
    "import sys; sys.path[:] = {}; "
    "from senna_py.kernels.runtime.background import _work as w; w()"
)


class _Order:
    """The work of the process.

    Attributes:
        pickled: The input of `_work`, or None if this process compiles kernels itself.
        begun: Whether this process has started the other one.
    """

    pickled: bytes | None = None
    begun = False


def have_compiled(function: Callable[..., Any], *arguments: Any) -> None:
    """Let another process compile missing kernels by `function(*arguments)`.

    The function and its arguments are pickled. The process starts when the cache lacks
    a kernel, unless SENNA_PY_BACKGROUND is 0.
    """
    if system.CAN_DETACH and os.environ.get(SWITCH) != "0":
        _Order.pickled = pickle.dumps((function, arguments))


def made(path: str, directory: str, cache: str | None) -> bool:
    """Have the process write a file of the cache, and wait for it.

    The process that starts the other one tells the user at once; processes that only
    wait tell the user when it takes long.

    Args:
        path: The file.
        directory: The directory of the cache, whose lock lets one process work at a
            time.
        cache: The value of NUMBA_CACHE_DIR.

    Returns:
        Whether the file exists.
    """
    until = time.monotonic() + _SECONDS
    while _Order.pickled is not None and not os.path.exists(path):
        try:
            with alone(directory) as lock:
                if _Order.begun or time.monotonic() > until:  # the process has ended
                    _Order.pickled = None
                elif not os.path.exists(path):
                    _Order.begun = True
                    tell_of_waiting(0)
                    _begin(lock, cache)
        except BlockingIOError:  # a process is at work, perhaps on behalf of this one
            if time.monotonic() > until:
                _Order.pickled = None
            tell_of_waiting(_PAUSE, 0 if _Order.begun else LONG)
            time.sleep(_PAUSE)
        except OSError:
            _Order.pickled = None
    return os.path.exists(path)


@contextlib.contextmanager
def alone(directory: str, waits: bool = False) -> Iterator[Any]:
    """Return a context in which no other process compiles kernels for a cache.

    Args:
        directory: The directory of the cache.
        waits: Whether to wait for a process that compiles kernels.

    Yields:
        The descriptor of the lock.

    Raises:
        OSError: If the lock cannot be taken; BlockingIOError if a process compiles
            kernels, unless `waits`.
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
        os.close(lock)  # a process that was started still holds it


def _begin(lock: Any, cache: str | None) -> None:
    """Start the process, which inherits the lock."""
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
    """Compile kernels in a child process, which nobody has to wait for."""
    if os.fork():
        os._exit(0)
    import signal  # noqa: PLC0415 - only this process needs it

    signal.alarm(_SECONDS)
    function, arguments = pickle.load(sys.stdin.buffer)
    function(*arguments)
