"""Which text is processed by fallbacks, before compiled kernels are loaded.

These are the first 2 KiB of a process. Importing Numba and loading compiled kernels
takes as long as tagging a few hundred tokens by the fallbacks, and compiling takes much
longer. After these bytes a thread prepares the kernels, and until it is done the
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
# The size of the pieces that are tagged at once while kernels are compiled, in bytes;
# the rest of the last line is added.
_PIECE = 1 << 10
_LONGEST_PIECE = 16 * _PIECE  # a longer line takes less time if it waits for kernels
# For how many seconds the first piece, and then the others, wait for kernels. Kernels
# that are in the cache are ready by then unless the processor is busy.
_PATIENCE = 1.5, 3


class _Pace:
    """The state of this process, which threads share.

    Attributes:
        left: The bytes of text that still go to the fallbacks.
        in_background: Whether a thread may prepare the kernels.
        loading: The thread that prepares them, or None.
        began: The time at which it started.
    """

    left: float = _PLAIN_BYTES
    in_background: bool = True
    loading: Any = None
    began: float = 0.0


_pace, _lock = _Pace(), threading.Lock()


def current_kernels() -> AbstractContextManager[None]:
    """Return the context in which kernels run now: by fallbacks or compiled."""
    from senna_py.kernels.runtime.jit import by_fallbacks  # noqa: PLC0415 - it imports NumPy

    return by_fallbacks(_pace.left >= 0 or is_loading())


def kernels_for_text(n_bytes: int) -> AbstractContextManager[None]:
    """Count a text and return the context for its kernels.

    A long text first waits until the kernels are loaded.
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
    """Count a text and return how many of its bytes to tag at once, within `current_kernels()`.

    If the kernels have to be prepared, it waits for a limited time. It waits without
    limit if the text is complete or has a long line.

    Args:
        text: Lines.
        run: Calls every kernel; see `get_ready`.
        is_whole: Whether the text is complete.
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
    """Call `run()`, which calls kernels, in a thread.

    Until it returns, the fallbacks are used.
    """

    def load() -> None:
        with contextlib.suppress(Exception):  # which the first real call raises again
            _import_numba()
            run()

    _pace.left, _pace.began = -1, time.monotonic()
    _pace.loading = threading.Thread(target=load, daemon=True)
    _pace.loading.start()


def is_loading() -> bool:
    """Return whether a thread is preparing kernels.

    LLVM does not let a process end properly at that time.
    """
    return _pace.loading is not None and _pace.loading.is_alive()


def _import_numba() -> None:
    """Import the compiler without the slow garbage collection of its many objects."""
    if "numba" in sys.modules:
        return
    enabled = gc.isenabled()
    gc.disable()  # collecting garbage takes a fifth of the time
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401, PLC0415 - a short start
    finally:
        if enabled:
            gc.freeze()  # the new objects stay alive
            gc.enable()


class new_pace:
    """Starts to count text again, as in a new process; it may be used as a context."""

    def __init__(
        self, plain_bytes: float = _PLAIN_BYTES, in_background: bool = False
    ) -> None:
        """Start to count.

        Args:
            plain_bytes: The number of bytes for the fallbacks.
            in_background: Whether a thread may load kernels.
        """
        self._before = vars(_pace).copy()
        vars(_pace).update(left=plain_bytes, in_background=in_background, loading=None)

    def __enter__(self) -> None:
        """Do nothing, because counting has started."""

    def __exit__(self, *error: object) -> None:
        """Restore the state before."""
        vars(_pace).clear()
        vars(_pace).update(self._before)


def fixed_kernels(plain: bool) -> new_pace:
    """Process all further text by fallbacks if `plain`, else by compiled kernels.

    Processes of parts, tests and measurements use this; see `new_pace`.
    """
    return new_pace(float("inf") if plain else -1)
