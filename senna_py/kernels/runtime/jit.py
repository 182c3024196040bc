"""Decorators for kernels, which run as compiled code or as NumPy fallbacks."""

from __future__ import annotations

import functools
import importlib
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.kernels.runtime.switch import (
    HAS_NUMBA,
    NEVER_COMPILED,
    QUIET,
    runs_fallbacks,
)

if TYPE_CHECKING:
    from collections.abc import Callable


_lock = threading.Lock()
_ROOT = "senna_py.kernels."


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel that Numba compiles at its first call and that releases the GIL.

    Multiply-adds may be contracted (rounded once instead of twice) but never reordered,
    so that results do not depend on how tokens are batched.

    Each combination of argument types is compiled separately, and literals and 32-bit
    integers have types of their own. So kernels pass 64-bit indices to other kernels:
    `np.int64(0)`, not `0`.
    """
    return Kernel(function, {"contract"})


def uncontracted_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel that rounds products before they are added, as NumPy does."""
    return Kernel(function, set())


def reordering_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel for training, in which the order of sums may change.

    The compiler changes the order so that loops vectorize.
    """
    # It is inlined, since most such kernels are short and called for each row.
    return Kernel(function, {"contract", "reassoc", "nsz"}, forceinline=True)


def borrowing_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a kernel without reference counting, to be called for each token or byte.

    Neither the kernel nor any kernel that it calls may create an array. Other kernels
    count references to their arguments by atomic additions at each call.
    """
    return Kernel(function, {"contract"}, _nrt=False)


class Kernel:
    """A function on arrays that runs as compiled code or as a NumPy fallback.

    `switch` chooses for each thread. If the thread runs fallbacks, no code is compiled,
    loaded or looked up, and Numba is not even imported, because the import alone takes
    longer than tagging a sentence. The NumPy fallback is the function of the same name
    in the module of the same name in the neighboring package `plain`. Without a
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
            fastmath: The fast-math flags of LLVM for its compilation.
            options: Further options of `numba.njit`.
        """
        functools.update_wrapper(self, function)
        self._options, self._dispatcher = {"fastmath": fastmath, **options}, None
        self._inner: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled kernel or its fallback, and return its result."""
        return (
            self.plain if runs_fallbacks() else self._dispatcher or self.dispatcher
        )(*arguments)

    @functools.cached_property
    def plain(self) -> Callable[..., Any]:
        """The kernel's NumPy fallback or, without one, the uncompiled function.

        Raises:
            ImportError: If Numba is not installed and the kernel is for training or for
                language models, which would take too long.
        """
        room, _, module = self.__module__.rpartition(".")
        if not HAS_NUMBA and (
            "reassoc" in self._options["fastmath"] or room == f"{_ROOT}lm"
        ):
            raise ImportError(
                "training and language models need Numba, which is not installed: "
                "pip install numba"
            )
        name = f"{room}.plain.{module}"
        try:
            fallbacks = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in (f"{room}.plain", name):
                raise
            fallbacks = None
        found = getattr(fallbacks, self.__name__, self.__wrapped__)
        return np.errstate(**QUIET)(found) if NEVER_COMPILED else found

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher for the function, created on first access."""
        with _lock:
            if self._dispatcher is None:
                from senna_py.kernels.runtime.compiling import compile_kernel  # noqa: PLC0415

                self._dispatcher = compile_kernel(self.__wrapped__, **self._options)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """Numba's type of the kernel, for calls from other kernels."""
        with _lock:
            if self._inner is None:
                from senna_py.kernels.runtime.compiling import compile_kernel  # noqa: PLC0415

                self._inner = compile_kernel(
                    self.__wrapped__, is_inner=True, **self._options
                )
            return self._inner._numba_type_

    def n_compiled(self) -> int:
        """Return the number of signatures that this process had to compile.

        Signatures that were loaded from the cache do not count.
        """
        return (
            sum(self._dispatcher.stats.cache_misses.values()) if self._dispatcher else 0
        )


def all_kernels() -> set[Kernel]:
    """Return the kernels of all modules of `senna_py.kernels` that were imported."""
    loaded = [
        vars(module) for name, module in sys.modules.items() if name.startswith(_ROOT)
    ]
    return {
        each for names in loaded for each in names.values() if isinstance(each, Kernel)
    }


class Intrinsic:
    """A function for kernels, defined by LLVM instructions; see `numba.extending`.

    Numba is imported when a kernel that calls it is compiled. Such a kernel needs a
    fallback to run without Numba.
    """

    def __init__(self, make: Callable[[], Callable[..., Any]]) -> None:
        """Wrap an intrinsic.

        Args:
            make: A function that returns the typing function for Numba's decorator.
        """
        self._make = make

    def __call__(self, *arguments: Any) -> Any:
        """Raise ImportError, because only compiled kernels can run the instructions."""
        raise ImportError("this needs compiled kernels: unset NUMBA_DISABLE_JIT")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """Numba's type of the intrinsic, for calls from kernels."""
        from senna_py.kernels.runtime.compiling import type_of_intrinsic  # noqa: PLC0415

        return type_of_intrinsic(self._make())
