"""Equal names of a document are labeled alike: their probabilities are pooled.

A writer who mentions a name again seldom means something else, but the network sees one
sentence at a time, and one sentence may say more about a name than another. So the
probabilities of a capitalized word are averaged with those of the same word in the rest
of the document (compare Krishnan and Manning 2006, who feed the majority label of equal
tokens to a second network).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.tags import tag_set
from senna_py.kernels.text.tokens import UPPER
from senna_py.layers import exact_functions as exact
from senna_py.text.tokens import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch
    from senna_py.text.tokens import Tokens

    Doubles = NDArray[np.float64]
    Flags = NDArray[np.bool_]

# The least probability of a type whose logarithm is computed.
_LEAST_SHARE = 1e-9


@dataclass(frozen=True)
class RepeatedNames:
    """The capitalized words that occur in several sentences of a stretch of a document.

    Two words are the same if their forms are equal, and both or neither are followed by
    a capitalized word: the *Washington* of *Washington Post* says little about
    *Washington*.

    Attributes:
        row: int64[n_words], the indices of the words in the batch, in ascending order.
        group: int64[n_words], the number of the distinct word, from 0.
        counts: bool[n_words], whether the probabilities of a word count. They do not at
            the beginning of a sentence, where any word is capitalized.
    """

    row: NDArray[np.int64]
    group: NDArray[np.int64]
    counts: Flags

    @classmethod
    def of_batch(cls, batch: Batch) -> RepeatedNames | None:
        """Return the repeated names of a batch, or None if there are none."""
        tokens = batch.tokens
        if tokens.document is None:
            return None
        stretch = tokens.stretches()
        if len(stretch) == 0 or stretch[-1] - stretch[0] + 1 == len(stretch):
            return None  # Each sentence is a stretch of its own.
        is_capitalized = _capitalized(tokens)
        row = np.flatnonzero(is_capitalized)
        sentence = np.searchsorted(tokens.starts, row, side="right") - 1
        is_last = row + 1 == tokens.starts[sentence + 1]
        goes_on = np.append(is_capitalized, False)[row + 1] & ~is_last
        form = tokens.rows(row).first_equal().astype(np.int64)
        key = ((stretch[sentence] - stretch[0]) * len(row) + form) * 2 + goes_on
        chosen = _in_several(key, sentence)
        if not len(chosen):
            return None
        row, sentence, key = row[chosen], sentence[chosen], key[chosen]
        group = np.searchsorted(distinct(key), key)
        return cls(row, group, row != tokens.starts[sentence])


def _in_several(
    key: NDArray[np.int64], sentence: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the words whose key occurs in several sentences, in ascending order.

    Args:
        key: int64[n_words], at least 0.
        sentence: int64[n_words], in ascending order.
    """
    order = np.argsort(key, kind="stable")
    is_new = np.diff(key[order], prepend=-1) != 0
    # The words of a key keep their order, and so do their sentences.
    changes = ~is_new & (np.diff(sentence[order], prepend=-1) != 0)
    number = np.cumsum(is_new) - 1
    is_repeated = np.bincount(number, changes)[number] > 0
    return np.sort(order[is_repeated])


def _capitalized(tokens: Tokens) -> Flags:
    """Return whether each word begins with a capital letter: bool[n_tokens]."""
    is_empty = tokens.folded_begin == tokens.folded_end
    first = np.where(is_empty, 0, tokens.folded_begin)
    flags: Flags = (tokens.kind[first] & UPPER != 0) & ~is_empty
    return flags


class Pooling:
    """Pools the probabilities of equal names.

    The types of names are pooled, among them the type of words outside of names; the
    marks B, I, E and S of a type keep the ratios that the network gives them. A word's
    new probabilities are `1 - share` times its own and `share` times the average over
    the equal words of the document, itself among them. In the average, each word has
    the probability of its likeliest type as its weight.
    """

    def __init__(self, share: float, labels: Sequence[str]) -> None:
        """Prepare for a network.

        Args:
            share: The share of the document, from 0 to 1.
            labels: The labels of the network, IOBES tags.
        """
        self._share = share
        # Type 0 is outside of names.
        self._type = tag_set(tuple(labels)).type_of + 1
        self._n_types = int(self._type.max(initial=0)) + 1

    def apply(self, scores: NDArray[np.float32], names: RepeatedNames) -> None:
        """Add to the scores of repeated names what the rest of the document says.

        All other scores stay as they are.

        Args:
            scores: float32[n_words, n_labels or more], which are changed in place.
            names: The repeated names of the batch.
        """
        own = self._type_shares(scores[names.row, : len(self._type)])
        average, total = self._averages(own, names)
        pooled = (1 - self._share) * own + self._share * average
        change = exact.log(np.maximum(pooled, _LEAST_SHARE))
        change -= exact.log(np.maximum(own, _LEAST_SHARE))
        change[total == 0] = 0
        rows = scores[names.row]
        rows[:, : len(self._type)] += change[:, self._type].astype(np.float32)
        scores[names.row] = rows

    def _type_shares(self, scores: NDArray[np.float32]) -> Doubles:
        """Return the probability of each type: float64[n_words, n_types].

        scores is float32[n_words, n_labels].
        """
        largest = scores.max(axis=1, keepdims=True)
        share = exact.exp(scores.astype(np.float64) - largest)
        of_types = np.zeros((self._n_types, len(scores)))
        for label, number in enumerate(self._type):
            of_types[number] += share[:, label]
        total = np.zeros(len(scores))
        for each in of_types:
            total += each
        return (of_types / total).T

    def _averages(self, own: Doubles, names: RepeatedNames) -> tuple[Doubles, Doubles]:
        """Return the weighted average of the words that equal each word.

        Args:
            own: float64[n_words, n_types].
            names: The repeated names.

        Returns:
            float64[n_words, n_types], and the sum of the weights: float64[n_words]. The
            average of words with the sum 0 is 0.
        """
        weight = np.where(names.counts, own.max(axis=1), 0)
        # The sum of a group has a fixed order: that of its words in the document.
        total = np.bincount(names.group, weight).astype(np.float64)
        sums = (np.bincount(names.group, weight * column) for column in own.T)
        average = np.stack([each / np.maximum(total, _LEAST_SHARE) for each in sums], 1)
        return average[names.group], total[names.group]
