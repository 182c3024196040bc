"""Files that are replaced in one step, and tables of the package."""

import contextlib
import errno
import os
import stat
import sys
from functools import cache
from pathlib import Path

from senna_py.errors import SennaError, WriteError
from senna_py.io.system import open_file, take_over

AnyPath = str | os.PathLike[str]
FULL_DISK = errno.ENOSPC, errno.EDQUOT  # numbers of an OSError


def no_name(texts):
    """What one of some str has that no file's name can have; None if files may be called so."""
    try:
        return "a NUL" if b"\0" in os.fsencode("".join(texts)) else None
    except UnicodeEncodeError:
        return "a lone surrogate"


def replace_file(path, write):
    """Write a file by `write(file)` so that `path` is the old one or the new one, never a part.

    The target of a symbolic link is replaced. The mode of the old file is kept. A pipe or a device
    is written as it is. Raises WriteError, as for a full disk; the old file is then untouched.
    """
    with writing(path):
        if (stream := open_stream(path)) is not None:
            with open(stream, "wb") as file:
                write(file)
            return
        target = target_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        check_writable(target)
        with new_file(target) as file:
            take_over(file.fileno(), target)
            write(file)


@contextlib.contextmanager
def system_errors(path):
    """A context whose errors of the system are SennaErrors about their file, or else `path`."""
    try:
        yield
    except OSError as error:
        raise SennaError(f"{error.filename or path}: {error.strerror or error}") from None


@contextlib.contextmanager
def errors_at(place, kind=SennaError):
    """A context whose errors of a kind are SennaErrors that begin with a place, such as a file."""
    try:
        yield
    except kind as error:
        raise SennaError(f"{place}: {error}") from None


def map_file(path):
    """The bytes of a file, mapped and not read; of an empty one, bytes. Raises SennaError."""
    import mmap  # noqa: PLC0415 - a short start

    with system_errors(path), open(path, "rb") as file:
        if not file.seek(0, 2):
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@contextlib.contextmanager
def writing(name):
    """A context whose errors of the system are WriteErrors about a file; that of a pipe passes."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WriteError(f"{name}: not written: {error.strerror or error}") from None


@contextlib.contextmanager
def new_file(target):
    """Context of a new binary file, which takes the name `target` at its end, if that is reached.

    Until then it has a name beside it that nobody can foresee. Raises OSError.
    """
    part = f"{target}.{os.urandom(4).hex()}.part"
    file = open(part, "xb+")  # noqa: SIM115 - if that fails, the name is another's
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    finally:
        with contextlib.suppress(OSError):  # it is gone, unless writing ended early
            os.unlink(part)


def open_stream(path):
    """A descriptor of standard output, a pipe or a device, None for other files; raises OSError."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if sys.stdout is not None:
        with contextlib.suppress(OSError):  # no such descriptor
            if os.path.samestat(status, os.fstat(1)):
                return os.dup(1)
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return open_file(path, os.O_WRONLY)


def target_of(path):
    """The Path that is replaced when `path` is written: what a symbolic link points to."""
    return Path(os.path.realpath(path) if os.path.islink(path) else path)


def check_writable(path):
    """Raise OSError if what is at `path` must not be written; renaming would not ask."""
    with contextlib.suppress(FileNotFoundError):
        os.close(os.open(path, os.O_WRONLY))


@cache
def read_table(path: Path) -> dict[str, dict[str, str]]:
    """A file of this package with a kind, a name and a text a line: {kind: {name: text}}."""
    found: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        kind, name, text = line.split("\t")
        found.setdefault(kind, {})[name] = text
    return found


def matching(directory: AnyPath, pattern: str, noun: str = "") -> list[str]:
    """Paths below a directory that a pattern is the name of, or else fits, in their order.

    noun: of what there must be one, or SennaError says that there is none.
    """
    import glob  # noqa: PLC0415 - to train only

    path = os.path.join(directory, pattern)
    if os.path.exists(path) or not glob.has_magic(pattern):
        return [path]
    found = sorted(glob.glob(os.path.join(glob.escape(str(directory)), pattern)))
    if noun and not found:
        raise SennaError(f"{Path(directory, pattern)}: no {noun} has such a name")
    return found


def sha256_of(file):
    """Return the SHA-256 of the rest of a binary file, as hexadecimal digits."""
    import hashlib  # noqa: PLC0415 - few need it

    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()
