"""The inputs of a run, at any path or URL that fsspec can read, and their parts."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsspec.core import url_to_fs
from fsspec.utils import seek_delimiter

from senna_py.io import streaming
from senna_py.io.streaming import InputError
from senna_py.io.system import path_components

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO

# The ends of lines and of paragraphs, the units that are never cut.
LINES, PARAGRAPHS = b"\n", b"\n\n"
_RECORDS = re.compile(r"\.(jsonl|ndjson|json)(\.\w+)?$", re.IGNORECASE)
_OTHERS = re.compile(r"\.(conllu|parquet)(\.\w+)?$", re.IGNORECASE)
# The keys of file metadata that changes when a file is written again, the most reliable
# first.
_STAMPS = (
    "ETag",
    "etag",
    "md5Hash",
    "mtime",
    "LastModified",
    "last_modified",
    "created",
)


@dataclass(frozen=True)
class Input:
    """A file to tag.

    Attributes:
        name: The path or URL as the user wrote it. Documents and outputs have this
            name.
        url: The absolute URL, by which workers open the file.
        size: The number of bytes, or None if unknown.
        stamp: A string that changes when the file changes; empty if unknown.
    """

    name: str
    url: str
    size: int | None
    stamp: str

    @property
    def is_records(self) -> bool:
        """Whether the file consists of JSON lines, according to its name."""
        return bool(_RECORDS.search(self.name))

    def open(self) -> BinaryIO:
        """Open the file as a seekable binary file.

        Raises:
            InputError: If it cannot be opened, or has changed since it was listed.
        """
        try:
            fs, path = url_to_fs(self.url)
            stamp, file = _stamp(fs.info(path)), fs.open(path, "rb")
        except Exception as error:  # Stores raise errors of any type.
            raise InputError(f"{self.name}: {reason_of(error)}") from None
        if stamp != self.stamp:
            raise InputError(f"{self.name}: has changed since the run began")
        opened: BinaryIO = file
        return opened


def find_inputs(
    names: Iterable[str], is_output: Callable[[str], bool]
) -> tuple[list[Input], dict[str, str]]:
    """Expand directories and globs to inputs, in order and without duplicates.

    Args:
        names: Paths or URLs of files or directories, or globs of files. A directory is
            replaced by all files in it and in its subdirectories, except those whose
            path below it has a component that begins with `_` or `.`.
        is_output: Whether the file at a URL is an output, which is left out.

    Returns:
        The inputs, and error messages by name for the names without inputs.
    """
    inputs: dict[str, Input] = {}
    errors: dict[str, str] = {}
    for name in names:
        try:
            for each in _expand(name, is_output):
                inputs.setdefault(each.url, each)
        except Exception as error:  # Stores raise errors of any type.
            errors[name] = f"{name}: {reason_of(error)}"
    return [*inputs.values()], errors


def reason_of(error: Exception) -> str:
    """Return the message of an error without the path, or the name of its class."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _expand(name: str, is_output: Callable[[str], bool]) -> Iterator[Input]:
    """Yield the input files that a path, URL or glob refers to.

    Outputs are skipped, and so are files in a directory whose path below it has a
    component that begins with `_` or `.`.

    Raises:
        FileNotFoundError: If there are none.
    """
    fs, path = url_to_fs(name)
    is_there, n_files, n_outputs = fs.exists(path), 0, 0
    # Inputs are named as the user wrote them up to the first wildcard, and after it as
    # in the store.
    if is_there:
        fixed, root = name.rstrip("/"), path
    else:
        fixed = re.split(r"[^/]*[*?\[]", name)[0] or "."
        root = fs._strip_protocol(fixed)
    for file in sorted(fs.find(path) if is_there else fs.glob(path)):
        below, url = file[len(root) :].lstrip("/"), fs.unstrip_protocol(file)
        if is_output(url):
            n_outputs += 1
            continue
        is_hidden = is_there and re.search(r"(^|/)[_.]", below)
        # Pipes, devices and broken links are not files.
        if not is_hidden and fs.isfile(file):
            n_files += 1
            info = fs.info(file)
            shown = f"{fixed.rstrip('/')}/{below}".removeprefix("./") if below else name
            yield Input(shown, url, info.get("size"), _stamp(info))
    if not n_files:
        raise FileNotFoundError(_why_none(fs.isdir(path), is_there, n_outputs))


