"""Labels of constituents, as tags such as `B-S(VP`, and as brackets.

Phrases over the same words are one constituent. Its label joins their labels with an
opening bracket, the outermost first: `S(VP`. Words outside all constituents are O.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.trees import Phrase, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_JOIN = "("


def constituents_of_tree(tree: Tree) -> list[Phrase]:
    """List the constituents below the root, each before those that it contains."""
    constituents: list[Phrase] = []
    for phrase in tree.phrases[1:]:
        outer = constituents[-1] if constituents else None
        if outer is not None and outer[1:] == phrase[1:]:
            label = label_of_phrases([outer.label, phrase.label])
            constituents[-1] = outer._replace(label=label)
        else:
            constituents.append(phrase)
    return constituents


def phrases_of_label(label: str) -> list[str]:
    """Return the labels of the phrases of a constituent, the outermost first."""
    return label.split(_JOIN)


def label_of_phrases(phrases: Sequence[str]) -> str:
    """Return the label of a constituent, the inverse of `phrases_of_label`."""
    return _JOIN.join(phrases)


def frequent_label(label: str, counts: Mapping[str, int], at_least: int) -> str:
    """Return a label, or its longest part that occurs at least `at_least` times.

    Of parts of equal length, the most frequent is returned, and of equally frequent
    ones the outermost. A label of one phrase is returned however rare it is.

    Args:
        label: The label of a constituent.
        counts: How often each label of constituents occurs.
        at_least: How often a part must occur.
    """
    phrases = phrases_of_label(label)
    for size in range(len(phrases), 1, -1):
        chains = [label_of_phrases(chain) for chain in combinations(phrases, size)]
        best = max(chains, key=lambda chain: counts.get(chain, 0))
        if counts.get(best, 0) >= at_least:
            return best
    return max(phrases, key=lambda phrase: counts.get(phrase, 0))


def keys_of_types(types: Iterable[str]) -> list[str]:
    """Return the labels for types of constituents: O, and B, I, E and S of each."""
    return ["O", *(f"{tag}-{label}" for label in types for tag in "BIES")]


def brackets_of_keys(keys: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return left-hand and right-hand brackets of labels, as models store them."""
    left: list[str] = []
    right: list[str] = []
    for key in keys:
        tag, _, label = key.partition("-")
        left.append(f"({label}" if tag in ("B", "S") else "")
        right.append(")" * len(phrases_of_label(label)) if tag in ("E", "S") else "")
    return left, right


def keys_of_brackets(left: Sequence[str]) -> list[str]:
    """The labels that have these left-hand brackets, a list of str; of four, the first
    counts.
    """
    return keys_of_types(types_of_brackets(left))


def types_of_brackets(names: Iterable[str]) -> list[str]:
    """Return the types of constituents, of all labels as left-hand brackets."""
    return [bracket.removeprefix("(") for bracket in [*names][1::4]]


class Constituents(NamedTuple):
    """The constituents of some sentences, as networks learn them, without roots.

    Attributes:
        starts: int64[n_sentences + 1]; sentence s has the constituents
            `starts[s]:starts[s + 1]`, each before those that it contains.
        begin: int32[n], the first token of each, counted within its sentence.
        end: int32[n], the token after its last.
        label: int32[n], the index of its label among the types of constituents. The
            tags B, I, E and S of type t are `1 + 4 * t` and the following numbers.
        share: float32[n], for soft labels, the probability of this label for its span.
            A span may then have several labels, and may cross other spans.
    """

    starts: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray
    share: np.ndarray | None = None

    def take(self, chosen: np.ndarray) -> Constituents:
        """Return the constituents of chosen sentences: int64[n]."""
        counts = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(counts))
        rows = np.repeat(self.starts[:-1][chosen] - starts[:-1], counts) + np.arange(
            starts[-1]
        )
        share = None if self.share is None else self.share[rows]
        return Constituents(
            starts, self.begin[rows], self.end[rows], self.label[rows], share
        )
