"""Compilation by Numba: a notice when it begins, and how long it took."""

import time

from numba.core import event

__all__ = ["compile_seconds", "tell_when_compiling"]


class _Clock(event.Listener):
    """Adds up the time of compilations, of which Numba does one at a time, within its lock."""

    def __init__(self):
        self.seconds, self.tell = 0.0, None
        self._depth = 0  # a kernel compiles those that it calls

    def on_start(self, _):
        if self._depth == 0:
            self._begin = time.monotonic()
            if self.tell is not None:
                tell, self.tell = self.tell, None
                tell()
        self._depth += 1

    def on_end(self, _):
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.monotonic() - self._begin


_clock = _Clock()
event.register("numba:compile", _clock)


def compile_seconds():
    """Seconds for which this process has compiled since this module was imported."""
    return _clock.seconds


def tell_when_compiling(tell):
    """Call `tell()` when a kernel is next compiled; loading one from disk does not count."""
    _clock.tell = tell
