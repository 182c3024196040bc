"""Vocabularies of language models, which map words to indices."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.arrays import as_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.arrays import Arrays

UNKNOWN, BEGIN, END = SPECIAL = "<unk>", "<s>", "</s>"  # not words of the language


class WordList:
    """The vocabulary of a language model.

    Attributes:
        words: The words in the order of their indices.
        index: The index of each word, by the word as bytes.
        unknown: The index of `<unk>`, which represents all words outside the list.
        begin: The index of the sentence mark `<s>`, or -1 if text has no marks.
        end: The index of the sentence mark `</s>`, or -1 if text has no marks.
        is_open: Whether words outside the list get indices of their own, as in an
            OpenWordList.
        more: The words that were added to an OpenWordList.
        name: The name of the list, for messages.
    """

    more: Sequence[str] = ()
    is_open = False

    def __init__(
        self, words: list[str], name: object = "word list", marks: bool | None = None
    ) -> None:
        """Create a word list.

        Args:
            words: The words, which must include `<unk>`.
            name: The name of the list, for messages.
            marks: Whether text has the sentence marks `<s>` and `</s>`. None means that
                it has them if both are in the list.

        Raises:
            SennaError: If a word occurs twice, or if `<unk>` or a necessary mark is
                missing.
        """
        self.words = words
        self.name = str(name)
        encoded = [word.encode("utf-8", "surrogateescape") for word in words]
        self.index = {word: i for i, word in enumerate(encoded)}
        if len(self.index) != len(words):
            first = next(i for i, word in enumerate(encoded) if self.index[word] != i)
            raise SennaError(f"{self.name}: the word {words[first]!r} occurs twice")
        needed = SPECIAL if marks else SPECIAL[:1]
        if missing := [word for word in needed if word.encode() not in self.index]:
            raise SennaError(f"{self.name}: {missing[0]} is missing")
        self.unknown = self.index[UNKNOWN.encode()]
        self.begin = self.index.get(BEGIN.encode(), -1)
        self.end = self.index.get(END.encode(), -1)
        if marks is None:
            marks = self.begin >= 0 and self.end >= 0
        if not marks:
            self.begin = self.end = -1

    @classmethod
    def of_words(
        cls, words: Iterable[str], marks: bool, name: object = "word list"
    ) -> WordList:
        """Return a list of words that begins with `<unk>` and the sentence marks.

        Args:
            words: The words. `<unk>` and marks among them are ignored.
            marks: Whether to include the marks `<s>` and `</s>`.
            name: The name of the list, for messages.
        """
        others = [word for word in words if word not in SPECIAL]
        return cls([*SPECIAL[: 3 if marks else 1], *others], name, marks)

    @property
    def marks(self) -> bool:
        """Whether each sentence of a text is enclosed in `<s>` and `</s>`."""
        return self.begin >= 0

    def __len__(self) -> int:
        return len(self.words)

    @property
    def n_predicted(self) -> int:
        """The number of words that can be predicted: all words except `<s>`."""
        return len(self) - 1 if self.marks else len(self)

    def to_array(self) -> NDArray[np.uint8]:
        """Return the words as an array for a file; see `as_lines`."""
        return as_lines(self.words)

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, metadata: Mapping[str, str], name: str = "words"
    ) -> WordList:
        """Read the word list of a model's file.

        Args:
            arrays: The arrays of the file.
            metadata: The metadata of the file, whose field `marks` is `yes` or `no`.
            name: The name of the array with the words.

        Raises:
            KeyError: If the array is missing.
            SennaError: If the array or the field is not valid.
        """
        marks = metadata.get("marks")
        if marks not in ("yes", "no"):
            raise SennaError(f"marks {marks!r}: expected yes or no")
        return cls(arrays.take_lines(name), name, marks == "yes")

    def indices(self, words: Sequence[str | bytes]) -> NDArray[np.int32]:
        """Return the indices of words: int32[n].

        The index of a word outside the list is `unknown` or, in an OpenWordList, a new
        index.

        Raises:
            TypeError: If `words` is a single word, or contains other types than str and
                bytes.
        """
        if isinstance(words, str | bytes):
            raise TypeError(
                f"a sequence of words is needed, not one {type(words).__name__}"
            )
        return self._indices(
            [word if isinstance(word, bytes) else _encoded(word) for word in words]
        )

    def _indices(self, words: Sequence[bytes]) -> NDArray[np.int32]:
        get, unknown = self.index.get, self.unknown
        return np.fromiter((get(word, unknown) for word in words), np.int32, len(words))

    def are_unknown(self, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return whether each index is the index of an unknown word: bool[n]."""
        return ids == self.unknown

    def closed(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return indices, with `unknown` in place of added words: int32[n]."""
        return ids


class OpenWordList(WordList):
    """A word list that assigns a new index to each word that it does not contain.

    The new indices are valid only for this object, and as long as it exists.

    Attributes:
        first: The index of the first added word.
        more: The added words in the order of their indices.
    """

    is_open = True

    def __init__(self, word_list: WordList, first: int | None = None) -> None:
        """Create an open list with the words of another list.

        Args:
            word_list: The list.
            first: The index of the first added word, or None for the length of the
                list.
        """
        super().__init__(list(word_list.words), word_list.name, word_list.marks)
        self.first = len(self) if first is None else first
        self.more: list[str] = []
        self._added: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def _indices(self, words: Sequence[bytes]) -> NDArray[np.int32]:
        ids = super()._indices(words)
        for i in np.flatnonzero(ids == self.unknown).tolist():
            if words[i] != UNKNOWN.encode():
                ids[i] = self.first + self._added_index(words[i])
        return ids

    def _added_index(self, word: bytes) -> int:
        index = self._added.get(word)
        if index is None:
            with self._lock:  # models serve several threads
                index = self._added.setdefault(word, len(self.more))
                if index == len(self.more):
                    self.more.append(word.decode("utf-8", "surrogateescape"))
        return index

    def are_unknown(self, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
        return (ids == self.unknown) | (ids >= self.first)

    def closed(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(ids >= self.first, np.int32(self.unknown), ids)

    def words_at(self, ids: NDArray[np.int32]) -> list[str]:
        """Return the words with certain indices, which may be added words.

        Args:
            ids: int32[n], the indices.
        """
        first = self.first
        return [
            self.more[i - first] if i >= first else self.words[i] for i in ids.tolist()
        ]


def _encoded(word: object) -> bytes:
    if not isinstance(word, str):
        raise TypeError(f"a word is str or bytes, not {type(word).__name__}")
    return word.encode("utf-8", "surrogateescape")


def read_word_list(path: AnyPath, marks: bool) -> WordList:
    """Read a word list from the first column of a file.

    Columns are separated by white space. `<unk>` is added to the list and, if `marks`
    is true, `<s>` and `</s>` are added, too.

    Args:
        path: The path of the file.
        marks: Whether text has sentence marks.

    Raises:
        SennaError: If the file cannot be read, if a word occurs twice, or if there is
            no word.
    """
    seen: dict[str, int] = {}
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            fields = line.split(None, 1)
            if not fields:
                continue
            word = fields[0].decode("utf-8", "surrogateescape")
            if word in seen:
                raise SennaError(
                    f"{path}: line {number}: the word {word!r} occurs twice, first in line "
                    f"{seen[word]}"
                )
            seen[word] = number
    if not seen:
        raise SennaError(f"{path}: there is no word in this file")
    return WordList.of_words(list(seen), marks, path)
