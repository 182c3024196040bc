"""Characters of the words of a language model by index (Kim et al. 2016, footnote 4)."""

from array import array

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

__all__ = ["PADDING", "UNKNOWN_CHARACTER", "WORD_END", "WORD_START", "Alphabet"]

# What is no word of the language is spelled with a character of its own.
PADDING, WORD_START, WORD_END, UNKNOWN_CHARACTER, _UNKNOWN_WORD, _SENTENCE_END = range(6)
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class Alphabet:
    """Characters (code points) by index, from `n_special` on.

    n_special: rows of the character table before them: padding, start and end of a word, unknown,
    and the marks of a text, which are one character each.
    """

    n_special = 6

    def __init__(self, characters):
        """Index a list of characters; raises SennaError if one occurs twice or is longer."""
        self.characters = characters
        self._index = {c: self.n_special + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    @classmethod
    def of_words(cls, words):
        """Alphabet of all characters in `words`, a sequence of str."""
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def __len__(self):
        """Count the rows of the character table."""
        return self.n_special + len(self.characters)

    def text(self, indices):
        """Characters of indices as str, without marks and padding."""
        n = self.n_special
        return "".join(self.characters[i - n] for i in indices if i >= n)

    def _inner(self, word):
        """Indices of the characters of a word, a list of int."""
        if word in _MARKS:
            return [_MARKS[word]]
        return [self._index.get(c, UNKNOWN_CHARACTER) for c in word]

    def spell(self, words, n_padding):
        """Characters of words between start and end marks, then `n_padding` of padding each.

        With as much padding as a filter is wide, the filter sees every window that it would see if
        all words were padded to the length of the longest, as in footnote 4 (which leaves the
        longest itself without padding).

        words: list of str. Returns int32[n] and int64[n_words + 1], where each word begins.
        """
        spelled, starts = array("i"), [0]  # the words may be a million: no lists of int
        for word in words:
            spelled.extend([WORD_START, *self._inner(word), WORD_END, *[PADDING] * n_padding])
            starts.append(len(spelled))
        return np.array(spelled, np.int32), np.array(starts, np.int64)
