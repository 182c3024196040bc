"""Batches of lines out of files, pipes and terminals, and ordered work on them by threads."""

import bz2
import gzip
import lzma
import os
import select
import stat
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from senna_py.errors import SennaError

__all__ = ["BATCH_BYTES", "InputError", "Source", "ordered_map", "read_batches", "read_lines"]

# Large enough for whole batches to hide the cost of a call, small enough for little memory.
BATCH_BYTES = 1 << 16
_LONGEST_LINE = 1 << 29
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_DECODING_ERRORS = (EOFError, zlib.error, lzma.LZMAError)


class InputError(SennaError):
    """An input that cannot be read, or not to its end; others may still be."""


class Source:
    """An input: `-` for standard input, or a path, decompressed if it ends in .gz, .xz or .bz2.

    size: bytes in the file, or None if it is not a regular file.
    """

    def __init__(self, path):
        """Open it; raises InputError naming it."""
        self.name = "standard input" if path == "-" else str(path)
        opener = None if path == "-" else _OPENERS.get(os.path.splitext(self.name)[1].lower())
        try:
            self._raw = open(os.dup(0) if path == "-" else path, "rb", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._error(error) from None
        status = os.fstat(self._raw.fileno())
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self._file = opener(self._raw) if opener else self._raw

    def __enter__(self):
        """Return the source itself."""
        return self

    def __exit__(self, *_):
        """Close the input."""
        self._file.close()
        self._raw.close()

    def _error(self, error):
        return InputError(f"{self.name}: {getattr(error, 'strerror', None) or error}")

    def read(self, size=BATCH_BYTES):
        """Some bytes, at least one, at most `size`; none at the end. Raises InputError."""
        try:
            if self._file is self._raw:
                return self._raw.read(size)
            return self._file.read1(size)
        except _DECODING_ERRORS as error:
            raise InputError(f"{self.name}: damaged compressed file: {error}") from None
        except OSError as error:
            raise self._error(error) from None

    def position(self):
        """Bytes of the file read so far, before decompression."""
        return self._raw.tell()

    def ready(self):
        """Whether a read would not wait for whoever writes the other end."""
        if self.size is not None:
            return True
        try:
            return bool(select.select([self._raw], [], [], 0)[0])
        except (OSError, ValueError):  # select takes only sockets on some systems
            return False


def read_batches(source, size=BATCH_BYTES):
    """Yield (data, waiting): whole lines as bytes, and whether the next read may have to wait.

    A batch has about `size` bytes where the source has them ready, and else what there is, so that
    a line is never held back for the next. A byte-order mark at the start is dropped. If reading
    fails, the whole lines read until then come first.
    """
    lines, partial, n_bytes, first = [], [], 0, True

    def take():
        nonlocal lines, n_bytes, first
        data, lines, n_bytes = b"".join(lines), [], 0
        data = data.removeprefix(_BYTE_ORDER_MARK) if first else data
        first = False
        return data

    while True:
        try:
            data = source.read()
            if sum(map(len, partial)) + len(data) > _LONGEST_LINE:
                raise InputError(
                    f"{source.name}: a line has more than {_LONGEST_LINE:,} bytes "
                    f"(it ends after byte {source.position():,})"
                )
        except InputError:
            if lines:
                yield take(), False
            raise
        if not data:
            break
        end = data.rfind(b"\n") + 1
        if end:
            lines += [*partial, data[:end]]
            partial = []
            n_bytes = sum(map(len, lines))
        if data[end:]:
            partial.append(data[end:])
        waiting = not source.ready()
        if lines and (n_bytes >= size or waiting):
            yield take(), waiting
    lines += partial
    if lines:
        yield take(), False


def read_lines(source):
    """Yield the lines of a Source as bytes, without their newline."""
    for data, _ in read_batches(source):
        yield from data.removesuffix(b"\n").split(b"\n")


def ordered_map(function, batches, jobs):
    """Yield function(data) for each (data, waiting) of `batches`, in their order.

    jobs: threads that work at the same time. Before the next batch is waited for, everything
    taken so far is yielded.
    """
    if jobs == 1:
        for data, _ in batches:
            yield function(data)
        return
    pending, failure = deque(), None
    iterator = iter(batches)
    pool = ThreadPoolExecutor(jobs)
    try:
        while True:
            try:
                data, waiting = next(iterator)
            except StopIteration:
                break
            except SennaError as error:
                failure = error  # what was taken before it comes first
                break
            pending.append(pool.submit(function, data))
            while pending and (waiting or len(pending) > 2 * jobs or pending[0].done()):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
    if failure is not None:
        raise failure
