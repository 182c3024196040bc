"""The cache of compiled kernels on disk.

Only this module and those of tiles rely on the internals of Numba, which may change with any
release: then kernels are compiled in each process (see `compiling`).
"""

import contextlib
import functools
import hashlib
import os
import pickle
import sys
from pathlib import Path

import llvmlite.binding
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from senna_py.kernels.runtime.background import made

_CHECKSUM_BYTES = 16
_COMPILING = "code_cache", "compiling", "jit"


@functools.cache
def _version():
    """Digest of the sources of all kernels, each of which holds the code of those it calls.

    Of this folder, the modules that compile are among them; fallbacks are not.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        if path.parent.name not in ("plain", "runtime") or path.stem in _COMPILING:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _checksum(name, data):
    """Digest of what is in the file `name`: machine code with a flipped bit ends the process."""
    digest = hashlib.blake2b(name.encode(), digest_size=_CHECKSUM_BYTES)
    digest.update(data)
    return digest.digest()


def _is_safe(status):
    """Return whether only the caller and root may write a file or directory, by its status."""
    if not hasattr(os, "geteuid"):  # Windows: rights are inherited from the user's own directories
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022


def _private(locator):
    """A place of Numba's for caches, taken only where nobody else can put code to be run."""

    class Private(locator):
        def ensure_cache_path(self):
            os.makedirs(self.get_cache_path(), 0o700, exist_ok=True)
            if not _is_safe(os.stat(self.get_cache_path())):
                raise PermissionError("others may write the cache of compiled kernels")
            super().ensure_cache_path()

    return Private


class _Places(CompileResultCacheImpl):
    """Places of a cache: the first that can be written, and only by its user, is taken."""

    _locator_classes = [*map(_private, CompileResultCacheImpl._locator_classes)]  # noqa: RUF012


class _KernelFiles(IndexDataCacheFile):
    """A file for each compiled signature of a kernel, named by what is in it, after its checksum.

    Numba's own files are numbered by an index beside them, which processes that compile at the
    same time can leave pointing at each other's code, and which does not see changes in a callee.
    """

    def __init__(self, directory, function):
        super().__init__(directory, function.__qualname__, None)
        self._base = f"{function.__module__}.{function.__qualname__}.{sys.implementation.cache_tag}"

    def _load_data(self, name):
        with open(self._data_path(name), "rb") as file:
            if not _is_safe(os.fstat(file.fileno())):
                raise PermissionError(f"{name}: others may write it")
            data = memoryview(file.read())
        if data[:_CHECKSUM_BYTES] != _checksum(name, data[_CHECKSUM_BYTES:]):
            raise ValueError(f"{name}: damaged")
        return pickle.loads(data[_CHECKSUM_BYTES:])

    @contextlib.contextmanager
    def _open_for_write(self, path):
        part = f"{path}.tmp.{os.urandom(8).hex()}"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(descriptor, "wb") as file:
                yield file
            os.replace(part, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise

    def flush(self):
        for name in self._names():
            os.unlink(self._data_path(name))

    def save(self, key, data):
        own, data = self._name(key), self._dump(data)
        with self._open_for_write(self._data_path(own)) as file:
            file.write(_checksum(own, data) + data)
        for name in self._names():
            if not name.startswith(f"{self._base}.{_version()}."):
                os.unlink(self._data_path(name))  # of older sources

    def load(self, key):
        try:
            return self._load_data(self._name(key))
        except FileNotFoundError:
            return None

    def is_made(self, key):
        """Have another process compile a kernel, if that is wanted; returns whether it did."""
        path = self._data_path(self._name(key))
        return made(path, cache_directory(), numba.config.CACHE_DIR)

    def _name(self, key):
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._base}.{_version()}.{digest}.nbc"

    def _names(self):
        names = os.listdir(self._cache_path)
        # Among them what a process that was killed left half written.
        return [n for n in names if n.startswith(f"{self._base}.") and ".nbc" in n]


@functools.cache
def cache_directory():
    """Directory of the cache that stands for all; raises RuntimeError if none can be written."""
    return _Places(cache_directory.__wrapped__).locator.get_cache_path()


class _Library(JITCodeLibrary):
    """Compiled code, and bitcode to inline it later, which parsed takes ten times the memory."""

    def _get_module_for_linking(self):
        if self._shared_module is None:
            self._shared_module = llvmlite.binding.parse_bitcode(self.bitcode)
        return self._shared_module


@functools.cache
def _no_bitcode():
    return llvmlite.binding.parse_assembly("").as_bitcode()


def _rebuild(target_context, codegen, library, function, *rest):
    """A cached kernel as Numba rebuilds it, except that its bitcode is parsed only when needed."""
    name, kind, (code, bitcode) = library
    # Numba takes the names of what the code defines from the bitcode.
    codegen._engine._defined_symbols |= {
        function.llvm_func_name,
        function.llvm_cpython_wrapper_name,
    }
    library = name, kind, (code, _no_bitcode())
    result = CompileResult._rebuild(target_context, library, function, *rest)
    result.library.__class__, result.library.bitcode = _Library, bitcode
    result.library._shared_module = None
    return result


class KernelCache(FunctionCache):
    """Compiled code on disk, which may be missing, damaged or impossible to write."""

    _impl_class = _Places

    def __init__(self, function):
        """Cache the code of a kernel; raises RuntimeError if there is no directory for it."""
        super().__init__(function)
        self._cache_file = _KernelFiles(self._cache_path, function)

    def load_overload(self, sig, target_context):
        """The compiled kernel for a signature, as Numba has it, or None."""
        try:
            # Numba's own method readies the context for compiling first, which takes longer and
            # more memory than loading many kernels; compiling does that itself when needed.
            rtsys.initialize(target_context)
            codegen = target_context.codegen()
            key = self._index_key(sig, codegen)
            data = self._cache_file.load(key)
            if data is None and self._cache_file.is_made(key):
                data = self._cache_file.load(key)
            return None if data is None else _rebuild(target_context, codegen, *data)
        except Exception:  # whatever unpickling a damaged file may raise: compile instead
            return None

    def save_overload(self, sig, data):
        """Write a compiled kernel, if that works."""
        try:
            super().save_overload(sig, data)
        except Exception:  # a full or vanished disk: the code in memory is all that is needed
            return
