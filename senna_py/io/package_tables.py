"""Tables in the package: files of a group, a name and a text per line, between tabs."""

from functools import cache
from pathlib import Path


@cache
def read_table(path: Path) -> dict[str, dict[str, str]]:
    """Read a table of the package as {group: {name: text}}."""
    table: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        group, name, text = line.split("\t")
        table.setdefault(group, {})[name] = text
    return table