def _why_none(is_directory: bool, is_there: bool, n_outputs: int) -> str:
    if n_outputs:
        return "no file outside the output directory"
    if is_directory:
        return "no file in it"
    return "no regular file" if is_there else "no such file"


def _stamp(info: Mapping[str, Any]) -> str:
    stamps = (str(info[key]) for key in _STAMPS if info.get(key) is not None)
    return next(stamps, "").strip('"')


@dataclass(frozen=True)
class Part:
    """A part of an input: whole lines, or whole paragraphs.

    Attributes:
        input: The input.
        number: The index of the part, from 0.
        begin: The byte offset after which the first line or paragraph begins; 0 for the
            start of the input.
        end: The byte offset after which the last line or paragraph ends, or None if the
            part is the whole input.
    """

    input: Input
    number: int = 0
    begin: int = 0
    end: int | None = None

    @property
    def size(self) -> int:
        """The approximate number of bytes, or 0 if unknown."""
        return (self.input.size or 0) if self.end is None else self.end - self.begin

    @property
    def name(self) -> str:
        """The name, such as `a.txt.00003`, as a relative path without `..`."""
        names = path_components(self.input.name.split("://")[-1])
        names = [
            {"..": "__"}.get(name, name) for name in names if name not in ("", ".")
        ]
        return f"{'/'.join(names)}.{self.number:05}"

    @property
    def label(self) -> str:
        """The name of the part for messages."""
        return f"{self.input.name}, part {self.number}"


def cut(file: Input, part_bytes: int, encoding: str = streaming.BY_MARK) -> list[Part]:
    """Cut an input into parts of about `part_bytes` bytes.

    An input that is compressed, or not in UTF-8, is one part.

    Raises:
        InputError: If the file cannot be read, or is binary, CoNLL-U or Parquet.
    """
    if _OTHERS.search(file.name):
        raise InputError(f"{file.name}: neither text nor JSON lines")
    size = file.size or 0
    if file.name.lower().endswith(streaming.COMPRESSED) or size <= part_bytes:
        return [Part(file)]
    with file.open() as opened:
        head = opened.read(streaming.BATCH_BYTES)
    if encoding == streaming.BY_MARK:
        encoding = streaming.encoding_by_mark(head)
    if codecs.lookup(encoding).name != "utf-8":
        return [Part(file)]
    streaming.check_text(file.name, head)
    return [
        Part(file, number, begin, min(begin + part_bytes, size))
        for number, begin in enumerate(range(0, size, part_bytes))
    ]


def open_part(
    part: Part, encoding: str = streaming.BY_MARK, mark: bytes = LINES
) -> streaming.Source:
    """Open a part for reading.

    Args:
        part: The part.
        encoding: The encoding of the input.
        mark: What ends a unit of text, LINES or PARAGRAPHS; the part has whole units
            only.

    Raises:
        InputError: If the input cannot be read, or a line is too long.
    """
    name, file = part.input.name, part.input.open()
    if part.end is not None:
        try:
            with file:
                file = io.BytesIO(_read(file, part.begin, part.end, mark))
        except OSError as error:
            raise InputError(f"{name}: {reason_of(error)}") from None
    return streaming.Source(name, encoding, file, begins=part.begin == 0)


def _read(file: BinaryIO, begin: int, end: int, mark: bytes) -> bytes:
    """Return the bytes of the units that begin between two byte offsets of a file.

    A unit that begins exactly at an offset belongs to the bytes before it, except at
    the start of the file.

    Raises:
        OSError: If the file cannot be read, or the last unit is too long.
    """
    borders = []
    for position in (begin, end):
        file.seek(position)
        seek_delimiter(file, mark, streaming.BATCH_BYTES)
        borders.append(file.tell())
    if borders[1] - borders[0] > end - begin + streaming.LONGEST_LINE:
        raise OSError(0, f"a line has more than {streaming.LONGEST_LINE:,} bytes")
    file.seek(borders[0])
    return file.read(borders[1] - borders[0])
