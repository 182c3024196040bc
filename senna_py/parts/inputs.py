"""The inputs of a run, whatever fsspec opens, and their parts, which end where lines
do.
"""

import codecs
import io
import re
from dataclasses import dataclass

from fsspec.core import url_to_fs
from fsspec.utils import seek_delimiter

from senna_py.io import streaming
from senna_py.io.system import path_components

# What a unit ends with that is never cut: a line, or lines up to an empty one.
LINES, PARAGRAPHS = b"\n", b"\n\n"
_RECORDS = re.compile(r"\.(jsonl|ndjson|json)(\.\w+)?$", re.IGNORECASE)
_UNREAD = re.compile(r"\.(conllu|parquet)(\.\w+)?$", re.IGNORECASE)
# What stores say of a file that changes when it is written again, the surest first.
_STAMPS = "ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created"


@dataclass(frozen=True)
class Input:
    """A file to tag.

    name: what the user calls it, by which documents and outputs are named; url: where
    any machine finds it; size: bytes, or None if its store does not say; stamp: changes
    when the file does.
    """

    name: str
    url: str
    size: int | None
    stamp: str

    @property
    def is_records(self):
        """Whether it is JSON lines, by its name."""
        return bool(_RECORDS.search(self.name))

    def open(self):
        """Open it for reading, a binary file with `seek`, if it is as it was when it
        was found.
        """
        try:
            fs, path = url_to_fs(self.url)
            stamp, file = _stamp(fs.info(path)), fs.open(path, "rb")
        except Exception as error:  # stores raise what they like
            raise streaming.InputError(f"{self.name}: {reason_of(error)}") from None
        if stamp != self.stamp:
            raise streaming.InputError(f"{self.name}: has changed since the run began")
        return file


def find_inputs(names, is_output):
    """The Inputs that `names` stand for, in their order, each once; and those that are
    none.

    names: paths or URLs of files, of directories, of which all files below count but
    what a `_` or `.` begins, or globs; is_output: function of a URL: whether it is left
    out. Returns a list of Input, and a dict of messages by name.
    """
    found, errors = {}, {}
    for name in names:
        try:
            for each in _expand(name, is_output):
                found.setdefault(each.url, each)
        except Exception as error:
            errors[name] = f"{name}: {reason_of(error)}"
    return list(found.values()), errors


def reason_of(error):
    """Describe what went wrong, without the path that the message already has."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _expand(name, is_output):
    fs, path = url_to_fs(name)
    is_there, n_found, n_held = fs.exists(path), 0, 0
    # Names are as the user wrote them, up to the first wildcard, and go on as they were
    # found.
    fixed = name.rstrip("/") if is_there else re.split(r"[^/]*[*?\[]", name)[0] or "."
    root = path if is_there else fs._strip_protocol(fixed)
    for each in sorted(fs.find(path) if is_there else fs.glob(path)):
        below, url = each[len(root) :].lstrip("/"), fs.unstrip_protocol(each)
        is_hidden = is_there and re.search(r"(^|/)[_.]", below)
        n_held += (held := is_output(url))
        # Pipes, devices and links to nothing are no files.
        if not (is_hidden or held) and fs.isfile(each):
            info, n_found = fs.info(each), n_found + 1
            shown = f"{fixed.rstrip('/')}/{below}".removeprefix("./") if below else name
            yield Input(shown, url, info.get("size"), _stamp(info))
    if not n_found:
        what = (
            "file in it"
            if fs.isdir(path)
            else "regular file"
            if is_there
            else "such file"
        )
        raise FileNotFoundError(
            "no file outside the output directory" if n_held else f"no {what}"
        )


def _stamp(info):
    return next(
        (str(info[key]) for key in _STAMPS if info.get(key) is not None), ""
    ).strip('"')


@dataclass(frozen=True)
class Part:
    """A part of an Input.

    number: from 0; begin, end: bytes, from which the next unit is looked for; None: a
    whole input.
    """

    input: Input
    number: int = 0
    begin: int = 0
    end: int | None = None

    @property
    def size(self):
        """Bytes of the file, or 0 if its store does not say."""
        return (self.input.size or 0) if self.end is None else self.end - self.begin

    @property
    def name(self):
        """Name that follows from that of the input: `a.txt.00003`, without `/`
        before.
        """
        steps = path_components(self.input.name.split("://")[-1])
        steps = [
            {"..": "__"}.get(step, step) for step in steps if step not in ("", ".")
        ]
        return f"{'/'.join(steps)}.{self.number:05}"


def cut(found, part_bytes, encoding=streaming.BY_MARK):
    """Parts of an Input of about `part_bytes` each; one, if it is compressed, or not in
    UTF-8.

    Raises InputError if the file cannot be read.
    """
    if _UNREAD.search(found.name):
        raise streaming.InputError(f"{found.name}: neither text nor JSON lines")
    if (
        found.name.lower().endswith(streaming.COMPRESSED)
        or (found.size or 0) <= part_bytes
    ):
        return [Part(found)]
    with found.open() as file:
        head = file.read(streaming.BATCH_BYTES)
    given = (
        streaming.encoding_by_mark(head) if encoding == streaming.BY_MARK else encoding
    )
    if codecs.lookup(given).name != "utf-8":
        return [Part(found)]
    streaming.check_text(found.name, head)
    begins = range(0, found.size, part_bytes)
    return [
        Part(found, i, at, min(at + part_bytes, found.size))
        for i, at in enumerate(begins)
    ]


def open_part(part, encoding=streaming.BY_MARK, mark=LINES):
    """Open a Part as a Source; mark: what ends a unit, LINES or PARAGRAPHS; raises
    InputError.
    """
    name, file = part.input.name, part.input.open()
    if part.end is not None:
        try:
            with file:
                file = io.BytesIO(_bytes(file, part, mark))
        except OSError as error:
            raise streaming.InputError(f"{name}: {reason_of(error)}") from None
    return streaming.Source(name, encoding, file, begins=part.begin == 0)


def _bytes(file, part, mark):
    borders = []
    for position in (part.begin, part.end):
        file.seek(position)
        seek_delimiter(file, mark, streaming.BATCH_BYTES)
        borders.append(file.tell())
    begin, end = borders
    if end - begin > part.end - part.begin + streaming.LONGEST_LINE:
        raise OSError(0, f"a line has more than {streaming.LONGEST_LINE:,} bytes")
    file.seek(begin)
    return file.read(end - begin)
