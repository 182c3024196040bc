"""Strict JSON, and a limit on the depth of nested values in JSON and TOML."""

import json
import math
from typing import Any, NoReturn

DEEPEST = 64  # the maximum depth of nested lists and objects
_MOST_DIGITS = 600  # less than the lowest limit that Python can be configured to have


class NestingError(ValueError):
    """Raised if values are nested more than DEEPEST levels deep."""

    def __init__(self) -> None:
        super().__init__(f"nested more than {DEEPEST} deep")


def check_nesting(value: Any, depth: int = 1) -> Any:
    """Return `value`; raise NestingError if its dicts and lists are nested too deep.

    Args:
        value: The value.
        depth: The depth of the value itself.
    """
    if isinstance(value, dict | list):
        if depth > DEEPEST:
            raise NestingError
        for item in value.values() if isinstance(value, dict) else value:
            check_nesting(item, depth + 1)
    return value


def parse_json(text: str | bytes, **options: Any) -> Any:
    """Parse JSON strictly.

    NaN, infinity, deep nesting and whole numbers of more than 600 digits are errors.

    Args:
        text: The JSON text.
        **options: Other arguments of `json.loads`.

    Raises:
        ValueError: If the text is not JSON, or contains one of these.
    """
    strict = {"parse_constant": _refuse_constant, "parse_int": _parse_int}
    try:
        value = json.loads(text, **{**strict, **options})
    except RecursionError:
        raise NestingError from None
    return check_nesting(value)


def json_text(value: Any, **options: Any) -> str:
    """Return `value` as JSON, with null in place of NaN and infinity.

    Args:
        value: A value that `json.dumps` accepts.
        **options: Other arguments of `json.dumps`.
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_without_infinities(value), **options)


def _parse_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:  # Python's error explains how to change its limit
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a value of JSON")


def _without_infinities(value: Any) -> Any:
    """Return a copy of nested values, with None for floats that are not finite."""
    if isinstance(value, dict):
        return {key: _without_infinities(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_without_infinities, value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
