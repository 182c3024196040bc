"""TOML files."""

import json
import re
import sys
from typing import Any

from senna_py.errors import SennaError, UsageError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.nesting import DEEPEST, NestingError, check_nesting
from senna_py.io.streaming import text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LARGEST = 1 << 20  # bytes of a file
_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{{DEEPEST}}}")


class _ValueError(ValueError):
    """A value of TOML that no setting has."""


def read_toml(path):
    """A TOML file as a dict; raises SennaError naming the file and the line."""
    try:
        with report_os_errors(path), open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise SennaError(f"{path}: not TOML: more than {_LARGEST:,} bytes")
        return _checked(_parsed(text_of(data)))
    except (ValueError, RecursionError) as error:
        raise SennaError(f"{path}: not TOML: {_reason(error)}") from None


def parse_setting(text):
    """A setting such as `training.rate=0.1` as nested dicts; raises UsageError.

    A value that is not TOML is a string, as the shell takes quotes away; of one that
    begins as a list, a table or a quoted string, it is said what is wrong.
    """
    key, equals, value = text.partition("=")
    value = value.strip()
    try:
        try:
            return _checked(_parsed(text))
        except ValueError:
            if not equals or value[:1] in ("[", "{", '"', "'") or value.isdigit():
                raise
            return _checked(_parsed(f"{key}={json.dumps(value, ensure_ascii=False)}"))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{text!r}: not a setting such as training.rate=0.1: {_reason(error)}"
        ) from None


def _parsed(text: str) -> dict[str, Any]:
    """Return what TOML says; raises ValueError, also for keys of too many parts.

    Python's parser takes memory by the square of their number.
    """
    if _DEEP_KEY.search(text):
        raise NestingError
    return tomllib.loads(text)


def _checked(found):
    """Return `found`; raises ValueError for numbers and nesting beyond the limits."""
    left = [check_nesting(found)]
    while left:
        value = left.pop()
        if isinstance(value, (dict, list)):
            left += value.values() if isinstance(value, dict) else value
        elif isinstance(value, str) and "\0" in value:
            raise _ValueError(f"a NUL in {value!r}")
        elif (
            isinstance(value, int) and not -(2**63) <= value < 2**63
        ):  # as TOML has them
            raise ValueError
        elif not isinstance(value, (str, int, float)):
            raise _ValueError(f"dates and times are strings, found {value}")
    return found


def _reason(error):
    if isinstance(error, RecursionError):
        return NestingError()
    if type(error) is ValueError:  # in which Python says how to allow them
        return "a number of too many digits"
    return error


def toml_line(key, value):
    """A key and its value as TOML says them; value: what JSON can hold, but null."""
    key = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return f"{key} = {_value(value)}"


def _value(value):
    if isinstance(value, dict):
        return "{" + ", ".join(toml_line(*each) for each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # Strings, numbers and booleans are written alike in both.
    return json.dumps(value, ensure_ascii=False)
