"""Word vectors in a SENNA directory.

The words are in `hash/words.lst`, the vectors in `embeddings/embeddings.txt`.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io.files import replace_files
from senna_py.models.embedding_formats.npy import read_word_lines
from senna_py.models.embedding_formats.table import (
    Embeddings,
    encode,
    encode_lines,
    parse_numbers,
    text_row,
)


def senna_paths(path: Path) -> list[Path]:
    """Return the paths of the file of words and the file of vectors in a directory."""
    return [path / "hash" / "words.lst", path / "embeddings" / "embeddings.txt"]


def read_senna_vectors(path: Path) -> Embeddings:
    """Read the words and vectors of a SENNA directory.

    Raises:
        SennaError: If a line is malformed, or there are not as many words as vectors.
    """
    words_path, vectors_path = senna_paths(path)
    words = [word.strip() for word in read_word_lines(words_path)]
    rows: list[NDArray[Any]] = []
    with open(vectors_path, "rb") as file:
        for number, line in enumerate(file, 1):
            rows.append(parse_numbers(vectors_path, number, line.split()))
            if len(rows[-1]) != len(rows[0]) or not len(rows[0]):
                raise SennaError(
                    f"{vectors_path}: line {number:,}: {len(rows[-1])} numbers, "
                    f"expected {len(rows[0]) or 'some'}"
                )
    if len(rows) != len(words):
        raise SennaError(
            f"{vectors_path}: {len(rows):,} vectors for {len(words):,} words in {words_path}"
        )
    return Embeddings(words, np.array(rows))


def write_senna_vectors(path: Path, embeddings: Embeddings) -> None:
    """Write words and vectors to a directory, sorted by the bytes of the words.

    SENNA finds words by binary search.
    """
    words = embeddings.words
    order = sorted(range(len(words)), key=lambda i: encode(words[i]))
    data = encode_lines(words[i] for i in order)
    lines = (b"%b\n" % text_row(row) for row in embeddings.vectors[order])
    words_path, vectors_path = senna_paths(path)
    replace_files(
        {
            vectors_path: lambda file: file.writelines(lines),
            words_path: lambda file: file.write(data),
        }
    )
