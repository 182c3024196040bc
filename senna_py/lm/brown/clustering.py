"""Brown clustering of the words of a text (Brown et al. 1992; Liang 2005).

The classes maximise the average mutual information of adjacent classes: how well the class of a
word predicts the class of the next. The most frequent words start as classes of their own. Each
further word, in order of frequency, becomes one more class, and then the two classes are merged
whose merger loses least. In the end the classes are merged until one is left; the tree of these
merges gives each class a path of bits.
"""

import math
import time
import zlib
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm import brown as kernels
from senna_py.lm.brown.words import bigrams
from senna_py.lm.memory import check_clustering
from senna_py.models.checkpoint import read_arrays, write_arrays

__all__ = ["BrownClustering"]

_SMALL = 1 << 20  # numbers whose x log x is kept in a table
_PIECE = 16  # words between two looks at the clock


class BrownClustering:
    """A clustering that proceeds in steps and can be saved between them."""

    def __init__(self, words, n_classes, checkpoint=None, report=None):
        """Cluster Words (see `lm.brown.words`) into `n_classes`, or fewer if there are fewer words.

        checkpoint: path of the file for `save`; report: called with a line of str. Raises
        SennaError if no words are adjacent.
        """
        self.words = words
        self.n_classes = min(n_classes, len(words.words))
        check_clustering(self.n_classes)
        self.checkpoint = None if checkpoint is None else Path(checkpoint)
        self.report = report or (lambda line: None)
        self._bigrams = bigrams(words.stream, len(words.words))
        self._class_of = np.full(len(words.words), -1, np.int32)
        self._class_of[: self.n_classes] = np.arange(self.n_classes)
        self._done = self.n_classes
        self._classes = None
        self._stopped = False

    @property
    def class_of(self):
        """Class of each word, -1 for words that are not assigned yet: int32[n_words]."""
        return self._class_of

    @property
    def finished(self):
        """Whether all words have a class."""
        return self._done == len(self.words.words)

    def run(self, time_limit=math.inf, checkpoint_every=300, report_every=10):
        """Assign words for `time_limit` seconds or until `stop`; returns whether all have a class.

        If not, a checkpoint is written.
        """
        begin = last_checkpoint = last_report = time.monotonic()
        reported = self._done
        while not self.finished and not self._stopped:
            self.step(_PIECE)
            now = time.monotonic()
            if now - last_report >= report_every or self.finished:
                self._report((self._done - reported) / (now - last_report))
                last_report, reported = now, self._done
            if self.finished or now - begin >= time_limit:
                break
            if now - last_checkpoint >= checkpoint_every:
                self._save(may_fail=True)
                last_checkpoint = now
        if not self.finished:
            self._save(may_fail=False)
        return self.finished

    def stop(self):
        """End `run` after the words at work, as a signal handler may."""
        self._stopped = True

    def step(self, n_words):
        """Assign the next `n_words` words, or as many as are left."""
        stop = min(self._done + n_words, len(self.words.words))
        kernels.sort_in(
            self.classes, self.n_classes, self._bigrams, self._done, stop, self._class_of
        )
        self._done = stop

    @property
    def classes(self):
        """The `kernels.lm.brown.Classes` of the words so far, built from `class_of` when needed."""
        if self._classes is None:
            self._classes = _count_classes(
                self._bigrams, self._class_of, self._done, self.n_classes + 1
            )
            kernels.all_losses(self._classes, self.n_classes)
        return self._classes

    def information(self):
        """Average mutual information of adjacent classes of the words so far, in bits."""
        classes, size = self.classes, self.n_classes
        total = classes.n_first[:size].sum()
        if not total:
            return 0.0
        parts = (classes.after[:size, :size].ravel(), classes.n_first[:size],
                 classes.n_second[:size], np.array([total]))  # fmt: skip
        bits = [float((x * np.log2(np.maximum(x, 1))).sum()) for x in parts]
        return (bits[0] - bits[1] - bits[2] + bits[3]) / float(total)

    def _report(self, speed):
        self.report(
            f"{100 * self._done / len(self.words.words):5.1f}%  {self._done:,} of "
            f"{len(self.words.words):,} words  {speed:,.0f}/s  {self.information():.4f} bits"
        )

    def _save(self, may_fail):
        if self.checkpoint is None:
            return
        try:
            self.save()
        except SennaError as error:
            if not may_fail:
                raise
            self.report(f"{error}; clustering goes on")

    def save(self):
        """Write the checkpoint, the class of each word, in one step."""
        meta = {"done": self._done, **self._identity()}
        write_arrays(self.checkpoint, meta, class_of=self._class_of)

    def _identity(self):
        """What must be the same in a checkpoint and the run that resumes it."""
        words = "\n".join(self.words.words).encode("utf-8", "surrogateescape")
        digest = [zlib.crc32(np.ascontiguousarray(array)) for array in self._bigrams]
        return {"classes": self.n_classes, "words": zlib.crc32(words), "text": digest}

    def resume(self):
        """Continue from the checkpoint; raises SennaError if its text or settings differ."""
        n_words = len(self.words.words)

        def check(meta, found):
            self._check_identity(meta)
            if found != {"class_of": (np.dtype(np.int32), (n_words,))}:
                raise SennaError(f"{self.checkpoint}: damaged: not classes of {n_words:,} words")

        meta, arrays = read_arrays(self.checkpoint, check=check)
        class_of, done = arrays["class_of"], meta.get("done")
        if (
            type(done) is not int or not self.n_classes <= done <= n_words
            or not np.array_equal(np.unique(class_of[:done]), np.arange(self.n_classes))
            or (class_of[done:] != -1).any()
        ):  # fmt: skip
            raise SennaError(f"{self.checkpoint}: damaged: not the classes of {n_words:,} words")
        self._class_of, self._done, self._classes = class_of, done, None

    def _check_identity(self, meta):
        """Raise SennaError unless a checkpoint is of the same text and settings."""
        if not isinstance(meta, dict):
            raise SennaError(f"{self.checkpoint}: not a checkpoint of clustering")
        for key, value in self._identity().items():
            if meta.get(key) != value:
                found = f" ({meta.get(key)}, asked for {value})" if key == "classes" else ""
                raise SennaError(f"{self.checkpoint}: made with other {key}{found}")

    def paths(self):
        """Merge all classes into a tree; returns the path of each class: a list of str.

        A single class has the path `0`. The clustering cannot continue after this, because the
        table of losses is overwritten.
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
        """Path, word and count of each word, sorted by path and then by count: a list of tuples."""
        paths = self.paths()
        rows = [
            (paths[c], word, count)
            for c, word, count in zip(
                self._class_of.tolist(), self.words.words, self.words.counts.tolist(), strict=True
            )
        ]
        return sorted(rows, key=lambda row: (row[0], -row[2]))


def _count_classes(found, class_of, n_words, room):
    """Classes of the first `n_words` words, without their losses; room: number of slots."""
    after = np.zeros((room, room), np.int32)
    first = np.repeat(np.arange(len(class_of)), np.diff(found.next_start))
    known = (first < n_words) & (found.next_word < n_words)
    places = class_of[first[known]], class_of[found.next_word[known]]
    np.add.at(after, places, found.next_count[known])
    logs = np.empty(min(int(found.next_count.sum()) + 2, _SMALL), np.int64)
    kernels.fill_logs(logs)
    return kernels.Classes(
        after, after.T.copy(), after.sum(1, np.int64), after.sum(0, np.int64),
        np.zeros((room, room), np.int64), logs, np.empty(room, np.int64),
        np.empty(room, np.int64), np.empty((2, room), np.int32),
    )  # fmt: skip
