"""Logs of training runs: a JSON object a line."""

import json

from senna_py.errors import SennaError
from senna_py.formats.checkpoint import replace_file

__all__ = ["LOG", "append_row", "cut_rows", "read_rows"]

LOG = "log.jsonl"  # in the directory of a run


def append_row(path, figures):
    """Add a line; raises OSError."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(figures) + "\n")


def cut_rows(path, key, last):
    """Leave the lines whose figure `key` is `last` at most, as far as a checkpoint knows.

    A run that was killed has perhaps written more, which will come again, or half a line.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError:
        return
    kept = [line for line in lines if _figure(line, key) <= last]
    if kept != lines:
        replace_file(path, lambda file: file.writelines(kept))


def _figure(line, key):
    """Figure of a line; infinite for half a line."""
    try:
        return float(json.loads(line)[key]) if line.endswith(b"\n") else float("inf")
    except (ValueError, KeyError, TypeError):
        return float("inf")


def read_rows(path):
    """Lines of a log: a list of what JSON says; raises SennaError if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SennaError(f"{path}: not a log of training: {error}") from None
