"""Trees of NLTK as leaves and phrases, and back. The only place that imports NLTK."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import UsageError
from senna_py.labels.brackets import Leaf, Phrase, printable, unescape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["from_nltk", "to_nltk"]


def _nltk_tree() -> Any:
    """The class of NLTK's trees; raises UsageError if NLTK is not installed."""
    try:
        from nltk.tree import Tree  # noqa: PLC0415 - no dependency
    except ImportError:
        raise UsageError("trees of NLTK need NLTK: pip install nltk") from None
    return Tree


def to_nltk(leaves: Sequence[Leaf], phrases: Sequence[Phrase]) -> Any:
    """The `nltk.Tree` of leaves and phrases, with words and labels as bracketed text has them.

    It may be deeper than those that NLTK reads.
    """
    nltk_tree = _nltk_tree()
    leaves, phrases = printable(leaves, phrases)
    root = nltk_tree(phrases[0].label, [])
    open_trees = [(root, phrases[0].end)]
    number = 1
    for position, (word, tag) in enumerate(leaves):
        while number < len(phrases) and phrases[number].begin == position:
            below = nltk_tree(phrases[number].label, [])
            open_trees[-1][0].append(below)
            open_trees.append((below, phrases[number].end))
            number += 1
        open_trees[-1][0].append(nltk_tree(tag, [word]))
        while open_trees and open_trees[-1][1] == position + 1:
            open_trees.pop()
    return root


class _End(NamedTuple):
    """Stands on a stack below what a phrase holds, and has the number of the phrase."""

    phrase: int


def from_nltk(tree: Any) -> tuple[list[Leaf], list[Phrase]]:
    """Leaves and phrases of an `nltk.Tree`; escapes in words, such as `-LRB-`, are undone.

    Both are empty for a tree without any. Raises TypeError for anything else and for words that are
    no str, and ValueError for a word without a part of speech above it and a phrase without words.
    """
    nltk_tree = _nltk_tree()
    if not isinstance(tree, nltk_tree):
        raise TypeError(f"expected a tree of NLTK, found {type(tree).__name__}")
    leaves: list[Leaf] = []
    phrases: list[Phrase] = []
    stack: list[Any] = [tree] if len(tree) else []
    while stack:
        node = stack.pop()
        if isinstance(node, _End):
            phrases[node.phrase] = phrases[node.phrase]._replace(end=len(leaves))
        elif not isinstance(node, nltk_tree):
            if not isinstance(node, str | tuple):  # tuples are words with tags, as NLTK has them
                raise TypeError(f"expected a str for each word, found {node!r}")
            raise ValueError(f"expected a part of speech above each word, found {node!r} alone")
        elif len(node) == 1 and isinstance(node[0], str):
            leaves.append(Leaf(unescape(node[0]), str(node.label())))
        elif len(node) == 0:
            raise ValueError(f"the phrase {node.label()} has neither a word nor a phrase")
        else:
            stack += [_End(len(phrases)), *reversed(node)]
            phrases.append(Phrase(str(node.label()), len(leaves), 0))
    return leaves, phrases or [Phrase("", 0, 1)] * len(leaves)
