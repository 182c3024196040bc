"""Brown clustering of the words of a text (Brown et al. 1992; Liang 2005).

The algorithm greedily maximizes the average mutual information of the classes of
adjacent words. Initially, each of the most frequent words is a class. Each further
word, in order of frequency, is added as a new class, and then the two classes whose
merger loses the least mutual information are merged. Finally, all classes are merged
into one. The binary tree of these mergers defines a path of bits for each class.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.system import check_memory
from senna_py.kernels.lm import brown as kernels
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.lm.text.streams import read_text
from senna_py.lm.word_list import UNKNOWN, read_word_list
from senna_py.training.trainable import Trainable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath

_MOST = 2**31 - 1  # the maximum number of bigrams, because counts are int32


@dataclass
class Words:
    """The words to cluster, and the text in which they occur.

    Attributes:
        words: The words, the most frequent first.
        counts: int64[n_words], the number of occurrences of each word.
        stream: int32[n], the text as word indices. Ends of sentences and words that are
            not clustered are -1, and do not form bigrams with other words.
    """

    words: list[str]
    counts: NDArray[np.int64]
    stream: NDArray[np.int32]


def read_words(
    paths: Sequence[str],
    one_stream: bool = False,
    vocabulary: AnyPath | None = None,
    min_count: int = 1,
    size: int | None = None,
    lower: bool = False,
    limit: int | None = None,
) -> Words:
    """Read a text, and choose the words to cluster.

    `<unk>` is never chosen.

    Args:
        paths: The paths of tokenized files or of a corpus; see
            `lm.text.streams.read_text`.
        one_stream: Whether the last word of a sentence and the first word of the next
            sentence are adjacent.
        vocabulary: The path of a file of the words to cluster, or None for all words.
        min_count: The minimum number of occurrences of a word.
        size: The maximum number of words, or None for no limit. The most frequent words
            are chosen.
        lower: Whether words are converted to look-up form (lower case, numbers as `0`).
        limit: The number of words of the text to read, or None for the whole text.

    Raises:
        SennaError: If a file cannot be read, or if there is no word to cluster.
    """
    text = read_text(paths)
    numbers = text.numbers
    words = [word.decode("utf-8", "surrogateescape") for word in text.words]
    if lower:
        words, numbers = fold_numbered(words, numbers)
    if one_stream:
        numbers = numbers[numbers >= 0]
    if limit is not None:
        numbers = numbers[: np.searchsorted(np.cumsum(numbers >= 0), limit) + 1]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(words))
    wanted = {*words}
    if vocabulary is not None:
        wanted = {*read_word_list(vocabulary, False).words}
    wanted.discard(UNKNOWN)
    ranked = by_count(words, counts, min_count)
    chosen = [i for i in ranked if words[i] in wanted][:size]
    if not chosen:
        raise SennaError(f"{text.name}: no word is left to cluster")
    place = np.full(len(words) + 1, -1, np.int32)
    place[chosen] = np.arange(len(chosen))
    return Words([words[i] for i in chosen], counts[chosen], place[numbers])


def bigrams(stream: NDArray[np.int32], n_words: int) -> kernels.Bigrams:
    """Count the bigrams of a stream of words.

    Args:
        stream: int32[n], word indices, or -1.
        n_words: The number of words.

    Raises:
        SennaError: If there are no bigrams, or too many for int32.
    """
    first, second = stream[:-1], stream[1:]
    adjoin = (first >= 0) & (second >= 0)
    keys = first[adjoin].astype(np.int64) * n_words + second[adjoin]
    if not 0 < len(keys) <= _MOST:
        raise SennaError(
            f"{len(keys):,} pairs of adjacent words, expected 1 to {_MOST:,}"
        )
    keys.sort()
    change = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    counts = np.diff(change, append=len(keys)).astype(np.int32)
    first, second = np.divmod(keys[change], n_words)
    by_second = np.argsort(second, kind="stable")
    return kernels.Bigrams(
        _starts(first, n_words),
        second.astype(np.int32),
        counts,
        _starts(second, n_words),
        first[by_second].astype(np.int32),
        counts[by_second],
    )


def _starts(words: NDArray[np.integer], n_words: int) -> NDArray[np.int64]:
    return np.append(0, np.cumsum(np.bincount(words, minlength=n_words))).astype(
        np.int64
    )


_SMALL = 1 << 20  # x log x is looked up in a table for numbers below this one
_PIECE = 16  # the number of words in a batch


class BrownClustering(Trainable):
    """A run of Brown clustering.

    An example is a word that is assigned to a class. There are no epochs.

    Attributes:
        words: The words to cluster.
        n_classes: The number of classes.
    """

    def __init__(self, words: Words, n_classes: int) -> None:
        """Prepare to cluster words into at most `n_classes` classes.

        Raises:
            SennaError: If the text has no bigrams, or if the memory does not suffice.
        """
        super().__init__()
        self.words = words
        self.n_classes = min(n_classes, len(words.words))
        # Counts of class bigrams and their transpose, and the loss of each merger.
        check_memory(f"--clusters: {self.n_classes:,}", 16 * (self.n_classes + 1) ** 2)
        self._bigrams = bigrams(words.stream, len(words.words))
        # The class of each word, or -1 for a word that is not assigned yet.
        self._class_of = np.full(len(words.words), -1, np.int32)
        self._class_of[: self.n_classes] = np.arange(self.n_classes)
        self._classes: kernels.Classes | None = None

    @property
    def _done(self) -> int:
        return self.n_classes + self.progress.examples

    def settings(self) -> dict[str, Any]:
        return {"classes": self.n_classes}

    def data(self) -> dict[str, Any]:
        words = "\n".join(self.words.words).encode("utf-8", "surrogateescape")
        digest = [
            zlib.crc32(np.ascontiguousarray(array).data) for array in self._bigrams
        ]
        return {"words": zlib.crc32(words), "text": digest}

    def finished(self) -> bool:
        return self._done == len(self.words.words)

    def share_done(self) -> float:
        return self._done / len(self.words.words)

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Assign the next words to classes; the cost is 0."""
        begin, end = self._done, min(self._done + _PIECE, len(self.words.words))
        kernels.sort_in(
            self.classes, self.n_classes, self._bigrams, begin, end, self._class_of
        )
        return 0.0, end - begin

    @property
    def classes(self) -> kernels.Classes:
        """The statistics of the classes so far, which are computed on first use."""
        if self._classes is None:
            self._classes = _count_classes(
                self._bigrams, self._class_of, self._done, self.n_classes + 1
            )
            kernels.all_losses(self._classes, self.n_classes)
        return self._classes

    def information(self) -> float:
        """Return the average mutual information of adjacent classes so far, in bits."""
        classes, size = self.classes, self.n_classes
        n_first, n_second = classes.n_first[:size], classes.n_second[:size]
        total = n_first.sum(keepdims=True)
        if not total:
            return 0.0
        bits = (
            _bits(classes.after[:size, :size])
            - _bits(n_first)
            - _bits(n_second)
            + _bits(total)
        )
        return bits / float(total[0])

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        n_words = len(self.words.words)
        speed = self.progress.speed
        bits = self.information()
        line = (
            f"{100 * self._done / n_words:5.1f}%  {self._done:,} of {n_words:,} words  "
            f"{speed:,.0f}/s  {bits:.4f} bits"
        )
        return line, {
            "words": self._done,
            "speed": round(speed),
            "information": round(bits, 6),
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"class_of": self._class_of}

    def restore_state(self, state: dict[str, Any]) -> None:
        self._classes = None

    def paths(self) -> list[str]:
        """Merge all classes into a binary tree, and return the path of each class.

        A path consists of `0` and `1`. If there is only one class, its path is `0`.
        """
        if self.n_classes == 1:
            return ["0"]
        merges = np.empty((self.n_classes - 1, 2), np.int64)
        kernels.merge_all(self.classes, self.n_classes, merges)
        self._classes = None
        paths = [""] * (2 * self.n_classes - 1)
        for k in range(self.n_classes - 2, -1, -1):
            for bit, merged in zip("01", merges[k].tolist(), strict=True):
                paths[merged] = paths[self.n_classes + k] + bit
        return paths[: self.n_classes]

    def rows(self) -> list[tuple[str, str, int]]:
        """Return a row for each word: the path of its class, the word, and its count.

        Rows are sorted by path, and then by descending count.
        """
        paths = self.paths()
        rows = [
            (paths[c], word, count)
            for c, word, count in zip(
                self._class_of.tolist(),
                self.words.words,
                self.words.counts.tolist(),
                strict=True,
            )
        ]
        return sorted(rows, key=lambda row: (row[0], -row[2]))


