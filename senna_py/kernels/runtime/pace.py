"""Which text goes to the fallbacks of kernels, because compiled ones are not loaded
yet.

That is the first 2 KiB of a process: importing Numba and loading compiled kernels takes
as long as tagging a few hundred tokens by the fallbacks, and compiling them much
longer. After that a thread gets the kernels ready, and the fallbacks take small pieces
of text until they are.
"""

import contextlib
import gc
import sys
import threading
import time

_PLAIN_BYTES = 1 << 11
_PIECE = (
    1 << 10
)  # bytes, and the rest of a line, tagged at once while kernels are compiled
_LONGEST_PIECE = 16 * _PIECE  # a longer line takes less time if it waits for kernels
# Seconds after which the first piece does not wait for kernels any more, and the
# others: those that were compiled before are ready by then, if nothing else keeps the
# processor busy.
_PATIENCE = 1.5, 3


class _Pace:
    """The state of this process, shared by threads.

    left: bytes of text that still go to the fallbacks; in_background: whether a thread
    may get the kernels ready; loading: that thread, begun at the time `began`, or None.
    """

    left, in_background, loading, began = _PLAIN_BYTES, True, None, 0.0


_pace, _lock = _Pace(), threading.Lock()


def way():
    """The context in which the kernels of a text run now: fallbacks or compiled."""
    from senna_py.kernels.runtime.jit import by_fallbacks  # noqa: PLC0415 - it imports NumPy

    return by_fallbacks(_pace.left >= 0 or is_loading())


def way_of_text(n_bytes):
    """Count a text, and return the context of its kernels; a long one waits for their
    loading.
    """
    _count(n_bytes)
    if n_bytes > _LONGEST_PIECE and is_loading():
        _pace.loading.join()
    return way()


def _count(n_bytes):
    with _lock:
        _pace.left -= n_bytes


def take(text, run, is_whole=False):
    """Count `text`, lines as bytes; returns how many of its bytes to tag at once, in
    `way()`.

    Where the kernels have to be got ready, it waits some time for that, and without
    limit if the text `is_whole`, or has a long line. run: calls every kernel; see
    `get_ready`.
    """
    _count(len(text))
    if _pace.left >= 0 or not _pace.in_background:
        return len(text)
    is_first = _pace.loading is None
    if is_first:
        get_ready(run)
    end = text.find(b"\n", _PIECE) + 1 or len(text)
    waits = is_whole or (end > _LONGEST_PIECE)
    until = _pace.began + _PATIENCE[not is_first]
    _pace.loading.join(None if waits else max(until - time.monotonic(), 0))
    return end if is_loading() else len(text)


def get_ready(run):
    """Call `run()`, which calls kernels, in a thread; the fallbacks are used until it
    returns.
    """

    def load():
        with contextlib.suppress(Exception):  # the same will come up where it counts
            _import_numba()
            run()

    _pace.left, _pace.began = -1, time.monotonic()
    _pace.loading = threading.Thread(target=load, daemon=True)
    _pace.loading.start()


def is_loading():
    """Return whether a thread is getting kernels ready: LLVM does not let it end in
    order.
    """
    return _pace.loading is not None and _pace.loading.is_alive()


def _import_numba():
    """Import the compiler without collecting garbage, which its many objects make
    slow.
    """
    if "numba" in sys.modules:
        return
    enabled = gc.isenabled()
    gc.disable()  # a fifth of the time
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401, PLC0415 - a short start
    finally:
        if enabled:
            gc.freeze()  # they stay
            gc.enable()


class text_pace:
    """Begin to count text again, as a new process does: from the call on, or as a
    context.
    """

    def __init__(self, plain_bytes=_PLAIN_BYTES, in_background=False):
        """plain_bytes: for the fallbacks; in_background: whether a thread may load
        kernels.
        """
        self._before = vars(_pace).copy()
        vars(_pace).update(left=plain_bytes, in_background=in_background, loading=None)

    def __enter__(self):
        """Go on as begun."""

    def __exit__(self, *error):
        """Go on as before."""
        vars(_pace).clear()
        vars(_pace).update(self._before)


def one_way(plain):
    """Send all text that follows one way, see `text_pace`: for parts, tests and
    measurements.
    """
    return text_pace(float("inf") if plain else -1)
