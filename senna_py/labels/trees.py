"""Constituent trees as values: phrases with a label over tokens with a part of
speech.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from senna_py.immutable import refusing_changes
from senna_py.labels import brackets
from senna_py.labels.brackets import ROOTS, TOP, Leaf, Phrase
from senna_py.labels.parse_bits import bare_label, read_bits

SENTENCE = "S1"  # the root of what SENNA prints
TRACE = "-NONE-"  # the tag of a leaf that is no word


@refusing_changes
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A phrase: its label, and its children, each a Tree or a Leaf.

    There is at least one child, but for the tree of a sentence without tokens, which is
    a root alone. Trees are immutable, are equal if they have the same labels, words and
    parts of speech, and may be of any depth: nothing here recurses.
    """

    label: str
    children: tuple[Tree | Leaf, ...]

    def __post_init__(self) -> None:
        """Raise ValueError for a phrase without a child, TypeError for any other kind
        of child.
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
        """The tree that bracketed text has, on one line or several.

        In words, `-LRB-` becomes `(`, and so on for other brackets. No text, and an
        empty parse such as `(())`, are the tree of a sentence without tokens.

        Raises:
            ValueError: With the line, if the text is not one tree.
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
        """Bracketed text as of `str(tree)`, with an indented line for each phrase and
        leaf.

        What fits on a line of fewer than `margin` characters stands on one.
        """
        return "\n".join(
            brackets.bracket_lines(*brackets.printable(*self._flat()), margin)
        )

    def __str__(self) -> str:
        """Bracketed text on one line, with words and parts of speech; empty without
        tokens.

        Round brackets in words and labels are `-LRB-` and `-RRB-`, white space is an
        underscore.
        """
        return brackets.bracket_text(*brackets.printable(*self._flat()))

    @property
    def leaves(self) -> list[Leaf]:
        """The tokens, in the order of the sentence."""
        return self._flat()[0]

    @property
    def phrases(self) -> list[Phrase]:
        """This phrase and all below it, each before those that it holds."""
        return self._flat()[1]

    def subtrees(self) -> Iterator[Tree]:
        """Yield this tree and all below it, each before those that it holds."""
        stack = [self]
        while stack:
            tree = stack.pop()
            yield tree
            stack += [
                child for child in reversed(tree.children) if isinstance(child, Tree)
            ]

    def find(self, label: str) -> list[Tree]:
        """The trees with a label, such as NP, among this one and all below it."""
        return [tree for tree in self.subtrees() if tree.label == label]

    def _flat(self) -> tuple[list[Leaf], list[Phrase]]:
        """Leaves and phrases, from which `build_tree` makes the tree again."""
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
            else:  # all below the phrase of this number is done
                end[node] = len(leaves)
        return leaves, list(map(Phrase, labels, begin, end))

    def __eq__(self, other: object) -> bool:
        return (
            self._flat() == other._flat() if isinstance(other, Tree) else NotImplemented
        )

    def __hash__(self) -> int:
        leaves, phrases = self._flat()
        return hash((tuple(leaves), tuple(phrases)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without recursion."""
        return (build_tree, self._flat()) if self.children else (Tree, (self.label, ()))

    def __repr__(self) -> str:
        return f"<Tree {' '.join([f'{self.label}:', *(leaf.word for leaf in self.leaves)])}>"


EMPTY = Tree(SENTENCE, ())  # that of a sentence without tokens


def build_tree(leaves: Sequence[Leaf], phrases: Iterable[Phrase]) -> Tree:
    """Tree of its leaves and phrases, each before those that it holds, the first over
    all leaves.

    Raises ValueError if the first is not over all leaves, if two phrases overlap
    without one holding the other, or if a phrase has no leaf or is out of order.
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
            f"expected phrases in order, each with a leaf of {len(leaves)}"
        )
    return root


def bare_tree(tree: Tree) -> Tree | None:
    """The tree as it is learned, or None if it has traces only.

    It is without traces (`-NONE-`) and the phrases that hold nothing else, without
    function tags and indices (NP-SBJ-1 is NP), and its outer bracket is TOP, whatever
    it was before. Roots of the parts of a long sentence, see `without_roots_of_parts`,
    are left out.
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
    """Phrases without the roots S1 below the root S1, which parts of a cut sentence
    have.
    """
    root, *others = phrases
    if root.label != SENTENCE:
        return phrases
    kept, end = [root], 0
    for phrase in others:
        below_root = phrase.begin >= end
        end = max(end, phrase.end)
        if not (below_root and phrase.label == SENTENCE):
            kept.append(phrase)
    return kept


def tree_of_bits(leaves: Sequence[Leaf], bits: list[str]) -> Tree:
    """Tree of leaves and their parse bits, without function tags and with the outer
    bracket TOP.

    Raises ValueError(token, problem).
    """
    phrases, *_ = read_bits(bits)
    if phrases and phrases[0].label in ROOTS and phrases[0][1:] == (0, len(leaves)):
        del phrases[0]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *phrases])
