"""Classes of words for a two-level softmax: by frequency, or from a file."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.class_files import read_word_classes


def classes_by_frequency(counts, n_classes):
    """Class of each word: int32[n_words], of about equal parts of the sum of sqrt(count).

    counts: int64[n_words]. The square root keeps the classes of rare words from being too large
    and those of frequent words from being too many (Mikolov et al. 2011 in RNNLM).
    """
    order = np.argsort(-counts, kind="stable")
    share = np.cumsum(np.sqrt(counts[order] + 0.5))
    steps = np.minimum((share / share[-1] * n_classes).astype(np.int32), n_classes - 1)
    classes = np.empty(len(counts), np.int32)
    classes[order] = np.unique(steps, return_inverse=True)[1]
    return classes


def classes_of_file(path, word_list):
    """Class of each word from a file of `senna-py vectors cluster`: int32[n_words].

    If the file lacks `<unk>` or a mark, each becomes a class of its own; all other words that it
    lacks share one class. Words outside the list are ignored. Raises SennaError.
    """
    number, names = {}, np.full(len(word_list), -1, np.int32)
    for name, word, _ in read_word_classes(path):
        place = word_list.index.get(word.encode("utf-8", "surrogateescape"))
        if place is not None:
            names[place] = number.setdefault(name, len(number))
    if not number:
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    for special in {word_list.unknown, word_list.begin, word_list.end} - {-1}:
        if names[special] < 0:
            names[special] = len(number) + special
    return np.unique(names, return_inverse=True)[1].astype(np.int32)
