"""Dictionaries of look-up forms: which words of a text are in one, and what one
knows.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.text.characters import fold_words

PADDING, UNKNOWN = 0, 1
KEYS = ("PADDING", "UNKNOWN")  # that every dictionary begins with


def _column_words(path):
    """Look-up forms of the first column of a column file: a list of str; raises
    SennaError.
    """
    with Source(path) as source:
        rows = (line.split(None, 1) for line in read_lines(source))
        return fold_words(
            [row[0].decode("utf-8", "surrogateescape") for row in rows if row]
        )


def words_of_columns(paths):
    """Look-up forms of the first columns of several column files: a set of str."""
    return set(chain.from_iterable(map(_column_words, paths)))


def let_in(order, words, wanted, room):
    """Places of words in a new order, whose first `room` have every word that is
    wanted.

    order: list of int, places in `words`, a list of str, the first as important as can
    be; wanted: a set of str. Otherwise the order stays as it is.
    """
    forced = [i for i in order if words[i] in wanted]
    others = [i for i in order if words[i] not in wanted]
    first = {*forced[:room], *others[: max(room - len(forced), 0)]}
    return sorted(order, key=lambda i: i not in first)


@dataclass
class Dictionary:
    """A dictionary and the words of a corpus that are looked up in it.

    words: list of str, KEYS and then the most frequent word first; counts:
    float64[n_words], how often a pass has each, PADDING never; place: int32[n], of each
    of the corpus in `words`.
    """

    words: list
    counts: np.ndarray
    place: np.ndarray


def dictionary_of(corpus, weights, wanted=(), size=130_000, min_count=3):
    """Dictionary for a Corpus of any unit.

    weights: how often a pass reads each of its files; wanted: set of str, words that
    come before more frequent ones; size: of the dictionary, at most; min_count: how
    often its words occur in the training text, at least. Raises SennaError if there is
    no such word.
    """
    first = len(KEYS)
    found, folded = fold_numbered(
        corpus.words[first:], np.arange(len(corpus.words) - first)
    )
    read, weighted = np.zeros(len(found)), np.zeros(len(found))
    unknown = 0.0
    for weight, counts in zip(weights, corpus.file_counts(), strict=True):
        of_file = np.bincount(folded, counts[first:], minlength=len(found))
        read += of_file
        weighted += weight * of_file
        unknown += weight * counts[UNKNOWN]
    order = [i for i in by_count(found, weighted, 0) if read[i] >= min_count]
    if not order:
        raise SennaError(
            f"{corpus.path}: no word of the training text occurs {min_count} times"
        )
    room = size - first
    chosen = let_in(order, found, wanted, room)[:room]
    word = np.full(len(found), UNKNOWN, np.int32)
    word[chosen] = np.arange(first, first + len(chosen))
    words = [*KEYS, *(found[i] for i in chosen)]
    counts = np.bincount(word, weighted, minlength=len(words))
    counts[UNKNOWN] += unknown
    return Dictionary(
        words, counts, np.append([PADDING, UNKNOWN], word[folded]).astype(np.int32)
    )


def coverage(path, words):
    """How much of the labeled column file `path` a dictionary knows, a set of str.

    Returns two pairs, of its tokens and of its different words: how many there are, and
    the proportion that is known, from 0 to 1.
    """
    forms = _column_words(path)
    return [
        (len(each), sum(form in words for form in each) / max(len(each), 1))
        for each in (forms, set(forms))
    ]
