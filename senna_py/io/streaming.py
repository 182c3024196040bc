"""Read batches of lines from files, pipes and terminals."""

from __future__ import annotations

import codecs
import importlib
import os
import select
import stat
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias

from senna_py.errors import SennaError
from senna_py.io.system import END_OF_INPUT

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from typing_extensions import Self

# Large enough to make the cost of a call negligible, and small enough to save memory.
BATCH_BYTES = 1 << 16
LONGEST_LINE = 1 << 24  # in bytes; processing a line takes dozens of times its size
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BY_MARK = "by its mark"  # the encoding of the byte-order mark, or else UTF-8
# Marks of UTF-32 begin like those of UTF-16, so they must be tested first.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Prefixes of these marks, after which more bytes are needed to tell the marks apart.
_BEGINNINGS_OF_MARKS = (b"\xff", b"\xfe", b"\xff\xfe", b"\xff\xfe\x00")
# Encodings whose decoders drop the mark. A second mark is then text.
_DROP_MARK = ("utf-16", "utf-32", "utf-8-sig")
# The modules that decompress files, by suffix. They are imported when needed.
_MODULES = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}
COMPRESSED = tuple(_MODULES)


class InputError(SennaError):
    """Raised if an input cannot be read to its end; other inputs may still be read."""


