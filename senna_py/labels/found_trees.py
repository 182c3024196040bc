"""Phrases of the trees that a network has found, from labels of words on levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.labels.trees import Phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from senna_py.networks.trees import Trees

__all__ = ["found_phrases"]


def found_phrases(
    trees: Trees, starts: np.ndarray, brackets: Mapping[int, str] | Sequence[str], root: str
) -> list[list[Phrase]]:
    """Phrases of each sentence as senna-tag prints them, the root first, each before its own.

    Where there is no constituent over the whole sentence, S stands around the others. Tokens are
    counted from the first of the sentence.

    starts: int32[n_sentences + 1], of the sentences; brackets: left-hand brackets of labels, such
    as `(S(VP`, of those that begin a constituent; root: what the root is called. That of right-hand
    brackets there are as many is not asked: a constituent ends where its labels do.
    """
    phrases = [
        [Phrase(label, 0, n) for label in ((root,) if whole else (root, "S"))]
        for n, whole in zip(np.diff(starts).tolist(), trees.whole.tolist(), strict=True)
    ]
    sentence, label, begin, end = _constituents(trees, starts)
    names = {index: brackets[index].split("(")[1:] for index in set(label)}
    for s, index, a, b in zip(sentence, label, begin, end, strict=True):
        phrases[s] += [Phrase(name, a, b) for name in names[index]]
    return phrases


def _constituents(trees: Trees, starts: np.ndarray) -> list[list[int]]:
    """Sentence, first label, first token and end of each constituent, each before its own."""
    kind = np.where(trees.labels > 0, (trees.labels - 1) % 4, -1)  # B, I, E, S
    first, last = np.flatnonzero((kind == 0) | (kind == 3)), np.flatnonzero(kind >= 2)
    sentence = np.searchsorted(trees.rows, first, side="right") - 1
    level, begin = np.divmod(first - trees.rows[sentence], np.diff(starts)[sentence])
    end = begin + last - first + 1
    order = np.lexsort((-level, -end, begin, sentence))
    columns = sentence, trees.labels[first], begin, end
    return [column[order].tolist() for column in columns]
