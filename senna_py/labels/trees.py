"""Constituent trees as values: labeled phrases over tokens with parts of speech."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from senna_py.immutable import refusing_changes
from senna_py.labels import brackets
from senna_py.labels.brackets import ROOTS, TOP, Leaf, Phrase
from senna_py.labels.parse_bits import bare_label, read_bits

SENTENCE = "S1"  # the label of the root in SENNA's output
TRACE = "-NONE-"  # the tag of a leaf that is a trace, not a word


@refusing_changes
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A phrase: its label, and its children, each a Tree or a Leaf.

    A phrase has at least one child, except the tree of a sentence without tokens, which
    is only a root. Trees are immutable. Two trees are equal if their labels, words and
    parts of speech are equal. A tree may be of any depth: no method recurses.
    """

    label: str
    children: tuple[Tree | Leaf, ...]

    def __post_init__(self) -> None:
        """Check that there are children, and that each of them is a Tree or a Leaf.

        Raises:
            ValueError: If a phrase has no children.
            TypeError: If a child is neither a Tree nor a Leaf.
        """
        if not self.children and self.label not in ROOTS:
            raise ValueError(f"the phrase {self.label} has neither a word nor a phrase")
        for child in self.children:
            if isinstance(child, Tree):
                if not child.children:
                    raise ValueError(
                        f"the root {child.label}, below {self.label}, has no word"
                    )
            elif not isinstance(child, Leaf):
                raise TypeError(
                    f"expected a Tree or a Leaf below {self.label}, found {child!r}"
                )

    @classmethod
    def parse(cls, text: str) -> Tree:
        """Return the tree of bracketed text, which may have several lines.

        In words, `-LRB-` becomes `(`, and so on for other brackets. An empty text and
        an empty parse such as `(())` are the tree of a sentence without tokens.

        Raises:
            ValueError: If the text is not exactly one tree. The message has the line.
        """
        if not isinstance(text, str):
            raise TypeError(
                f"expected bracketed text as str, found {type(text).__name__}"
            )
        try:
            leaves, phrases = brackets.read_brackets(text)
            return build_tree(leaves, phrases) if leaves else EMPTY
        except ValueError as error:
            line, problem = error.args
            raise ValueError(f"line {line + 1}: {problem}") from None

    def pformat(self, margin: int = 70) -> str:
        """Return bracketed text with an indented line for each phrase and leaf.

        A phrase that fits on a line of fewer than `margin` characters stands on one
        line. Words and labels are written as in `str(tree)`.
        """
        return "\n".join(
            brackets.bracket_lines(*brackets.printable(*self._flat()), margin)
        )

    def __str__(self) -> str:
        """Return bracketed text on one line; it is empty for a tree without tokens.

        In words and labels, round brackets are `-LRB-` and `-RRB-`, and white space is
        an underscore.
        """
        return brackets.bracket_text(*brackets.printable(*self._flat()))

    @property
    def leaves(self) -> list[Leaf]:
        """The tokens, in the order of the sentence."""
        return self._flat()[0]

    @property
    def phrases(self) -> list[Phrase]:
        """This phrase and all below it, each before the phrases that it contains."""
        return self._flat()[1]

    def subtrees(self) -> Iterator[Tree]:
        """Yield this tree and all below it, each before the trees that it contains."""
        stack = [self]
        while stack:
            tree = stack.pop()
            yield tree
            stack += [
                child for child in reversed(tree.children) if isinstance(child, Tree)
            ]

    def find(self, label: str) -> list[Tree]:
        """Return the trees with a label, such as NP, including this one."""
        return [tree for tree in self.subtrees() if tree.label == label]

    def _flat(self) -> tuple[list[Leaf], list[Phrase]]:
        """Return the leaves and phrases from which `build_tree` rebuilds the tree."""
        leaves: list[Leaf] = []
        labels: list[str] = []
        begin: list[int] = []
        end: list[int] = []
        stack: list[Tree | Leaf | int] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, Leaf):
                leaves.append(node)
            elif isinstance(node, Tree):
                stack.append(len(labels))
                stack.extend(reversed(node.children))
                labels.append(node.label)
                begin.append(len(leaves))
                end.append(0)
            else:  # everything below the phrase with this index is done
                end[node] = len(leaves)
        return leaves, list(map(Phrase, labels, begin, end))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self._flat() == other._flat()

    def __hash__(self) -> int:
        leaves, phrases = self._flat()
        return hash((tuple(leaves), tuple(phrases)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let pickle and copy work without recursion."""
        return (build_tree, self._flat()) if self.children else (Tree, (self.label, ()))

    def __repr__(self) -> str:
        words = "".join(f" {leaf.word}" for leaf in self.leaves)
        return f"<Tree {self.label}:{words}>"


EMPTY = Tree(SENTENCE, ())  # the tree of a sentence without tokens


def build_tree(leaves: Sequence[Leaf], phrases: Iterable[Phrase]) -> Tree:
    """Build a tree from its leaves and phrases.

    Args:
        leaves: The leaves in the order of the sentence.
        phrases: The phrases, each before the phrases that it contains. The first one
            spans all leaves.

    Raises:
        ValueError: If the first phrase does not span all leaves, if two phrases overlap
            without one containing the other, or if a phrase has no leaf or is out of
            order.
    """
    waiting = list(reversed(list(phrases)))
    if not waiting or waiting[-1][1:] != (0, len(leaves)):
        raise ValueError(f"expected one phrase over {len(leaves)} leaves")
    open_phrases: list[tuple[Phrase, list[Tree | Leaf]]] = []
    root = None
    for position, leaf in enumerate(leaves):
        while waiting and waiting[-1].begin == position:
            phrase = waiting.pop()
            if open_phrases and phrase.end > open_phrases[-1][0].end:
                raise ValueError(f"{phrase} overlaps {open_phrases[-1][0]}")
            open_phrases.append((phrase, []))
        open_phrases[-1][1].append(leaf)
        while open_phrases and open_phrases[-1][0].end == position + 1:
            phrase, children = open_phrases.pop()
            root = Tree(phrase.label, tuple(children))
            if open_phrases:
                open_phrases[-1][1].append(root)
    if waiting or root is None:
        raise ValueError(
            f"expected phrases in order, each over some of {len(leaves)} leaves"
        )
    return root


def bare_tree(tree: Tree) -> Tree | None:
    """Return the tree as networks learn it, or None if it consists of traces.

    Traces (`-NONE-`), and phrases that contain nothing else, are removed, and so are
    function tags and indices: NP-SBJ-1 becomes NP. The root becomes TOP, whatever it
    was before. The roots of the parts of a long sentence are removed, too: see
    `without_roots_of_parts`.
    """
    leaves = [leaf for leaf in tree.leaves if leaf.tag != TRACE]
    if not leaves:
        return None
    n_before = [0, *accumulate(leaf.tag != TRACE for leaf in tree.leaves)]
    phrases = without_roots_of_parts(tree.phrases)
    if phrases[0].label in ROOTS:
        del phrases[0]
    bare = [
        Phrase(bare_label(label), n_before[begin], n_before[end])
        for label, begin, end in phrases
        if n_before[begin] < n_before[end]
    ]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *bare])


def without_roots_of_parts(phrases: list[Phrase]) -> list[Phrase]:
    """Return the phrases without S1 directly below the root S1.

    The parts of a long sentence that was cut for tagging have these roots.
    """
    root, *others = phrases
    if root.label != SENTENCE:
        return phrases
    remaining, end = [root], 0
    for phrase in others:
        below_root = phrase.begin >= end
        end = max(end, phrase.end)
        if not (below_root and phrase.label == SENTENCE):
            remaining.append(phrase)
    return remaining


def tree_of_bits(leaves: Sequence[Leaf], bits: list[str]) -> Tree:
    """Return the tree of leaves and their parse bits, without function tags, under TOP.

    Raises:
        ValueError: With two arguments, the index of the token and the problem.
    """
    phrases = read_bits(bits).phrases
    if phrases and phrases[0].label in ROOTS and phrases[0][1:] == (0, len(leaves)):
        del phrases[0]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *phrases])
