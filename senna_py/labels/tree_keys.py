"""Labels of constituents, as tags such as `B-S(VP`, and as brackets.

Phrases over the same words are one constituent. Its label joins their labels by an
opening bracket, from the outermost to the innermost: `S(VP`. The tag of words outside
of all constituents is O.
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
    """Return the constituents below the root in preorder."""
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
    """Return the labels of a constituent's phrases, beginning with the outermost."""
    return label.split(_JOIN)


def label_of_phrases(phrases: Sequence[str]) -> str:
    """Return the label of a constituent; the inverse of `phrases_of_label`."""
    return _JOIN.join(phrases)


def frequent_label(label: str, counts: Mapping[str, int], at_least: int) -> str:
    """Return a label with phrases removed until it is frequent enough.

    The result has as many phrases as possible. Among labels with equally many phrases,
    it is the most frequent one, and ties are resolved in favor of outer phrases. A
    label of one phrase is returned however rare it is.

    Args:
        label: The label of a constituent.
        counts: The number of occurrences of each label of constituents.
        at_least: The minimum number of occurrences.
    """
    phrases = phrases_of_label(label)
    for size in range(len(phrases), 1, -1):
        chains = [label_of_phrases(chain) for chain in combinations(phrases, size)]
        best = max(chains, key=lambda chain: counts.get(chain, 0))
        if counts.get(best, 0) >= at_least:
            return best
    return max(phrases, key=lambda phrase: counts.get(phrase, 0))


def keys_of_types(types: Iterable[str]) -> list[str]:
    """Return the tags for types of constituents: O, and B, I, E and S for each type."""
    return ["O", *(f"{tag}-{label}" for label in types for tag in "BIES")]


def brackets_of_keys(keys: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the opening and the closing brackets for each label of a model.

    They are two lists, with an empty string for labels without such brackets.
    """
    left: list[str] = []
    right: list[str] = []
    for key in keys:
        tag, _, label = key.partition("-")
        left.append(f"({label}" if tag in ("B", "S") else "")
        right.append(")" * len(phrases_of_label(label)) if tag in ("E", "S") else "")
    return left, right


def keys_of_brackets(left: Sequence[str]) -> list[str]:
    """Return the labels with these opening brackets, the inverse of `brackets_of_keys`.

    Only the brackets of the B tags are read.
    """
    return keys_of_types(types_of_brackets(left))


def types_of_brackets(names: Iterable[str]) -> list[str]:
    """Return the types of constituents, given the opening brackets of all labels."""
    return [bracket.removeprefix("(") for bracket in [*names][1::4]]


class Constituents(NamedTuple):
    """The constituents of a batch of sentences as training targets, without roots.

    Attributes:
        starts: int64[n_sentences + 1], the first constituent of each sentence, and the
            number of constituents. Within a sentence, they are in preorder.
        begin: int32[n], the index of the first token of each constituent within its
            sentence.
        end: int32[n], the index after the last token of each constituent.
        label: int32[n], the index of the type of each constituent. The tags B, I, E and
            S of type t have the indices 1 + 4 * t to 4 + 4 * t.
        share: float32[n], the probability of the label for soft targets, or None. A
            span of soft targets may have several labels, and may cross other spans.
    """

    starts: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray
    share: np.ndarray | None = None

    def take(self, chosen: np.ndarray) -> Constituents:
        """Return the constituents of some sentences.

        Args:
            chosen: int64[n], the indices of the sentences.
        """
        counts = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(counts))
        rows = np.repeat(self.starts[:-1][chosen] - starts[:-1], counts) + np.arange(
            starts[-1]
        )
        share = None if self.share is None else self.share[rows]
        return Constituents(
            starts, self.begin[rows], self.end[rows], self.label[rows], share
        )
