"""Trees level by level, as the tree network builds them (Collobert, AISTATS 2011).

The first level has the phrases that hold words only; each further one those that hold a phrase of
the level below it, and none of its own or above. Words outside the phrases of a level are O.
Phrases over the same words are one constituent on one level, whose label joins theirs, the
outermost first, by an opening bracket: `S(VP`.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from senna_py.labels.tag_schemes import encode, segments
from senna_py.labels.trees import TOP, Leaf, Phrase, Tree, build_tree

__all__ = [
    "constituents_of_tree",
    "frequent_label",
    "levels_of_tree",
    "phrases_of_label",
    "tree_of_levels",
]

_JOIN = "("


def levels_of_tree(tree: Tree) -> list[list[str]]:
    """IOBES tags of the constituents of each level, the innermost level first.

    The root is the bracket around the sentence, and on no level; a tree that has no phrase below it
    has no level. On each level, a constituent holds those found before it entirely or not at all,
    and is longer than those it holds.
    """
    constituents, heights = constituents_of_tree(tree)
    levels: list[list[Phrase]] = [[] for _ in range(max(heights, default=-1) + 1)]
    for constituent, height in zip(constituents, heights, strict=True):
        levels[height].append(constituent)
    n_words = len(tree.leaves)
    return [encode(level, n_words, "iobes") for level in levels]


def constituents_of_tree(tree: Tree) -> tuple[list[Phrase], list[int]]:
    """The constituents below the root, each before those that it holds, and the level of each."""
    constituents = _constituents(tree.phrases[1:])
    return constituents, _heights(constituents)


def phrases_of_label(label: str) -> list[str]:
    """Labels of the phrases that a constituent is made of, the outermost first."""
    return label.split(_JOIN)


def tree_of_levels(leaves: Sequence[Leaf], levels: Iterable[Sequence[str]]) -> Tree:
    """The tree that has these tags on its levels, with the root TOP around it.

    Raises ValueError if constituents overlap and none of them holds the other.
    """
    found = [
        (begin, -end, -level, label)
        for level, tags in enumerate(levels)
        for label, begin, end in segments(tags)
    ]
    phrases = [Phrase(TOP, 0, len(leaves))]
    for begin, minus_end, _, label in sorted(found):
        phrases += [Phrase(part, begin, -minus_end) for part in phrases_of_label(label)]
    return build_tree(leaves, phrases)


def frequent_label(label: str, counts: Mapping[str, int], at_least: int) -> str:
    """The label of a constituent, or the longest part of it that occurs `at_least` times.

    counts: how often each label of constituents occurs. Of parts as long, the most frequent is
    taken, and of those the outermost. A label of one phrase stays however rare it is.
    """
    parts = phrases_of_label(label)
    for size in range(len(parts), 1, -1):
        chains = [_JOIN.join(chain) for chain in combinations(parts, size)]
        best = max(chains, key=lambda chain: counts.get(chain, 0))
        if counts.get(best, 0) >= at_least:
            return best
    return max(parts, key=lambda part: counts.get(part, 0))


def _constituents(phrases: list[Phrase]) -> list[Phrase]:
    """Phrases, those over the same words made one."""
    found: list[Phrase] = []
    for phrase in phrases:
        if found and found[-1][1:] == phrase[1:]:
            label = f"{found[-1].label}{_JOIN}{phrase.label}"
            found[-1] = found[-1]._replace(label=label)
        else:
            found.append(phrase)
    return found


def _heights(constituents: list[Phrase]) -> list[int]:
    """Count the constituents below each that lie one within the other."""
    heights = [0] * len(constituents)
    waiting: list[int] = []  # those after it that nothing holds yet
    for i in reversed(range(len(constituents))):
        end = constituents[i].end
        while waiting and constituents[waiting[-1]].begin < end:
            heights[i] = max(heights[i], heights[waiting.pop()] + 1)
        waiting.append(i)
    return heights
