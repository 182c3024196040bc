"""The cache of compiled kernels on disk.

Only this module and those of tiles rely on the internals of Numba, which may change
with any release: then kernels are compiled in each process (see `compiling`).
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
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from senna_py.io import system
from senna_py.kernels.runtime.background import made

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CHECKSUM_BYTES = 16
_COMPILING = "runtime/code_cache", "runtime/compiling", "runtime/jit"
_NAME = "senna-py"  # of the directory
_KERNELS = "senna_py.kernels."
_IMPORT = re.compile(r"^\s*from senna_py\.kernels\.([\w.]+) import", re.MULTILINE)
_DAY = 24 * 60 * 60  # seconds
_UNUSED_DAYS = 30  # after which a file of other sources is deleted


@functools.cache
def _version(module: str) -> str:
    """Return a digest of all sources whose code a kernel of `module` may hold.

    They are its own module, the modules of kernels that it imports, in turn, and those
    that compile. A kernel outside `senna_py.kernels`, as of a test, may hold code of
    any of them.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_modules_behind(module)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _modules_behind(module: str) -> set[Path]:
    """Return the files of `_version`; modules that run kernels without Numba are none
    of them.
    """
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
    """Return the file of a module of kernels by its path, or the files of a package."""
    root = Path(__file__).parents[1]
    path = root / name
    if not path.is_dir():
        return {path.with_suffix(".py")}
    others = {"plain", "runtime"}  # which run kernels and are no part of them
    return {p for p in path.rglob("*.py") if not others & {*p.relative_to(root).parts}}


def _checksum(name, data):
    """Digest of what is in the file `name`: machine code with a flipped bit ends the
    process.
    """
    digest = hashlib.blake2b(name.encode(), digest_size=_CHECKSUM_BYTES)
    digest.update(data)
    return digest.digest()


def _is_safe(status):
    """Return whether only the caller and root may write a file or directory, by its
    status.
    """
    if not hasattr(
        os, "geteuid"
    ):  # Windows: rights are inherited from the user's own directories
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022


class _Place:
    """The directory of the cache, as Numba asks for it: the first that can be written.

    It is never beside the package, which would keep a directory when it is uninstalled,
    and never depends on the current directory: a downloaded archive could bring code
    there.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory

    @classmethod
    def from_function(cls, function: Callable[..., Any], path: str) -> _Place | None:
        """Return the place, the same for all kernels; None if no directory can be
        written.
        """
        wanted = os.path.join(getattr(numba.config, "CACHE_DIR", None) or "", _NAME)
        for directory in (wanted, *system.cache_directories(_NAME)):
            if os.path.isabs(directory) and _is_ready(directory):
                return cls(directory)
        return None

    def get_cache_path(self) -> str:
        """Return the directory."""
        return self._directory

    def ensure_cache_path(self) -> None:
        """Make the directory again if it has gone; raises OSError if it cannot be used
        now.
        """
        if not _is_ready(self._directory):
            raise PermissionError(f"{self._directory}: is no directory for a cache")

    def get_source_stamp(self) -> None:
        """Return nothing: files are named by their sources."""

    def get_disambiguator(self) -> str:
        """Return nothing: files are named by modules."""
        return ""


def _is_ready(directory: str) -> bool:
    """Make a directory that only the caller may write; return whether it is there, and
    is one.
    """
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
        status = os.lstat(
            directory
        )  # in a directory that all may write, others can place a link
        above = os.stat(os.path.dirname(directory)).st_mode
        kept = (
            not above & stat.S_IWOTH or above & stat.S_ISVTX
        )  # nobody else can replace it
        is_ours = stat.S_ISDIR(status.st_mode) and _is_safe(status) and kept
        return bool(is_ours) and os.access(directory, os.W_OK)
    except OSError:
        return False


class _Places(CompileResultCacheImpl):
    """Numba's cache of compiled functions, in a place of our own."""

    _locator_classes = [_Place]  # type: ignore[list-item]  # noqa: RUF012


class _KernelFiles(IndexDataCacheFile):
    """A file for each compiled signature of a kernel, named by what is in it, after its
    checksum.

    Numba's own files are numbered by an index beside them, which processes that compile
    at the same time can leave pointing at each other's code, and which does not see
    changes in a callee.
    """

    def __init__(self, directory, function):
        super().__init__(directory, function.__qualname__, None)
        self._base = f"{function.__module__}.{function.__qualname__}.{sys.implementation.cache_tag}"
        self._sources = _version(function.__module__)

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
        self._delete_unused()

    def load(self, key):
        own = self._name(key)
        try:
            data = self._load_data(own)
        except FileNotFoundError:
            return None
        with contextlib.suppress(OSError):
            if time.time() - os.stat(self._data_path(own)).st_mtime > _DAY:
                os.utime(self._data_path(own))  # it is in use
        return data

    def _delete_unused(self) -> None:
        """Delete what other sources of the kernel left that nobody has loaded for a
        month.

        Others may use it: two versions, or two checkouts, share the directory.
        """
        for name in self._names():
            path = self._data_path(name)
            with contextlib.suppress(FileNotFoundError):  # another process was faster
                old = time.time() - os.stat(path).st_mtime > _UNUSED_DAYS * _DAY
                if old and not name.startswith(f"{self._base}.{self._sources}."):
                    os.unlink(path)

    def is_made(self, key):
        """Have another process compile a kernel, if that is wanted; returns whether it
        did.
        """
        path = self._data_path(self._name(key))
        return made(path, cache_directory(), numba.config.CACHE_DIR)

    def _name(self, key):
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._base}.{self._sources}.{digest}.nbc"

    def _names(self):
        names = os.listdir(self._cache_path)
        # Among them what a process that was killed left half written.
        return [n for n in names if n.startswith(f"{self._base}.") and ".nbc" in n]


@functools.cache
def cache_directory():
    """Directory of the cache that stands for all; raises RuntimeError if none can be
    written.
    """
    return _Places(cache_directory.__wrapped__).locator.get_cache_path()


class _Library(JITCodeLibrary):
    """Compiled code, and bitcode to inline it later, which parsed takes ten times the
    memory.
    """

    def _get_module_for_linking(self):
        if self._shared_module is None:
            self._shared_module = llvmlite.binding.parse_bitcode(self.bitcode)
        return self._shared_module


@functools.cache
def _no_bitcode():
    return llvmlite.binding.parse_assembly("").as_bitcode()


def _rebuild(target_context, codegen, library, function, *rest):
    """A cached kernel as Numba rebuilds it, except that its bitcode is parsed only when
    needed.
    """
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
        """Cache the code of a kernel; raises RuntimeError if there is no directory for
        it.
        """
        super().__init__(function)
        self._cache_file = _KernelFiles(self._cache_path, function)

    def load_overload(self, sig, target_context):
        """The compiled kernel for a signature, as Numba has it, or None."""
        try:
            # Numba's own method readies the context for compiling first, which takes
            # longer and more memory than loading many kernels; compiling does that
            # itself when needed.
            rtsys.initialize(target_context)
            codegen = target_context.codegen()
            key = self._index_key(sig, codegen)
            data = self._cache_file.load(key)
            if data is None and self._cache_file.is_made(key):
                data = self._cache_file.load(key)
            return None if data is None else _rebuild(target_context, codegen, *data)
        except (
            Exception
        ):  # whatever unpickling a damaged file may raise: compile instead
            return None

    def save_overload(self, sig, data):
        """Write a compiled kernel, if that works."""
        try:
            super().save_overload(sig, data)
        except (
            Exception
        ):  # a full or vanished disk: the code in memory is all that is needed
            return
