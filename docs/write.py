"""Write the parts of pages that are made from code: `python docs/write.py`.

These are the pages of the commands, the sections of the Python API, and the tables of
settings. They stand in the repository, so that they can be read there, too. A test
compares them with the code.
"""

from collections.abc import Iterator
from pathlib import Path

import api
import commands
import tables

PAGES = Path(__file__).resolve().parent


def outdated() -> Iterator[tuple[Path, str]]:
    """Yield each page that differs from the code, with its new text."""
    made = commands.pages()
    for path in sorted({*PAGES.rglob("*.md"), *made}):
        page = path.read_text(encoding="utf-8") if path.exists() else ""
        current = made.get(path, page)
        current = tables.with_tables(current)
        current = api.with_sections(api.with_table(current))
        current = commands.with_table(current)
        if current != page:
            yield path, current


def main() -> None:
    """Write the pages that are not current."""
    for path, text in outdated():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(PAGES.parent)}: written")


if __name__ == "__main__":
    main()
