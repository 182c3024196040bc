"""Which way kernels run for a text: plain for the first 8 KiB of a process, then compiled.

Importing Numba and loading compiled kernels takes as long as tagging a few thousand tokens the
plain way (docs/performance.md has the figures), and compiling them much longer.
"""

import threading

__all__ = ["Pace"]

_PLAIN_BYTES = 1 << 13


class Pace:
    """Counts the text that this process has tagged; shared by threads.

    in_background: whether `senna-tag` may continue the plain way while kernels are compiled.
    """

    _left, _lock = _PLAIN_BYTES, threading.Lock()
    in_background = True

    @classmethod
    def takes_plain(cls, n_bytes):
        """Count a text of `n_bytes`; returns whether to tag it the plain way."""
        with cls._lock:
            cls._left -= n_bytes
            return cls._left >= 0

    @classmethod
    def use_only(cls, plain):
        """Tag all text that follows one way: for servers, tests and measurements."""
        cls._left, cls.in_background = float("inf") if plain else -1, False
