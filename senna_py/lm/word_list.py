"""The words of a language model and their indices."""

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
    """Different words by index.

    Attributes:
        words: The words in order.
        index: The index of each word as bytes.
        unknown: The index of `<unk>`, which stands for every other word.
        begin: The index of `<s>` before a sentence, or -1 if text has no marks.
        end: The index of `</s>` after a sentence, or -1 if text has no marks.
        is_open: Whether other words get indices of their own: see OpenWordList.
        more: These words.
    """

    more: Sequence[str] = ()
    is_open = False

    def __init__(
        self, words: list[str], name: object = "word list", marks: bool | None = None
    ) -> None:
        """Index words, which include `<unk>`.

        Args:
            words: The words.
            name: The name of the list, for messages.
            marks: Whether sentences have marks; None if they do when both are in the
                list.

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
        """Return a list of `<unk>`, the marks if there are any, and the other words."""
        others = [word for word in words if word not in SPECIAL]
        return cls([*SPECIAL[: 3 if marks else 1], *others], name, marks)

    @property
    def marks(self) -> bool:
        """Whether sentences stand between `<s>` and `</s>`."""
        return self.begin >= 0

    def __len__(self) -> int:
        return len(self.words)

    @property
    def n_predicted(self) -> int:
        """The number of words that can be predicted: all but `<s>`."""
        return len(self) - 1 if self.marks else len(self)

    def to_array(self) -> NDArray[np.uint8]:
        """Return the words as a tensor for a file, one per line: uint8[n]."""
        return as_lines(self.words)

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, metadata: Mapping[str, str], name: str = "words"
    ) -> WordList:
        """Return the word list of the array `name` of a model's file.

        Raises:
            SennaError: If it is damaged.
        """
        marks = metadata.get("marks")
        if marks not in ("yes", "no"):
            raise SennaError(f"marks {marks!r}: expected yes or no")
        return cls(arrays.take_lines(name), name, marks == "yes")

    def indices(self, words: Sequence[str | bytes]) -> NDArray[np.int32]:
        """Return the indices of words; other words are `unknown`: int32[n].

        Raises:
            TypeError: If `words` is not a sequence of str or bytes, or a single word.
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
        """Return which indices are of unknown words: bool[n]."""
        return ids == self.unknown

    def closed(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return indices with `unknown` in place of those of added words: int32[n]."""
        return ids


class OpenWordList(WordList):
    """A word list that gives each other word an index of its own, from `first` on.

    These indices mean nothing to other lists, and stay as long as the list exists.

    Attributes:
        first: The index of the first added word.
        more: The added words in order.
    """

    is_open = True

    def __init__(self, word_list: WordList, first: int | None = None) -> None:
        """Begin with the words of a list, which is not changed.

        Args:
            word_list: The list.
            first: The index of the first added word, by default the length of the list.
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
        """Return the words at some indices, in the list or added."""
        first = self.first
        return [
            self.more[i - first] if i >= first else self.words[i] for i in ids.tolist()
        ]


def _encoded(word: object) -> bytes:
    if not isinstance(word, str):
        raise TypeError(f"a word is str or bytes, not {type(word).__name__}")
    return word.encode("utf-8", "surrogateescape")


def read_word_list(path: AnyPath, marks: bool) -> WordList:
    """Read the words in the first column of a file, separated by white space.

    `<unk>` is added, and so are `<s>` and `</s>` if `marks` is true.

    Raises:
        SennaError: If a word occurs twice, or if there is none.
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
