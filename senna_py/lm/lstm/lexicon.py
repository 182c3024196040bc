"""Words of an LSTM language model, and what they consist of: characters and
morphemes.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

# What is no word of the language is spelled with a character of its own.
PADDING, WORD_START, WORD_END, UNKNOWN_CHARACTER, _UNKNOWN_WORD, _SENTENCE_END = range(
    6
)
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class Alphabet:
    """Characters (code points) by index, from `n_special` on.

    n_special: rows of the character table before them: padding, start and end of a
    word, unknown, and the marks of a text, which are one character each.
    """

    n_special = 6

    def __init__(self, characters):
        """Index a list of characters; raises SennaError if one occurs twice or is
        longer.
        """
        self.characters = characters
        self._index = {c: self.n_special + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    @classmethod
    def of_words(cls, words):
        """Alphabet of all characters in `words`, a sequence of str."""
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def __len__(self):
        return self.n_special + len(self.characters)

    def spell(self, words, n_padding):
        """Characters of words between start and end marks, then `n_padding` of padding
        each.

        With as much padding as a filter is wide, it sees every window that it would if
        all words were padded to the length of the longest, as in footnote 4 (but there
        the longest has none).

        words: list of str. Returns int32[n] and int64[n_words + 1], where each word
        begins.
        """
        spelled, starts = array("i"), [0]  # the words may be a million: no lists of int
        for word in words:
            inner = [self._index.get(c, UNKNOWN_CHARACTER) for c in word]
            if word in _MARKS:
                inner = [_MARKS[word]]
            spelled.extend([WORD_START, *inner, WORD_END, *[PADDING] * n_padding])
            starts.append(len(spelled))
        return np.array(spelled, np.int32), np.array(starts, np.int64)


@dataclass
class Morphemes:
    """Morphemes of the words of a word list.

    names: list of str; ids: int32[n], and starts: int32[n_words + 1], where each word's
    begin.
    """

    names: list
    ids: np.ndarray
    starts: np.ndarray


def read_morphemes(path, words):
    """Morphemes of `words`, a list of str; a word that the file lacks has none.

    path: file with one word on each line, followed by its morphemes, separated by ASCII
    white space. Morphemes are a set (equation 11): one that occurs twice in a word
    counts once. Raises SennaError naming file and line for a line without morphemes and
    a word that occurs twice.
    """
    segments, index = {}, {word: i for i, word in enumerate(words)}
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            # Bytes: other white space than ASCII's is part of words, as in text.
            fields = [
                field.decode("utf-8", "surrogateescape") for field in line.split()
            ]
            if not fields:
                continue
            word, *parts = fields
            if not parts:
                raise SennaError(
                    f"{path}: line {number}: the word {word!r} has no morphemes"
                )
            if word in segments:
                raise SennaError(
                    f"{path}: line {number}: the word {word!r} occurs twice"
                )
            segments[word] = dict.fromkeys(parts) if word in index else ()
    if not any(segments.values()):
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    names = {}
    ids = [
        [names.setdefault(m, len(names)) for m in segments.get(w, ())] for w in words
    ]
    starts = np.cumsum([0, *map(len, ids)], dtype=np.int32)
    return Morphemes(
        list(names), np.array([i for own in ids for i in own], np.int32), starts
    )


@dataclass
class Lexicon:
    """All that a network needs besides its LstmShape and its parameters.

    words: list of str; alphabet: Alphabet (char); morphemes: Morphemes (morph);
    cluster: int32[n_words], of each word (clusters); more: list of str, words that are
    read and not predicted, with the indices after those of `words` (char).
    """

    words: list
    alphabet: object = None
    morphemes: object = None
    cluster: np.ndarray | None = None
    more: Sequence[str] = ()

    def sizes(self):
        """Arguments of LstmShape.arrays."""
        return (
            len(self.words),
            len(self.alphabet or ()),
            len(self.morphemes.names if self.morphemes else ()),
            0 if self.cluster is None else int(self.cluster.max()) + 1,
        )


def random_clusters(n_words, rng):
    """Cluster of each word, ceil(sqrt(n_words)) of about equal size, at random:
    int32[n_words].
    """
    n = int(np.ceil(np.sqrt(n_words)))
    return (rng.permutation(n_words) % n).astype(np.int32)
