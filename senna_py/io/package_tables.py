"""Read tab-separated tables of texts from the package."""

from functools import cache
from pathlib import Path


@cache
def read_table(path: Path) -> dict[str, dict[str, str]]:
    """Return a table as {group: {name: text}}.

    Args:
        path: A file in UTF-8. Each line consists of a group, a name and a text,
            separated by tabs.
    """
    table: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        group, name, text = line.split("\t")
        table.setdefault(group, {})[name] = text
    return table
