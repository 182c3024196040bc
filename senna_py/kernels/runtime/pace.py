"""The choice between NumPy and compiled kernels in the course of a process.

NumPy tags the first text of a process, because importing Numba and loading compiled
kernels takes as long as tagging a thousand tokens by NumPy, and compiling takes
much longer. After that a thread prepares the kernels. Until it is done, NumPy tags the
text in pieces. Where Numba cannot be used, NumPy tags everything.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
import threading

from senna_py.kernels.runtime.compile_events import has_cache, tell, tell_of_numpy

TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

# The number of bytes that NumPy tags before kernels are prepared, with a cache of
# kernels and without one.
_FEW_BYTES, _MANY_BYTES = 1 << 11, 1 << 18
# The size in bytes of the pieces that are tagged while kernels are prepared. Each piece
# continues to the end of its last line.
_PIECE = 1 << 10
# The first piece waits for so many seconds. Kernels in the cache are ready by then
# unless the processor is busy.
_PATIENCE = 1.5


class _Pace:
    """The state of this process, which all threads share.

    Attributes:
        left: The number of bytes of text that NumPy still tags before kernels are
            prepared; negative once it has tagged them.
        in_background: Whether a thread may prepare the kernels.
        loading: The thread that prepares the kernels, or None before it starts.
        asks_for_cache: Whether NumPy tags more text if there is no cache of kernels.
    """

    left: float = _FEW_BYTES
    in_background: bool = True
    loading: Any = None
    asks_for_cache: bool = True


_pace, _lock = _Pace(), threading.Lock()


def current_kernels() -> AbstractContextManager[None]:
    """Return a context manager that selects NumPy or compiled kernels.

    NumPy is selected until it has tagged its share of the text, while a thread prepares
    the kernels, and if Numba cannot be used.
    """
    from senna_py.kernels.runtime.jit import by_fallbacks  # noqa: PLC0415 - it imports NumPy

    return by_fallbacks(_pace.left >= 0 or is_loading() or not _numba_works())


def kernels_for_text(n_bytes: int) -> AbstractContextManager[None]:
    """Count the bytes of a text, and return the context manager for tagging it."""
    _count(n_bytes)
    return current_kernels()


def bytes_at_once(text: bytes, run: Callable[[], object]) -> int:
    """Count the bytes of a text, and return how many of them to tag next.

    They should be tagged within `current_kernels()`. If the kernels have to be
    prepared, a thread begins to do so, and this call waits for it for a short time.

    Args:
        text: Complete lines of text.
        run: A function that calls every kernel; see `get_ready`.

    Returns:
        The length of the text, or of its first lines (at least 1 KiB if there are more)
        if the kernels are still being prepared.
    """
    _count(len(text))
    if _pace.left >= 0 or not _pace.in_background or not _numba_works():
        return len(text)
    if _pace.loading is None:
        get_ready(run).join(_PATIENCE)
    return text.find(b"\n", _PIECE) + 1 or len(text) if is_loading() else len(text)


def _count(n_bytes: int) -> None:
    """Count bytes of text, and let NumPy tag more if there is no cache of kernels."""
    with _lock:
        _pace.left -= n_bytes
        if _pace.left >= 0 or not _pace.asks_for_cache or not _numba_works():
            return
        _pace.asks_for_cache = False
        if not has_cache():
            _pace.left += _MANY_BYTES
            tell()


def get_ready(run: Callable[[], object]) -> threading.Thread:
    """Start, and return, a thread that imports Numba and calls `run()`, which calls every kernel.

    Until it returns, `current_kernels` selects NumPy. Errors are ignored.
    """

    def load() -> None:
        with contextlib.suppress(Exception):  # The first real call raises it again.
            if _numba_works():
                run()

    _pace.left = -1
    _pace.loading = threading.Thread(target=load, daemon=True)
    _pace.loading.start()
    return _pace.loading


def is_loading() -> bool:
    """Return whether a thread is preparing kernels.

    While it does, LLVM keeps the process from exiting cleanly.
    """
    return _pace.loading is not None and _pace.loading.is_alive()


@functools.cache
def _numba_works() -> bool:
    """Import Numba, and return whether it can be used. If not, tell the user."""
    try:
        _import_numba()
    except ImportError as error:
        tell_of_numpy(str(error))
        return False
    return True


def _import_numba() -> None:
    """Import Numba without garbage collection, which would slow the import down."""
    is_new, enabled = "numba" not in sys.modules, gc.isenabled()
    gc.disable()  # Garbage collection would take a fifth of the time.
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401, PLC0415 - a short start
    finally:
        if enabled:
            if is_new:
                gc.freeze()  # The new objects are never freed.
            gc.enable()


class new_pace:
    """Resets the count of text, as in a new process.

    As a context manager, it restores the previous state at the end.
    """

    def __init__(
        self, plain_bytes: float = _FEW_BYTES, in_background: bool = False
    ) -> None:
        """Reset the count.

        Args:
            plain_bytes: The number of bytes that NumPy tags first, with and without a
                cache of kernels.
            in_background: Whether a thread may prepare the kernels.
        """
        self._before = vars(_pace).copy()
        vars(_pace).update(
            left=plain_bytes,
            in_background=in_background,
            loading=None,
            asks_for_cache=False,
        )

    def __enter__(self) -> None:
        """Do nothing, because the constructor has reset the count."""

    def __exit__(self, *error: object) -> None:
        """Restore the previous state."""
        vars(_pace).clear()
        vars(_pace).update(self._before)


def fixed_kernels(plain: bool) -> new_pace:
    """Use only NumPy from now on if `plain`, otherwise only compiled kernels.

    Without Numba, only NumPy is used. This is for worker processes, tests and
    benchmarks. The result can be used as a context manager; see `new_pace`.
    """
    return new_pace(float("inf") if plain else -1)
