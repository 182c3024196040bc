"""Batches of sentences out of a corpus, each file as often as the user weighs it."""

import numpy as np

from senna_py.errors import SennaError


class WeightedSentences:
    """WeightedSentences of one part of a Corpus, in batches over passes through the text.

    A pass has all sentences of a file as often as the whole part of its weight says, and some
    of them at random for the rest, in random order; which and in what order follows from the seed
    and the number of the pass. A pass has about `n_words` words, `n_sentences` and `n_batches`.
    """

    def __init__(self, corpus, part, weights, shortest, n_words, seed):
        """corpus: Corpus; part: `train` or `valid`; weights: of each of its files.

        shortest: words of a sentence at least; n_words: of a batch, about. Raises SennaError if
        there is no sentence.
        """
        self._begin, self._length, file = corpus.sentences(part, shortest)
        self._text, self._seed = getattr(corpus, part), seed
        self._by_file = [np.flatnonzero(file == f) for f in range(len(weights))]
        self._weights = weights
        self._order, self._pass = None, None
        self.n_words = int(sum(
            weight * int(self._length[rows].sum())
            for rows, weight in zip(self._by_file, weights, strict=True)
        ))  # fmt: skip
        self.n_sentences = len(self._pass_order(0))
        if not self.n_sentences:
            raise SennaError(
                f"{corpus.path}: no sentence of {shortest} or more words in the {part} text"
            )
        self.n_batches = max(round(self.n_words / n_words), 1)

    def prepare(self, number):
        """Get ready for the pass of a batch, so that threads may ask for batches of that pass."""
        self._pass_order(number // self.n_batches)

    def batch(self, number):
        """Words and starts of a batch, numbered over all passes: int32[n], int32[n_sentences + 1].

        The same number gives the same batch.
        """
        n_pass, number = divmod(number, self.n_batches)
        order = self._pass_order(n_pass)
        first, last = (len(order) * k // self.n_batches for k in (number, number + 1))
        return self.take(order[first:last])

    def take(self, rows):
        """Words and starts of some sentences: int32[n], int32[n_sentences + 1]."""
        begin, length = self._begin[rows], self._length[rows]
        starts = np.append(0, np.cumsum(length)).astype(np.int32)
        places = np.arange(starts[-1]) + np.repeat(begin - starts[:-1], length)
        return self._text[places], starts

    def _pass_order(self, n_pass):
        if self._pass != n_pass:
            rng = np.random.default_rng([self._seed, 3, n_pass])
            parts = [np.empty(0, np.int64)]
            for rows, weight in zip(self._by_file, self._weights, strict=True):
                whole, rest = divmod(weight, 1)
                parts += [rows] * int(whole)
                parts.append(rng.permutation(rows)[: max(round(rest * len(rows)), rest > 0)])
            self._order, self._pass = rng.permutation(np.concatenate(parts)), n_pass
        return self._order

    def sample(self, n):
        """Words and starts of n sentences of the first pass, or of all of it."""
        return self.take(self._pass_order(0)[:n])
