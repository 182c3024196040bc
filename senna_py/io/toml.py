"""Read TOML files and settings, and write lines of TOML."""

import json
import re
import sys
from typing import Any

from senna_py.errors import SennaError, UsageError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.nesting import DEEPEST, NestingError, check_nesting
from senna_py.io.streaming import decode_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LARGEST = 1 << 20  # the maximum size of a file in bytes
_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{{DEEPEST}}}")


class _ValueError(ValueError):
    """Raised for a TOML value that no setting can have; its message is for users."""


def read_toml(path: AnyPath) -> dict[str, Any]:
    """Return the contents of a TOML file as a dict.

    Raises:
        SennaError: If the file cannot be read, is not TOML, or has a value that no
            setting can have. The message names the file and, if known, the line.
    """
    try:
        with report_os_errors(path), open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise SennaError(f"{path}: not TOML: more than {_LARGEST:,} bytes")
        return _checked(_parsed(decode_text(data)))
    except (ValueError, RecursionError) as error:
        raise SennaError(f"{path}: not TOML: {_reason(error)}") from None


def parse_setting(text: str) -> dict[str, Any]:
    """Parse a setting such as `training.rate=0.1` as nested dicts.

    A value that is not TOML is a string, because shells remove quotation marks. This
    does not apply to values that consist of digits or begin like a list, a table or a
    quoted string.

    Raises:
        UsageError: If the text is not a setting. The message explains the problem.
    """
    key, equals, value = text.partition("=")
    value = value.strip()
    try:
        try:
            return _checked(_parsed(text))
        except ValueError:
            if not equals or value[:1] in ("[", "{", '"', "'") or value.isdigit():
                raise
            quoted = json.dumps(value, ensure_ascii=False)
            return _checked(_parsed(f"{key}={quoted}"))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{text!r}: not a setting such as training.rate=0.1: {_reason(error)}"
        ) from None


def _parsed(text: str) -> dict[str, Any]:
    """Parse TOML, and reject keys with DEEPEST or more dots.

    Python's parser needs memory that is quadratic in the number of dots.

    Raises:
        ValueError: If the text is not TOML, or contains a rejected key.
    """
    if _DEEP_KEY.search(text):
        raise NestingError
    return tomllib.loads(text)


def _checked(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table; raise ValueError if no setting can have one of its values."""
    values: list[Any] = [check_nesting(table)]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, str) and "\0" in value:
            raise _ValueError(f"a NUL in {value!r}")
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ValueError
        elif not isinstance(value, (str, int, float)):
            raise _ValueError(f"dates and times are strings, found {value}")
    return table


def _reason(error: Exception) -> object:
    if isinstance(error, RecursionError):
        return NestingError()
    if type(error) is ValueError:  # Python's message explains how to allow more
        return "a number of too many digits"
    return error


def toml_line(key: str, value: Any) -> str:
    """Return a key and its value as a line of TOML.

    Args:
        key: The key.
        value: A value that JSON can represent. None, which TOML cannot represent and
            only models of other programs have, is written as `null`.
    """
    name = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return f"{name} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(toml_line(*each) for each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON and TOML write strings, numbers and booleans alike.
    return json.dumps(value, ensure_ascii=False)
