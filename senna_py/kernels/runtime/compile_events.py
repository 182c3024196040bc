"""Compilation by Numba: how long it takes, and a line for the user when that is
long.
"""

from __future__ import annotations

import time

TYPE_CHECKING = (
    False  # without its module, commands are sooner where Ctrl-C ends them quietly
)
if TYPE_CHECKING:
    from collections.abc import Callable

NOTICE = (
    "compiling kernels for this processor, once; it takes about a minute, and work is slow until "
    "then (senna-py warm-up compiles them beforehand)"
)
NO_CACHE = (
    "compiling kernels, which is slow, in this run and in every other: no cache of them can be "
    "written; set NUMBA_CACHE_DIR to the full path of a directory of your own"
)
LONG = 5  # seconds before it is told where nobody may be looking
_PACKAGE = __name__.partition(".")[0]
_PATIENCE = 1  # seconds of compiling before it is told


def notice() -> str:
    """What to tell the user: whether this is for once depends on the cache."""
    try:
        _clock.directory()
    except RuntimeError:
        return NO_CACHE
    return NOTICE


def _log():
    import logging  # noqa: PLC0415 - a short start

    logging.getLogger(_PACKAGE).warning(notice())


class _Clock:
    """Adds up the time of compilations, of which Numba does one at a time, within its
    lock.

    What others compile in this process does not count.
    """

    def __init__(self):
        self.seconds, self.waited, self.tell, self.after = 0.0, 0.0, _log, 0.0
        self.directory = str
        self._depth = 0  # a kernel compiles those that it calls

    def notify(self, event):
        if not event.data["dispatcher"].py_func.__module__.startswith(f"{_PACKAGE}."):
            return
        now = time.monotonic()
        if event.is_start:
            self._begin = self._begin if self._depth else now
        self._depth += 1 if event.is_start else -1
        waited = now - self._begin
        if self._depth == 0:
            self.seconds, waited = self.seconds + waited, 0
        if self.seconds + waited > max(_PATIENCE, self.after):
            tell()


_clock = _Clock()


def listen(directory: Callable[[], object]) -> None:
    """Begin to count; to be called before anything is compiled.

    directory: gives that of the cache, or raises RuntimeError if none can be written.
    """
    from numba.core import event  # noqa: PLC0415 - a short start

    _clock.directory = directory

    event.Listener.register(_Clock)
    event.register("numba:compile", _clock)


def compile_seconds():
    """Seconds for which this process has compiled kernels."""
    return _clock.seconds


def tell_when_compiling(tell: Callable[[], object] | None, after: float = 0.0) -> None:
    """Call `tell()` when compiling takes more than a second; else the logger `senna_py`
    warns.

    It is called once; loading kernels from disk does not count. tell: None for silence;
    after: seconds of compiling, or of waiting for another process that compiles, before
    it is called.
    """
    _clock.tell, _clock.after = tell, after


def tell_of_waiting(seconds: float, least: float = 0.0) -> None:
    """Count seconds of waiting for another process that compiles, and tell when they
    are many.

    least: seconds of waiting before that is told, whatever `tell_when_compiling` was
    given.
    """
    _clock.waited += seconds
    if _clock.waited >= max(_clock.after, least):
        tell()


def tell() -> None:
    """Tell that kernels are being compiled, unless that was told before."""
    call, _clock.tell = _clock.tell, None
    if call is not None:
        call()
