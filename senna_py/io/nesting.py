"""Nested values, as of JSON and TOML, no deeper than those who walk them can go; strict
JSON.
"""

import json
import math

DEEPEST = 64  # lists and objects in each other
_MOST_DIGITS = 600  # less than Python can be told to read


class NestingError(ValueError):
    """Values are nested beyond DEEPEST."""

    def __init__(self):
        super().__init__(f"nested more than {DEEPEST} deep")


def check_nesting(value, depth=1):
    """The value, made of dicts and lists; raises NestingError if they are nested too
    deep.
    """
    if isinstance(value, dict | list):
        if depth > DEEPEST:
            raise NestingError
        for each in value.values() if isinstance(value, dict) else value:
            check_nesting(each, depth + 1)
    return value


def parse_json(text, **options):
    """The value of JSON, str or bytes, as json.loads reads it; raises ValueError, also
    for NaN.
    """
    try:
        value = json.loads(
            text, **{"parse_constant": _refuse, "parse_int": _int, **options}
        )
    except RecursionError:
        raise NestingError from None
    return check_nesting(value)


def json_text(value, **options):
    """JSON of a value, in which a float that is not finite is null; options: of
    json.dumps.
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_finite(value), **options)


def _int(digits):
    if len(digits) > _MOST_DIGITS:  # of which Python says how to allow them
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _refuse(constant):
    raise ValueError(f"{constant} is no value of JSON")


def _finite(value):
    """The value, made of dicts, lists and tuples, with None for floats that are not
    finite.
    """
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_finite, value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
