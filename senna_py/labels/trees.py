"""Constituency trees as immutable objects."""

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
TRACE = "-NONE-"  # the tag of a leaf that is a trace instead of a word


@refusing_changes
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A constituency tree: a label and children, each of which is a Tree or a Leaf.

    A tree has at least one child, except for the tree of a sentence without tokens,
    which is only a root. Trees are immutable. Two trees are equal if their structure,
    labels, words and parts of speech are equal. Trees may have any depth, because no
    method recurses.

    Example:
        >>> from senna_py import Leaf, Tree
        >>> str(Tree("NP", (Leaf("a", "DT"), Leaf("house", "NN"))))
        '(NP (DT a) (NN house))'
    """

    label: str
    children: tuple[Tree | Leaf, ...]

    def __post_init__(self) -> None:
        """Check the children.

        Raises:
            ValueError: If a tree that is not an empty root has no children.
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
        """Return the tree in a bracketed text, which may have several lines.

        In words, `-LRB-` becomes `(`, and so on for other brackets. The result is the
        tree of a sentence without tokens if the text is empty or an empty parse, such
        as `(())`.

        Raises:
            TypeError: If the text is not a str.
            ValueError: If the text is not exactly one tree. The message names the line.

        Example:
            >>> Tree.parse("(NP (DT a) (NN house))").leaves[1].word
            'house'
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
        """Return the tree as bracketed text on indented lines.

        A phrase is written on one line if the line is shorter than `margin` characters.
        Otherwise, each child is on a separate line. Words and labels are escaped as in
        `str(tree)`.

        Example:
            >>> tree = Tree.parse("(S (NP (PRP It)) (VP (VBD rained)))")
            >>> print(tree.pformat(margin=20))
            (S
              (NP (PRP It))
              (VP (VBD rained)))
        """
        return "\n".join(
            brackets.bracket_lines(*brackets.printable(*self._flat()), margin)
        )

    def __str__(self) -> str:
        """Return the tree as bracketed text on one line.

        In words and labels, parentheses become `-LRB-` and `-RRB-`, and white space
        becomes an underscore. The text of a tree without tokens is empty.
        """
        return brackets.bracket_text(*brackets.printable(*self._flat()))

    @property
    def leaves(self) -> list[Leaf]:
        """The leaves in the order of the sentence."""
        return self._flat()[0]

    @property
    def phrases(self) -> list[Phrase]:
        """This phrase and all phrases below it, in preorder."""
        return self._flat()[1]

    def subtrees(self) -> Iterator[Tree]:
        """Yield this tree and all trees below it, in preorder.

        Example:
            >>> [each.label for each in tree.subtrees()]
            ['S', 'NP', 'VP']
        """
        stack = [self]
        while stack:
            tree = stack.pop()
            yield tree
            stack += [
                child for child in reversed(tree.children) if isinstance(child, Tree)
            ]

    def find(self, label: str) -> list[Tree]:
        """Return all subtrees with the given label, such as NP, in preorder.

        The tree itself is included if it has the label.

        Example:
            >>> tree.find("VP")
            [<Tree VP: rained>]
        """
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
            else:  # All nodes below the phrase with this index have been visited.
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
        """Support pickling and copying of deep trees, without recursion."""
        return (build_tree, self._flat()) if self.children else (Tree, (self.label, ()))

    def __repr__(self) -> str:
        words = "".join(f" {leaf.word}" for leaf in self.leaves)
        return f"<Tree {self.label}:{words}>"


EMPTY = Tree(SENTENCE, ())  # the tree of a sentence without tokens


def build_tree(leaves: Sequence[Leaf], phrases: Iterable[Phrase]) -> Tree:
    """Build a tree from its leaves and phrases.

    Args:
        leaves: The leaves in the order of the sentence.
        phrases: The phrases in preorder. The first one spans all leaves.

    Raises:
        ValueError: If the first phrase does not span all leaves, if two phrases cross,
            or if a phrase has no leaf or is out of order.
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
    """Return the tree in the form that networks learn, or None if it has only traces.

    Traces (`-NONE-`) are removed, and so are phrases that contain only traces. Function
    tags and indices are removed: NP-SBJ-1 becomes NP. The root is replaced by TOP, or
    TOP is added. The roots of the parts of a long sentence are also removed; see
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
    """Return the phrases without the S1 phrases directly below a root S1.

    These are the roots of the parts of a long sentence that was split for tagging.
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
    """Return the tree with these leaves and parse bits, without function tags.

    The root is TOP.

    Raises:
        ValueError: If a parse bit is malformed, or if brackets do not match. The two
            arguments are the index of the token and the problem.
    """
    phrases = read_bits(bits).phrases
    if phrases and phrases[0].label in ROOTS and phrases[0][1:] == (0, len(leaves)):
        del phrases[0]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *phrases])
