"""Characters of the words of a language model by index (Kim et al. 2016, footnote 4)."""

from senna_py.lm.word_list import BEGIN, END, UNKNOWN
from senna_py.text.alphabet import Alphabet

__all__ = ["MarkedAlphabet"]

# What is no word of the language is spelled with a character of its own.
_UNKNOWN_WORD, _SENTENCE_END = range(Alphabet.n_special, Alphabet.n_special + 2)
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class MarkedAlphabet(Alphabet):
    """An alphabet in which the marks of a text are one character each."""

    n_special = Alphabet.n_special + 2

    @classmethod
    def of_words(cls, words):
        """Alphabet of all characters in `words`, a sequence of str."""
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def _inner(self, word):
        mark = _MARKS.get(word)
        return [mark] if mark else super()._inner(word)
