"""Numbers in files and on the command line, by one rule: ASCII, and nothing but the
number.

Python also reads `1_000`, ` 1` and the digits of other scripts, and fails on thousands
of digits with an error of its own.
"""

import re

_MOST_DIGITS = 18  # all of them fit into int64
_STEP = 1 << 13
_INTEGER = re.compile(rb"[0-9]{1,%d}" % _MOST_DIGITS)


def int_of(field: str | bytes) -> int:
    """A whole number from 0 on, of 1 to 18 digits; raises ValueError for anything
    else.
    """
    data = _ascii(field)
    if not _INTEGER.fullmatch(data):
        raise ValueError("not a whole number")
    return int(data)


def int_up_to(field: str | bytes, largest: int) -> int | None:
    """Return the whole number from 0 to `largest` that a field is; None if it is
    none.
    """
    try:
        number = int_of(field)
    except ValueError:
        return None
    return number if number <= largest else None


def float_of(field: str | bytes) -> float:
    """A number as C writes it, infinite or NaN perhaps; raises ValueError for anything
    else.
    """
    return floats_of([_ascii(field)])[0]


def floats_of(fields: list[bytes]) -> list[float]:
    """`float_of` of each field."""
    joined = b"".join(fields)
    if b"_" in joined or joined.split() not in ([], [joined]):
        raise ValueError("not a number")
    return [*map(float, fields)]


def _ascii(field):
    return (
        field.encode("ascii") if isinstance(field, str) else field
    )  # ValueError if it is not


def ints_of(array):
    """Yield the numbers of an array as int, without a list of all of them."""
    for k in range(0, len(array), _STEP):
        yield from array[k : k + _STEP].tolist()
