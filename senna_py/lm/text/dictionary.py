"""Dictionaries of look-up forms, and their coverage of labeled text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.text.characters import fold_words

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.text.corpus import Corpus

PADDING, UNKNOWN = 0, 1
KEYS = ("PADDING", "UNKNOWN")  # the first keys of every dictionary


def _column_words(path: AnyPath) -> list[str]:
    """Return the look-up forms of all words in the first column of a column file."""
    with Source(path) as source:
        rows = (line.split(None, 1) for line in read_lines(source))
        return fold_words(
            [row[0].decode("utf-8", "surrogateescape") for row in rows if row]
        )


def words_of_columns(paths: Iterable[AnyPath]) -> set[str]:
    """Return the look-up forms of all words in the first columns of column files.

    Raises:
        SennaError: If a file cannot be read.
    """
    return set(chain.from_iterable(map(_column_words, paths)))


def wanted_first(
    order: Sequence[int], words: Sequence[str], wanted: Container[str], room: int
) -> list[int]:
    """Reorder words so that the first `room` words include the wanted words.

    The relative order of all words within and after the first `room` words stays the
    same. If there are more than `room` wanted words, the first of them are chosen.

    Args:
        order: The indices of words, the most important first.
        words: The words.
        wanted: The words that must be among the first.
        room: The number of first words.

    Returns:
        The indices in their new order.
    """
    forced = [i for i in order if words[i] in wanted]
    others = [i for i in order if words[i] not in wanted]
    first = {*forced[:room], *others[: max(room - len(forced), 0)]}
    return sorted(order, key=lambda i: i not in first)


@dataclass
class Dictionary:
    """A dictionary for a corpus.

    Attributes:
        words: KEYS, followed by the words, the most frequent first.
        counts: float64[n_words], the expected number of occurrences of each word in a
            pass over the text; 0 for PADDING.
        place: int32[n], the index in `words` of each word of the corpus.
    """

    words: list[str]
    counts: NDArray[np.float64]
    place: NDArray[np.int32]


def dictionary_of(
    corpus: Corpus,
    weights: Sequence[float],
    wanted: Container[str] = (),
    size: int = 130_000,
    min_count: int = 3,
) -> Dictionary:
    """Create a dictionary for a corpus of either unit.

    Args:
        corpus: The corpus.
        weights: The number of times that a pass reads each file of the corpus, which
            may be fractional.
        wanted: Words that take the place of more frequent words if not all of them fit.
            They must also occur `min_count` times.
        size: The maximum size of the dictionary.
        min_count: The minimum number of occurrences of a word in the training text.

    Raises:
        SennaError: If no word occurs often enough.
    """
    first = len(KEYS)
    forms, folded = fold_numbered(
        corpus.words[first:], np.arange(len(corpus.words) - first, dtype=np.int32)
    )
    read, weighted = np.zeros(len(forms)), np.zeros(len(forms))
    unknown = 0.0
    for weight, counts in zip(weights, corpus.file_counts(), strict=True):
        of_file = np.bincount(folded, counts[first:], minlength=len(forms))
        read += of_file
        weighted += weight * of_file
        unknown += weight * counts[UNKNOWN]
    order = [i for i in by_count(forms, weighted, 0) if read[i] >= min_count]
    if not order:
        raise SennaError(
            f"{corpus.path}: no word of the training text occurs {min_count} times"
        )
    room = size - first
    chosen = wanted_first(order, forms, wanted, room)[:room]
    word = np.full(len(forms), UNKNOWN, np.int32)
    word[chosen] = np.arange(first, first + len(chosen))
    words = [*KEYS, *(forms[i] for i in chosen)]
    sums = np.bincount(word, weighted, minlength=len(words))
    word_counts = np.asarray(sums, np.float64)
    word_counts[UNKNOWN] += unknown
    place = np.append([PADDING, UNKNOWN], word[folded]).astype(np.int32)
    return Dictionary(words, word_counts, place)


class Coverage(NamedTuple):
    """A number of words, and the fraction of them that a dictionary contains."""

    n_words: int
    known: float


def coverage(path: AnyPath, words: Container[str]) -> tuple[Coverage, Coverage]:
    """Return a dictionary's coverage of the tokens, and of the types, of a column file.

    Types are distinct look-up forms.

    Args:
        path: The path of the column file. Its first column has the words.
        words: The words of the dictionary.

    Raises:
        SennaError: If the file cannot be read.
    """
    forms = _column_words(path)
    return _coverage(forms, words), _coverage(set(forms), words)


def _coverage(forms: Collection[str], words: Container[str]) -> Coverage:
    n_known = sum(form in words for form in forms)
    return Coverage(len(forms), n_known / max(len(forms), 1))
