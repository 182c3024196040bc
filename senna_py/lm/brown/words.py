"""Input of Brown clustering: the words of a text by frequency, and which ones are adjacent."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.brown import Bigrams
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.lm.text.streams import read_text
from senna_py.lm.word_list import UNKNOWN, read_word_list

__all__ = ["Words", "bigrams", "read_words"]

_MOST = 2**31 - 1  # bigrams, as counts are int32


@dataclass
class Words:
    """The words to cluster.

    words: list of str, the most frequent first; counts: int64[n_words], occurrences; stream:
    int32[n], places in `words`, and -1 at ends of sentences and for words that are left out, to
    which no word is adjacent.
    """

    words: list
    counts: np.ndarray
    stream: np.ndarray


def read_words(
    paths, one_stream=False, vocabulary=None, min_count=1, size=None, lower=False, limit=None
):
    """Words of tokenised text files or of a corpus (see `lm.text.streams.read_text`).

    one_stream: words at the end of a sentence are adjacent to the first of the next; vocabulary:
    file of the words to cluster, or None for all; min_count: how often they must occur; size: how
    many of them at most, the most frequent; lower: read words in look-up form (lower case, numbers
    as `0`); limit: number of words of the text to read. Raises SennaError for unreadable files,
    and if no word is left.
    """
    text = read_text(paths)
    numbers = text.numbers
    words = [word.decode("utf-8", "surrogateescape") for word in text.words]
    if lower:
        words, numbers = fold_numbered(words, numbers)
    if one_stream:
        numbers = numbers[numbers >= 0]
    if limit is not None:
        numbers = numbers[: np.searchsorted(np.cumsum(numbers >= 0), limit) + 1]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(words))
    wanted = {*(words if vocabulary is None else read_word_list(vocabulary, False).words)}
    wanted.discard(UNKNOWN)
    kept = [i for i in by_count(words, counts, min_count) if words[i] in wanted][:size]
    if not kept:
        raise SennaError(f"{text.name}: no word is left to cluster")
    place = np.full(len(words) + 1, -1, np.int32)
    place[kept] = np.arange(len(kept))
    return Words([words[i] for i in kept], counts[kept], place[numbers])


def bigrams(stream, n_words):
    """The `kernels.lm.brown.Bigrams` of a stream of words as in Words.

    Raises SennaError if there are none, or too many for int32.
    """
    first, second = stream[:-1], stream[1:]
    adjoin = (first >= 0) & (second >= 0)
    keys = first[adjoin].astype(np.int64) * n_words + second[adjoin]
    if not 0 < len(keys) <= _MOST:
        raise SennaError(f"{len(keys):,} pairs of adjacent words, expected 1 to {_MOST:,}")
    keys.sort()
    change = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    counts = np.diff(change, append=len(keys)).astype(np.int32)
    first, second = np.divmod(keys[change], n_words)
    by_second = np.argsort(second, kind="stable")
    return Bigrams(
        _starts(first, n_words), second.astype(np.int32), counts,
        _starts(second, n_words), first[by_second].astype(np.int32), counts[by_second],
    )  # fmt: skip


def _starts(words, n_words):
    return np.append(0, np.cumsum(np.bincount(words, minlength=n_words))).astype(np.int64)
