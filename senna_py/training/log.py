"""The log of a training run: a JSON object a line, one an epoch."""

import json

from senna_py.errors import SennaError
from senna_py.formats.checkpoint import replace_file
from senna_py.formats.run_log import read_rows

__all__ = ["cut_log", "read_log"]


def cut_log(path, epoch):
    """Leave the lines of the first `epoch` epochs, as a checkpoint knows them.

    A run that was killed has perhaps written more, which will come again, or half a line.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError:
        return
    kept = [line for line in lines if _epoch(line) <= epoch]
    if kept != lines:
        replace_file(path, lambda file: file.writelines(kept))


def _epoch(line):
    """Epoch of a line; infinite for half a line."""
    try:
        return int(json.loads(line)["epoch"]) if line.endswith(b"\n") else float("inf")
    except (ValueError, KeyError, TypeError):
        return float("inf")


def read_log(path):
    """Figures of all epochs: a list of dict; raises SennaError."""
    rows = read_rows(path)
    if not rows or not all(isinstance(row, dict) and "epoch" in row for row in rows):
        raise SennaError(f"{path}: no log of training")
    return rows
