"""Counting of the n-grams of a text, from unigrams up to the order of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import Trie

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.lm.word_list import WordList

_LONGEST = 2**31 - 2  # the maximum number of n-grams, because indices are int32


@dataclass
class Level:
    """The distinct n-grams of one order, sorted by context and last word.

    Attributes:
        context: int32[n], the index in the level below of the n-gram without its last
            word.
        word: int32[n], the last word.
        suffix: int32[n], the index in the level below of the n-gram without its first
            word.
        count: int64[n], the number of occurrences.
        initial: bool[n], whether the n-gram begins with `<s>`.
        first: The index of the first n-gram of a stream without sentence marks, or -1.
    """

    context: NDArray[np.int32]
    word: NDArray[np.int32]
    suffix: NDArray[np.int32]
    count: NDArray[np.int64]
    initial: NDArray[np.bool_]
    first: int

    def __len__(self) -> int:
        return len(self.word)


def count_ngrams(
    ids: NDArray[np.int32], order: int, word_list: WordList
) -> list[Level]:
    """Count the n-grams of a stream.

    The level of order 1 has all words of the list, including words that do not occur.
    `<s>` occurs only as the first word of an n-gram.

    Args:
        ids: int32[n], a stream from `lm.text.blocks.Block.stream`.
        order: The highest order.
        word_list: The words of the stream.

    Returns:
        The levels of the orders 1 to `order`.

    Raises:
        SennaError: If there are too many n-grams for int32.
    """
    n_words = len(word_list)
    level = _words(ids, n_words, word_list.begin)
    levels = [level]
    at = ids  # the index of the n-gram that ends at each position, or -1
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


class _Sorted(Protocol):
    """The sorted n-grams of one order; see Level."""

    context: NDArray[Any]
    word: NDArray[Any]


def _words(ids: NDArray[np.int32], n_words: int, mark: int) -> Level:
    """Return the unigram counts of a stream, as a Level.

    Args:
        ids: int32[n], the stream.
        n_words: The number of words.
        mark: The index of `<s>`, or -1.
    """
    word = np.arange(n_words, dtype=np.int32)
    zeros = np.zeros(n_words, np.int32)
    count = np.bincount(ids, minlength=n_words)
    first = -1 if mark >= 0 or not len(ids) else int(ids[0])
    return Level(zeros, word, zeros, count, word == mark, first)


def make_trie(levels: Sequence[_Sorted]) -> tuple[Trie, NDArray[np.int64]]:
    """Create a trie of n-grams.

    Args:
        levels: The levels of all orders from 1 on.

    Returns:
        The trie, and the first node of each order, int64[order + 2]. Node 0 is the
        empty n-gram, and the last element is the number of nodes.

    Raises:
        SennaError: If there are too many n-grams for int32.
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
