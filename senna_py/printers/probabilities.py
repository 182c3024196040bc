"""Each word with the probabilities of its tags, as senna-train reads soft labels."""

import numpy as np

from senna_py.errors import UsageError
from senna_py.printers.base import Printer

__all__ = ["ProbabilityPrinter"]

_LEAST = 0.01  # labels with less are left out
_UNITS = 10_000  # of what is printed


class ProbabilityPrinter(Printer):
    """Prints a line a token, `Rome⇥NNP:0.93,NN:0.07`.

    An empty line follows each sentence. The most probable label of a word comes first. Those below
    0.01 are left out, and the others share what is left, with four decimals.
    """

    splits_lines = True

    def __init__(self, tagger, least=0.0):
        """Prepare to print what `tagger` finds for its only task.

        least: sentences in which the best label of a word has a lower probability are left out.
        Raises UsageError for a task that does not label words.
        """
        super().__init__(tagger)
        (self._task,) = self.uncertain = tagger.tasks
        if tagger.task(self._task).labels != "words":
            raise UsageError(f"{self._task} does not label single words: it has no probabilities")
        labels = tagger.labels(self._task)
        self._labels = [labels[i] for i in range(len(labels))]
        self._numbers = [f"{k / _UNITS:.4f}".rstrip("0").rstrip(".") for k in range(_UNITS + 1)]
        self._least = least

    def print(self, found, place):
        """Return the lines of the tokens."""
        tokens, shares = found.tokens, found.probabilities[self._task]
        if not len(tokens):
            return b""
        raw, cells = tokens.raw.tobytes(), self._cells(shares)
        words = zip(tokens.begin.tolist(), tokens.end.tolist(), cells, strict=True)
        lines = [b"%b\t%b\n" % (raw[a:b], cell.encode("utf-8", "surrogateescape"))
                 for a, b, cell in words]  # fmt: skip
        surest = np.minimum.reduceat(shares.max(axis=1), tokens.starts[:-1])
        starts, out = tokens.starts.tolist(), []
        for s in np.flatnonzero(surest >= self._least).tolist():
            out += [*lines[starts[s] : starts[s + 1]], b"\n"]
        return b"".join(out)

    def _cells(self, shares):
        """Labels and probabilities of each word, a list of str; shares: float32[n, n_labels]."""
        kept = np.where(shares >= np.minimum(_LEAST, shares.max(axis=1, keepdims=True)), shares, 0)
        kept /= kept.sum(axis=1, keepdims=True)
        word, label = np.nonzero(kept)
        units = np.rint(_UNITS * kept[word, label]).astype(int)
        order = np.lexsort((label, -units, word))
        numbers = zip(label[order].tolist(), units[order].tolist(), strict=True)
        texts = [f"{self._labels[j]}:{self._numbers[k]}" for j, k in numbers]
        ends = np.cumsum(np.bincount(word, minlength=len(shares))).tolist()
        return [",".join(texts[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
