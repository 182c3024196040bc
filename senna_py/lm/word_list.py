"""The words of a language model and their indices."""

import threading

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.lm.arrays import as_lines

UNKNOWN, BEGIN, END = SPECIAL = "<unk>", "<s>", "</s>"  # not words of the language


class WordList:
    """Different words by index.

    words: list of str; index: dict from a word's bytes to its index; unknown: index of
    `<unk>`, which every other word is read as; begin, end: indices of the marks `<s>`
    and `</s>` around sentences, or -1 both if text is read as one stream without marks;
    is_open, more: whether words beyond the list have indices of their own, and which;
    see OpenWordList.
    """

    more, is_open = (), False

    def __init__(self, words, name="word list", marks=None):
        """Index `words`: a list of str that contains `<unk>`; name: for error messages.

        marks: whether sentences have marks; None: if both are among `words`. Raises
        SennaError if a word occurs twice, or if `<unk>` or a mark that is needed is
        missing.
        """
        self.words, self.name = words, str(name)
        encoded = [word.encode("utf-8", "surrogateescape") for word in words]
        self.index = {word: i for i, word in enumerate(encoded)}
        if len(self.index) != len(words):
            first = next(i for i, word in enumerate(encoded) if self.index[word] != i)
            raise SennaError(f"{self.name}: the word {words[first]!r} occurs twice")
        needed = [UNKNOWN] + ([BEGIN, END] if marks else [])
        if missing := [word for word in needed if word.encode() not in self.index]:
            raise SennaError(f"{self.name}: {missing[0]} is missing")
        self.unknown = self.index[UNKNOWN.encode()]
        found = [self.index.get(mark.encode(), -1) for mark in (BEGIN, END)]
        self.begin, self.end = (
            found if marks or (marks is None and -1 not in found) else (-1, -1)
        )

    @classmethod
    def of_words(cls, words, marks, name="word list"):
        """WordList of `<unk>`, `<s>` and `</s>` (if `marks`), then the other words in
        order.
        """
        others = [word for word in words if word not in SPECIAL]
        return cls([*SPECIAL[: 3 if marks else 1], *others], name, marks)

    @property
    def marks(self):
        """True if sentences stand between `<s>` and `</s>`."""
        return self.begin >= 0

    def __len__(self):
        return len(self.words)

    def to_array(self):
        """The words as a tensor for a model file, one on each line: uint8[n]."""
        return as_lines(self.words)

    @classmethod
    def from_arrays(cls, arrays, metadata, name="words"):
        """WordList of a model's Arrays, of the one called `name`; raises SennaError if
        damaged.
        """
        marks = metadata.get("marks")
        if marks not in ("yes", "no"):
            raise SennaError(f"marks {marks!r}: expected yes or no")
        return cls(arrays.take_lines(name), name, marks == "yes")

    def indices(self, words):
        """Indices of a sequence of bytes or str, `unknown` for words not in the list:
        int32[n].

        Raises TypeError for anything else, a single word among it.
        """
        if isinstance(words, str | bytes):
            raise TypeError(
                f"a sequence of words is needed, not one {type(words).__name__}"
            )
        return self._indices(
            [word if type(word) is bytes else _encoded(word) for word in words]
        )

    def _indices(self, words):
        get, unknown = self.index.get, self.unknown
        return np.fromiter((get(word, unknown) for word in words), np.int32, len(words))

    def are_unknown(self, ids):
        """Which indices, int32[n], are those of unknown words: bool[n]."""
        return ids == self.unknown

    def closed(self, ids):
        """Indices, int32[n], with that of `<unk>` in place of those of an
        OpenWordList's own.
        """
        return ids


class OpenWordList(WordList):
    """A WordList that gives each word it lacks an index of its own, from `first` on.

    These indices mean nothing to other lists. more: list of str, the words that were
    met so, by index; they stay as long as the list lives.
    """

    is_open = True

    def __init__(self, word_list, first=None):
        """Begin with the words of a WordList, which stays as it is; first: its length
        if None.
        """
        super().__init__(list(word_list.words), word_list.name, word_list.marks)
        self.first = len(self) if first is None else first
        self.more, self._own, self._lock = [], {}, threading.Lock()

    def _indices(self, words):
        ids = super()._indices(words)
        for i in np.flatnonzero(ids == self.unknown).tolist():
            if words[i] != UNKNOWN.encode():
                ids[i] = self.first + self._own_index(words[i])
        return ids

    def _own_index(self, word):
        index = self._own.get(word)
        if index is None:
            with self._lock:  # models serve several threads
                index = self._own.setdefault(word, len(self.more))
                if index == len(self.more):
                    self.more.append(word.decode("utf-8", "surrogateescape"))
        return index

    def are_unknown(self, ids):
        return (ids == self.unknown) | (ids >= self.first)

    def closed(self, ids):
        return np.where(ids >= self.first, np.int32(self.unknown), ids)

    def words_at(self, ids):
        """Words of indices, int32[n], in the list or met so far: list of str."""
        first = self.first
        return [
            self.more[i - first] if i >= first else self.words[i] for i in ids.tolist()
        ]


def _encoded(word):
    if not isinstance(word, str):
        raise TypeError(f"a word is str or bytes, not {type(word).__name__}")
    return word.encode("utf-8", "surrogateescape")


def read_word_list(path, marks):
    """WordList of a file: the first column of each line (columns are separated by white
    space).

    `<unk>`, and `<s>` and `</s>` if `marks`, are added. Raises SennaError naming file
    and line.
    """
    seen = {}
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
        raise SennaError(f"{path}: no word in this file")
    return WordList.of_words(list(seen), marks, path)
