"""The decorators of kernels, which run either compiled or by NumPy fallbacks."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# With this environment variable Numba compiles nothing.
_NEVER_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
# Compiled kernels do not warn either.
_QUIET: dict[str, Any] = {"over": "ignore", "invalid": "ignore"}


class _Way(threading.local):
    """Whether this thread runs kernels by fallbacks; at first it does not."""

    plain: bool = _NEVER_COMPILED


_way = _Way()
_lock = threading.Lock()
_ROOT = "senna_py.kernels."


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel that Numba compiles at its first call, and that releases the GIL.

    Multiply-adds may be contracted (rounded once instead of twice) but never reordered,
    so that results do not depend on how tokens are batched.

    Each combination of argument types is compiled separately, and literal and 32-bit
    integers are types of their own. So kernels call others with 64-bit positions:
    `np.int64(0)`, not `0`.
    """
    return Kernel(function, {"contract"})


def uncontracted_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel whose products are rounded before they are added, as in NumPy."""
    return Kernel(function, set())


def reordering_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel for training, whose sums may be reordered in order to vectorize."""
    # The kernel is inlined where another kernel calls it. Otherwise the code of the
    # caller contains a copy, which may add numbers in another order than the kernel
    # itself. Which of the two runs would depend on whether this process compiled the
    # kernels or loaded them from the cache.
    return Kernel(function, {"contract", "reassoc", "nsz"}, forceinline=True)


def borrowing_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel that creates no array, nor does any kernel that it calls.

    For other kernels, Numba counts references to the arguments by atomic additions at
    each call. This matters for kernels that are called for each token or byte.
    """
    return Kernel(function, {"contract"}, _nrt=False)


@contextlib.contextmanager
def by_fallbacks(wanted: bool = True) -> Iterator[None]:
    """Return a context in which this thread runs kernels by fallbacks if `wanted`."""
    before, _way.plain = _way.plain, wanted or _NEVER_COMPILED
    try:
        with np.errstate(**_QUIET):
            yield
    finally:
        _way.plain = before


def runs_fallbacks() -> bool:
    """Return whether this thread runs kernels by NumPy fallbacks."""
    return _way.plain


class Kernel:
    """A function over arrays, which can be called in two ways.

    Kernels run compiled unless a thread is within `by_fallbacks`. Then no code is
    compiled, loaded or searched, and Numba is not even imported, because this alone
    takes longer than tagging a sentence. The NumPy fallback is the function of the same
    name in the module of the same name in the package `plain` next to it. Without a
    fallback, Python runs the source of the kernel itself.
    """

    __name__: str
    __wrapped__: Callable[..., Any]

    def __init__(
        self, function: Callable[..., Any], fastmath: set[str], **options: Any
    ) -> None:
        """Wrap a function.

        Args:
            function: The source of the kernel.
            fastmath: The flags of LLVM with which it is compiled.
            options: Options of Numba.
        """
        functools.update_wrapper(self, function)
        self._options, self._dispatcher = {"fastmath": fastmath, **options}, None

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        return (self.plain if _way.plain else self._dispatcher or self.dispatcher)(
            *arguments
        )

    @functools.cached_property
    def plain(self) -> Callable[..., Any]:
        """The NumPy fallback of the kernel, or else its source."""
        room, _, module = self.__module__.rpartition(".")
        name = f"{room}.plain.{module}"
        try:
            fallbacks = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in (f"{room}.plain", name):
                raise
            fallbacks = None
        found = getattr(fallbacks, self.__name__, self.__wrapped__)
        return np.errstate(**_QUIET)(found) if _NEVER_COMPILED else found

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the function, which is made when it is first needed."""
        with _lock:
            if self._dispatcher is None:
                from senna_py.kernels.runtime.compiling import compile_kernel  # noqa: PLC0415

                self._dispatcher = compile_kernel(self.__wrapped__, **self._options)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type of the kernel for Numba if another kernel calls it."""
        return self.dispatcher._numba_type_

    def n_compiled(self) -> int:
        """Return how many combinations of types this process had to compile."""
        return (
            sum(self._dispatcher.stats.cache_misses.values()) if self._dispatcher else 0
        )


def all_kernels() -> set[Kernel]:
    """Return the kernels of all modules that were imported."""
    loaded = [
        vars(module) for name, module in sys.modules.items() if name.startswith(_ROOT)
    ]
    return {
        each for names in loaded for each in names.values() if isinstance(each, Kernel)
    }


class Intrinsic:
    """Instructions for kernels in LLVM's terms; see `numba.extending.intrinsic`.

    Numba is imported when a kernel that contains them is compiled. Without Numba such a
    kernel needs a fallback.
    """

    def __init__(self, make: Callable[[], Callable[..., Any]]) -> None:
        """Wrap `make`, which returns the typing function for Numba's decorator."""
        self._make = make

    def __call__(self, *arguments: Any) -> Any:
        """Raise ImportError."""
        raise ImportError("this needs compiled kernels: unset NUMBA_DISABLE_JIT")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The type of the instructions for Numba in a kernel."""
        from senna_py.kernels.runtime.compiling import type_of_intrinsic  # noqa: PLC0415

        return type_of_intrinsic(self._make())
