"""Trees level by level, as the tree network builds them (Collobert, AISTATS 2011).

The first level has the phrases that hold words only; each further one those that hold a phrase of
the level below it, and none of its own or above. Words outside the phrases of a level are O.
Phrases over the same words are one constituent on one level, whose label joins theirs, the
outermost first, by an opening bracket: `S(VP`.
"""

from collections.abc import Mapping
from itertools import combinations

from senna_py.labels.trees import Phrase, Tree

__all__ = [
    "constituents_of_tree",
    "frequent_label",
    "phrases_of_label",
]

_JOIN = "("


def constituents_of_tree(tree: Tree) -> list[Phrase]:
    """List the constituents below the root, each before those that it holds."""
    found: list[Phrase] = []
    for phrase in tree.phrases[1:]:
        if found and found[-1][1:] == phrase[1:]:
            label = f"{found[-1].label}{_JOIN}{phrase.label}"
            found[-1] = found[-1]._replace(label=label)
        else:
            found.append(phrase)
    return found


def phrases_of_label(label: str) -> list[str]:
    """Labels of the phrases that a constituent is made of, the outermost first."""
    return label.split(_JOIN)


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
