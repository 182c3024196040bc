"""Files that are replaced in one step, and tables of the package."""

import contextlib
import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

from senna_py.errors import SennaError, WriteError
from senna_py.io import system
from senna_py.io.system import open_file, take_over

AnyPath = str | os.PathLike[str]
FULL_DISK = errno.ENOSPC, errno.EDQUOT  # numbers of an OSError


def no_name(texts):
    """What one of some str has that no file's name can have; None if files may be
    called so.
    """
    try:
        return "a NUL" if b"\0" in os.fsencode("".join(texts)) else None
    except UnicodeEncodeError:
        return "a lone surrogate"


_unfinished: set[str] = set()  # files that have not got their names yet


def replace_file(path, write):
    """Write a file by `write(file)` so that `path` is the old one or the new one, never
    a part.

    The target of a symbolic link is replaced. The mode of the old file is kept. A pipe
    or a device is written as it is. Raises WriteError, as for a full disk; the old file
    is then untouched.
    """
    with writing(path):
        if (stream := open_stream(path)) is not None:
            with open(stream, "wb") as file:
                write(file)
            return
    replace_files({path: write})


def replace_files(writes: Mapping[AnyPath, Callable[[BinaryIO], object]]) -> None:
    """Write files that belong together, by functions that each take one, as
    `replace_file` does.

    All are written before the first is replaced. While they are replaced, the last one
    is missing, so that no reader takes an old file for the other half of a new one.
    Raises WriteError naming the file; all old files are then untouched, unless the
    error comes with the last step.
    """
    targets = {}
    for path in writes:
        with writing(path):
            targets[path] = target_of(path)
            targets[path].parent.mkdir(parents=True, exist_ok=True)
            check_writable(targets[path])
    *_, last = writes
    with writing(last), new_files([*targets.values()]) as files:
        for (path, write), file in zip(writes.items(), files, strict=True):
            with writing(path):
                take_over(file.fileno(), targets[path])
                write(file)
                file.flush()


@contextlib.contextmanager
def system_errors(path):
    """A context whose errors of the system are SennaErrors about their file, or else
    `path`.
    """
    try:
        yield
    except OSError as error:
        raise SennaError(
            f"{error.filename or path}: {error.strerror or error}"
        ) from None


@contextlib.contextmanager
def errors_at(place, kind=SennaError):
    """A context whose errors of a kind are SennaErrors that begin with a place, such as
    a file.
    """
    try:
        yield
    except kind as error:
        raise SennaError(f"{place}: {error}") from None


def map_file(path):
    """The bytes of a file, mapped and not read; of an empty one, bytes. Raises
    SennaError.
    """
    import mmap  # noqa: PLC0415 - a short start

    with system_errors(path), open(path, "rb") as file:
        if not file.seek(0, 2):
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@contextlib.contextmanager
def writing(name):
    """A context whose errors of the system are WriteErrors about a file; that of a pipe
    passes.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WriteError(f"{name}: not written: {error.strerror or error}") from None


@contextlib.contextmanager
def new_file(target):
    """Context of a new binary file, which takes the name `target` at its end, if that
    is reached.

    Until then it has a name beside it that nobody can foresee. Raises OSError.
    """
    with new_files([target]) as (file,):
        yield file


@contextlib.contextmanager
def new_files(targets: Sequence[AnyPath]) -> Iterator[list[BinaryIO]]:
    """Context of new binary files, which take the names `targets` at its end, as
    `new_file` does.

    The last of several is deleted before the first is replaced. Raises OSError.
    """
    parts = {f"{target}.{os.urandom(4).hex()}.part": target for target in targets}
    with _tidy() as made, contextlib.ExitStack() as stack:
        files: list[BinaryIO] = []
        for part in parts:
            files.append(stack.enter_context(open(part, "xb+")))
            made.append(part)  # if that failed, the name is another's
            _unfinished.add(part)
        yield files
        for file in files:
            file.flush()
            os.fsync(file.fileno())
            file.close()
        if len(targets) > 1:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(targets[-1])
        for part, target in parts.items():
            os.replace(part, target)


@contextlib.contextmanager
def _tidy() -> Iterator[list[str]]:
    """Context of a list of unfinished files, deleted however it ends, also by a
    signal.
    """
    made: list[str] = []
    handled = {}
    for number in system.STOPS:
        with contextlib.suppress(
            ValueError
        ):  # in another thread, which gets no signals
            if signal.getsignal(number) is signal.SIG_DFL:
                handled[number] = signal.signal(number, _end)
    try:
        yield made
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for part in made:
            _unfinished.discard(part)
            with contextlib.suppress(OSError):  # it is gone, unless writing ended early
                os.unlink(part)


def _end(number: int, _: object) -> None:
    """End the process by a signal, as without a handler."""
    delete_unfinished()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def delete_unfinished() -> None:
    """Delete files that have not got their names yet, before the process ends at
    once.
    """
    for part in tuple(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(part)


def open_stream(path):
    """A descriptor of standard output, a pipe or a device, None for other files; raises
    OSError.
    """
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
    """The Path that is replaced when `path` is written: what a symbolic link points
    to.
    """
    return Path(os.path.realpath(path) if os.path.islink(path) else path)


def check_writable(path):
    """Raise OSError if what is at `path` must not be written; renaming would not
    ask.
    """
    with contextlib.suppress(FileNotFoundError):
        os.close(os.open(path, os.O_WRONLY))


@cache
def read_table(path: Path) -> dict[str, dict[str, str]]:
    """A file of this package with a kind, a name and a text a line: {kind: {name:
    text}}.
    """
    found: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        kind, name, text = line.split("\t")
        found.setdefault(kind, {})[name] = text
    return found


def matching(directory: AnyPath, pattern: str, noun: str = "") -> list[str]:
    """Paths below a directory that a pattern is the name of, or else fits, in their
    order.

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
