"""Logs of training runs, in the JSON Lines format."""

import errno
import os
from pathlib import Path
from typing import Any

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors, report_write_errors
from senna_py.io.nesting import json_text, parse_json

LOG = "log.jsonl"  # in the directory of a run


def append_row(path: Path, figures: dict[str, Any]) -> None:
    """Append a line with a JSON object to a log.

    Args:
        path: The path of the log.
        figures: The contents of the object.

    Raises:
        OSError: If the line cannot be written completely. The log is then unchanged.
    """
    line = (json_text(figures) + "\n").encode()
    with open(path, "ab", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        try:
            if file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            file.truncate(end)
            raise


def log_size(path: Path) -> int:
    """Return the size of a log in bytes, or 0 if there is no log or no access to it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def cut_log(path: Path, size: int) -> None:
    """Truncate a log to the size that it had when a checkpoint was written.

    A run that was killed after that may have written more lines, the last one perhaps
    incomplete. The resumed run writes them again.

    Args:
        path: The path of the log.
        size: The size in bytes.

    Raises:
        WriteError: If the log cannot be truncated.
    """
    if log_size(path) <= size:
        return
    with report_write_errors(path):
        os.truncate(path, size)


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a log, one for each line.

    Raises:
        SennaError: If the log cannot be read, is empty, or has a line that is not a
            JSON object.
    """
    try:
        with report_os_errors(path), open(path, encoding="utf-8") as file:
            rows = [parse_json(line) for line in file]
    except ValueError as error:
        raise SennaError(f"{path}: not a log of training: {error}") from None
    if not rows:
        raise SennaError(f"{path}: the log is empty")
    if not all(isinstance(row, dict) for row in rows):
        raise SennaError(f"{path}: not a log of training")
    return rows
