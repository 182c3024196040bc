"""Labels of constituents, as tags such as `B-S(VP`, and as brackets.

Phrases over the same words are one constituent. Its label joins their labels with an
opening bracket, the outermost first: `S(VP`. Words outside all constituents are O.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.trees import Phrase, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from senna_py.networks.answers import TreeLabels

_JOIN = "("
_ROOT, _WHOLE = -1, -2  # in place of labels: of a root, and of S below it


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
    return keys_of_types([bracket.removeprefix("(") for bracket in left[1::4]])


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


def found_phrases(
    trees: TreeLabels, starts: np.ndarray, brackets: Sequence[str], root: str
) -> list[list[Phrase]]:
    """Phrases of each sentence, whose tokens are counted from its first; see
    `phrases_of_rows`.

    starts: int32[n_sentences + 1], of the sentences.
    """
    bounds, rows = constituent_rows(trees, starts)
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(bounds))
    rows[:, 1:] -= np.asarray(starts, np.int32)[owner, None]
    columns = rows.tolist()
    return [
        phrases_of_rows(columns[a:b], brackets, root)
        for a, b in pairwise(bounds.tolist())
    ]


def phrases_of_rows(
    rows: Iterable[Sequence[int]], brackets: Sequence[str], root: str
) -> list[Phrase]:
    """Phrases of a sentence as senna-tag prints them, the root first, each before its
    own.

    rows: as of `constituent_rows`; brackets: left-hand brackets of labels, such as
    `(S(VP`, of those that begin a constituent; root: what the root is called. That of
    right-hand brackets there are as many is not asked: a constituent ends where its
    labels do.
    """
    fixed = {_ROOT: [root], _WHOLE: ["S"]}
    return [
        Phrase(name, begin, end)
        for index, begin, end in rows
        for name in fixed.get(index) or brackets[index].split(_JOIN)[1:]
    ]


def constituent_rows(
    trees: TreeLabels, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds: int64[n_sentences + 1], and the constituents that each sentence has
    between them.

    These are int32[n, 3], the first label, the first token in the batch and the one
    after the last, each before its own: a root, S where there is no constituent over
    the whole sentence, and those on the levels. starts: int32[n_sentences + 1], of the
    sentences.
    """
    kind = np.where(trees.labels > 0, (trees.labels - 1) % 4, -1)  # B, I, E, S
    first, last = np.flatnonzero((kind == 0) | (kind == 3)), np.flatnonzero(kind >= 2)
    sentence = np.searchsorted(trees.rows, first, side="right") - 1
    level, begin = np.divmod(first - trees.rows[sentence], np.diff(starts)[sentence])
    begin += starts[sentence]
    n = len(starts) - 1
    roots = np.append(np.arange(n), np.flatnonzero(~trees.whole))  # and those of S
    label = np.append(
        np.repeat([_ROOT, _WHOLE], [n, len(roots) - n]), trees.labels[first]
    )
    sentence, level = (
        np.append(roots, sentence),
        np.append(np.full(len(roots), len(label)), level),
    )
    end = np.append(starts[roots + 1], begin + last - first + 1)
    begin = np.append(starts[roots], begin)
    order = np.lexsort((-level, -end, begin, sentence))  # keeps a root before its S
    rows = np.stack([label, begin, end], 1).astype(np.int32)[order]
    return np.searchsorted(sentence[order], np.arange(n + 1)), rows
