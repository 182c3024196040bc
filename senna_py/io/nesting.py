"""Nested values, as of JSON and TOML, that are no deeper than those who walk them can go."""

import json

__all__ = ["DEEPEST", "NestingError", "check_nesting", "parse_json"]

DEEPEST = 64  # lists and objects in each other


class NestingError(ValueError):
    """Values are nested beyond DEEPEST."""

    def __init__(self):  # noqa: D107
        super().__init__(f"nested more than {DEEPEST} deep")


def check_nesting(value):
    """The value, made of dicts and lists; raises NestingError if they are nested too deep."""
    inner = [value]
    for _ in range(DEEPEST + 1):
        outer = [each for each in inner if isinstance(each, dict | list)]
        if not outer:
            return value
        inner = [
            one for each in outer for one in (each.values() if isinstance(each, dict) else each)
        ]
    raise NestingError


def parse_json(text, **options):
    """The value of a JSON text: str or bytes; raises ValueError for anything else.

    options: of json.loads.
    """
    try:
        value = json.loads(text, **options)
    except RecursionError:
        raise NestingError from None
    return check_nesting(value)
