"""Labels of networks for trees: of constituents, as tags such as `B-S(VP`, and as
brackets.

Phrases over the same words are one constituent, whose label joins theirs, the outermost
first, by an opening bracket: `S(VP`. Words outside all constituents are O.
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
    """List the constituents below the root, each before those that it holds."""
    found: list[Phrase] = []
    for phrase in tree.phrases[1:]:
        if found and found[-1][1:] == phrase[1:]:
            label = label_of_phrases([found[-1].label, phrase.label])
            found[-1] = found[-1]._replace(label=label)
        else:
            found.append(phrase)
    return found


def phrases_of_label(label: str) -> list[str]:
    """Labels of the phrases that a constituent is made of, the outermost first."""
    return label.split(_JOIN)


def label_of_phrases(phrases: Sequence[str]) -> str:
    """Label of a constituent, of the labels of its phrases; the inverse of
    `phrases_of_label`.
    """
    return _JOIN.join(phrases)


def frequent_label(label: str, counts: Mapping[str, int], at_least: int) -> str:
    """The label of a constituent, or the longest part of it that occurs `at_least`
    times.

    counts: how often each label of constituents occurs. Of parts as long, the most
    frequent is taken, and of those the outermost. A label of one phrase stays however
    rare it is.
    """
    parts = phrases_of_label(label)
    for size in range(len(parts), 1, -1):
        chains = [label_of_phrases(chain) for chain in combinations(parts, size)]
        best = max(chains, key=lambda chain: counts.get(chain, 0))
        if counts.get(best, 0) >= at_least:
            return best
    return max(parts, key=lambda part: counts.get(part, 0))


def keys_of_types(types):
    """The labels of types of constituents, a list of str: O, and B, I, E and S of
    each.
    """
    return ["O", *(f"{tag}-{label}" for label in types for tag in "BIES")]


def brackets_of_keys(keys):
    """Left-hand and right-hand brackets of each label, as models have them: two lists
    of str.
    """
    left, right = [], []
    for key in keys:
        tag, _, label = key.partition("-")
        left.append(f"({label}" if tag in ("B", "S") else "")
        right.append(")" * len(phrases_of_label(label)) if tag in ("E", "S") else "")
    return left, right


def keys_of_brackets(left):
    """The labels that have these left-hand brackets, a list of str; of four, the first
    counts.
    """
    return keys_of_types([bracket.removeprefix("(") for bracket in left[1::4]])


class Constituents(NamedTuple):
    """The constituents of some sentences, as networks are trained on them; roots are
    none.

    starts: int64[n_sentences + 1], those of sentence s are `starts[s]:starts[s + 1]`,
    each before those that it holds. begin, end: int32[n], the first token in its
    sentence and the one after the last. label: int32[n], the number of its label among
    the types of constituents, from 0 on; the tags B, I, E and S of type t are `1 + 4 *
    t` and what follows. share: float32[n], of soft ones, the probability of this label
    for its span; a span may then have several, and may cross others.
    """

    starts: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray
    share: np.ndarray | None = None

    def take(self, chosen: np.ndarray) -> Constituents:
        """Those of the sentences with the numbers chosen: int64[n]."""
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
