"""Word vectors as a NumPy array `X.npy`, with the words in `X.words`, one per line.

The vectors may have any float type. The header of the array has a SHA-256 hash of the
words, which detects a file with other words.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io import streaming
from senna_py.io.files import replace_files
from senna_py.models.checkpoint import read_npy
from senna_py.models.embedding_formats.table import (
    Embeddings,
    decode,
    encode,
    encode_lines,
)

_WORDS_MARK = "# words: sha256 "  # begins a comment in the header, before the hash
_LONGEST_HEADER = 1 << 12  # in bytes


def npy_paths(path: Path) -> list[Path]:
    """Return the paths of the array and of the words.

    The suffix `.npy` is added to the path if it is missing.
    """
    if path.suffix != ".npy":
        path = path.with_name(f"{path.name}.npy")
    return [path, path.with_suffix(".words")]


def read_word_lines(path: Path) -> list[str]:
    """Return the words of a file with one word per line."""
    with streaming.Source(path) as source:
        lines = streaming.read_lines(source)
        return [decode(line.removesuffix(b"\r")) for line in lines]


def read_npy_vectors(path: Path) -> Embeddings:
    """Read word vectors from `path`, and the words from the file next to it.

    Raises:
        SennaError: If a file is malformed, or the files do not belong together.
    """
    words_path = path.with_suffix(".words")
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        if file.read(2) == b"PK":
            raise SennaError(f"{path}: an archive of arrays, expected one array")
        file.seek(0)
        try:
            vectors = read_npy(file, size)
        except (ValueError, EOFError, TypeError):
            raise SennaError(f"{path}: not a NumPy array, or damaged") from None
    if vectors.ndim != 2 or vectors.dtype.kind != "f":
        actual = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(f"{path}: {actual}, expected floats of two dimensions")
    words = read_word_lines(words_path)
    if len(words) != len(vectors):
        raise SennaError(
            f"{words_path}: {len(words):,} words, but {path} has {len(vectors):,} vectors"
        )
    if _stored_digest(path) not in (None, _digest(words)):
        raise SennaError(f"{words_path}: not the words that {path} was written with")
    return Embeddings(words, vectors)


def write_npy_vectors(path: Path, embeddings: Embeddings) -> None:
    """Write the array of word vectors and the file of words."""
    vectors = np.ascontiguousarray(embeddings.vectors)
    words = encode_lines(embeddings.words)

    def write(file: BinaryIO) -> None:
        file.write(_npy_header(vectors, _digest(embeddings.words)))
        file.write(vectors.data)

    array_path, words_path = npy_paths(path)
    replace_files({array_path: write, words_path: lambda file: file.write(words)})


def _digest(words: Sequence[str]) -> str:
    """Return the SHA-256 hash of a list of words, in hexadecimal."""
    return hashlib.sha256(encode("\n".join(words))).hexdigest()


def _npy_header(vectors: NDArray[Any], digest: str) -> bytes:
    """Return the header of a `.npy` file, with the hash of its words.

    The header is a Python expression (`numpy.lib.format`); the hash is a comment in it.
    """
    described = np.lib.format.header_data_from_array_1_0(vectors)
    fields = "".join(f"{name!r}: {described[name]!r}, " for name in sorted(described))
    header = f"{{{fields}}} {_WORDS_MARK}{digest}"
    size = len(np.lib.format.MAGIC_PREFIX) + 4 + len(header) + 1
    header += " " * (-size % np.lib.format.ARRAY_ALIGN) + "\n"
    length = len(header).to_bytes(2, "little")
    return np.lib.format.magic(1, 0) + length + header.encode()


def _stored_digest(path: Path) -> str | None:
    """Return the hash of the words in the header of a `.npy` file.

    The result is None for files of other programs.
    """
    with open(path, "rb") as file:
        header = file.read(_LONGEST_HEADER).partition(b"\n")[0].decode("latin-1")
    match = re.search(f"{_WORDS_MARK}([0-9a-f]{{64}}) *$", header)
    return match[1] if match else None
