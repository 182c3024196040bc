"""TOML files."""

import sys

from senna_py.errors import SennaError, UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["parse_setting", "read_toml"]


def read_toml(path):
    """A TOML file as a dict; raises SennaError naming the file and the line."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SennaError(f"{path}: not TOML: {error}") from None


def parse_setting(text):
    """A setting such as `training.rate=0.1` as nested dicts; raises UsageError."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{text!r}: not a setting such as training.rate=0.1: {error}") from None
