"""The dictionary of a corpus of forms: look-up forms, counted as often as a pass reads them."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.lm.text.dictionary import KEYS, UNKNOWN, let_in

__all__ = ["FormWords", "words_of_forms"]


@dataclass
class FormWords:
    """A dictionary and the forms that it is looked up for.

    words: list of str, KEYS and then the most frequent word first; counts: float64[n_words], how
    often a pass through the text has each, PADDING never; of_form: int32[n_forms], the word that
    each form of the corpus is.
    """

    words: list
    counts: np.ndarray
    of_form: np.ndarray


def words_of_forms(corpus, weights, wanted=(), size=130_000, min_count=3):
    """FormWords of a FormCorpus.

    weights: of its files; wanted: set of str, words that come before more frequent ones; size: of
    the dictionary, at most; min_count: how often its words occur in the training text, at least.
    Raises SennaError if there is no such word.
    """
    found, folded = fold_numbered(corpus.forms, np.arange(len(corpus.forms)))
    read, weighted = np.zeros(len(found)), np.zeros(len(found))
    for weight, counts in zip(weights, corpus.file_counts(), strict=True):
        of_file = np.bincount(folded, counts, minlength=len(found))
        read += of_file
        weighted += weight * of_file
    order = [i for i in by_count(found, weighted, 0) if read[i] >= min_count]
    if not order:
        raise SennaError(f"{corpus.path}: no word of the training text occurs {min_count} times")
    room = size - len(KEYS)
    chosen = let_in(order, found, wanted, room)[:room]
    word = np.full(len(found), UNKNOWN, np.int32)
    word[chosen] = np.arange(len(KEYS), len(KEYS) + len(chosen))
    words = [*KEYS, *(found[i] for i in chosen)]
    counts = np.bincount(word, weighted, minlength=len(words))
    return FormWords(words, counts, word[folded])
