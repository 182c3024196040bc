"""Compilation by Numba: how long it takes, and a line for the user when that is long."""

import time

NOTICE = "compiling kernels for this processor, which takes about a minute, once"
_PACKAGE = __name__.partition(".")[0]
_PATIENCE = 1  # seconds of compiling before it is told


def _log():
    import logging  # noqa: PLC0415 - a short start

    logging.getLogger(_PACKAGE).warning(NOTICE)


class _Clock:
    """Adds up the time of compilations, of which Numba does one at a time, within its lock.

    What others compile in this process does not count.
    """

    def __init__(self):
        self.seconds, self.tell = 0.0, _log
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
        if self.seconds + waited > _PATIENCE:
            tell()


_clock = _Clock()


def listen():
    """Begin to count; to be called before anything is compiled."""
    from numba.core import event  # noqa: PLC0415 - a short start

    event.Listener.register(_Clock)
    event.register("numba:compile", _clock)


def compile_seconds():
    """Seconds for which this process has compiled kernels."""
    return _clock.seconds


def tell_when_compiling(tell):
    """Call `tell()` when compiling takes more than a second; else the logger `senna_py` warns.

    It is called once; loading kernels from disk does not count. tell: None for silence.
    """
    _clock.tell = tell


def tell():
    """Tell that kernels are being compiled, unless that was told before."""
    call, _clock.tell = _clock.tell, None
    if call is not None:
        call()
