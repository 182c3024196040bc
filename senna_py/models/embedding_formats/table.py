"""Word vectors in memory, and what their formats have in common."""

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
        words: The words.
        vectors: float32[n_words, dim], or another float type as it was stored.
    """

    words: list[str]
    vectors: NDArray[Any]


def decode(data: bytes) -> str:
    """Decode words; bytes that are not UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Encode what `decode` decoded."""
    return text.encode("utf-8", "surrogateescape")


def encode_lines(words: Iterable[str]) -> bytes:
    """Encode words, one per line."""
    return encode("".join(f"{word}\n" for word in words))


def parse_numbers(path: Path, line: int, fields: list[bytes]) -> NDArray[np.float32]:
    """Parse the numbers of a line; raise SennaError naming it."""
    try:
        # A number beyond float32 becomes infinite, which has an error of its own.
        with np.errstate(over="ignore"):
            return np.array(floats_of(fields), np.float32)
    except ValueError:
        raise SennaError(
            f"{path}: line {line:,}: not a number among the values"
        ) from None


def text_row(row: NDArray[Any]) -> bytes:
    """Return a vector as text."""
    return " ".join(row.astype(str).tolist()).encode()
