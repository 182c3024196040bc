"""Leaves and phrases of trees as bracketed text: `(TOP (S (NP (PRP It)) (VP (VBZ
works))))`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, NoReturn

from senna_py.errors import counted

TOP = "TOP"
ROOTS = (
    "",
    TOP,
    "ROOT",
    "S1",
)  # what treebanks and parsers call the bracket around a sentence
BRACKETS = {  # what the Penn Treebank writes in words
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}

_PIECE = re.compile(
    r"[()]|[^()\s]+", re.ASCII
)  # tokens may have any other white space in them
_UNESCAPES = {escape: mark for mark, escape in BRACKETS.items()} | {
    "\\/": "/",
    "\\*": "*",
}
_ESCAPE = re.compile("|".join(map(re.escape, _UNESCAPES)))


class Leaf(NamedTuple):
    """A token of a tree: its word and its part of speech."""

    word: str
    tag: str


class Phrase(NamedTuple):
    """A phrase by its tokens: label, first token, and the one after its last."""

    label: str
    begin: int
    end: int


def unescape(word: str) -> str:
    """A word as it is in text: `-LRB-` is `(` and so on, `\\/` is `/` and `\\*` is
    `*`.
    """
    return _ESCAPE.sub(lambda match: _UNESCAPES[match[0]], word)


@dataclass
class _Open:
    """A bracket that is not yet closed: its label, its word, and where it began."""

    number: int  # of its phrase
    begin: int  # its first leaf
    label: str | None = None
    word: str | None = None

    def name(self) -> str:
        """The bracket as it stands in the text."""
        return " ".join(["(" + (self.label or ""), *([self.word] if self.word else [])])


class _BracketReader:
    """Leaves and phrases of a text so far, and the brackets that are open."""

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
            self.phrases.append(
                Phrase("", len(self.leaves), 0)
            )  # to be replaced, or removed
        elif not self.open:
            self._fail(match, f"expected a tree in brackets, found {piece!r}")
        elif piece == ")":
            self._close(match)
        else:
            self._add_word(match)

    def _fail(self, match: re.Match[str], problem: str) -> NoReturn:
        raise ValueError(self.text.count("\n", 0, match.start()), problem)

    def _add_word(self, match: re.Match[str]) -> None:
        """Make a piece of text the label of a bracket, or its word if it has a
        label.
        """
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
        """Close the innermost bracket: a leaf, a phrase, or an empty one, of which
        nothing stays.

        Leaves and empty brackets hold no phrase, so theirs is the last.
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
    """Leaves of the tree that a text has, and its phrases, each before those that it
    holds.

    Both are empty for an empty parse: `(())`, `()`, `(TOP)` or no text. Labels stay as
    they are, with traces and function tags; words are unescaped. Raises ValueError(line
    from 0, problem).
    """
    reader = _BracketReader(text)
    for match in _PIECE.finditer(text):
        reader.add(match)
    if reader.open:
        missing = counted(len(reader.open), "bracket")
        raise ValueError(0, f"expected ) for each ( of a tree, found {missing} without")
    if reader.leaves and not reader.phrases:
        return reader.leaves, [Phrase("", 0, 1)]  # the text was that of a leaf
    return reader.leaves, reader.phrases


def printable(
    leaves: Iterable[Leaf], phrases: Iterable[Phrase]
) -> tuple[list[Leaf], list[Phrase]]:
    """The same leaves and phrases, with words and labels that can stand in bracketed
    text.

    Round brackets become `-LRB-` and `-RRB-`, white space an underscore, and so does
    what would be empty, but for the label of the first phrase, the root.
    """
    labels = [(label and _escape(label), begin, end) for label, begin, end in phrases]
    return (
        [Leaf(_escape(word), _escape(tag)) for word, tag in leaves],
        [
            Phrase(label or "_" * (i > 0), *place)
            for i, (label, *place) in enumerate(labels)
        ],
    )


def _escape(text: str) -> str:
    return "_".join(text.replace("(", "-LRB-").replace(")", "-RRB-").split()) or "_"


def bracket_text(leaves: Sequence[Leaf], phrases: Sequence[Phrase]) -> str:
    """Bracketed text on one line, of words and labels as they are; nothing without
    leaves.

    phrases: each before those that it holds, the first over all leaves.
    """
    return _write(leaves, phrases)[0]


def _write(
    leaves: Sequence[Leaf], phrases: Sequence[Phrase]
) -> tuple[str, list[tuple[int, int]]]:
    """Bracketed text on one line, and from where to where in it each phrase stands."""
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
    at = [0, *accumulate(map(len, pieces))]
    return "".join(pieces[:-1]), [
        (at[a], at[b]) for a, b in zip(begins, ends, strict=True)
    ]


def bracket_lines(
    leaves: Sequence[Leaf], phrases: Sequence[Phrase], margin: int
) -> list[str]:
    """Bracketed text on lines of fewer than `margin` characters, where that can be.

    A phrase that does not fit has what it holds on lines of their own, indented by two
    blanks. Brackets that close behind the end of a line, and leaves, may stand beyond
    the margin.
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
