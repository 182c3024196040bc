"""Brown clustering of the words of a text (Brown et al. 1992; Liang 2005).

The classes maximize the average mutual information of adjacent classes: how well the
class of a word predicts the class of the next. The most frequent words start as classes
of their own. Each further word, in order of frequency, becomes one more class, and then
the two classes are merged whose merger loses least. In the end the classes are merged
until one is left; the tree of these merges gives each class a path of bits.
"""

import zlib
from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.system import check_memory
from senna_py.kernels.lm import brown as kernels
from senna_py.lm.text.counts import by_count, fold_numbered
from senna_py.lm.text.streams import read_text
from senna_py.lm.word_list import UNKNOWN, read_word_list
from senna_py.training.trainable import Trainable

_MOST = 2**31 - 1  # bigrams, as counts are int32


@dataclass
class Words:
    """The words to cluster.

    words: list of str, the most frequent first; counts: int64[n_words], occurrences;
    stream: int32[n], places in `words`, and -1 at ends of sentences and for words that
    are left out, to which no word is adjacent.
    """

    words: list
    counts: np.ndarray
    stream: np.ndarray


def read_words(
    paths,
    one_stream=False,
    vocabulary=None,
    min_count=1,
    size=None,
    lower=False,
    limit=None,
):
    """Words of tokenized text files or of a corpus (see `lm.text.streams.read_text`).

    one_stream: words at the end of a sentence are adjacent to the first of the next;
    vocabulary: file of the words to cluster, or None for all; min_count: how often they
    must occur; size: how many of them at most, the most frequent; lower: read words in
    look-up form (lower case, numbers as `0`); limit: number of words of the text to
    read. Raises SennaError for bad files or no word.
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
    wanted = {
        *(words if vocabulary is None else read_word_list(vocabulary, False).words)
    }
    wanted.discard(UNKNOWN)
    kept = [i for i in by_count(words, counts, min_count) if words[i] in wanted][:size]
    if not kept:
        raise SennaError(f"{text.name}: no word is left to cluster")
    place = np.full(len(words) + 1, -1, np.int32)
    place[kept] = np.arange(len(kept))
    return Words([words[i] for i in kept], counts[kept], place[numbers])


def bigrams(stream, n_words):
    """The Bigrams of a stream; raises SennaError if there are none, or too many for
    int32.
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


def _starts(words, n_words):
    return np.append(0, np.cumsum(np.bincount(words, minlength=n_words))).astype(
        np.int64
    )


_SMALL = 1 << 20  # numbers whose x log x is kept in a table
_PIECE = 16  # words between two looks at the clock: a batch


class BrownClustering(Trainable):
    """Classes of words in the making. There are no epochs; an example is a word that
    gets one.
    """

    def __init__(self, words, n_classes):
        """Cluster Words into `n_classes` at most; raises SennaError if no words are
        adjacent.
        """
        super().__init__()
        self.words = words
        self.n_classes = min(n_classes, len(words.words))
        # Counts of pairs of classes, twice, and what each merger would lose.
        check_memory(f"--clusters: {self.n_classes:,}", 16 * (self.n_classes + 1) ** 2)
        self._bigrams = bigrams(words.stream, len(words.words))
        # Class of each word, -1 for words that are not assigned yet.
        self._class_of = np.full(len(words.words), -1, np.int32)
        self._class_of[: self.n_classes] = np.arange(self.n_classes)
        self._classes = None

    @property
    def _done(self):
        return self.n_classes + self.progress.examples

    def settings(self):
        return {"classes": self.n_classes}

    def data(self):
        words = "\n".join(self.words.words).encode("utf-8", "surrogateescape")
        digest = [zlib.crc32(np.ascontiguousarray(array)) for array in self._bigrams]
        return {"words": zlib.crc32(words), "text": digest}

    def finished(self):
        return self._done == len(self.words.words)

    def train(self, number, worker):
        """Assign the next words; see Trainable. There is no cost."""
        begin, end = self._done, min(self._done + _PIECE, len(self.words.words))
        kernels.sort_in(
            self.classes, self.n_classes, self._bigrams, begin, end, self._class_of
        )
        return 0.0, end - begin

    @property
    def classes(self):
        """The `kernels.lm.brown.Classes` of the words so far, built when needed."""
        if self._classes is None:
            self._classes = _count_classes(
                self._bigrams, self._class_of, self._done, self.n_classes + 1
            )
            kernels.all_losses(self._classes, self.n_classes)
        return self._classes

    def information(self):
        """Average mutual information of adjacent classes of the words so far, in
        bits.
        """
        classes, size = self.classes, self.n_classes
        total = classes.n_first[:size].sum()
        if not total:
            return 0.0
        parts = (
            classes.after[:size, :size].ravel(),
            classes.n_first[:size],
            classes.n_second[:size],
            np.array([total]),
        )
        bits = [float((x * np.log2(np.maximum(x, 1))).sum()) for x in parts]
        return (bits[0] - bits[1] - bits[2] + bits[3]) / float(total)

    def report(self, score, better):
        n_words, speed, bits = (
            len(self.words.words),
            self.progress.speed,
            self.information(),
        )
        line = (
            f"{100 * self._done / n_words:5.1f}%  {self._done:,} of {n_words:,} words  "
            f"{speed:,.0f}/s  {bits:.4f} bits"
        )
        return line, {
            "words": self._done,
            "speed": round(speed),
            "information": round(bits, 6),
        }

    def arrays(self):
        return {"class_of": self._class_of}

    def restore_state(self, state):
        self._classes = None

    def paths(self):
        """Merge all classes into a tree; returns the path of each class: a list of str.

        A single class has the path `0`. Clustering cannot go on after this: losses are
        overwritten.
        """
        if self.n_classes == 1:
            return ["0"]
        merges = np.empty((self.n_classes - 1, 2), np.int64)
        kernels.merge_all(self.classes, self.n_classes, merges)
        self._classes = None
        paths = [""] * (2 * self.n_classes - 1)
        for k in range(self.n_classes - 2, -1, -1):
            for bit, part in zip("01", merges[k].tolist(), strict=True):
                paths[part] = paths[self.n_classes + k] + bit
        return paths[: self.n_classes]

    def rows(self):
        """Path, word and count of each word, sorted by path and then by count: a list
        of tuples.
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


def _count_classes(found, class_of, n_words, room):
    """Classes of the first `n_words` words, without their losses; room: number of
    slots.
    """
    after = np.zeros((room, room), np.int32)
    first = np.repeat(np.arange(len(class_of)), np.diff(found.next_start))
    known = (first < n_words) & (found.next_word < n_words)
    places = class_of[first[known]], class_of[found.next_word[known]]
    np.add.at(after, places, found.next_count[known])
    logs = np.empty(min(int(found.next_count.sum()) + 2, _SMALL), np.int64)
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
