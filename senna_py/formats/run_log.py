"""Logs of training runs: a JSON object a line."""

import json

from senna_py.errors import SennaError

__all__ = ["LOG", "append_row", "read_rows"]

LOG = "log.jsonl"  # in the directory of a run


def append_row(path, figures):
    """Add a line; raises OSError."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(figures) + "\n")


def read_rows(path):
    """Lines of a log: a list of what JSON says; raises SennaError if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SennaError(f"{path}: not a log of training: {error}") from None
