"""The decorators of kernels, and the two ways to run them: compiled, and by NumPy
fallbacks.
"""

import contextlib
import functools
import importlib
import os
import sys
import threading

import numpy as np

# Numba's variable by which nothing is compiled.
_NEVER_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
_QUIET = {"over": "ignore", "invalid": "ignore"}  # as compiled kernels are


class _Way(threading.local):
    """Way in which the kernels of this thread run; each thread begins with the compiled
    one.
    """

    plain = _NEVER_COMPILED


_way = _Way()
_lock = threading.Lock()
_ROOT = "senna_py.kernels."


def kernel(function):
    """A kernel that Numba compiles at its first call, without the GIL; see `Kernel`.

    Multiply-adds may be contracted (one rounding instead of two) but never reordered,
    so that a result does not depend on how tokens were batched.

    Every combination of argument types is compiled separately, literal and 32-bit
    integers included, so kernels that call others pass 64-bit positions (`np.int64(0)`,
    not `0`).
    """
    return Kernel(function, {"contract"})


def uncontracted_kernel(function):
    """A kernel like that of `kernel`, but a product is rounded before it is added, as
    by NumPy.
    """
    return Kernel(function, set())


def reordering_kernel(function):
    """A kernel for training, where no last bit is printed: sums may be reordered, to
    vectorize.
    """
    # Inlined where another kernel calls it. Otherwise the caller's code holds a copy of
    # its own, which may add up in another order than the function itself, and which of
    # the two runs would depend on whether this process compiled the kernels or found
    # them in the cache.
    return Kernel(function, {"contract", "reassoc", "nsz"}, forceinline=True)


def borrowing_kernel(function):
    """A kernel like that of `kernel`, for one that makes no array, nor does any that it
    calls.

    Numba would count the references to its arguments, by atomic additions, each time it
    is called. For kernels that are called for each token or byte, or that call such.
    """
    return Kernel(function, {"contract"}, _nrt=False)


@contextlib.contextmanager
def by_fallbacks(wanted=True):
    """A context in which NumPy fallbacks of the kernels that this thread calls run, if
    `wanted`.
    """
    before, _way.plain = _way.plain, wanted or _NEVER_COMPILED
    try:
        with np.errstate(**_QUIET):
            yield
    finally:
        _way.plain = before


def runs_fallbacks():
    """Return whether NumPy fallbacks of the kernels that this thread calls run."""
    return _way.plain


class Kernel:
    """A function over arrays, to be called in one of two ways.

    Compiled is how kernels run, unless a thread is within `by_fallbacks`: then no code
    is compiled, loaded or looked for, and Numba is not even imported, which alone takes
    longer than to tag a sentence. The NumPy fallback is the function of the same name
    in the module of the same name in `plain` beside it; without one it is the kernel's
    own source, run by Python.
    """

    def __init__(self, function, fastmath, **options):
        """Wrap a function; fastmath: LLVM's flags to compile it with; options:
        Numba's.
        """
        functools.update_wrapper(self, function)
        self._options, self._dispatcher = {"fastmath": fastmath, **options}, None

    def __call__(self, *arguments):
        """Run it."""
        return (self.plain if _way.plain else self._dispatcher or self.dispatcher)(
            *arguments
        )

    @functools.cached_property
    def plain(self):
        """The NumPy fallback of the kernel, or its source."""
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
    def dispatcher(self):
        """Numba's dispatcher of the function, made when first needed."""
        with _lock:
            if self._dispatcher is None:
                from senna_py.kernels.runtime.compiling import compile_kernel  # noqa: PLC0415

                self._dispatcher = compile_kernel(self.__wrapped__, **self._options)
            return self._dispatcher

    @property
    def _numba_type_(self):
        """Type by which Numba knows the kernel where another one calls it."""
        return self.dispatcher._numba_type_

    def n_compiled(self):
        """Count the combinations of types that this process compiled and did not find
        cached.
        """
        return (
            sum(self._dispatcher.stats.cache_misses.values()) if self._dispatcher else 0
        )


def all_kernels():
    """Set of the kernels in modules that were imported."""
    loaded = [
        vars(module) for name, module in sys.modules.items() if name.startswith(_ROOT)
    ]
    return {
        each for names in loaded for each in names.values() if isinstance(each, Kernel)
    }


class Intrinsic:
    """Instructions for kernels, in LLVM's terms; see `numba.extending.intrinsic`.

    Numba is imported when a kernel that has them is compiled. Without Numba it needs a
    fallback.
    """

    def __init__(self, make):
        """Wrap `make`, which returns the typing function that Numba's decorator
        takes.
        """
        self._make = make

    def __call__(self, *arguments):
        """Raise ImportError."""
        raise ImportError("this needs compiled kernels: unset NUMBA_DISABLE_JIT")

    @functools.cached_property
    def _numba_type_(self):
        """Type by which Numba knows them in a kernel."""
        from senna_py.kernels.runtime.compiling import type_of_intrinsic  # noqa: PLC0415

        return type_of_intrinsic(self._make())
