"""Detect the format of word vectors."""

import codecs
import re
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.io import streaming
from senna_py.io.numbers import floats_of
from senna_py.models.checkpoint import CHECKPOINT
from senna_py.models.embedding_formats.table import decode
from senna_py.models.embedding_formats.trained import MODEL_FILES
from senna_py.models.embedding_formats.word2vec import (
    open_vectors,
    parse_sizes,
    read_lines,
)

_BY_ENDING = {".npz": "checkpoint", ".npy": "npy", ".bin": "word2vec-binary"}
_TEXT_ENDINGS = ".txt", ".vec"
_HEAD = 1 << 12  # the number of bytes that are examined
_ARPA = re.compile(rb"^\s*\\data\\\s*$", re.MULTILINE)  # a line of n-gram models
# Control characters, which are rare in text and frequent in binary numbers.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
# The last bytes of little-endian float32 numbers from about 0.0005 to 32.
_USUAL = b":;<=>?@A"


def detect_format(path: Path) -> str:
    """Return the format of the word vectors at `path`, by its name and its contents.

    Returns:
        A format of `models.embeddings.read_embeddings`.

    Raises:
        SennaError: If the format is unclear or has no word vectors, or if the file
            cannot be read.
    """
    if path.suffix == ".lm" or any((path / name).exists() for name in MODEL_FILES):
        return "model"
    if path.is_dir():
        return "checkpoint" if (path / CHECKPOINT).exists() else "senna"
    is_compressed = path.suffix.lower() in streaming.COMPRESSED
    suffix = path.with_suffix("").suffix if is_compressed else path.suffix
    if suffix in _BY_ENDING:
        if is_compressed and suffix != ".bin":
            raise SennaError(
                f"{path}: arrays are not read from compressed files; decompress it first"
            )
        return _BY_ENDING[suffix]
    return "model" if _has_tensors(path) else _detect_text(path, suffix)


def _detect_text(path: Path, suffix: str) -> str:
    """Return `word2vec`, `word2vec-binary` or `glove`, by the beginning of a file."""
    with open_vectors(path) as file:
        lines = read_lines(path, file)
        first, second = next(lines, b""), next(lines, b"")
        more = file.read(_HEAD)
    sizes = parse_sizes(path, first)
    if sizes is None:
        if len(first.split()) == 2 < len(second.split()):
            raise SennaError(
                f"{path}: line 1: {decode(first.strip())!r}, expected the number of words and of "
                "dimensions, or a word and as many numbers as in line 2"
            )
        return "glove"
    # A file without numbers may still be text. Its reader then reports the problem.
    if (
        suffix in _TEXT_ENDINGS
        or _has_numbers(second, sizes[1])
        or _is_text(second + more, sizes[1])
    ):
        return "word2vec"
    return "word2vec-binary"


def _has_numbers(line: bytes, dim: int) -> bool:
    """Return whether a line consists of a word and 1 to `dim` numbers."""
    try:
        return 0 < len(floats_of(line.split()[1:])) <= dim
    except ValueError:
        return False


def _is_text(data: bytes, dim: int) -> bool:
    """Return whether the data after the header look like text, not binary numbers."""
    head = data[:_HEAD]
    # The last bytes of the numbers in the first vector, if they are binary.
    last_bytes = data.partition(b" ")[2][3 : 4 * dim : 4]
    if last_bytes and not last_bytes.strip(_USUAL):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(data) <= _HEAD)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(head)


def _has_tensors(path: Path) -> bool:
    """Return whether a file begins like a file of `models.tensors`.

    Raises SennaError for an n-gram model.
    """
    with open_vectors(path) as file:
        head = file.read(_HEAD)
    if _ARPA.search(head):
        raise SennaError(
            f"{path}: an n-gram model in the ARPA format, which has no vectors"
        )
    return head[3:9] == b"\0\0\0\0\0{"
