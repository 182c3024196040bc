"""Morphemes of words, from a file of segmentations."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines

__all__ = ["Morphemes", "read_morphemes"]


@dataclass
class Morphemes:
    """Morphemes of the words of a word list.

    names: list of str; ids: int32[n], and starts: int32[n_words + 1], where each word's begin.
    """

    names: list
    ids: np.ndarray
    starts: np.ndarray


def read_morphemes(path, words):
    """Morphemes of `words`, a list of str; a word that the file lacks has none.

    path: file with one word on each line, followed by its morphemes, separated by ASCII white
    space. Morphemes are a set (equation 11): one that occurs twice in a word counts once. Raises
    SennaError naming file and line for a line without morphemes and a word that occurs twice.
    """
    segments, index = {}, {word: i for i, word in enumerate(words)}
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            # Bytes: other white space than ASCII's is part of words, as in text.
            fields = [field.decode("utf-8", "surrogateescape") for field in line.split()]
            if not fields:
                continue
            word, *parts = fields
            if not parts:
                raise SennaError(f"{path}: line {number}: the word {word!r} has no morphemes")
            if word in segments:
                raise SennaError(f"{path}: line {number}: the word {word!r} occurs twice")
            segments[word] = dict.fromkeys(parts) if word in index else ()
    if not any(segments.values()):
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    names = {}
    ids = [[names.setdefault(m, len(names)) for m in segments.get(w, ())] for w in words]
    starts = np.cumsum([0, *map(len, ids)], dtype=np.int32)
    return Morphemes(list(names), np.array([i for own in ids for i in own], np.int32), starts)
