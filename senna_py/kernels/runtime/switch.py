"""The choice between compiled kernels and their NumPy fallbacks.

Fallbacks tag the first text of a process, because importing Numba and loading compiled
kernels takes as long as tagging a thousand tokens by NumPy, and compiling takes much
longer. After that a thread prepares the kernels. Until it is done, fallbacks tag the
text in pieces. Where Numba cannot be used, fallbacks tag everything.

The text is counted for the whole process, but each thread runs either compiled kernels
or fallbacks. Outside of the context managers of this module, it runs compiled kernels.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.util
import os
import sys
import threading

from senna_py.kernels.runtime.compile_events import has_cache, tell, tell_of_numpy

TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

# The number of bytes that fallbacks tag before kernels are prepared, with a cache of
# kernels and without one.
_FEW_BYTES, _MANY_BYTES = 1 << 11, 1 << 18
# The size in bytes of the pieces that are tagged while kernels are prepared. Each piece
# continues to the end of its last line.
_PIECE = 1 << 10
# The first piece waits for so many seconds. Kernels in the cache are ready by then
# unless the processor is busy.
_PATIENCE = 1.5
# Compiled kernels issue no warnings, so fallbacks do not either.
QUIET: dict[str, Any] = {"over": "ignore", "invalid": "ignore"}


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


HAS_NUMBA = _is_installed("numba")
# If the environment variable is set, Numba compiles nothing.
NEVER_COMPILED = not HAS_NUMBA or (
    os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
)


class _Thread(threading.local):
    """The choice of a thread.

    Attributes:
        plain: Whether it runs fallbacks.
    """

    plain: bool = NEVER_COMPILED


class _Process:
    """The state of this process, which all threads share.

    Attributes:
        left: The number of bytes of text that fallbacks still tag before kernels are
            prepared; negative once they have tagged them.
        in_background: Whether a thread may prepare the kernels.
        asks_for_cache: Whether fallbacks tag more text if there is no cache of kernels.
        preparing: The thread that prepares the kernels, or None before it starts.
    """

    def __init__(
        self,
        left: float = _FEW_BYTES,
        in_background: bool = True,
        asks_for_cache: bool = True,
    ) -> None:
        self.left, self.in_background = left, in_background
        self.asks_for_cache = asks_for_cache
        self.preparing: threading.Thread | None = None


_thread, _process, _lock = _Thread(), _Process(), threading.Lock()


def runs_fallbacks() -> bool:
    """Return whether this thread runs kernels as NumPy fallbacks."""
    return _thread.plain


def kernels_for_text(n_bytes: int = 0) -> AbstractContextManager[None]:
    """Count the bytes of a text, and return the context manager for tagging it.

    Within it, this thread runs fallbacks until they have tagged their share of the
    text, while a thread prepares the kernels, and if Numba cannot be used. Otherwise it
    runs compiled kernels.

    Args:
        n_bytes: The number of bytes; 0 if the text does not count, or if
            `bytes_at_once` has counted it.
    """
    if n_bytes:
        _count(n_bytes)
    return _choose(_process.left >= 0 or is_preparing() or not _numba_works())


def bytes_at_once(text: bytes, run: Callable[[], object]) -> int:
    """Count the bytes of a text, and return how many of them to tag next.

    They should be tagged within `kernels_for_text()`. If the kernels have to be
    prepared, a thread begins to do so, and this call waits for it for a short time.

    Args:
        text: Complete lines of text.
        run: A function that calls every kernel; see `prepare_kernels`.

    Returns:
        The length of the text, or of its first lines (at least 1 KiB if there are more)
        if the kernels are still being prepared.
    """
    _count(len(text))
    if _process.left >= 0 or not _process.in_background or not _numba_works():
        return len(text)
    if _process.preparing is None:
        prepare_kernels(run).join(_PATIENCE)
    return text.find(b"\n", _PIECE) + 1 or len(text) if is_preparing() else len(text)


def prepare_kernels(run: Callable[[], object]) -> threading.Thread:
    """Start, and return, a thread that imports Numba and calls `run()`, which calls every kernel.

    Until it returns, `kernels_for_text` selects fallbacks. Errors are ignored.
    """

    def prepare() -> None:
        with contextlib.suppress(Exception):  # The first real call raises it again.
            if _numba_works():
                run()

    _process.left = -1
    _process.preparing = threading.Thread(target=prepare, daemon=True)
    _process.preparing.start()
    return _process.preparing


def is_preparing() -> bool:
    """Return whether a thread is preparing kernels.

    While it does, LLVM keeps the process from exiting cleanly.
    """
    thread = _process.preparing
    return thread is not None and thread.is_alive()


@contextlib.contextmanager
def fixed_kernels(plain: bool) -> Iterator[None]:
    """Return a context manager within which text is not counted.

    Within it, this thread runs fallbacks if `plain`, and otherwise compiled kernels. So
    does each other thread within `kernels_for_text`, so only one thread may enter it at
    a time. Without Numba, or if NUMBA_DISABLE_JIT is set, all run fallbacks.
    """
    global _process  # noqa: PLW0603
    before = _process
    _process = _Process(float("inf") if plain else -1, False, False)
    try:
        with _choose(plain):
            yield
    finally:
        _process = before


@contextlib.contextmanager
def _choose(plain: bool) -> Iterator[None]:
    """Return a context manager within which this thread runs fallbacks if `plain`."""
    import numpy as np  # noqa: PLC0415 - a short start

    before, _thread.plain = _thread.plain, plain or NEVER_COMPILED
    try:
        with np.errstate(**QUIET):
            yield
    finally:
        _thread.plain = before


def _count(n_bytes: int) -> None:
    """Count bytes of text, and let fallbacks tag more if there is no cache of kernels."""
    process = _process
    with _lock:
        process.left -= n_bytes
        if process.left >= 0 or not process.asks_for_cache or not _numba_works():
            return
        process.asks_for_cache = False
        if not has_cache():
            process.left += _MANY_BYTES
            tell()


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
