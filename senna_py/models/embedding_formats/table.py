"""Word vectors in memory, and functions that several of their formats use."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io.numbers import floats_of


@dataclass
class Embeddings:
    """Words and their vectors.

    Attributes:
        words: The words, one for each row of `vectors`.
        vectors: float[n_words, dim], float32 or the float type of the file.
    """

    words: list[str]
    vectors: NDArray[Any]


def decode(data: bytes) -> str:
    """Decode UTF-8; invalid bytes become surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text that `decode` decoded."""
    return text.encode("utf-8", "surrogateescape")


def encode_lines(words: Iterable[str]) -> bytes:
    """Return the bytes of a file with one word per line."""
    return encode("".join(f"{word}\n" for word in words))


def parse_numbers(path: Path, line: int, fields: list[bytes]) -> NDArray[np.float32]:
    """Return the numbers of a line: float32[n_fields].

    Args:
        path: The file, for messages.
        line: The number of the line, for messages.
        fields: The numbers as text.

    Raises:
        SennaError: If a field is not a number.
    """
    try:
        # Numbers out of the range of float32 become infinite, and are reported later.
        with np.errstate(over="ignore"):
            return np.array(floats_of(fields), np.float32)
    except ValueError:
        raise SennaError(
            f"{path}: line {line:,}: not a number among the values"
        ) from None


def text_row(row: NDArray[Any]) -> bytes:
    """Return the numbers of a vector as text, separated by spaces."""
    return " ".join(row.astype(str).tolist()).encode()
