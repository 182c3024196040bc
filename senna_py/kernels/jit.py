"""The decorators of kernels, and the cache of compiled kernels."""

import contextlib
import functools
import hashlib
import os
import sys
from pathlib import Path

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

__all__ = ["borrowing_kernel", "kernel", "reordering_kernel"]


def kernel(function):
    """Compile `function` with Numba at its first call, without the GIL.

    Multiply-adds may be contracted (one rounding instead of two) but never reordered, so that
    a result does not depend on how tokens were batched. The machine code is cached where a
    cache can be written; a read-only installation without a home directory compiles anew.

    Every combination of argument types is compiled by itself, literal and 32-bit integers
    included, so kernels that call others pass 64-bit positions (`np.int64(0)`, not `0`).
    """
    return _compile(function, {"contract"})


def reordering_kernel(function):
    """Compile like `kernel`, but let sums be reordered, so that they vectorise.

    For training, where no printed byte depends on the last bit of a sum.
    """
    return _compile(function, {"contract", "reassoc", "nsz"})


def borrowing_kernel(function):
    """Compile like `kernel`, for one that makes no array and is called with them a token.

    Numba would count the references to its arguments, in memory that all threads write to.
    """
    return _compile(function, {"contract"}, _nrt=False)


def _compile(function, fastmath, **options):
    dispatcher = numba.njit(nogil=True, error_model="numpy", fastmath=fastmath, **options)(function)
    with contextlib.suppress(RuntimeError):  # there may be no directory to cache in
        dispatcher._cache = _KernelCache(function)
    return dispatcher


@functools.cache
def _version():
    """Digest of the sources of all kernels: each holds the code of those it calls."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class _KernelFiles(IndexDataCacheFile):
    """A file for each compiled signature of a kernel, named by what is in it.

    Numba's own files are numbered by an index beside them, which processes that compile at the
    same time can leave pointing at each other's code, and which does not see changes in a callee.
    """

    def __init__(self, directory, function):
        super().__init__(directory, function.__qualname__, None)
        self._base = f"{function.__module__}.{function.__qualname__}.{sys.implementation.cache_tag}"

    def flush(self):
        for name in self._names():
            os.unlink(self._data_path(name))

    def save(self, key, data):
        self._save_data(self._name(key), data)
        for name in self._names():
            if not name.startswith(f"{self._base}.{_version()}."):
                os.unlink(self._data_path(name))  # of sources that are no more

    def load(self, key):
        try:
            return self._load_data(self._name(key))
        except FileNotFoundError:
            return None

    def _name(self, key):
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._base}.{_version()}.{digest}.nbc"

    def _names(self):
        names = os.listdir(self._cache_path)
        return [n for n in names if n.startswith(f"{self._base}.") and n.endswith(".nbc")]


class _KernelCache(FunctionCache):
    """Compiled code on disk, which may be missing, damaged or impossible to write."""

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = _KernelFiles(self._cache_path, function)

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling a damaged file may raise: compile instead
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except Exception:  # a full or vanished disk: the code in memory is all that is needed
            return
