"""Different words of a text: numbered, counted, ranked and drawn by count, and
folded.
"""

from itertools import chain

import numpy as np

from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.text.characters import fold_words


class WordCounts:
    """The different words of a text that comes in blocks, and how often each occurs."""

    def __init__(self):
        self._number = {}
        self._counts = np.zeros(1 << 16, np.int64)
        self.total = 0

    def __len__(self):
        return len(self._number)

    def add(self, words, numbers):
        """Count a block; returns its words by their numbers in `words()`: int32[n].

        words: the block's different words; numbers: int32[n], places in `words`, and
        LINE_END.
        """
        found = (self._number.setdefault(word, len(self._number)) for word in words)
        renumber = np.fromiter(chain(found, (LINE_END,)), np.int32, len(words) + 1)
        if len(self._counts) < len(self):
            more = np.zeros(2 * len(self) - len(self._counts), np.int64)
            self._counts = np.append(self._counts, more)
        n = np.bincount(numbers[numbers != LINE_END], minlength=len(words))
        self._counts[renumber[:-1]] += n
        self.total += int(n.sum())
        return renumber[numbers]

    def words(self):
        """The words, as they were given, in the order in which they first occurred: a
        list.
        """
        return list(self._number)

    def counts(self):
        """Occurrences of each of `words()`: int64[n_words]."""
        return self._counts[: len(self)]


def by_count(words, counts, min_count=1):
    """Places of the words that occur `min_count` times or more: list of int.

    The most frequent comes first; of equal ones, the first by alphabet. counts:
    int64[n_words].
    """
    negative = (-counts).tolist()
    kept = np.flatnonzero(counts >= min_count).tolist()
    return sorted(kept, key=lambda i: (negative[i], words[i]))


def words_by_count(counts, power, n):
    """n words, each as often as counts (int64 or float64) ** power say, to draw from:
    int32[n].
    """
    weight = counts.astype(np.float64) ** power
    edges = np.cumsum(weight) / weight.sum()
    draws = (np.arange(n) + 0.5) / n
    return np.searchsorted(edges, draws).clip(max=len(counts) - 1).astype(np.int32)


def fold_numbered(words, numbers):
    """The same text in look-up form: its different words, a list of str, and their
    numbers.

    words: list of str; numbers: int32[n], places in `words`, and LINE_END; so is what
    is returned.
    """
    number = {}
    renumber = [number.setdefault(form, len(number)) for form in fold_words(words)]
    return list(number), np.array([*renumber, LINE_END], np.int32)[numbers]
