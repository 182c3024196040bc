"""Parts of inputs: ranges of bytes that begin and end where lines do."""

import codecs
import contextlib
from dataclasses import dataclass

from senna_py.cluster.inputs import PARQUET, Input, open_input, reason_of
from senna_py.io.streaming import (
    BATCH_BYTES,
    BY_MARK,
    LONGEST_LINE,
    InputError,
    Source,
    decoding_errors,
    decompressing,
    encoding_by_mark,
)

__all__ = ["LINES", "PARAGRAPHS", "Part", "PartSource", "cut", "head", "is_cut_anywhere"]

# What a unit ends with that is never cut: a line, or lines up to an empty one.
LINES, PARAGRAPHS = b"\n", b"\n\n"
_WIDTH = 5  # digits of numbers in names, so that names sort as parts do


@dataclass(frozen=True)
class Part:
    """A part of an Input.

    number: from 0; of: how many parts the input has; begin, end: the units that begin at a byte in
    this range belong to it; of Parquet files, the row groups. end is None for a whole input that
    cannot be cut. row: of Parquet, rows of the file before.
    """

    input: Input
    number: int
    of: int
    begin: int = 0
    end: int | None = None
    row: int = 0

    @property
    def name(self):
        """Name that follows from that of the input: `a.txt.00003-of-00012`, without `/` before."""
        steps = self.input.name.split("://")[-1].split("/")
        steps = [{"..": "__"}.get(step, step) for step in steps if step not in ("", ".")]
        return f"{'/'.join(steps)}.{self.number:0{_WIDTH}}-of-{self.of:0{_WIDTH}}"

    def __str__(self):
        """The input and which of its parts it is, for messages."""
        return f"{self.input.name} (part {self.number + 1:,} of {self.of:,})"


def is_cut_anywhere(encoding):
    """Whether a newline is one byte that stands for nothing else in an encoding; None: UTF-8."""
    if encoding is None or codecs.lookup(encoding).name == "utf-8":
        return True
    try:
        every = bytes(range(256)).decode(encoding, "replace")
        return len(every) == 256 and "\n".encode(encoding) == b"\n"
    except (LookupError, ValueError):
        return False


def cut(found, part_bytes, encoding=None):
    """Parts of an Input of about `part_bytes` each; one, if its bytes cannot be cut.

    Of Parquet files, whole row groups are put together, and the end of the file is read; raises
    InputError if that fails.
    """
    if found.kind == PARQUET:
        return _cut_row_groups(found, part_bytes)
    if found.compressed or found.size is None or not is_cut_anywhere(encoding):
        return [Part(found, 0, 1)]
    of = max(-(-found.size // part_bytes), 1)
    return [
        Part(found, number, of, number * part_bytes, min((number + 1) * part_bytes, found.size))
        for number in range(of)
    ]


def _cut_row_groups(found, part_bytes):
    from senna_py.printers.parquet import row_groups  # noqa: PLC0415 - not for text

    with open_input(found) as file:
        groups = row_groups(found.name, file)
    begins, rows, row, n_bytes = [0], [0], 0, 0
    for i, (n_rows, size) in enumerate(groups):
        if n_bytes and n_bytes + size > part_bytes:
            begins.append(i)
            rows.append(row)
            n_bytes = 0
        n_bytes += size
        row += n_rows
    ends = [*begins[1:], len(groups)]
    ranges = zip(begins, ends, rows, strict=True)
    return [Part(found, i, len(begins), *each) for i, each in enumerate(ranges)]


def head(found, encoding=None):
    """The first bytes of an Input of text as UTF-8, about a batch. Raises InputError."""
    with PartSource(Part(found, 0, 1), encoding) as source:
        return source.read(BATCH_BYTES)


def border(read_at, position, size, mark):
    """The first byte at or after `position` with which a unit begins, or `size` without one.

    read_at(position, n): n bytes of the file, fewer at its end; mark: what units end with.
    Raises ValueError if a line is longer than lines may be.
    """
    if position <= 0:
        return 0
    begin = max(position - len(mark), 0)
    seen, end = b"", begin
    while end < size:
        if end - begin > LONGEST_LINE:
            raise ValueError(f"a line has more than {LONGEST_LINE:,} bytes")
        block = read_at(end, BATCH_BYTES)
        if not block:
            break
        seen = seen[-len(mark) + 1 :] + block if len(mark) > 1 else block
        end += len(block)
        at = seen.find(mark)
        if at >= 0:
            return end - len(seen) + at + len(mark)
    return size


class PartSource(Source):
    """The bytes of a Part, decompressed and decoded, as commands read a whole file."""

    def __init__(self, part, encoding=None, mark=LINES):
        """Open the input; raises InputError naming it.

        encoding: as of Source; mark: what units end with, LINES or PARAGRAPHS.
        """
        found = part.input
        self.name, self.size, self._encoding = found.name, found.size, encoding
        self._decoder, self._begun = None, False
        self._raw = open_input(found)
        opened = decompressing(found.name)
        self.file = opened(self._raw) if opened else self._raw
        self.begins, self._left = part.begin == 0, None
        if part.end is not None:
            self._find_range(part, mark)
        if not self.begins and encoding == BY_MARK:
            self._encoding = None  # what looks like a mark is none within a file

    def _find_range(self, part, mark):
        """Go to where the part begins, and count how much it has."""
        begin, end = part.begin, part.end
        if encoding_by_mark(self._read_at(0, 4)) != "utf-8" and self._encoding == BY_MARK:
            # A newline is no single byte: what is not known before the file is opened. The first
            # part has all of it.
            begin, end = (0, part.input.size) if self.begins else (0, 0)
        try:
            begin, end = (border(self._read_at, at, part.input.size, mark) for at in (begin, end))
        except ValueError as error:
            raise InputError(f"{self.name}: {error}") from None
        self._left = end - begin
        self._raw.seek(begin)

    def _read_at(self, position, size):
        with _failing(self.name):
            self._raw.seek(position)
            return self._raw.read(size)

    def _read(self, size):
        if self._left is None:
            with _failing(self.name):
                return self.file.read(size)
        if not self._left:
            return b""
        with _failing(self.name):
            data = self._raw.read(min(size, self._left))
        if not data:
            raise InputError(f"{self.name}: has fewer bytes than when the run began")
        self._left -= len(data)
        return data

    def ready(self):
        """Always: stores have no writer to wait for."""
        return True

    def position(self):
        """Bytes of the file read so far, before decompression."""
        return self._raw.tell()


@contextlib.contextmanager
def _failing(name):
    """A context in which every error of a store or of a decompressor becomes an InputError."""
    try:
        yield
    except decoding_errors() as error:
        raise InputError(f"{name}: damaged compressed file: {error}") from None
    except Exception as error:  # stores raise what they like
        raise InputError(f"{name}: {reason_of(error)}") from None
