"""The inputs of a run, which may be wherever fsspec reads, and their parts."""

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

# The ends of units that are never cut: a line, and lines up to an empty one.
LINES, PARAGRAPHS = b"\n", b"\n\n"
_RECORDS = re.compile(r"\.(jsonl|ndjson|json)(\.\w+)?$", re.IGNORECASE)
_OTHERS = re.compile(r"\.(conllu|parquet)(\.\w+)?$", re.IGNORECASE)
# What stores say of a file that changes when it is written again, the surest first.
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
        name: The user's name of the file, by which documents and outputs are named.
        url: The place where any machine finds it.
        size: The number of bytes, or None if its store does not say.
        stamp: A text that changes when the file does.
    """

    name: str
    url: str
    size: int | None
    stamp: str

    @property
    def is_records(self) -> bool:
        """Whether the file has JSON lines, by its name."""
        return bool(_RECORDS.search(self.name))

    def open(self) -> BinaryIO:
        """Open the file for reading, with `seek`.

        Raises:
            InputError: If that fails, or the file has changed since it was listed.
        """
        try:
            fs, path = url_to_fs(self.url)
            stamp, file = _stamp(fs.info(path)), fs.open(path, "rb")
        except Exception as error:  # stores raise what they like
            raise InputError(f"{self.name}: {reason_of(error)}") from None
        if stamp != self.stamp:
            raise InputError(f"{self.name}: has changed since the run began")
        opened: BinaryIO = file
        return opened


def find_inputs(
    names: Iterable[str], is_output: Callable[[str], bool]
) -> tuple[list[Input], dict[str, str]]:
    """List the inputs that names stand for, in their order, each once.

    Args:
        names: Paths, URLs or globs of files or directories. In a directory, all files
            count except those with a name that begins with `_` or `.`.
        is_output: Whether the file at a URL is left out.

    Returns:
        The inputs, and messages by the names that stand for none.
    """
    inputs: dict[str, Input] = {}
    errors: dict[str, str] = {}
    for name in names:
        try:
            for each in _expand(name, is_output):
                inputs.setdefault(each.url, each)
        except Exception as error:  # stores raise what they like
            errors[name] = f"{name}: {reason_of(error)}"
    return [*inputs.values()], errors


def reason_of(error: Exception) -> str:
    """Describe an error without the path, which the message already has."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _expand(name: str, is_output: Callable[[str], bool]) -> Iterator[Input]:
    """Yield the inputs that a name stands for; raise FileNotFoundError if there are none."""
    fs, path = url_to_fs(name)
    is_there, n_files, n_outputs = fs.exists(path), 0, 0
    # Names are as the user wrote them up to the first wildcard, and then as they are in
    # the store.
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
        # Pipes, devices and links to nothing are no files.
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
    """A part of an input.

    Attributes:
        input: The input.
        number: The number of the part, from 0.
        begin: The byte from which the beginning of a line or paragraph is looked for.
        end: The byte from which the end of one is looked for, or None for all of the
            input.
    """

    input: Input
    number: int = 0
    begin: int = 0
    end: int | None = None

    @property
    def size(self) -> int:
        """The number of bytes, or 0 if the store does not say."""
        return (self.input.size or 0) if self.end is None else self.end - self.begin

    @property
    def name(self) -> str:
        """The name, such as `a.txt.00003`, which never leads out of a directory."""
        names = path_components(self.input.name.split("://")[-1])
        names = [
            {"..": "__"}.get(name, name) for name in names if name not in ("", ".")
        ]
        return f"{'/'.join(names)}.{self.number:05}"

    @property
    def label(self) -> str:
        """The name for messages."""
        return f"{self.input.name}, part {self.number}"


def cut(file: Input, part_bytes: int, encoding: str = streaming.BY_MARK) -> list[Part]:
    """Cut an input into parts of about `part_bytes`.

    It is one part if it is compressed, or not in UTF-8.

    Raises:
        InputError: If the file cannot be read.
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
        mark: What ends a unit that is not cut, LINES or PARAGRAPHS.

    Raises:
        InputError: If that fails.
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
    """Return the whole units of a file between two bytes, or somewhat behind them."""
    borders = []
    for position in (begin, end):
        file.seek(position)
        seek_delimiter(file, mark, streaming.BATCH_BYTES)
        borders.append(file.tell())
    if borders[1] - borders[0] > end - begin + streaming.LONGEST_LINE:
        raise OSError(0, f"a line has more than {streaming.LONGEST_LINE:,} bytes")
    file.seek(borders[0])
    return file.read(borders[1] - borders[0])
