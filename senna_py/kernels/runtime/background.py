"""A process of its own that compiles kernels, and outlives the one that needs them.

A command on a short text ends before its kernels are compiled, and would begin again
each time.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import time

from senna_py.io import system
from senna_py.kernels.runtime.compile_events import LONG, tell_of_waiting

SWITCH = "SENNA_PY_BACKGROUND"  # 0: no process outlives a command
_PAUSE = 0.05  # seconds between two looks for a kernel that another process compiles
_SECONDS = 600  # for which the process may live, and for which another waits for it
_BOOT = (
    "import sys; sys.path[:] = {}; "
    "from senna_py.kernels.runtime.background import _work as w; w()"
)


class _Order:
    """What the process has to do: bytes for `_work`; None if this process compiles
    itself.
    """

    pickled: bytes | None = None
    begun = False


def have_compiled(function, *arguments):
    """Leave the kernels that this process lacks to one that calls
    `function(*arguments)`.

    They are pickled. It begins when a cache lacks a kernel, unless SENNA_PY_BACKGROUND
    is 0.
    """
    if system.CAN_DETACH and os.environ.get(SWITCH) != "0":
        _Order.pickled = pickle.dumps((function, arguments))


def made(path, directory, cache):
    """Have the process make the file `path` of a cache, and wait; returns whether it is
    there.

    directory: of the cache, whose lock lets one process work at a time; cache: the
    value of NUMBA_CACHE_DIR. Who begins the process tells the user first; others tell
    if they wait long.
    """
    until = time.monotonic() + _SECONDS
    while _Order.pickled is not None and not os.path.exists(path):
        try:
            with alone(directory) as lock:
                if _Order.begun or time.monotonic() > until:  # it did what it could
                    _Order.pickled = None
                elif not os.path.exists(path):
                    _Order.begun = True
                    tell_of_waiting(0)
                    _begin(lock, cache)
        except BlockingIOError:  # another one is at work, perhaps for this process
            if time.monotonic() > until:
                _Order.pickled = None
            tell_of_waiting(_PAUSE, 0 if _Order.begun else LONG)
            time.sleep(_PAUSE)
        except OSError:
            _Order.pickled = None
    return os.path.exists(path)


@contextlib.contextmanager
def alone(directory, waits=False):
    """A context in which no process compiles in the background for a cache; yields a
    descriptor.

    Raises OSError, of which BlockingIOError means that one does, unless `waits` for its
    end.
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
        os.close(lock)  # the process that was begun has it, too


def _begin(lock, cache):
    """Begin the process, which keeps the lock: nothing of it is left to do here."""
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


def _work():
    """Do the work in a child of this process, which nobody has to wait for, and for a
    time.
    """
    if os.fork():
        os._exit(0)
    import signal  # noqa: PLC0415 - the process, not who begins it

    signal.alarm(_SECONDS)
    function, arguments = pickle.load(sys.stdin.buffer)
    function(*arguments)
