"""Batches of lines from files, pipes and terminals."""

import codecs
import importlib
import os
import select
import stat

from senna_py.errors import SennaError
from senna_py.io.system import END_OF_INPUT

# Large enough for whole batches to hide the cost of a call, small enough for little
# memory.
BATCH_BYTES = 1 << 16
LONGEST_LINE = 1 << 24  # bytes; what is made of a line takes some dozen times as many
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BY_MARK = "by its mark"  # an encoding: UTF-8, or what a byte-order mark says
# UTF-32's mark begins like that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_DROP_MARK = (
    "utf-16",
    "utf-32",
    "utf-8-sig",
)  # whose decoders do; a second mark is text
_MODULES = {
    ".gz": "gzip",
    ".xz": "lzma",
    ".bz2": "bz2",
}  # imported where they are needed
COMPRESSED = tuple(_MODULES)  # endings of names


class InputError(SennaError):
    """An input that cannot be read to its end; others may still be read."""


class Source:
    """An input: `-` for standard input, or a path, decompressed if it ends in .gz, .xz
    or .bz2.

    Text in another encoding that is named is encoded again, as UTF-8.

    size: bytes in the file, or None if it is not a regular file; file: binary file of
    the decompressed bytes, whose errors are OSError and `decoding_errors()`; begins:
    whether the first bytes are those of a file, which may be a mark.
    """

    def __init__(self, path, encoding=BY_MARK, raw=None, begins=True):
        """Open `path`; raises InputError naming it, UsageError if the same call writes
        it.

        encoding: a name that Python knows, BY_MARK, or None for bytes as they are; raw:
        a binary file that is open already, of which no writer has to be waited for;
        begins: see above.
        """
        self.name = "standard input" if path == "-" else str(path)
        self.size, self.begins = 0, begins
        opened = None if path == "-" else decompressing(self.name)
        self._raw = self._open(path) if raw is None else raw
        self.file = opened(self._raw) if opened else self._raw
        # What looks like a mark is none within a file.
        self._encoding = encoding if begins or encoding != BY_MARK else None
        self._decoder, self._begun = None, False

    def _open(self, path):
        try:
            raw = open(os.dup(0) if path == "-" else path, "rb", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:  # as for a NUL in the name
            raise self._error(error) from None
        if path == "-" and raw.isatty():
            from senna_py.io.progress import say  # noqa: PLC0415 - few need it

            say(f"Reading what you type; {END_OF_INPUT} ends it.")
        status = os.fstat(raw.fileno())
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        return raw

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self._raw.close()

    def __del__(self):
        """Close what was not read to its end, as where an error leaves a generator
        suspended.
        """
        if hasattr(self, "file"):
            self.__exit__()

    def _error(self, error):
        return InputError(f"{self.name}: {getattr(error, 'strerror', None) or error}")

    def read(self, size=BATCH_BYTES):
        """Some bytes, at least one and about `size` at most, none at the end; raises
        InputError.
        """
        data = self._read(size)
        if self._encoding is not None and not self._begun:
            self._begun = True
            while data in (
                b"\xff",
                b"\xfe",
                b"\xff\xfe",
                b"\xff\xfe\x00",
            ):  # or parts of marks
                if not (more := self._read(size)):
                    break
                data += more
            name = (
                encoding_by_mark(data) if self._encoding == BY_MARK else self._encoding
            )
            if (known := codecs.lookup(name).name) != "utf-8":
                self._encoding, self._decoder = (
                    name,
                    codecs.getincrementaldecoder(name)(),
                )
                self.begins = self.begins and known not in _DROP_MARK
        while self._decoder is not None:
            text = self._decode(data)
            if text or not data:
                return text
            data = self._read(size)
        return data

    def _decode(self, data):
        """UTF-8 of the next bytes, or of what is left if there are none."""
        try:
            return self._decoder.decode(data, not data).encode()
        except UnicodeError as error:
            reason = getattr(error, "reason", error)
            raise InputError(f"{self.name}: not {self._encoding}: {reason}") from None

    def _read(self, size):
        read = self._raw.read if self.file is self._raw else self.file.read1
        try:
            while (
                data := read(size)
            ) is None:  # the other end left the pipe non-blocking
                select.select([self._raw], [], [])
        except (*decoding_errors(), OSError) as error:
            if getattr(error, "strerror", None) is None:  # not of the system
                raise InputError(
                    f"{self.name}: damaged compressed file: {error}"
                ) from None
            raise self._error(error) from None
        return data

    def position(self):
        """Bytes of the file read so far, before decompression: all, once closed; 0 of a
        pipe.
        """
        return (
            self.size or 0
            if self._raw.closed or self.size is None
            else self._raw.tell()
        )

    def ready(self):
        """Return whether a read would return without waiting for the writer of a
        pipe.
        """
        if self.size is not None:
            return True
        try:
            return bool(select.select([self._raw], [], [], 0)[0])
        except (OSError, ValueError):  # select takes only sockets on some systems
            return False


def check_text(name, data, way="put one before it"):
    """Raise InputError if the first bytes `data` of an input are those of no text.

    way: what helps if it is text in UTF-16 without a byte-order mark.
    """
    if (place := data.find(0)) >= 0:
        raise InputError(
            f"{name}: a binary file: byte {place} is zero; if it is text without a byte-order "
            f"mark, {way}"
        )


def check_line(name, n_bytes):
    """Raise InputError for a line of an input, `name`, that is longer than any may
    be.
    """
    if n_bytes > LONGEST_LINE:
        raise InputError(f"{name}: a line has more than {LONGEST_LINE:,} bytes")


def encoding_by_mark(data):
    """The encoding that the byte-order mark of the bytes `data` says; UTF-8 without
    one.
    """
    return next(
        (name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8"
    )


def text_of(data):
    """The str of bytes, by their byte-order mark; raises UnicodeError for what is not
    UTF-8.
    """
    return data.removeprefix(_BYTE_ORDER_MARK).decode(encoding_by_mark(data))


def decompressing(name):
    """The `open` of a compressed file by the ending of its path, or None for other
    files.
    """
    module = _MODULES.get(os.path.splitext(name)[1].lower())
    return module and importlib.import_module(module).open


def decoding_errors():
    """Exceptions besides OSError that damaged compressed files raise: a tuple."""
    import lzma  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    return EOFError, zlib.error, lzma.LZMAError


def read_batches(source, size=BATCH_BYTES):
    """Yield batches of whole lines as bytes; an empty one before a read that may have
    to wait.

    A batch has about `size` bytes if they are ready, else what is there, so that no
    line waits for the next. A byte-order mark at the start is dropped. Whole lines
    before an error come first.
    """
    held, end, first = bytearray(), 0, source.begins  # end: of the whole lines

    def take():
        nonlocal end, first
        data = bytes(held[:end])
        del held[:end]
        data = data.removeprefix(_BYTE_ORDER_MARK) if source.begins else data
        end, source.begins, first = 0, False, False
        return data

    while True:
        if not source.ready():
            if end:
                yield take()
            yield b""
        try:
            data = source.read()
            check_line(source.name, len(held) - end + len(data))
        except InputError:
            if end:
                yield take()
            raise
        if not data:
            break
        if last := data.rfind(b"\n") + 1:
            end = len(held) + last
        held += data
        if first and not end and len(held) > BATCH_BYTES:  # a line of zeros, perhaps
            check_text(source.name, held[:BATCH_BYTES])
        if end and len(held) >= size:
            yield take()
    end = len(held)
    if end:
        yield take()


def read_lines(source):
    """Yield the lines of a Source as bytes, without their newline."""
    for data in filter(None, read_batches(source)):
        yield from data.removesuffix(b"\n").split(b"\n")
