"""The words of an LSTM language model, and their characters and morphemes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath

PADDING, WORD_START, WORD_END, UNKNOWN_CHARACTER = range(4)
# Marks are not words of the language, and have a character of their own.
_UNKNOWN_WORD, _SENTENCE_END = 4, 5
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class Alphabet:
    """Characters (code points) by index, from `n_special` on.

    The first `n_special` rows of the character table are padding, start and end of a
    word, unknown characters, and the marks of a text, which are one character each.
    """

    n_special = 6

    def __init__(self, characters: Sequence[str]) -> None:
        """Index characters.

        Raises:
            SennaError: If one occurs twice or is longer than one character.
        """
        self.characters = characters
        self._index = {c: self.n_special + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Alphabet:
        """Return the alphabet of all characters in some words."""
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def __len__(self) -> int:
        return self.n_special + len(self.characters)

    def spell(
        self, words: Iterable[str], n_padding: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the characters of words, each with marks and padding.

        With as much padding as a filter is wide, the filter sees every window that it
        would see if all words were padded to the length of the longest word, as in
        footnote 4 (where the longest word has no padding).

        Args:
            words: The words.
            n_padding: The number of paddings after the end mark of each word.

        Returns:
            int32[n], and int64[n_words + 1], where each word begins.
        """
        spelled, starts = array("i"), [0]  # lists of int would take too much memory
        for word in words:
            inner = [self._index.get(c, UNKNOWN_CHARACTER) for c in word]
            if word in _MARKS:
                inner = [_MARKS[word]]
            spelled.extend([WORD_START, *inner, WORD_END, *[PADDING] * n_padding])
            starts.append(len(spelled))
        return np.array(spelled, np.int32), np.array(starts, np.int64)


@dataclass
class Morphemes:
    """The morphemes of the words of a word list.

    Attributes:
        names: The morphemes.
        ids: int32[n], the indices of the morphemes of all words.
        starts: int32[n_words + 1], where the morphemes of each word begin.
    """

    names: list[str]
    ids: NDArray[np.int32]
    starts: NDArray[np.int32]


def read_morphemes(path: AnyPath, words: Sequence[str]) -> Morphemes:
    """Read the morphemes of words; a word that the file lacks has none.

    Morphemes are a set (equation 11): one that occurs twice in a word counts once.

    Args:
        path: A file with one word per line, followed by its morphemes, separated by
            ASCII white space.
        words: The words.

    Raises:
        SennaError: If a line has no morphemes or a word occurs twice, or if the file
            has none of the words.
    """
    known = {*words}
    segments: dict[str, Iterable[str]] = {}
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            # Bytes are split, because other white space than ASCII is part of words.
            fields = [
                field.decode("utf-8", "surrogateescape") for field in line.split()
            ]
            if not fields:
                continue
            word, *morphemes = fields
            if not morphemes:
                raise SennaError(
                    f"{path}: line {number}: the word {word!r} has no morphemes"
                )
            if word in segments:
                raise SennaError(
                    f"{path}: line {number}: the word {word!r} occurs twice"
                )
            segments[word] = dict.fromkeys(morphemes) if word in known else ()
    if not any(segments.values()):
        raise SennaError(f"{path}: none of its words is in the vocabulary")
    names: dict[str, int] = {}
    ids: list[int] = []
    starts = [0]
    for word in words:
        for morpheme in segments.get(word, ()):
            ids.append(names.setdefault(morpheme, len(names)))
        starts.append(len(ids))
    return Morphemes(list(names), np.array(ids, np.int32), np.array(starts, np.int32))


class LexiconSizes(NamedTuple):
    """The numbers of words, characters, morphemes and clusters of a lexicon."""

    n_words: int
    n_characters: int = 0
    n_morphemes: int = 0
    n_clusters: int = 0


@dataclass
class Lexicon:
    """All that a network needs besides its shape and its parameters.

    Attributes:
        words: The words.
        alphabet: The characters (`char`).
        morphemes: The morphemes (`morph`).
        cluster: int32[n_words], the cluster of each word (`clusters`).
        more: Words that are read and not predicted, with the indices after those of
            `words` (`char`).
    """

    words: list[str]
    alphabet: Alphabet | None = None
    morphemes: Morphemes | None = None
    cluster: NDArray[np.int32] | None = None
    more: Sequence[str] = ()

    def sizes(self) -> LexiconSizes:
        """Return the sizes that `LstmShape.arrays` needs."""
        return LexiconSizes(
            n_words=len(self.words),
            n_characters=len(self.alphabet) if self.alphabet else 0,
            n_morphemes=len(self.morphemes.names) if self.morphemes else 0,
            n_clusters=0 if self.cluster is None else int(self.cluster.max()) + 1,
        )


def random_clusters(n_words: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return random clusters of about equal size: int32[n_words].

    There are ceil(sqrt(n_words)) clusters.
    """
    n = int(np.ceil(np.sqrt(n_words)))
    return (rng.permutation(n_words) % n).astype(np.int32)
