"""The cache of compiled kernels on disk.

Only this module and the modules of tiles depend on internals of Numba, which may change
with any release. If this module cannot be imported, each process compiles its own
kernels; see `compiling`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite.binding
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from senna_py.io import system
from senna_py.kernels.runtime.background import made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_CHECKSUM_BYTES = 16
_COMPILING = (
    "runtime/code_cache",
    "runtime/compiling",
    "runtime/kernel_compiler",
    "runtime/jit",
)
_NAME = "senna-py"  # the name of the cache directory
_KERNELS = "senna_py.kernels."
_IMPORT = re.compile(r"^\s*from senna_py\.kernels\.([\w.]+) import", re.MULTILINE)
_DAY = 24 * 60 * 60  # seconds
_UNUSED_DAYS = 30  # the age at which files of other sources are deleted


@functools.cache
def _version(module: str) -> str:
    """Return a hash of all sources that the machine code of a kernel depends on.

    These are `module`, which contains the kernel, the modules of kernels that it
    imports directly or indirectly, and the modules that compile kernels. The version of
    Numba is included. For a kernel outside `senna_py.kernels`, as in a test, the hash
    covers all modules of kernels.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_modules_behind(module)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _modules_behind(module: str) -> set[Path]:
    """Return the source files for `_version`, without fallbacks."""
    package, _, name = module.partition(_KERNELS)
    wanted = [*_COMPILING, "" if package or not name else name.replace(".", "/")]
    behind: set[Path] = set()
    while wanted:
        for path in _files_of(wanted.pop()) - behind:
            behind.add(path)
            imported = _IMPORT.findall(path.read_text(encoding="utf-8"))
            wanted += [
                each.replace(".", "/") for each in imported if "runtime." not in each
            ]
    return behind


def _files_of(name: str) -> set[Path]:
    """Return the file of a module of kernels, or all such files of a package."""
    root = Path(__file__).parents[1]
    path = root / name
    if not path.is_dir():
        return {path.with_suffix(".py")}
    others = {"plain", "runtime"}  # these run kernels but contain none
    return {p for p in path.rglob("*.py") if not others & {*p.relative_to(root).parts}}


def _checksum(name: str, data: Any) -> bytes:
    """Return a checksum of `data` and of the name of the file that contains it.

    It is needed because damaged machine code could crash the process.
    """
    digest = hashlib.blake2b(name.encode(), digest_size=_CHECKSUM_BYTES)
    digest.update(data)
    return digest.digest()


def _is_safe(status: os.stat_result) -> bool:
    """Return whether only the current user and root can write a file or directory."""
    # On Windows, permissions are inherited from the user's own directories.
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022


class _Place:
    """A cache locator for Numba: the first writable directory for the cache.

    The directory is never next to the package, because uninstalling the package would
    leave it behind. It never depends on the current directory, where a downloaded
    archive could have put code.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory

    @classmethod
    def from_function(cls, function: Callable[..., Any], path: str) -> _Place | None:
        """Return the locator that all kernels share, or None if nothing is writable."""
        wanted = os.path.join(getattr(numba.config, "CACHE_DIR", None) or "", _NAME)
        for directory in (wanted, *system.cache_directories(_NAME)):
            if os.path.isabs(directory) and _is_ready(directory):
                return cls(directory)
        return None

    def get_cache_path(self) -> str:
        """Return the path of the directory."""
        return self._directory

    def ensure_cache_path(self) -> None:
        """Create the directory again if it is missing.

        Raises:
            PermissionError: If the directory cannot be used.
        """
        if not _is_ready(self._directory):
            raise PermissionError(f"{self._directory}: is no directory for a cache")

    def get_source_stamp(self) -> None:
        """Return None, because the file names contain a hash of the sources."""

    def get_disambiguator(self) -> str:
        """Return an empty string, because the file names contain the module."""
        return ""


def _is_ready(directory: str) -> bool:
    """Create a directory if it is missing, and return whether it is safe and writable.

    It is safe if only the current user and root can write to it, and if not everybody
    can replace it.
    """
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
        # Not `stat`: in a world-writable directory, anybody could have created a link.
        status = os.lstat(directory)
        above = os.stat(os.path.dirname(directory)).st_mode
        # Whether other users cannot replace the directory.
        kept = not above & stat.S_IWOTH or above & stat.S_ISVTX
        is_ours = stat.S_ISDIR(status.st_mode) and _is_safe(status) and kept
        return bool(is_ours) and os.access(directory, os.W_OK)
    except OSError:
        return False


class _Places(CompileResultCacheImpl):
    """Numba's cache of compiled functions, with `_Place` as its only locator."""

    _locator_classes = [_Place]  # type: ignore[list-item]  # noqa: RUF012

    def reduce(self, data: Any) -> Any:
        """Return what is written of a compiled kernel.

        The bitcode, from which other functions would be compiled, is left out: other
        kernels contain an inner function instead; see `kernel_compiler`.
        """
        (name, kind, (code, _)), *rest = super().reduce(data)
        return (name, kind, code), *rest


