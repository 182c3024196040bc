"""Characters of words by index (Kim et al. 2016, footnote 4)."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

__all__ = ["N_SPECIAL", "PADDING", "UNKNOWN_CHARACTER", "WORD_END", "WORD_START", "Alphabet",
           "ragged"]  # fmt: skip

PADDING, WORD_START, WORD_END, UNKNOWN_CHARACTER, _UNKNOWN_WORD, _SENTENCE_END = range(6)
N_SPECIAL = 6
# What is no word of the language is spelled with a character of its own.
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class Alphabet:
    """Characters (code points) by index, from N_SPECIAL on."""

    def __init__(self, characters):
        """Take a list of str of length 1; raises SennaError if one occurs twice or is none."""
        self.characters = characters
        self._index = {c: N_SPECIAL + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    @classmethod
    def of_words(cls, words):
        """Alphabet of all characters in `words`, a sequence of str."""
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def __len__(self):
        """Count the rows of a table of characters."""
        return N_SPECIAL + len(self.characters)

    def to_array(self):
        """The characters as they stand in a file of tensors, a line each: uint8[n]."""
        text = "".join(f"{c}\n" for c in self.characters)
        return np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)

    @classmethod
    def from_array(cls, array):
        """Alphabet of what `to_array` gave; raises SennaError if it is damaged."""
        return cls(array.tobytes().decode("utf-8", "surrogateescape").split("\n")[:-1])

    def text(self, indices):
        """Characters of indices as str, without marks and padding."""
        return "".join(self.characters[i - N_SPECIAL] for i in indices if i >= N_SPECIAL)

    def _spell(self, word, least):
        mark, get = _MARKS.get(word), self._index.get
        inner = [mark] if mark else [get(c, UNKNOWN_CHARACTER) for c in word]
        padding = [PADDING] * (least - 2 - len(inner))
        return [WORD_START, *inner, WORD_END, *padding]

    def spell(self, words, least):
        """Characters of words between marks of start and end, padded to `least` of them.

        words: list of str. Returns int32[n] and int64[n_words + 1], where each word begins.
        """
        spelled = [self._spell(word, least) for word in words]
        starts = np.cumsum([0, *map(len, spelled)])
        return np.array([c for word in spelled for c in word], np.int32), starts


def ragged(values, starts, rows):
    """The given rows of CSR data: their values one after the other, and where each begins.

    values: any[n]; starts: int[n_rows + 1]; rows: int[k]. Returns any[m] and int64[k + 1].
    """
    lengths = starts[rows + 1] - starts[rows]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    shift = np.repeat(starts[rows] - begins[:-1], lengths)
    return values[np.arange(begins[-1]) + shift], begins
