"""Measures how long Numba compiles kernels, and tells the user if it takes long."""

from __future__ import annotations

import time

# Not importing `typing` shortens the time until Ctrl-C is handled without a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NOTICE = (
    "compiling kernels for this processor, once; it takes about a minute, and work is slow until "
    "then (senna-py warm-up compiles them beforehand)"
)
NO_CACHE = (
    "work is slow, in this run and in every other, because no cache of compiled kernels can be "
    "written: set NUMBA_CACHE_DIR to the full path of a directory of your own"
)
NUMPY_ALONE = "text is tagged by NumPy alone, which takes about ten times as long: {}"
LONG = 5  # seconds of waiting for another process before the user is told
_PACKAGE = __name__.partition(".")[0]
_PATIENCE = 1  # seconds of compiling before the user is told


def notice() -> str:
    """Return the message for the user, which depends on why work is slow."""
    if _clock.problem:
        return NUMPY_ALONE.format(_clock.problem)
    return NOTICE if has_cache() else NO_CACHE


def has_cache() -> bool:
    """Return whether a cache of kernels can be written."""
    try:
        _clock.directory()
    except RuntimeError:
        return False
    return True


def _log() -> None:
    import logging  # noqa: PLC0415 - a short start

    logging.getLogger(_PACKAGE).warning(notice())


class _Clock:
    """A listener of Numba's events that adds up the seconds of compiling kernels.

    Numba compiles one function at a time. Functions of other packages are not counted.
    """

    def __init__(self) -> None:
        self.seconds, self.waited = 0.0, 0.0
        self.tell: Callable[[], object] | None = _log
        self.directory: Callable[[], object] = str
        self.problem = ""  # the reason why nothing can be compiled
        self._begin = 0.0
        self._depth = 0  # of nested compilations: kernels call other kernels

    def notify(self, event: Any) -> None:
        if not event.data["dispatcher"].py_func.__module__.startswith(f"{_PACKAGE}."):
            return
        now = time.monotonic()
        if event.is_start:
            self._begin = self._begin if self._depth else now
        self._depth += 1 if event.is_start else -1
        waited = now - self._begin
        if self._depth == 0:
            self.seconds, waited = self.seconds + waited, 0
        if self.seconds + waited > _PATIENCE:
            tell()


_clock = _Clock()


def listen(directory: Callable[[], object]) -> None:
    """Start to measure compilation; call this before any kernel is compiled.

    Args:
        directory: A function that returns the directory of the cache, or raises
            RuntimeError if none is writable.
    """
    from numba.core import event  # noqa: PLC0415 - a short start

    _clock.directory = directory

    event.Listener.register(_Clock)
    event.register("numba:compile", _clock)


def compile_seconds() -> float:
    """Return the number of seconds that this process has spent compiling kernels."""
    return _clock.seconds


def tell_when_compiling(tell: Callable[[], object] | None) -> None:
    """Set the function that tells the user that kernels are being compiled.

    It is called at most once, after more than one second of compiling. By default, the
    logger `senna_py` issues a warning. Loading kernels from the cache does not count.

    Args:
        tell: The function, or None for silence.
    """
    _clock.tell = tell


def tell_of_waiting(seconds: float, least: float = 0.0) -> None:
    """Count seconds of waiting for another process, and tell the user if they are many.

    Args:
        seconds: The additional seconds.
        least: The number of seconds after which the user is told.
    """
    _clock.waited += seconds
    if _clock.waited >= least:
        tell()


def tell_of_numpy(problem: str) -> None:
    """Tell the user that NumPy does all work, because Numba has a problem."""
    _clock.problem = problem
    tell()


def tell() -> None:
    """Tell the user, unless this was done before, why work is slow."""
    call, _clock.tell = _clock.tell, None
    if call is not None:
        call()
