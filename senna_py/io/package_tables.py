"""Tables in the package: files of a kind, a name and a text per line, between tabs."""

from functools import cache
from pathlib import Path


@cache
def read_table(path: Path) -> dict[str, dict[str, str]]:
    """Read a table of the package as {kind: {name: text}}."""
    table: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        kind, name, text = line.split("\t")
        table.setdefault(kind, {})[name] = text
    return table
