"""Held-out text on which encoders in training are scored."""

import numpy as np

__all__ = ["SentenceSample"]


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
