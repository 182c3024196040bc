"""The choice between NumPy fallbacks and compiled kernels in the course of a process.

Fallbacks process the first 2 KiB of text, because importing Numba and loading compiled
kernels takes as long as tagging a few hundred tokens with the fallbacks, and compiling
takes much longer. After that a thread prepares the kernels. Until it is done, the
fallbacks process small pieces of text.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import time

TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

_PLAIN_BYTES = 1 << 11
# The size in bytes of the pieces that are tagged while kernels are compiled. Each piece
# continues to the end of its last line.
_PIECE = 1 << 10
_LONGEST_PIECE = 16 * _PIECE  # for longer lines, waiting for kernels is faster
# The first piece waits for kernels until so many seconds after the thread started, and
# further pieces wait until the second number. Kernels in the cache are ready by then
# unless the processor is busy.
_PATIENCE = 1.5, 3


class _Pace:
    """The state of this process, which all threads share.

    Attributes:
        left: The number of bytes of text that the fallbacks still process; negative
            once they have processed all of them.
        in_background: Whether a thread may prepare the kernels.
        loading: The thread that prepares the kernels, or None before it starts.
        began: The time at which the thread started, by `time.monotonic`.
    """

    left: float = _PLAIN_BYTES
    in_background: bool = True
    loading: Any = None
    began: float = 0.0


_pace, _lock = _Pace(), threading.Lock()


def current_kernels() -> AbstractContextManager[None]:
    """Return a context manager that selects fallbacks or compiled kernels.

    Fallbacks are selected until they have processed their share of the text, and while
    a thread prepares the kernels.
    """
    from senna_py.kernels.runtime.jit import by_fallbacks  # noqa: PLC0415 - it imports NumPy

    return by_fallbacks(_pace.left >= 0 or is_loading())


def kernels_for_text(n_bytes: int) -> AbstractContextManager[None]:
    """Count the bytes of a text, and return the context manager for processing it.

    If the text has more than 16 KiB and a thread is preparing the kernels, wait for it.
    """
    _count(n_bytes)
    if n_bytes > _LONGEST_PIECE and is_loading():
        _pace.loading.join()
    return current_kernels()


def _count(n_bytes: int) -> None:
    with _lock:
        _pace.left -= n_bytes


def bytes_at_once(
    text: bytes, run: Callable[[], object], is_whole: bool = False
) -> int:
    """Count the bytes of a text, and return how many of them to tag next.

    They should be tagged within `current_kernels()`. If the kernels have to be
    prepared, this waits for them for a few seconds at most. It waits without limit if
    the text is complete, or if its next piece, which ends with a line, is longer than
    16 KiB.

    Args:
        text: Complete lines of text.
        run: A function that calls every kernel; see `get_ready`.
        is_whole: Whether the text is complete.

    Returns:
        The length of the text, or of its first lines (at least 1 KiB if there are more)
        if the kernels are still being prepared.
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


def get_ready(run: Callable[[], object]) -> None:
    """Start a thread that imports Numba and calls `run()`, which calls every kernel.

    Until it returns, `current_kernels` selects the fallbacks. Errors are ignored.
    """

    def load() -> None:
        with contextlib.suppress(Exception):  # The first real call raises it again.
            _import_numba()
            run()

    _pace.left, _pace.began = -1, time.monotonic()
    _pace.loading = threading.Thread(target=load, daemon=True)
    _pace.loading.start()


def is_loading() -> bool:
    """Return whether a thread is preparing kernels.

    While it does, LLVM keeps the process from exiting cleanly.
    """
    return _pace.loading is not None and _pace.loading.is_alive()


def _import_numba() -> None:
    """Import Numba without garbage collection, which would slow the import down."""
    if "numba" in sys.modules:
        return
    enabled = gc.isenabled()
    gc.disable()  # Garbage collection would take a fifth of the time.
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401, PLC0415 - a short start
    finally:
        if enabled:
            gc.freeze()  # The new objects are never freed.
            gc.enable()


class new_pace:
    """Resets the count of text, as in a new process.

    As a context manager, it restores the previous state at the end.
    """

    def __init__(
        self, plain_bytes: float = _PLAIN_BYTES, in_background: bool = False
    ) -> None:
        """Reset the count.

        Args:
            plain_bytes: The number of bytes that the fallbacks process first.
            in_background: Whether a thread may prepare the kernels.
        """
        self._before = vars(_pace).copy()
        vars(_pace).update(left=plain_bytes, in_background=in_background, loading=None)

    def __enter__(self) -> None:
        """Do nothing, because the constructor has reset the count."""

    def __exit__(self, *error: object) -> None:
        """Restore the previous state."""
        vars(_pace).clear()
        vars(_pace).update(self._before)


def fixed_kernels(plain: bool) -> new_pace:
    """Use only fallbacks from now on if `plain`, otherwise only compiled kernels.

    This is for worker processes, tests and benchmarks. The result can be used as a
    context manager; see `new_pace`.
    """
    return new_pace(float("inf") if plain else -1)
