"""Nested values, as in JSON and TOML, with a limit of their depth; strict JSON."""

import json
import math
from typing import Any, NoReturn

DEEPEST = 64  # lists and objects within each other
_MOST_DIGITS = 600  # below every limit that Python can be set to


class NestingError(ValueError):
    """The error for values that are nested deeper than DEEPEST."""

    def __init__(self) -> None:
        super().__init__(f"nested more than {DEEPEST} deep")


def check_nesting(value: Any, depth: int = 1) -> Any:
    """Return `value`, or raise NestingError if its dicts and lists are nested too deep."""
    if isinstance(value, dict | list):
        if depth > DEEPEST:
            raise NestingError
        for item in value.values() if isinstance(value, dict) else value:
            check_nesting(item, depth + 1)
    return value


def parse_json(text: str | bytes, **options: Any) -> Any:
    """Parse JSON strictly: NaN, infinity and deep nesting are errors.

    Args:
        text: The JSON text.
        **options: More arguments of `json.loads`.

    Raises:
        ValueError: If this is not JSON.
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
        value: What JSON can represent.
        **options: More arguments of `json.dumps`.
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_without_infinities(value), **options)


def _parse_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:  # Python's own error would say how to allow it
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a value of JSON")


def _without_infinities(value: Any) -> Any:
    """Copy dicts, lists and tuples, with None in place of floats that are not finite."""
    if isinstance(value, dict):
        return {key: _without_infinities(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_without_infinities, value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
