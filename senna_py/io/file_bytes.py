"""Map whole files into memory, and compute their hashes."""

import os
from typing import TYPE_CHECKING, BinaryIO

from senna_py.io.file_errors import report_os_errors

if TYPE_CHECKING:
    from mmap import mmap

_BLOCK_BYTES = 1 << 20


def map_file(path: str | os.PathLike[str]) -> "mmap | bytes":
    """Return a read-only memory map of a file, or `b""` for an empty file.

    Raises:
        SennaError: If the file cannot be opened or mapped.
    """
    import mmap  # noqa: PLC0415 - commands start faster without it

    with report_os_errors(path), open(path, "rb") as file:
        if not file.seek(0, os.SEEK_END):
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def sha256_digest(file: BinaryIO) -> str:
    """Return the SHA-256 hash of the rest of a binary file, in hexadecimal."""
    import hashlib  # noqa: PLC0415 - few commands need it

    digest = hashlib.sha256()
    while block := file.read(_BLOCK_BYTES):
        digest.update(block)
    return digest.hexdigest()