def _bits(counts: NDArray[np.integer]) -> float:
    """Return the sum of x log2 x over all counts x."""
    flat = counts.ravel()
    return float((flat * np.log2(np.maximum(flat, 1))).sum())


def _count_classes(
    pairs: kernels.Bigrams, class_of: NDArray[np.int32], n_words: int, room: int
) -> kernels.Classes:
    """Return the statistics of the classes of the first `n_words` words.

    The losses of mergers are not computed.

    Args:
        pairs: The bigrams of the text.
        class_of: int32[n], the class of each word.
        n_words: The number of words that have a class.
        room: The number of classes for which arrays have space.
    """
    after = np.zeros((room, room), np.int32)
    first = np.repeat(np.arange(len(class_of)), np.diff(pairs.next_start))
    known = (first < n_words) & (pairs.next_word < n_words)
    places = class_of[first[known]], class_of[pairs.next_word[known]]
    np.add.at(after, places, pairs.next_count[known])
    logs = np.empty(min(int(pairs.next_count.sum()) + 2, _SMALL), np.int64)
    kernels.fill_logs(logs)
    return kernels.Classes(
        after,
        after.T.copy(),
        after.sum(1, np.int64),
        after.sum(0, np.int64),
        np.zeros((room, room), np.int64),
        logs,
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty((2, room), np.int32),
    )
