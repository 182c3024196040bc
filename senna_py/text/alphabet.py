"""Characters of words by index, for networks that read them (Kim et al. 2016, footnote 4)."""

from array import array

import numpy as np

from senna_py.errors import SennaError

__all__ = ["PADDING", "UNKNOWN_CHARACTER", "WORD_END", "WORD_START", "Alphabet", "FoldingAlphabet"]

PADDING, WORD_START, WORD_END, UNKNOWN_CHARACTER = range(4)


class Alphabet:
    """Characters (code points) by index, from `n_special` on.

    n_special: rows of the character table before them: padding, start, end and unknown.
    """

    n_special = 4

    def __init__(self, characters):
        """Index a list of characters; raises SennaError if one occurs twice or is longer."""
        self.characters = characters
        self._index = {c: self.n_special + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    def __len__(self):
        """Count the rows of the character table."""
        return self.n_special + len(self.characters)

    def to_array(self):
        """The characters as a tensor for a model file, one on each line: uint8[n]."""
        text = "".join(f"{c}\n" for c in self.characters)
        return np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)

    @classmethod
    def from_array(cls, array):
        """Alphabet from `to_array`; raises SennaError if it is damaged."""
        characters = array.tobytes().decode("utf-8", "surrogateescape").split("\n")
        if characters.pop():
            raise SennaError("characters: the last one is cut off")
        return cls(characters)

    def text(self, indices):
        """Characters of indices as str, without marks and padding."""
        n = self.n_special
        return "".join(self.characters[i - n] for i in indices if i >= n)

    def _inner(self, word):
        """Indices of the characters of a word, a list of int."""
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


class FoldingAlphabet(Alphabet):
    """An alphabet that reads a character it lacks in lower case, or else as the unknown one.

    If it lacks most capitals of its letters, it comes from lower-case text: then all words are read
    in lower case.
    """

    def __init__(self, characters):
        """Hold characters, each once."""
        super().__init__(characters)
        letters = [c for c in characters if c != c.upper()]
        self._lower = 2 * sum(c.upper() in self._index for c in letters) < len(letters)

    def _inner(self, word):
        get = self._index.get
        text = word.lower() if self._lower else word
        return [get(c) or get(c.lower(), UNKNOWN_CHARACTER) for c in text]
