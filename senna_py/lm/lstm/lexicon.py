"""The vocabulary of an LSTM language model, with characters and morphemes."""

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
# Each mark is spelled as a single special character.
_UNKNOWN_WORD, _SENTENCE_END = 4, 5
_MARKS = {UNKNOWN: _UNKNOWN_WORD, END: _SENTENCE_END, BEGIN: _SENTENCE_END}


class Alphabet:
    """The characters (code points) of a model, with their indices.

    The first `n_special` indices are reserved for padding, the start and the end of a
    word, unknown characters, `<unk>`, and sentence marks.

    Attributes:
        characters: The characters, whose indices start at `n_special`.
    """

    n_special = 6

    def __init__(self, characters: Sequence[str]) -> None:
        """Create an alphabet.

        Raises:
            SennaError: If a character occurs twice or is not a single code point.
        """
        self.characters = characters
        self._index = {c: self.n_special + i for i, c in enumerate(characters)}
        if len(self._index) != len(characters) or any(len(c) != 1 for c in characters):
            raise SennaError("characters: expected different single characters")

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Alphabet:
        """Return the alphabet of all characters that occur in words.

        The characters of sentence marks and `<unk>` do not count.
        """
        return cls(sorted({c for word in words if word not in _MARKS for c in word}))

    def __len__(self) -> int:
        return self.n_special + len(self.characters)

    def spell(
        self, words: Iterable[str], n_padding: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the character indices of words.

        Each word has a start mark before it, and an end mark and padding after it. With
        as much padding as the widest filter, a convolution sees all windows that it
        would see if all words were padded to the same length, as in Kim et al. (2016,
        footnote 4).

        Args:
            words: The words.
            n_padding: The number of padding characters after each word.

        Returns:
            The concatenated characters of all words, int32[n], and the offset of each
            word, int64[n_words + 1].
        """
        spelled, starts = array("i"), [0]  # a list of ints would need too much memory
        for word in words:
            inner = [self._index.get(c, UNKNOWN_CHARACTER) for c in word]
            if word in _MARKS:
                inner = [_MARKS[word]]
            spelled.extend([WORD_START, *inner, WORD_END, *[PADDING] * n_padding])
            starts.append(len(spelled))
        return np.array(spelled, np.int32), np.array(starts, np.int64)


@dataclass
class Morphemes:
    """The morphemes of the words in a word list.

    Attributes:
        names: The distinct morphemes.
        ids: int32[n], the morphemes of all words, concatenated, as indices in `names`.
        starts: int32[n_words + 1], the offset of each word's morphemes in `ids`.
    """

    names: list[str]
    ids: NDArray[np.int32]
    starts: NDArray[np.int32]


def read_morphemes(path: AnyPath, words: Sequence[str]) -> Morphemes:
    """Read the morphemes of words from a file.

    A word that is not in the file has no morphemes. A morpheme that occurs twice in a word
    is counted once (Kim et al. 2016, equation 11).

    Args:
        path: The path of a file. Each line consists of a word and its morphemes,
            separated by ASCII white space.
        words: The words.

    Raises:
        SennaError: If the file cannot be read, if a line has a word without morphemes,
            if a word occurs twice, or if the file contains none of the words.
    """
    known = {*words}
    segments: dict[str, Iterable[str]] = {}
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            # Bytes are split at ASCII white space only; other white space may be part of
            # a word.
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
    """The numbers of words, characters, morphemes and clusters of a lexicon.

    The characters include the special ones of the alphabet. A number is 0 if the
    network does not use such data.
    """

    n_words: int
    n_characters: int = 0
    n_morphemes: int = 0
    n_clusters: int = 0


@dataclass
class Lexicon:
    """The vocabulary of a network, and the data that depends on its type.

    Attributes:
        words: The words.
        alphabet: The alphabet, if the input is `char`, otherwise None.
        morphemes: The morphemes of the words, if the input is `morph`, otherwise None.
        cluster: int32[n_words], the cluster of each word, if the output is `clusters`,
            otherwise None.
        more: Additional words, which are read but not predicted, if the input is
            `char`. Their indices follow the indices of `words`.
    """

    words: list[str]
    alphabet: Alphabet | None = None
    morphemes: Morphemes | None = None
    cluster: NDArray[np.int32] | None = None
    more: Sequence[str] = ()

    def sizes(self) -> LexiconSizes:
        """Return the sizes that determine the shapes of a network's arrays."""
        return LexiconSizes(
            n_words=len(self.words),
            n_characters=len(self.alphabet) if self.alphabet else 0,
            n_morphemes=len(self.morphemes.names) if self.morphemes else 0,
            n_clusters=0 if self.cluster is None else int(self.cluster.max()) + 1,
        )


def random_clusters(n_words: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the cluster of each word, chosen at random: int32[n_words].

    There are ceil(sqrt(n_words)) clusters, whose sizes differ by at most 1.

    Args:
        n_words: The number of words.
        rng: The random generator.
    """
    n = int(np.ceil(np.sqrt(n_words)))
    return (rng.permutation(n_words) % n).astype(np.int32)
