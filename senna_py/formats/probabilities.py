"""Each word with the probabilities of its labels, as senna-train reads soft labels."""

import numpy as np

from senna_py.formats.base import Printer
from senna_py.networks.answers import ANSWERS, LEAST_SHARE

_UNITS = 10_000  # of what is printed
_NONE = "-"  # for no predicate, and no constituent


class ProbabilityPrinter(Printer):
    """Prints a line per token, `Rome⇥NNP:0.93,NN:0.07`.

    An empty line follows each sentence. The most probable label of a word comes first.
    Those below LEAST_SHARE are left out, and the others share what is left, with four
    decimals. For roles, a column marks predicates, and each of them has a column. For
    trees, a token has the constituents that begin there, `NP/2:0.97`; what is left of a
    span's probability is that of none. For arcs, a token has its head, relation and the
    probability of both.
    """

    splits_lines = True

    def __init__(self, tagger, least=0.0):
        """least: of the likeliest label of each word or span, or its sentence is left
        out.
        """
        super().__init__(tagger)
        (self._task,) = self.uncertain = tagger.tasks
        kind = tagger.task(self._task).labels
        self._labels = ANSWERS[kind].names(tagger.labels(self._task).names)
        self._made = {
            "words": self._of_words,
            "roles": self._of_roles,
            "trees": self._of_spans,
            "arcs": self._of_arcs,
        }[kind]
        self._numbers = [
            f"{k / _UNITS:.4f}".rstrip("0").rstrip(".") for k in range(_UNITS + 1)
        ]
        self._least = least

    def print(self, found, place):
        tokens, answer = found.tokens, found.found[self._task]
        if not len(tokens):
            return b""
        raw = tokens.raw.tobytes()
        words = [
            raw[a:b]
            for a, b in zip(tokens.begin.tolist(), tokens.end.tolist(), strict=True)
        ]
        cells, surest = self._made(answer, tokens.starts, words)
        lines = [
            b"%b\t%b\n" % (word, cell.encode("utf-8", "surrogateescape"))
            for word, cell in zip(words, cells, strict=True)
        ]
        surest = np.minimum.reduceat(surest, tokens.starts[:-1])
        starts, out = tokens.starts.tolist(), []
        for s in np.flatnonzero(surest >= self._least).tolist():
            out += [*lines[starts[s] : starts[s + 1]], b"\n"]
        return b"".join(out)

    def _of_words(self, answer, starts, words):
        """Cells of each token, a list of str, and how certain it is, float32[n]."""
        return self._cells(answer.probabilities), answer.probabilities.max(axis=1)

    def _cells(self, shares):
        """Labels and probabilities of each row, a list of str; shares: float32[n,
        n_labels].
        """
        largest = shares.max(axis=1, keepdims=True)
        kept = np.where(shares >= np.minimum(LEAST_SHARE, largest), shares, 0)
        kept /= kept.sum(axis=1, keepdims=True)
        row, label = np.nonzero(kept)
        names = [self._labels[j] for j in label.tolist()]
        return self._texts(row, label, names, kept[row, label], len(shares))

    def _texts(self, row, label, names, share, n_rows):
        """Names and probabilities of each of n_rows, the largest first: a list of str.

        row, label: int[n], of each share; of equal ones, the smallest label comes
        first.
        """
        units = np.rint(_UNITS * share).astype(int)
        order, units = np.lexsort((label, -units, row)).tolist(), units.tolist()
        texts = [f"{names[k]}:{self._numbers[units[k]]}" for k in order]
        ends = np.cumsum(np.bincount(row, minlength=n_rows)).tolist()
        return [",".join(texts[a:b]) for a, b in zip([0, *ends], ends, strict=False)]

    def _of_roles(self, roles, starts, words):
        """The same with marks of predicates; as certain as its least certain label."""
        shares = roles.probabilities
        cells, surest = self._cells(shares), np.ones(len(words), np.float32)
        columns = [[_NONE] for _ in words]
        for t in roles.predicate.tolist():
            columns[t] = [words[t].decode("utf-8", "surrogateescape")]
        sentence = np.searchsorted(starts, roles.predicate, side="right") - 1
        for p, first in enumerate(starts[sentence].tolist()):
            a, b = roles.begin[p : p + 2].tolist()
            for k, cell in enumerate(cells[a:b], first):
                columns[k].append(cell)
            own = surest[first : first + b - a]
            np.minimum(own, shares[a:b].max(axis=1), out=own)
        return ["\t".join(column) for column in columns], surest

    def _of_arcs(self, answer, starts, words):
        """The head of each token, its relation, and the probability of both."""
        units = np.rint(_UNITS * answer.probabilities).astype(int).tolist()
        rows = zip(
            (answer.head + 1).tolist(), answer.labels.tolist(), units, strict=True
        )
        cells = [
            f"{head}\t{self._labels[j]}\t{self._numbers[n]}" for head, j, n in rows
        ]
        return cells, answer.probabilities

    def _of_spans(self, answer, starts, words):
        """The same of constituents that begin at the tokens."""
        spans, n_tokens = answer.probabilities, len(words)
        lengths = (spans.end - spans.begin).tolist()
        names = [
            f"{self._labels[j]}/{n}"
            for j, n in zip(spans.label.tolist(), lengths, strict=True)
        ]
        cells = self._texts(spans.begin, spans.label, names, spans.share, n_tokens)
        _, first, span = np.unique(
            np.stack([spans.begin, spans.end]),
            axis=1,
            return_index=True,
            return_inverse=True,
        )
        certain = 1 - np.bincount(
            span.ravel(), spans.share, len(first)
        )  # of no constituent
        np.maximum.at(certain, span.ravel(), spans.share)
        surest = np.ones(n_tokens, np.float32)
        np.minimum.at(surest, spans.begin[first], certain)
        return [cell or _NONE for cell in cells], surest
