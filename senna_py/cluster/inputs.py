"""The inputs of a run: files, directories, globs and URLs of whatever fsspec opens."""

import posixpath
import re
from dataclasses import asdict, dataclass

from fsspec.core import url_to_fs

from senna_py.io.streaming import COMPRESSED, InputError

__all__ = ["JSONL", "PARQUET", "TEXT", "Input", "find_inputs", "open_input", "reason_of"]

TEXT, JSONL, PARQUET = "text", "jsonl", "parquet"
_KINDS = {".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL, ".parquet": PARQUET}
_MAGIC = re.compile(r"[*?\[]")
# What stores say of a file that changes when it is written anew, the surest first.
_STAMPS = (
    "ETag", "etag", "md5Hash", "checksum", "mtime", "LastModified", "last_modified", "created",
)  # fmt: skip


@dataclass(frozen=True)
class Input:
    """A file to tag.

    name: what the user calls it, by which documents and outputs are named; url: where any machine
    finds it; size: bytes, or None if its store does not say; stamp: changes when the file does;
    kind: TEXT, JSONL or PARQUET; compressed: whether its bytes have to be read from the first.
    """

    name: str
    url: str
    size: int | None
    stamp: str
    kind: str
    compressed: bool

    def to_dict(self):
        """Plain values by name."""
        return asdict(self)


def find_inputs(names):
    """The Inputs that `names` stand for, in their order, each once; and those that are none.

    names: paths or URLs of files, of directories, of which everything below counts but what a `_`
    or `.` begins, or globs. Returns a list of Input, and a dict of messages by name.
    """
    found, errors = {}, {}
    for name in names:
        try:
            for each in _expand(str(name)):
                found.setdefault(each.url, each)
        except InputError as error:
            errors[str(name)] = str(error)
        except Exception as error:  # stores raise what they like
            errors[str(name)] = f"{name}: {reason_of(error)}"
    return list(found.values()), errors


def open_input(found):
    """Open an Input for reading: a binary file with `seek`; raises InputError."""
    try:
        fs, path = url_to_fs(found.url)
        return fs.open(path, "rb")
    except Exception as error:
        raise InputError(f"{found.name}: {reason_of(error)}") from None


def reason_of(error):
    """What went wrong, without the path that the message already has."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _expand(name):
    """Yield the Inputs of one name."""
    fs, path = url_to_fs(name)
    if _MAGIC.search(name) and not fs.exists(path):
        # What stands before the first wildcard is as the user wrote it; the rest as it was found.
        fixed = name[: _MAGIC.search(name).start()]
        fixed = fixed[: fixed.rfind("/") + 1]
        root = fs._strip_protocol(fixed or ".")
        infos = [info for info in fs.glob(path, detail=True).values() if info["type"] == "file"]
    else:
        info = fs.info(path)
        if info["type"] != "directory":
            yield _input(fs, name, info)
            return
        fixed, root = name.rstrip("/") + "/", path
        infos = [info for info in fs.find(path, detail=True).values()
                 if not _is_hidden(info["name"], root)]  # fmt: skip
    if not infos:
        raise InputError(f"{name}: no file is there")
    for info in sorted(infos, key=lambda info: info["name"]):
        yield _input(fs, fixed + posixpath.relpath(info["name"], root), info)


def _is_hidden(path, root):
    return any(part[0] in "_." for part in posixpath.relpath(path, root).split("/"))


def _input(fs, name, info):
    ending = posixpath.splitext(name)
    compressed = ending[1].lower() in COMPRESSED
    inner = posixpath.splitext(ending[0])[1] if compressed else ending[1]
    if inner.lower() == ".conllu":
        raise InputError(f"{name}: CoNLL-U is read without --output-dir only")
    kind = _KINDS.get(inner.lower(), TEXT)
    if kind == PARQUET and compressed:
        raise InputError(f"{name}: a Parquet file that is compressed as a whole")
    stamp = next((str(info[key]) for key in _STAMPS if info.get(key) is not None), "")
    url = fs.unstrip_protocol(info["name"])
    return Input(name, url, info.get("size"), stamp.strip('"'), kind, compressed)
