"""Strict parsing of numbers in files and on the command line.

Numbers consist of ASCII characters, without white space around them. Python's own
functions also accept `1_000`, ` 1` and the digits of other scripts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

_MOST_DIGITS = 18  # numbers with up to 18 digits fit into int64
_STEP = 1 << 13  # how many numbers are converted at a time
_INTEGER = re.compile(rb"[0-9]{1,%d}" % _MOST_DIGITS)


def int_of(field: str | bytes) -> int:
    """Parse a whole number of 1 to 18 digits without a sign.

    Raises:
        ValueError: If the field is anything else.
    """
    data = _ascii(field)
    if not _INTEGER.fullmatch(data):
        raise ValueError("not a whole number")
    return int(data)


def int_up_to(field: str | bytes, largest: int) -> int | None:
    """Parse a whole number from 0 to `largest`; return None for anything else.

    Args:
        field: The text of the number.
        largest: The largest number.
    """
    try:
        number = int_of(field)
    except ValueError:
        return None
    return number if number <= largest else None


def float_of(field: str | bytes) -> float:
    """Parse a floating-point number, which may be NaN or infinite.

    Raises:
        ValueError: If the field is not a number, or has blanks or underscores.
    """
    return floats_of([_ascii(field)])[0]


def floats_of(fields: list[bytes]) -> list[float]:
    """Parse several numbers; see `float_of`.

    Raises:
        ValueError: If a field is not a number.
    """
    joined = b"".join(fields)
    if b"_" in joined or joined.split() not in ([], [joined]):
        raise ValueError("not a number")
    return [*map(float, fields)]


def _ascii(field: str | bytes) -> bytes:
    """Return a field as bytes; raise UnicodeEncodeError (a ValueError) if not ASCII."""
    return field.encode("ascii") if isinstance(field, str) else field


def ints_of(array: NDArray[Any]) -> Iterator[int]:
    """Yield the numbers of an array as int, without making a list of all numbers."""
    for k in range(0, len(array), _STEP):
        yield from array[k : k + _STEP].tolist()
