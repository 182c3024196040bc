"""Constituent trees as values: phrases with a label over tokens with a part of speech."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from senna_py.labels.parse_bits import bare_label, read_bits

__all__ = [
    "ROOTS",
    "TOP",
    "TRACE",
    "Leaf",
    "Phrase",
    "Tree",
    "bare_tree",
    "build_tree",
    "tree_of_bits",
]

TOP = "TOP"
ROOTS = ("", TOP, "ROOT", "S1")  # what treebanks and parsers call the bracket around a sentence
TRACE = "-NONE-"  # the tag of a leaf that is no word


class Leaf(NamedTuple):
    """A token of a tree: its word and its part of speech."""

    word: str
    tag: str


class Phrase(NamedTuple):
    """A phrase by its tokens: label, first token, and the one after its last."""

    label: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A phrase: its label, and its children, each a Tree or a Leaf; there is at least one.

    Trees are immutable, are equal if they have the same labels, words and parts of speech, and may
    be of any depth: nothing here recurses.
    """

    label: str
    children: "tuple[Tree | Leaf, ...]"

    def __post_init__(self) -> None:
        """Raise ValueError for a phrase without a child."""
        if not self.children:
            raise ValueError(f"the phrase {self.label} has neither a word nor a phrase")

    @property
    def leaves(self) -> list[Leaf]:
        """The tokens, in the order of the sentence."""
        return self._flat()[0]

    @property
    def phrases(self) -> list[Phrase]:
        """This phrase and all below it, each before those that it holds."""
        return self._flat()[1]

    def _flat(self) -> tuple[list[Leaf], list[Phrase]]:
        """Leaves and phrases, from which `build_tree` makes the tree again."""
        leaves: list[Leaf] = []
        phrases: list[Phrase] = []
        stack: list[Tree | Leaf | int] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, Leaf):
                leaves.append(node)
            elif isinstance(node, Tree):
                stack.append(len(phrases))
                stack.extend(reversed(node.children))
                phrases.append(Phrase(node.label, len(leaves), len(leaves)))
            else:  # all below the phrase of this number is done
                phrases[node] = phrases[node]._replace(end=len(leaves))
        return leaves, phrases

    def __eq__(self, other: object) -> bool:
        """Whether labels, words and parts of speech are the same."""
        return self._flat() == other._flat() if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        """Hash of what is compared."""
        leaves, phrases = self._flat()
        return hash((tuple(leaves), tuple(phrases)))

    def __repr__(self) -> str:
        """Label and words."""
        return f"<Tree {self.label}: {' '.join(leaf.word for leaf in self.leaves)}>"


def build_tree(leaves: Sequence[Leaf], phrases: Iterable[Phrase]) -> Tree:
    """Tree of its leaves and phrases, each before those that it holds, the first over all leaves.

    Raises ValueError if the first is not over all leaves, if two phrases overlap without one
    holding the other, or if a phrase has no leaf or is out of order.
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
        raise ValueError(f"expected phrases in order, each with a leaf of {len(leaves)}")
    return root


def bare_tree(tree: Tree) -> Tree | None:
    """The tree as it is learned, or None if it has traces only.

    It is without traces (`-NONE-`) and the phrases that hold nothing else, without function tags
    and indices (NP-SBJ-1 is NP), and its outer bracket is TOP, whatever it was before.
    """
    leaves = [leaf for leaf in tree.leaves if leaf.tag != TRACE]
    if not leaves:
        return None
    n_before = [0, *accumulate(leaf.tag != TRACE for leaf in tree.leaves)]
    phrases = tree.phrases
    if phrases[0].label in ROOTS:
        del phrases[0]
    bare = [
        Phrase(bare_label(label), n_before[begin], n_before[end])
        for label, begin, end in phrases
        if n_before[begin] < n_before[end]
    ]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *bare])


def tree_of_bits(leaves: Sequence[Leaf], bits: list[str]) -> Tree:
    """Tree of leaves and their parse bits, without function tags and with the outer bracket TOP.

    Raises ValueError(token, problem).
    """
    found = read_bits(bits)
    phrases = list(map(Phrase, found.labels, found.begin, found.end))
    if phrases and phrases[0].label in ROOTS and phrases[0][1:] == (0, len(leaves)):
        del phrases[0]
    return build_tree(leaves, [Phrase(TOP, 0, len(leaves)), *phrases])
