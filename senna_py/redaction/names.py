"""The words of `names.toml`, and the invented names that are composed of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from senna_py.redaction.type_names import ORGANIZATION, PERSON, PLACE

if TYPE_CHECKING:
    from typing import Any

# The types that have invented names: the table of their endings, and the place of the
# first beginning, which differs so that the names do not look alike.
_ENDINGS = {
    PERSON: ("surnames", 0),
    PLACE: ("places", 6),
    ORGANIZATION: ("organizations", 12),
}


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - few runs need it

    return read_toml(Path(__file__).with_suffix(".toml"))


@lru_cache(maxsize=4)
def words_around(name: str) -> frozenset[str]:
    """Return the words of a list, such as `titles`, in lower case without periods."""
    return frozenset(_tables()["mentions"][name])


def given_name(number: int) -> str:
    """Return the invented given name of a person, who has a number from 1."""
    names: list[str] = _tables()["invented"]["given"]
    return names[(number - 1) % len(names)]


def invented_name(type_name: str, number: int) -> str | None:
    """Return an invented name, which is a surname for persons.

    No two numbers have the same name, and neighbors differ in both halves. The result
    is None if no name is left, or if there are none of the type.

    Args:
        type_name: The type.
        number: The number of the person or thing, from 1.
    """
    if type_name not in _ENDINGS:
        return None
    table = _tables()["invented"]
    name, first = _ENDINGS[type_name]
    beginnings, endings = table["beginnings"], table[name]
    turn, place = divmod(number - 1, len(beginnings))
    if turn >= len(endings):
        return None
    beginning = beginnings[(place + first) % len(beginnings)]
    return f"{beginning}{endings[(place + turn) % len(endings)]}"
