"""Way of kernels for a text: plain for the first 2 KiB of a process, then compiled.

Importing Numba and loading compiled kernels takes as long as tagging a few hundred tokens the
plain way, and compiling them much longer.
"""

import threading

from senna_py.kernels.runtime.jit import plain_way

__all__ = ["COMPILED", "one_way", "pace", "text_pace", "warm_up", "way_of_text"]

_PLAIN_BYTES = 1 << 11
COMPILED = plain_way(False)


class _Pace:
    """Counts the text that this process has tagged; shared by threads.

    left: bytes that still go the plain way; in_background: whether a thread may get the kernels
    ready while text goes on the plain way.
    """

    def __init__(self):
        self.left, self.in_background, self._lock = _PLAIN_BYTES, True, threading.Lock()

    def takes_plain(self, n_bytes):
        """Count a text of `n_bytes`; returns whether to tag it the plain way."""
        with self._lock:
            self.left -= n_bytes
            return self.left >= 0


pace = _Pace()


def way_of_text(n_bytes):
    """Count a text of `n_bytes`, and return the context in which its kernels run."""
    return plain_way(pace.takes_plain(n_bytes))


class text_pace:
    """Send text the plain way for some bytes, as a new process does, and then the compiled one.

    From the call on; as a context, until its end.
    """

    def __init__(self, plain_bytes=_PLAIN_BYTES, in_background=False):
        """in_background: whether a thread may get the kernels ready meanwhile."""
        self._before = pace.left, pace.in_background
        pace.left, pace.in_background = plain_bytes, in_background

    def __enter__(self):
        """Go on as begun."""

    def __exit__(self, *error):
        """Go on as before."""
        pace.left, pace.in_background = self._before


def one_way(plain):
    """Send all text that follows one way, see `text_pace`: for servers, tests and measurements."""
    return text_pace(float("inf") if plain else -1)


def warm_up(run):
    """Call `run`, which calls kernels, compiled; texts go the plain way until then, and not after.

    It may be called in a thread, while others tag.
    """
    one_way(plain=True)
    try:
        with plain_way(False):
            run()
    finally:
        one_way(plain=False)
