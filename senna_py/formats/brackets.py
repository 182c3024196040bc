"""Trees as bracketed text: `(TOP (S (NP (PRP It)) (VP (VBZ works))))`."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from senna_py.errors import counted
from senna_py.labels.trees import ROOTS, Leaf, Tree

__all__ = ["BracketText", "bracket_texts", "format_tree", "parse_tree"]

_PIECE = re.compile(r"[()]|[^()\s]+", re.ASCII)  # tokens may have any other white space in them
_BLANK = re.compile(r"\s", re.ASCII)
_ESCAPES = {
    "(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-",
}  # fmt: skip
_UNESCAPES = {escape: mark for mark, escape in _ESCAPES.items()} | {"\\/": "/", "\\*": "*"}
_MARK = re.compile(r"[()\[\]{}]")
_ESCAPE = re.compile("|".join(map(re.escape, _UNESCAPES)))


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


class _Open:
    """A bracket that is not yet closed: its label, and its word or children so far."""

    def __init__(self) -> None:
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Tree | Leaf] = []

    def name(self) -> str:
        """The bracket as it stands in the text."""
        return " ".join(["(" + (self.label or ""), *([self.word] if self.word else [])])


def parse_tree(text: str) -> Tree | None:
    """The tree that a text has, or None for an empty parse: `(())`, `()` or `(TOP)`.

    Labels stay as they are, with traces and function tags, see `labels.trees.bare_tree`. In words,
    `-LRB-` is `(` and so on for the other brackets; `\\/` is `/` and `\\*` is `*`. Raises
    ValueError(line, problem), lines counted from 0.
    """
    open_brackets: list[_Open] = []
    root: Tree | Leaf | None = None
    done = False
    for match in _PIECE.finditer(text):
        piece = match[0]
        if done:
            _fail(text, match, f"expected one tree, found {piece} after its end")
        if piece == "(":
            if open_brackets and open_brackets[-1].word is not None:
                _fail(text, match, f"expected ) after {open_brackets[-1].name()}, found (")
            open_brackets.append(_Open())
        elif not open_brackets:
            _fail(text, match, f"expected a tree in brackets, found {piece!r}")
        elif piece != ")":
            _add_word(open_brackets[-1], text, match)
        else:
            node = _close(open_brackets, text, match)
            done = not open_brackets
            if done:
                root = node
            elif node is not None:
                open_brackets[-1].children.append(node)
    if open_brackets:
        missing = counted(len(open_brackets), "bracket")
        raise ValueError(0, f"expected ) for each ( of a tree, found {missing} without")
    return root if isinstance(root, Tree | None) else Tree("", (root,))


def _fail(text: str, match: re.Match[str], problem: str) -> NoReturn:
    raise ValueError(text.count("\n", 0, match.start()), problem)


def _add_word(bracket: _Open, text: str, match: re.Match[str]) -> None:
    """Make a piece of text the label of a bracket, or its word if it has a label."""
    if bracket.children:
        _fail(text, match, f"expected ( or ) after the phrases of {bracket.name()}, "
                           f"found {match[0]!r}")  # fmt: skip
    if bracket.label is None:
        bracket.label = match[0]
    elif bracket.word is None:
        bracket.word = match[0]
    else:
        _fail(text, match, f"expected ) after {bracket.name()}, found {match[0]!r}")


def _close(open_brackets: list[_Open], text: str, match: re.Match[str]) -> Tree | Leaf | None:
    """Close the innermost bracket; returns what it is, None for an empty one."""
    bracket = open_brackets.pop()
    if bracket.word is not None and bracket.label is not None:
        return Leaf(_ESCAPE.sub(lambda m: _UNESCAPES[m[0]], bracket.word), bracket.label)
    if bracket.label is None and open_brackets and bracket.children:
        _fail(text, match, "expected a label after each (, found none")
    if bracket.children:
        return Tree(bracket.label or "", tuple(bracket.children))
    if bracket.label is None or (not open_brackets and bracket.label in ROOTS):
        return None
    _fail(text, match, f"expected a word or a phrase after {bracket.name()}, found )")


def format_tree(tree: Tree) -> str:
    """A tree on one line; brackets in words, and in parts of speech, are `-LRB-` and so on.

    Raises ValueError for a word, a part of speech or a label that is empty (but for that of the
    root) or has white space inside, and for brackets in a label.
    """
    leaves, phrases = tree.leaves, tree.phrases
    opened, closed = [""] * len(leaves), [""] * len(leaves)
    for label, begin, end in phrases:
        if _BLANK.search(label) or "(" in label or ")" in label or not (label or begin == 0):
            raise ValueError(f"expected a label without blanks and brackets, found {label!r}")
        opened[begin] += f"({label} "
        closed[end - 1] += ")"
    texts = []
    for leaf, before, after in zip(leaves, opened, closed, strict=True):
        if not all(leaf) or any(map(_BLANK.search, leaf)):
            raise ValueError(f"expected a word and a part of speech without blanks, found {leaf}")
        word, tag = (_MARK.sub(lambda m: _ESCAPES[m[0]], part) for part in leaf)
        texts.append(f"{before}({tag} {word}){after}")
    return " ".join(texts)
