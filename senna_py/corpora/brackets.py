"""Trees as bracketed text: `(TOP (S (NP (PRP It)) (VP (VBZ works))))`."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from senna_py.labels.brackets import BRACKETS, Leaf, bracket_text, read_brackets
from senna_py.labels.trees import Tree, build_tree

__all__ = ["BracketText", "bracket_texts", "format_tree", "parse_tree"]

_BLANK = re.compile(r"\s", re.ASCII)  # tokens may have any other white space in them
_MARK = re.compile(r"[()\[\]{}]")


class BracketText(NamedTuple):
    """The text of one tree, and the number of its first line."""

    line: int
    text: str


def bracket_texts(lines: Iterable[bytes]) -> Iterator[BracketText]:
    """Yield the text of each tree of a file, from its lines.

    A tree ends where its brackets do, and in any case before a line that begins with `(`: further
    lines of a tree are indented. So one tree that is cut short does not take the next with it.
    """
    parts: list[str] = []
    begin = n_open = 0
    for number, line in enumerate(lines, 1):
        if parts and (n_open <= 0 or line.startswith(b"(")):
            yield BracketText(begin, "\n".join(parts))
            parts, n_open = [], 0
        if not parts:
            if not line.strip():
                continue
            begin = number
        parts.append(line.decode("utf-8", "surrogateescape"))
        n_open += line.count(b"(") - line.count(b")")
    if parts:
        yield BracketText(begin, "\n".join(parts))


def parse_tree(text: str) -> Tree | None:
    """The tree that a text has, or None for an empty parse: `(())`, `()` or `(TOP)`.

    Labels stay as they are, with traces and function tags, see `labels.trees.bare_tree`. In words,
    `-LRB-` is `(` and so on for the other brackets; `\\/` is `/` and `\\*` is `*`. Raises
    ValueError(line, problem), lines counted from 0.
    """
    leaves, phrases = read_brackets(text)
    return build_tree(leaves, phrases) if leaves else None


def format_tree(tree: Tree) -> str:
    """A tree on one line, from which the same tree can be read, if it has no escapes.

    Brackets in words, and in parts of speech, are `-LRB-` and so on. Raises ValueError for a word,
    a part of speech or a label that is empty (but for that of the root) or has white space inside,
    and for brackets in a label. `str(tree)` writes any tree, and white space as an underscore.
    """
    leaves, phrases = tree.leaves, tree.phrases
    for i, (label, _, _) in enumerate(phrases):
        if _BLANK.search(label) or "(" in label or ")" in label or not (label or i == 0):
            raise ValueError(f"expected a label without blanks and brackets, found {label!r}")
    for leaf in leaves:
        if not all(leaf) or any(map(_BLANK.search, leaf)):
            raise ValueError(f"expected a word and a part of speech without blanks, found {leaf}")
    escaped = [Leaf(_escape(word), _escape(tag)) for word, tag in leaves]
    return bracket_text(escaped, phrases)


def _escape(text: str) -> str:
    return _MARK.sub(lambda match: BRACKETS[match[0]], text)
