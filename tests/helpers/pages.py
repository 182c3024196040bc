"""The pages of the documentation, and their blocks."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.helpers.shell import LINES

__all__ = ["PAGES", "ROOT", "Block", "blocks_of", "commands_of", "files_of"]

ROOT = Path(__file__).resolve().parents[2]
_PATHS = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("models/*/*.md"),
    ROOT / "recipes/README.md",
]
PAGES = {path.relative_to(ROOT).as_posix(): path for path in sorted(_PATHS)}
_BLOCK = re.compile(r"^( *)```([\w-]*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block of a page.

    kind: what stands behind the opening mark, such as sh; "" for what a program prints.
    """

    kind: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page, without the indentation that those of cards have."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [
        Block(kind, re.sub(f"^{indent}", "", text, flags=re.MULTILINE))
        for indent, kind, text in found
    ]


def commands_of(page: Path) -> list[str]:
    """Commands of a page, in order, without those that give a file its lines."""
    lines = [line.strip() for path, _, line in _lines(page) if not path]
    return [line for line in lines if line and line[0] != "#"]


def files_of(page: Path) -> list[tuple[str, str]]:
    """Names and lines of the files that `cat > FILE <<END` writes on a page."""
    return [(path, text) for path, text, _ in _lines(page) if path]


def _lines(page):
    blocks = (block.text for block in blocks_of(page) if block.kind == "sh")
    return LINES.findall("".join(blocks).replace("\\\n", " "))
