"""Reading and writing bracketed trees: `(TOP (S (NP (PRP It)) (VP (VBZ works))))`.

Here, a tree is a list of leaves and a list of phrases over them. `labels.trees` builds
Tree objects from these.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, NoReturn

from senna_py.errors import counted

TOP = "TOP"
# The labels of the bracket around a sentence in treebanks and parsers' output.
ROOTS = ("", TOP, "ROOT", "S1")
# The escapes of brackets in words, as in the Penn Treebank.
BRACKETS = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}

# Only ASCII white space separates tokens, which may contain any other white space.
_PIECE = re.compile(r"[()]|[^()\s]+", re.ASCII)
_UNESCAPES = {escape: mark for mark, escape in BRACKETS.items()} | {
    "\\/": "/",
    "\\*": "*",
}
_ESCAPE = re.compile("|".join(map(re.escape, _UNESCAPES)))


class Leaf(NamedTuple):
    """A leaf of a tree.

    Attributes:
        word: The word.
        tag: Its part of speech.
    """

    word: str
    tag: str


class Phrase(NamedTuple):
    """A phrase of a tree.

    Attributes:
        label: The label.
        begin: The index of the first token.
        end: The index after the last token.
    """

    label: str
    begin: int
    end: int


def unescape(word: str) -> str:
    """Return a word without escapes: `-LRB-` becomes `(`, `\\/` becomes `/`, etc."""
    return _ESCAPE.sub(lambda match: _UNESCAPES[match[0]], word)


@dataclass
class _Open:
    """A bracket that has not been closed, with its label and word as far as known."""

    number: int  # the index of the phrase of the bracket
    begin: int  # the index of the first leaf in the bracket
    label: str | None = None
    word: str | None = None

    def name(self) -> str:
        """Return the text of the bracket so far, for messages."""
        name = "(" + (self.label or "")
        return f"{name} {self.word}" if self.word else name


class _BracketReader:
    """Reads a tree piece by piece; a piece is a bracket, a label or a word.

    Attributes:
        text: The text.
        leaves: The leaves that have been read.
        phrases: The phrases that have been opened.
        open: The brackets that have not been closed, from the outermost to the
            innermost.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.leaves: list[Leaf] = []
        self.phrases: list[Phrase] = []
        self.open: list[_Open] = []
        self._begun = False

    def add(self, match: re.Match[str]) -> None:
        piece = match[0]
        if self._begun and not self.open:
            self._fail(match, f"expected one tree, found {piece} after its end")
        if piece == "(":
            self._begun = True
            if self.open and self.open[-1].word is not None:
                self._fail(match, f"expected ) after {self.open[-1].name()}, found (")
            self.open.append(_Open(len(self.phrases), len(self.leaves)))
            # `_close` replaces or removes this phrase.
            self.phrases.append(Phrase("", len(self.leaves), 0))
        elif not self.open:
            self._fail(match, f"expected a tree in brackets, found {piece!r}")
        elif piece == ")":
            self._close(match)
        else:
            self._add_word(match)

    def _fail(self, match: re.Match[str], problem: str) -> NoReturn:
        raise ValueError(self.text.count("\n", 0, match.start()), problem)

    def _add_word(self, match: re.Match[str]) -> None:
        """Set the label of the innermost open bracket or, if that is set, its word."""
        bracket = self.open[-1]
        if len(self.leaves) > bracket.begin:
            self._fail(
                match,
                f"expected ( or ) after the phrases of {bracket.name()}, "
                f"found {match[0]!r}",
            )
        if bracket.label is None:
            bracket.label = match[0]
        elif bracket.word is None:
            bracket.word = match[0]
        else:
            self._fail(match, f"expected ) after {bracket.name()}, found {match[0]!r}")

    def _close(self, match: re.Match[str]) -> None:
        """Close the innermost bracket, which is a leaf, a phrase, or empty.

        The phrase that was added for the bracket is removed if it is a leaf or empty.
        In both cases, it is the last one in the list.
        """
        bracket = self.open.pop()
        if bracket.word is not None and bracket.label is not None:
            self.phrases.pop()
            self.leaves.append(Leaf(unescape(bracket.word), bracket.label))
        elif len(self.leaves) > bracket.begin:
            if bracket.label is None and self.open:
                self._fail(match, "expected a label after each (, found none")
            phrase = Phrase(bracket.label or "", bracket.begin, len(self.leaves))
            self.phrases[bracket.number] = phrase
        elif bracket.label is None or (not self.open and bracket.label in ROOTS):
            self.phrases.pop()
        else:
            self._fail(
                match, f"expected a word or a phrase after {bracket.name()}, found )"
            )


