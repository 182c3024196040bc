"""Counts of n-grams, from single words to a given order."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import Trie

_LONGEST = 2**31 - 2  # n-grams of an order, as int32


@dataclass
class Level:
    """The different n-grams of one order, sorted by context and last word.

    context: int32[n], the n-gram without its last word, in the level below; word:
    int32[n], its last word; suffix: int32[n], the n-gram without its first word, in the
    level below; count: int64[n]; initial: bool[n], whether it begins with the mark
    `<s>`; first: the n-gram at the beginning of a stream without marks, or -1.
    """

    context: np.ndarray
    word: np.ndarray
    suffix: np.ndarray
    count: np.ndarray
    initial: np.ndarray
    first: int

    def __len__(self):
        return len(self.word)


def count_ngrams(ids, order, word_list):
    """Levels of the n-grams of a stream, from order 1, which has every word of the
    list.

    ids: int32[n], as `text.streams.Text.stream` makes them with `word_list`, a
    WordList. No n-gram has `<s>` but as its first word. Raises SennaError if there are
    more than int32 can count.
    """
    n_words = len(word_list)
    level = _words(ids, n_words, word_list.begin)
    levels, at = [level], ids  # at: the n-gram that ends at each place, or -1
    for _ in range(2, order + 1):
        shorter = at
        places = 1 + np.flatnonzero((shorter[:-1] >= 0) & (ids[1:] != word_list.begin))
        keys, number, count = np.unique(
            shorter[places - 1].astype(np.int64) * n_words + ids[places],
            return_inverse=True,
            return_counts=True,
        )
        if len(keys) > _LONGEST:
            raise SennaError(
                f"{len(keys):,} different n-grams; {_LONGEST:,} at most fit"
            )
        context, word = np.divmod(keys, n_words)
        suffix = np.empty(len(keys), np.int32)
        suffix[number] = shorter[places]
        at = np.full(len(ids), -1, np.int32)
        at[places] = number
        first = -1 if word_list.marks or not len(number) else int(number[0])
        initial = level.initial[context]
        level = Level(
            context.astype(np.int32),
            word.astype(np.int32),
            suffix,
            count,
            initial,
            first,
        )
        levels.append(level)
    return levels


def _words(ids, n_words, mark):
    word = np.arange(n_words, dtype=np.int32)
    zeros = np.zeros(n_words, np.int32)
    count = np.bincount(ids, minlength=n_words)
    first = -1 if mark >= 0 or not len(ids) else int(ids[0])
    return Level(zeros, word, zeros, count, word == mark, first)


def make_trie(levels):
    """Trie of the n-grams of `levels`, and the first node of each level: int64[order +
    2].

    levels: have `context` and `word`, sorted, as Levels have. The first entry of the
    latter is 0, the empty n-gram, the last the number of nodes.
    """
    sizes = [1, *(len(level.word) for level in levels)]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    if starts[-1] > _LONGEST:
        raise SennaError(
            f"{starts[-1]:,} n-grams; {_LONGEST:,} at most fit into a model"
        )
    children = [
        np.bincount(level.context, minlength=n)
        for level, n in zip(levels, sizes, strict=False)
    ]
    begin = 1 + np.concatenate([[0], np.cumsum(np.concatenate(children))])
    word = np.concatenate([[-1], *(level.word for level in levels)])
    return Trie(word.astype(np.int32), begin.astype(np.int32)), starts
