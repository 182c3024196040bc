"""Counting of the distinct words of a text, and operations on their counts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, AnyStr, Generic

import numpy as np

from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.text.characters import fold_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class WordCounts(Generic[AnyStr]):
    """Counts the distinct words of a text that is read in blocks.

    Words are numbered in the order of their first occurrence.

    Attributes:
        total: The number of words of the text.
    """

    def __init__(self) -> None:
        self._number: dict[AnyStr, int] = {}
        self._counts = np.zeros(1 << 16, np.int64)
        self.total = 0

    def __len__(self) -> int:
        return len(self._number)

    def add(
        self, words: Sequence[AnyStr], numbers: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """Count the words of a block.

        Args:
            words: The distinct words of the block.
            numbers: int32[n], the text of the block as indices in `words`, with
                LINE_END after each line.

        Returns:
            The text of the block as indices in `words()`: int32[n].
        """
        new = (self._number.setdefault(word, len(self._number)) for word in words)
        renumber = np.fromiter(chain(new, (LINE_END,)), np.int32, len(words) + 1)
        if len(self._counts) < len(self):
            more = np.zeros(2 * len(self) - len(self._counts), np.int64)
            self._counts = np.append(self._counts, more)
        n = np.bincount(numbers[numbers != LINE_END], minlength=len(words))
        self._counts[renumber[:-1]] += n
        self.total += int(n.sum())
        return renumber[numbers]

    def words(self) -> list[AnyStr]:
        """Return the distinct words in the order of their first occurrence."""
        return list(self._number)

    def counts(self) -> NDArray[np.int64]:
        """Return the count of each word of `words()`: int64[n_words]."""
        return self._counts[: len(self)]


def by_count(
    words: Sequence[AnyStr], counts: NDArray[np.number], min_count: int = 1
) -> list[int]:
    """Return the indices of frequent words, sorted by descending count.

    Words with equal counts are sorted alphabetically.

    Args:
        words: The words.
        counts: int64[n_words] or float64[n_words], the count of each word.
        min_count: The minimum count of a word.
    """
    negative = (-counts).tolist()
    frequent: list[int] = np.flatnonzero(counts >= min_count).tolist()
    return sorted(frequent, key=lambda i: (negative[i], words[i]))


def words_by_count(
    counts: NDArray[np.number], power: float, n: int
) -> NDArray[np.int32]:
    """Return a table for drawing words in proportion to count ** power: int32[n].

    Each word index occurs in the table in proportion to its probability, so a uniformly
    drawn element of the table is a word drawn from the distribution.

    Args:
        counts: int64[n_words] or float64[n_words], the count of each word.
        power: The exponent.
        n: The length of the table.
    """
    weight = counts.astype(np.float64) ** power
    edges = np.cumsum(weight) / weight.sum()
    draws = (np.arange(n) + 0.5) / n
    ends = np.searchsorted(draws, edges, side="right")
    ends[-1] = n  # The last edge may be rounded.
    words = np.arange(len(counts), dtype=np.int32)
    return np.repeat(words, np.diff(ends, prepend=0))


def fold_numbered(
    words: Sequence[str], numbers: NDArray[np.int32]
) -> tuple[list[str], NDArray[np.int32]]:
    """Convert a text to look-up form.

    Args:
        words: The distinct words of the text.
        numbers: int32[n], the text as indices in `words`, with LINE_END after each
            sentence.

    Returns:
        The distinct look-up forms, and the text as their indices: int32[n].
    """
    number: dict[str, int] = {}
    renumber = [number.setdefault(form, len(number)) for form in fold_words(words)]
    return list(number), np.array([*renumber, LINE_END], np.int32)[numbers]