class _KernelFiles(IndexDataCacheFile):
    """The cache files of a kernel: one file for each signature.

    File names contain a hash of the sources, and each file begins with a checksum.
    Numba's own cache numbers its files in an index instead. Processes that compile at
    the same time can leave an index that refers to the wrong code, and Numba's cache
    does not notice changes in a kernel that another one calls.
    """

    def __init__(self, directory: str, function: Callable[..., Any]) -> None:
        super().__init__(directory, function.__qualname__, None)
        self._base = f"{function.__module__}.{function.__qualname__}.{sys.implementation.cache_tag}"
        self._sources = _version(function.__module__)

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            if not _is_safe(os.fstat(file.fileno())):
                raise PermissionError(f"{name}: others may write it")
            data = memoryview(file.read())
        if data[:_CHECKSUM_BYTES] != _checksum(name, data[_CHECKSUM_BYTES:]):
            raise ValueError(f"{name}: damaged")
        return pickle.loads(data[_CHECKSUM_BYTES:])

    @contextlib.contextmanager
    def _open_for_write(self, path: str) -> Iterator[Any]:
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

    def flush(self) -> None:
        for name in self._names():
            os.unlink(self._data_path(name))

    def save(self, key: Any, data: Any) -> None:
        own, data = self._name(key), self._dump(data)
        with self._open_for_write(self._data_path(own)) as file:
            file.write(_checksum(own, data) + data)
        self._delete_unused()

    def load(self, key: Any) -> Any:
        own = self._name(key)
        try:
            data = self._load_data(own)
        except FileNotFoundError:
            return None
        with contextlib.suppress(OSError):
            if time.time() - os.stat(self._data_path(own)).st_mtime > _DAY:
                os.utime(self._data_path(own))  # so that it does not count as unused
        return data

    def _delete_unused(self) -> None:
        """Delete files from other versions of the sources that were unused for 30 days.

        More recent files may belong to another version or checkout that shares the
        directory.
        """
        for name in self._names():
            path = self._data_path(name)
            # Another process may have deleted the file.
            with contextlib.suppress(FileNotFoundError):
                old = time.time() - os.stat(path).st_mtime > _UNUSED_DAYS * _DAY
                if old and not name.startswith(f"{self._base}.{self._sources}."):
                    os.unlink(path)

    def is_made(self, key: Any) -> bool:
        """Have a background process compile a kernel; return whether it succeeded."""
        path = self._data_path(self._name(key))
        return made(path, cache_directory(), numba.config.CACHE_DIR)

    def _name(self, key: Any) -> str:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._base}.{self._sources}.{digest}.nbc"

    def _names(self) -> list[str]:
        names = os.listdir(self._cache_path)
        # The names include temporary files of processes that were killed.
        return [n for n in names if n.startswith(f"{self._base}.") and ".nbc" in n]


@functools.cache
def cache_directory() -> str:
    """Return the directory of the cache.

    Raises:
        RuntimeError: If no directory is writable.
    """
    return _Places(cache_directory.__wrapped__).locator.get_cache_path()


@functools.cache
def _no_bitcode() -> bytes:
    return llvmlite.binding.parse_assembly("").as_bitcode()


def _rebuild(
    target_context: Any, codegen: Any, library: Any, function: Any, *rest: Any
) -> Any:
    """Rebuild a cached kernel as Numba does, but without bitcode."""
    name, kind, code = library
    # Numba reads the names of defined symbols from the bitcode, which is left out.
    codegen._engine._defined_symbols |= {
        function.llvm_func_name,
        function.llvm_cpython_wrapper_name,
    }
    library = name, kind, (code, _no_bitcode())
    return CompileResult._rebuild(target_context, library, function, *rest)


class KernelCache(FunctionCache):
    """Numba's cache of one kernel on disk.

    If a file is missing, damaged or cannot be written, the kernel is compiled.
    """

    _impl_class = _Places

    def __init__(self, function: Callable[..., Any]) -> None:
        """Open the cache of a kernel.

        Raises:
            RuntimeError: If no directory is writable.
        """
        super().__init__(function)
        self._cache_file = _KernelFiles(self._cache_path, function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature, or None if the cache lacks it."""
        try:
            # Numba's own method first prepares the context for compiling, which takes
            # more time and memory than loading many kernels. Compiling prepares it
            # anyway.
            rtsys.initialize(target_context)
            codegen = target_context.codegen()
            key = self._index_key(sig, codegen)
            data = self._cache_file.load(key)
            if data is None and self._cache_file.is_made(key):
                data = self._cache_file.load(key)
            return None if data is None else _rebuild(target_context, codegen, *data)
        except Exception:  # Unpickling a damaged file may raise anything.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled kernel to the cache, and ignore any error."""
        try:
            super().save_overload(sig, data)
        except Exception:  # The code in memory suffices if the disk is full or missing.
            return