class Source:
    """An input that is decompressed (.gz, .xz, .bz2) and converted to UTF-8.

    It is a context manager, which closes the input.

    Attributes:
        name: The name of the input, for messages.
        size: The size of the file in bytes, before decompression; None if it is not a
            regular file, and 0 if the argument `raw` was given.
        file: A binary file of the decompressed bytes. Reading it raises OSError and the
            exceptions of `decoding_errors`.
        begins: Whether the next bytes are the first of a file, and may be a byte-order
            mark.
        had_mark: Whether `arriving_batches` dropped a UTF-8 byte-order mark.
    """

    had_mark = False

    def __init__(
        self,
        path: str | os.PathLike[str],
        encoding: str | None = BY_MARK,
        raw: Any = None,
        begins: bool = True,
    ) -> None:
        """Open an input; raise InputError if that fails.

        Args:
            path: The path; `-` is standard input.
            encoding: The name of an encoding, BY_MARK, or None to return the bytes
                without conversion.
            raw: An open binary file to read instead of opening `path`.
            begins: Whether `raw` is at the beginning of a file.
        """
        self.name = "standard input" if path == "-" else str(path)
        self.size: int | None = 0
        self.begins = begins
        opener = None if path == "-" else decompressing(self.name)
        self._raw: Any = self._open(path) if raw is None else raw
        self.file: Any = opener(self._raw) if opener else self._raw
        # Bytes within a file that look like a mark are text.
        self._encoding = encoding if begins or encoding != BY_MARK else None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._has_begun = False
        self._peeked = b""

    def _open(self, path: str | os.PathLike[str]) -> BinaryIO:
        try:
            raw: Any = open(os.dup(0) if path == "-" else path, "rb", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise self._error(error) from None
        if path == "-" and raw.isatty():
            from senna_py.io.progress import say  # noqa: PLC0415 - few runs need it

            say(f"Reading what you type; {END_OF_INPUT} ends it.")
        status = os.fstat(raw.fileno())
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        return raw

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self._raw.close()

    def __del__(self) -> None:
        """Close the files if an error left a generator suspended that reads them."""
        if hasattr(self, "file"):
            self.__exit__()

    def _error(self, error: Exception) -> InputError:
        return InputError(f"{self.name}: {getattr(error, 'strerror', None) or error}")

    def read(self, size: int = BATCH_BYTES) -> bytes:
        """Return about `size` bytes but at least one, or `b""` at the end of the input.

        Raises:
            InputError: If the input cannot be read, decompressed or decoded.
        """
        if self._peeked:
            data, self._peeked = self._peeked, b""
            return data
        data = self._read(size)
        if self._encoding is not None and not self._has_begun:
            self._has_begun = True
            while data in _BEGINNINGS_OF_MARKS:
                if not (more := self._read(size)):
                    break
                data += more
            name = self._encoding
            if name == BY_MARK:
                name = encoding_by_mark(data)
            if (standard_name := codecs.lookup(name).name) != "utf-8":
                self._encoding = name
                self._decoder = codecs.getincrementaldecoder(name)()
                self.begins = self.begins and standard_name not in _DROP_MARK
        while self._decoder is not None:
            text = self._decode(self._decoder, data)
            if text or not data:
                return text
            data = self._read(size)
        return data

    def peek(self) -> bytes:
        """Return the next bytes, which `read` will return again.

        Raises:
            InputError: If the input cannot be read, decompressed or decoded.
        """
        self._peeked = self._peeked or self.read()
        return self._peeked

    def _decode(self, decoder: codecs.IncrementalDecoder, data: bytes) -> bytes:
        """Convert the next bytes to UTF-8; empty data mean the end of the input.

        Raises:
            InputError: If the bytes are not text in the encoding.
        """
        try:
            return decoder.decode(data, not data).encode()
        except UnicodeError as error:
            reason = getattr(error, "reason", error)
            raise InputError(f"{self.name}: not {self._encoding}: {reason}") from None

    def _read(self, size: int) -> bytes:
        read = self._raw.read if self.file is self._raw else self.file.read1
        try:
            # `read` returns None if the other end made the pipe non-blocking.
            while (data := read(size)) is None:
                select.select([self._raw], [], [])
        except Exception as error:
            if not isinstance(error, (OSError, *decoding_errors())):
                raise
            if getattr(error, "strerror", None) is None:  # not from the system
                raise InputError(
                    f"{self.name}: damaged compressed file: {error}"
                ) from None
            raise self._error(error) from None
        return data

    def position(self) -> int:
        """Return how many bytes of the file have been read, or 0 for a pipe.

        Bytes are counted before decompression.
        """
        if self.size is None:
            return 0
        return self.size if self._raw.closed else self._raw.tell()

    def ready(self) -> bool:
        """Return whether `read` would return without waiting for the writer of a pipe.

        The result is False if the system cannot determine this.
        """
        if self.size is not None or self._peeked:
            return True
        try:
            return bool(select.select([self._raw], [], [], 0)[0])
        except (OSError, ValueError):  # on some systems, select takes only sockets
            return False


def check_text(
    name: str, data: bytes | bytearray, way: str = "put one before it"
) -> None:
    """Raise InputError if an input contains a NUL byte, which is never part of text.

    Args:
        name: The name of the input, for the message.
        data: The first bytes of the input.
        way: Advice for text without a byte-order mark, for the message.
    """
    if (place := data.find(0)) >= 0:
        raise InputError(
            f"{name}: a binary file: byte {place} is zero; if it is text without a byte-order "
            f"mark, {way}"
        )


def check_line(name: str, n_bytes: int) -> None:
    """Raise InputError if a line is longer than LONGEST_LINE.

    Args:
        name: The name of the input, for the message.
        n_bytes: The length of the line in bytes.
    """
    if n_bytes > LONGEST_LINE:
        raise InputError(f"{name}: a line has more than {LONGEST_LINE:,} bytes")


def encoding_by_mark(data: bytes) -> str:
    """Return the encoding of the byte-order mark of `data`, or UTF-8 without a mark."""
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name
    return "utf-8"


def decode_text(data: bytes) -> str:
    """Decode bytes by their byte-order mark, or as UTF-8 without a mark.

    Raises:
        UnicodeError: If the bytes are not text in this encoding.
    """
    return data.removeprefix(_BYTE_ORDER_MARK).decode(encoding_by_mark(data))


def decompressing(name: str) -> Callable[..., Any] | None:
    """Return the function that opens a compressed file, by the suffix of its name.

    The result is None if the file is not compressed.
    """
    module = _MODULES.get(os.path.splitext(name)[1].lower())
    return importlib.import_module(module).open if module else None


def decoding_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions other than OSError that damaged compressed files raise."""
    import lzma  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    return EOFError, zlib.error, lzma.LZMAError


class _Pause(Enum):
    PAUSE = "pause"


# An item between batches, after which reading the next batch may have to wait.
PAUSE = _Pause.PAUSE
Pause: TypeAlias = Literal[_Pause.PAUSE]


def read_batches(source: Source, size: int = BATCH_BYTES) -> Iterator[bytes]:
    """Yield batches of whole lines without PAUSE; see `arriving_batches`."""
    return (batch for batch in arriving_batches(source, size) if batch is not PAUSE)


def arriving_batches(
    source: Source, size: int = BATCH_BYTES
) -> Iterator[bytes | Pause]:
    """Yield batches of whole lines, and PAUSE before each read that may block.

    A batch has about `size` bytes if they are available. Otherwise, it has all lines
    that have arrived, so that no line waits for the next one. A UTF-8 byte-order mark
    at the start is dropped.

    Args:
        source: The input.
        size: The approximate size of a batch in bytes.

    Raises:
        InputError: If the input cannot be read, a line is too long, or a long first
            line contains a NUL byte. The whole lines before the error are yielded
            first.
    """
    held, end = bytearray(), 0  # the bytes read, and the end of the last whole line
    is_first = source.begins

    def take() -> Iterator[bytes]:
        """Yield the complete lines as one batch, if any, and remove them from `held`."""
        nonlocal end, is_first
        if end:
            lines = bytes(held[:end])
            del held[:end]
            if source.begins:
                source.had_mark = lines.startswith(_BYTE_ORDER_MARK)
                lines = lines.removeprefix(_BYTE_ORDER_MARK)
            end, source.begins, is_first = 0, False, False
            yield lines

    while True:
        if not source.ready():
            yield from take()
            yield PAUSE
        try:
            data = source.read()
            check_line(source.name, len(held) - end + len(data))
        except InputError:
            yield from take()
            raise
        if not data:
            break
        if last := data.rfind(b"\n") + 1:
            end = len(held) + last
        held += data
        if is_first and not end and len(held) > BATCH_BYTES:  # perhaps a binary file
            check_text(source.name, held[:BATCH_BYTES])
        if len(held) >= size:
            yield from take()
    end = len(held)
    yield from take()


def even_batches(source: Source, size: int = BATCH_BYTES) -> Iterator[bytes | Pause]:
    """Yield batches whose ends do not depend on when the input arrives.

    A batch ends with the first line that ends after `size` bytes. Otherwise, this is
    like `arriving_batches`.
    """
    held = bytearray()
    try:
        for lines in arriving_batches(source, size):
            if lines is PAUSE:
                yield PAUSE
                continue
            held += lines
            while end := held.find(b"\n", size - 1) + 1:
                yield bytes(held[:end])
                del held[:end]
    except InputError:
        if held:
            yield bytes(held)
        raise
    if held:
        yield bytes(held)


def read_lines(source: Source) -> Iterator[bytes]:
    """Yield the lines of an input, without their newlines.

    Raises:
        InputError: See `arriving_batches`.
    """
    for data in read_batches(source):
        yield from data.removesuffix(b"\n").split(b"\n")
