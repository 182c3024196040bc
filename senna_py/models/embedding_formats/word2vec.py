"""Word vectors in the formats of word2vec (text and binary) and GloVe (text).

A line of text has a word and its numbers, separated by spaces. word2vec's files begin
with a header line, the number of words and the number of dimensions; GloVe's do not. A
row of the binary format has a word, a space, float32 values and a newline. The files
may be compressed (`.gz`, `.xz`, `.bz2`).
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io import streaming
from senna_py.io.files import replace_file
from senna_py.io.numbers import int_of
from senna_py.models.embedding_formats.table import (
    Embeddings,
    decode,
    encode,
    parse_numbers,
    text_row,
)

FASTTEXT = b"\xba\x16\x4f\x2f"  # the first bytes of fastText's models
_FASTTEXT_ENDING = re.compile(r"\.(bin|ftz)(\.\w+)?$")
_LONGEST_HEADER = 1 << 12  # in bytes


@contextmanager
def open_vectors(path: Path) -> Iterator[BufferedReader]:
    """Open a file of word vectors as a context manager.

    The file is decompressed if its suffix is that of a compressed file, and a
    byte-order mark is skipped.

    Raises:
        SennaError: If the file is a fastText model.
    """
    with streaming.Source(path, None) as source:
        file = BufferedReader(source.file)
        head = file.peek(4)
        if head.startswith(FASTTEXT):
            text = _FASTTEXT_ENDING.sub("", str(path)) + ".vec"
            raise SennaError(
                f"{path}: a fastText model, which has its vectors as text in {text}"
            )
        if head.startswith(codecs.BOM_UTF8):
            file.read(3)
        yield file


def read_lines(path: Path, file: BufferedReader) -> Iterator[bytes]:
    """Yield the lines of an open file; raise SennaError if a line is too long."""
    while line := file.readline(streaming.LONGEST_LINE + 1):
        streaming.check_line(str(path), len(line))
        yield line


def parse_sizes(path: Path, line: bytes) -> tuple[int, int] | None:
    """Return the number of words and of dimensions in a header line.

    The result is None if the line is not a header.

    Raises:
        SennaError: If a number has too many digits.
    """
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    try:
        return int_of(fields[0]), int_of(fields[1])
    except ValueError:
        longest = max(map(len, fields))
        raise SennaError(f"{path}: line 1: a number of {longest:,} digits") from None


def _read_header(path: Path, line: bytes) -> tuple[int, int]:
    sizes = parse_sizes(path, line)
    if sizes is None or not all(sizes):
        raise SennaError(
            f"{path}: line 1: expected the number of words and of dimensions"
        )
    return sizes


def _read_rows(
    path: Path, lines: Iterable[bytes], dim: int | None, first: int
) -> Embeddings:
    """Read lines that consist of a word and its numbers.

    The last `dim` fields of a line are the numbers, so a word may contain spaces.

    path: The file, for messages.
    lines: The lines.
    dim: The number of dimensions; None if the first line determines it.
    first: The line number of the first line, for messages.
    """
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for number, line in enumerate((line.rstrip(b"\r\n ") for line in lines), first):
        if dim is None:
            dim = max(len(line.split(b" ")) - 1, 1)
        word, *fields = line.rsplit(b" ", dim)
        if len(fields) != dim:
            raise SennaError(
                f"{path}: line {number:,}: {len(fields)} numbers after a word, expected {dim}"
            )
        words.append(decode(word))
        rows.append(parse_numbers(path, number, fields))
    if not words:
        raise SennaError(f"{path}: no vectors")
    return Embeddings(words, np.array(rows))


def read_word2vec(path: Path) -> Embeddings:
    """Read word vectors in word2vec's text format.

    Raises:
        SennaError: If a line is malformed, or the number of words is not that of the
            header.
    """
    with open_vectors(path) as file:
        n_words, dim = _read_header(path, file.readline(_LONGEST_HEADER))
        embeddings = _read_rows(path, read_lines(path, file), dim, 2)
    if len(embeddings.words) != n_words:
        raise SennaError(
            f"{path}: {len(embeddings.words):,} words, line 1 says {n_words:,}"
        )
    return embeddings


def read_glove(path: Path) -> Embeddings:
    """Read word vectors in GloVe's text format.

    Raises:
        SennaError: If a line is malformed, or there is none.
    """
    with open_vectors(path) as file:
        return _read_rows(path, read_lines(path, file), None, 1)


def read_word2vec_binary(path: Path) -> Embeddings:
    """Read word vectors in word2vec's binary format.

    Raises:
        SennaError: If the header is malformed, the file ends in a vector, or bytes follow
            the last one.
    """
    with open_vectors(path) as file:
        data = file.read()
    position = data.find(b"\n") + 1
    n_words, dim = _read_header(path, data[:position])
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for number in range(n_words):
        space = data.find(b" ", position)
        if space < 0 or len(data) < space + 1 + 4 * dim:
            raise SennaError(
                f"{path}: the file ends in word {number + 1:,}, at byte {position:,}; "
                f"line 1 says {n_words:,} words of {dim} dimensions"
            )
        # Some programs write a newline after each vector, and others do not.
        words.append(decode(data[position:space].lstrip(b"\n")))
        rows.append(np.frombuffer(data, "<f4", dim, space + 1))
        position = space + 1 + 4 * dim
    if data[position:].strip(b"\n"):
        raise SennaError(f"{path}: {len(data) - position:,} bytes follow the last word")
    return Embeddings(words, np.array(rows))


def write_word2vec(path: Path, embeddings: Embeddings) -> None:
    """Write word vectors in word2vec's text format."""
    _write_rows(path, embeddings, text_row, has_header=True)


def write_glove(path: Path, embeddings: Embeddings) -> None:
    """Write word vectors in GloVe's text format."""
    _write_rows(path, embeddings, text_row, has_header=False)


def write_word2vec_binary(path: Path, embeddings: Embeddings) -> None:
    """Write word vectors in word2vec's binary format."""
    _write_rows(
        path, embeddings, lambda row: row.astype("<f4").tobytes(), has_header=True
    )


def _write_rows(
    path: Path,
    embeddings: Embeddings,
    encode_row: Callable[[NDArray[Any]], bytes],
    has_header: bool,
) -> None:
    def write(file: BinaryIO) -> None:
        if has_header:
            file.write(b"%d %d\n" % embeddings.vectors.shape)
        for word, row in zip(embeddings.words, embeddings.vectors, strict=True):
            file.write(b"%b %b\n" % (encode(word), encode_row(row)))

    replace_file(path, write)
