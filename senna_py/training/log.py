"""The log of a training run: a JSON object a line, one an epoch."""

from senna_py.errors import SennaError
from senna_py.formats.run_log import read_rows

__all__ = ["read_log"]


def read_log(path):
    """Figures of all epochs: a list of dict; raises SennaError."""
    rows = read_rows(path)
    if not rows or not all(isinstance(row, dict) and "epoch" in row for row in rows):
        raise SennaError(f"{path}: no log of training")
    return rows
