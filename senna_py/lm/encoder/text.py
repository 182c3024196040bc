"""Batches of sentences out of a corpus of forms, each file as often as the user weighs it."""

import numpy as np

from senna_py.errors import SennaError

__all__ = ["SentenceSample", "Sentences"]


class Sentences:
    """Sentences of one part of a FormCorpus, in batches over passes through the text.

    A pass has all sentences of a file as often as the whole part of its weight says, and a random
    share of them for the rest, in random order; which and in what order follows from the seed and
    the number of the pass.
    """

    def __init__(self, corpus, part, weights, lengths, n_words, seed):
        """corpus: FormCorpus; part: `train` or `valid`; weights: of each of its files.

        lengths: shortest and longest sentence; n_words: about, of a batch. Raises SennaError if
        there is no sentence.
        """
        self._begin, self._length, file = corpus.sentences(part, *lengths)
        self._text, self._seed = getattr(corpus, part), seed
        self._by_file = [np.flatnonzero(file == f) for f in range(len(weights))]
        self._weights = weights
        self._order, self._pass = None, None
        self.n_words = int(sum(
            weight * int(self._length[rows].sum())
            for rows, weight in zip(self._by_file, weights, strict=True)
        ))  # fmt: skip
        if not len(self._pass_order(0)):
            few, many = lengths
            raise SennaError(
                f"{corpus.path}: no sentence of {few} to {many} words in the {part} text"
            )
        self.n_batches = max(round(self.n_words / n_words), 1)

    def batch(self, number):
        """Forms and starts of a batch, numbered over all passes: int32[n], int32[n_sentences + 1].

        The same number gives the same batch.
        """
        n_pass, number = divmod(number, self.n_batches)
        order = self._pass_order(n_pass)
        first, last = (len(order) * k // self.n_batches for k in (number, number + 1))
        return self.take(order[first:last])

    def take(self, rows):
        """Forms and starts of some sentences: int32[n], int32[n_sentences + 1]."""
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
        """Forms and starts of n sentences of the first pass, or of all of it."""
        return self.take(self._pass_order(0)[:n])


class SentenceSample:
    """Held-out sentences in pieces, each with some of its words hidden: the same at all times."""

    def __init__(self, pieces):
        """pieces: list of Piece."""
        self._pieces = pieces

    def scores(self, network, run):
        """Perplexity of the hidden words, their mean rank, and the share that ranks first.

        network: EncoderNetwork; ranks are from 1, among all output words; run: `map`, or that of
        a pool. NaN all three if no word is hidden.
        """
        log_p, rank = (
            np.concatenate(columns)
            for columns in zip(*run(lambda p: _ranks(network, p), self._pieces), strict=True)
        )
        if not len(log_p):
            return (float("nan"),) * 3
        return float(np.exp(-log_p.mean())), float(rank.mean()), float((rank == 1).mean())


def _ranks(network, piece):
    """Log P, float64[n], and rank, int64[n], of the hidden words of a piece."""
    found, _ = network.features_of(piece)
    scores = network.output.scores(found)
    own = scores[np.arange(len(scores)), piece.target][:, None]
    rank = 1 + (scores > own).sum(axis=1)
    largest = scores.max(axis=1, keepdims=True)
    total = np.exp(scores - largest).sum(axis=1, dtype=np.float64)
    return (own - largest)[:, 0] - np.log(total), rank
