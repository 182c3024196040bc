"""Tables of text that models store as arrays: UTF-8, a line per row, tabs between cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def rows_of_array(array: NDArray[np.uint8], name: str) -> list[list[str]]:
    """Return the rows of a table.

    Args:
        array: uint8[n_bytes], the value of `array_of_rows`.
        name: The name of the array, for messages.

    Raises:
        SennaError: If it is not UTF-8, or if its last line does not end.
    """
    try:
        lines = array.tobytes().decode().split("\n")
    except UnicodeDecodeError:
        raise SennaError(f"{name}: not UTF-8") from None
    if lines.pop():
        raise SennaError(f"{name}: not a table of lines, the last of which ends")
    return [line.split("\t") for line in lines]


def array_of_rows(rows: Iterable[Iterable[str]]) -> NDArray[np.uint8]:
    """Return a table as an array: uint8[n_bytes]."""
    text = "".join("\t".join(row) + "\n" for row in rows)
    return np.frombuffer(text.encode(), np.uint8)