def read_brackets(text: str) -> tuple[list[Leaf], list[Phrase]]:
    """Return the leaves and the phrases of a tree in bracketed text.

    Traces and function tags are preserved, and words are unescaped. A text that is only
    a leaf is returned with a phrase without a label over it. Both lists are empty for
    an empty parse: `(())`, `()`, `(TOP)` or no text.

    Returns:
        The leaves in the order of the sentence, and the phrases in preorder: each
        phrase before the phrases that it contains.

    Raises:
        ValueError: If the text is not exactly one tree. The two arguments are the
            index of the line and the problem.
    """
    reader = _BracketReader(text)
    for match in _PIECE.finditer(text):
        reader.add(match)
    if reader.open:
        verb = "is" if len(reader.open) == 1 else "are"
        unclosed = f"{counted(len(reader.open), 'bracket')} {verb} not closed"
        raise ValueError(0, f"expected ), found the end: {unclosed}")
    if reader.leaves and not reader.phrases:
        return reader.leaves, [Phrase("", 0, 1)]  # the text is a single leaf
    return reader.leaves, reader.phrases


def printable(
    leaves: Iterable[Leaf], phrases: Iterable[Phrase]
) -> tuple[list[Leaf], list[Phrase]]:
    """Return leaves and phrases with words and labels escaped for bracketed text.

    Parentheses become `-LRB-` and `-RRB-`, and white space becomes an underscore. An
    empty word or label also becomes an underscore, except for the label of the first
    phrase, the root.
    """
    escaped = [Leaf(_escape(word), _escape(tag)) for word, tag in leaves]
    renamed = []
    for i, (label, begin, end) in enumerate(phrases):
        is_empty_root = i == 0 and not label
        renamed.append(Phrase("" if is_empty_root else _escape(label), begin, end))
    return escaped, renamed


def _escape(text: str) -> str:
    return "_".join(text.replace("(", "-LRB-").replace(")", "-RRB-").split()) or "_"


def bracket_text(leaves: Sequence[Leaf], phrases: Sequence[Phrase]) -> str:
    """Return a tree as bracketed text on one line; it is empty if there are no leaves.

    Args:
        leaves: The leaves, whose words and tags are not escaped; see `printable`.
        phrases: The phrases in preorder. The first one spans all leaves.
    """
    return _write(leaves, phrases)[0]


def _write(
    leaves: Sequence[Leaf], phrases: Sequence[Phrase]
) -> tuple[str, list[tuple[int, int]]]:
    """Return bracketed text on one line, and the character range of each phrase."""
    pieces: list[str] = []
    begins, ends = [0] * len(phrases), [0] * len(phrases)
    open_phrases: list[int] = []
    number = 0
    for position, (word, tag) in enumerate(leaves):
        while number < len(phrases) and phrases[number].begin == position:
            open_phrases.append(number)
            begins[number] = len(pieces)
            pieces.append(f"({phrases[number].label} ")
            number += 1
        pieces.append(f"({tag} {word})")
        while open_phrases and phrases[open_phrases[-1]].end == position + 1:
            pieces.append(")")
            ends[open_phrases.pop()] = len(pieces)
        pieces.append(" ")
    offsets = [0, *accumulate(map(len, pieces))]
    places = [
        (offsets[begin], offsets[end]) for begin, end in zip(begins, ends, strict=True)
    ]
    return "".join(pieces[:-1]), places


def bracket_lines(
    leaves: Sequence[Leaf], phrases: Sequence[Phrase], margin: int
) -> list[str]:
    """Return a tree as lines of bracketed text, shorter than `margin` if possible.

    If a phrase does not fit, each of its children is on a separate line, indented by
    two spaces. Leaves, and brackets that close at the end of a line, may exceed the
    margin. See `bracket_text` for the other arguments.
    """
    text, places = _write(leaves, phrases)
    lines: list[str] = []
    open_ends: list[int] = []
    number = position = 0
    while position < len(leaves):
        indent = "  " * len(open_ends)
        if number < len(phrases) and phrases[number].begin == position:
            first, last = places[number]
            end = phrases[number].end
            if len(indent) + last - first >= margin:
                lines.append(f"{indent}({phrases[number].label}")
                open_ends.append(end)
                number += 1
                continue
            lines.append(indent + text[first:last])
            while number < len(phrases) and phrases[number].begin < end:
                number += 1
            position = end
        else:
            word, tag = leaves[position]
            lines.append(f"{indent}({tag} {word})")
            position += 1
        while open_ends and open_ends[-1] == position:
            open_ends.pop()
            lines[-1] += ")"
    return lines
