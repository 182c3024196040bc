"""Labels of networks for trees: of constituents, as tags such as `B-S(VP`, and as brackets.

Phrases over the same words are one constituent, whose label joins theirs, the outermost first, by
an opening bracket: `S(VP`. Words outside all constituents are O.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from senna_py.labels.trees import Phrase, Tree

__all__ = [
    "Constituents",
    "brackets_of_keys",
    "constituents_of_tree",
    "frequent_label",
    "keys_of_brackets",
    "keys_of_types",
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


def keys_of_types(types):
    """The labels of types of constituents, a list of str: O, and B, I, E and S of each."""
    return ["O", *(f"{tag}-{label}" for label in types for tag in "BIES")]


def brackets_of_keys(keys):
    """Left-hand and right-hand brackets of each label, as models have them: two lists of str."""
    left, right = [], []
    for key in keys:
        tag, _, label = key.partition("-")
        left.append(f"({label}" if tag in ("B", "S") else "")
        right.append(")" * len(phrases_of_label(label)) if tag in ("E", "S") else "")
    return left, right


def keys_of_brackets(left):
    """The labels that have these left-hand brackets, a list of str; of four, the first counts."""
    return keys_of_types([bracket.removeprefix("(") for bracket in left[1::4]])


class Constituents(NamedTuple):
    """The constituents of some sentences, as networks are trained on them; roots are none.

    starts: int64[n_sentences + 1], those of sentence s are `starts[s]:starts[s + 1]`, each before
    those that it holds. begin, end: int32[n], the first token in its sentence and the one after the
    last. label: int32[n], the number of its label among the types of constituents, from 0 on; the
    tags B, I, E and S of type t are `1 + 4 * t` and what follows.
    """

    starts: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray

    def take(self, chosen: np.ndarray) -> "Constituents":
        """Those of the sentences with the numbers chosen: int64[n]."""
        counts = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(counts))
        rows = np.repeat(self.starts[:-1][chosen] - starts[:-1], counts) + np.arange(starts[-1])
        return Constituents(starts, *(array[rows] for array in self[1:]))
