"""Words drawn at random by their counts, as for a sampled softmax."""

import numpy as np

__all__ = ["WordSampler", "words_by_count"]


class WordSampler:
    """Draws words in proportion to a power of their counts, with replacement."""

    def __init__(self, counts, power):
        """counts: int64[n_words], one that is 0 counts as 1; power: from 0, for all alike, to 1."""
        share = np.maximum(counts, 1).astype(np.float64) ** power
        share /= share.sum()
        self._edges, self._log_share = np.cumsum(share), np.log(share)

    def draw(self, n, rng):
        """n words: int32[n]."""
        found = np.searchsorted(self._edges, rng.random(n), side="right")
        return np.minimum(found, len(self._edges) - 1).astype(np.int32)

    def log_expected(self, n):
        """Logarithm of how often each word is expected among n: float32[n_words]."""
        return (self._log_share + np.log(n)).astype(np.float32)


def words_by_count(counts, power, n):
    """n words, each as often as its count to a power says, to draw one from: int32[n].

    counts: int64[n_words] or float64[n_words].
    """
    weight = counts.astype(np.float64) ** power
    edges = np.cumsum(weight) / weight.sum()
    draws = (np.arange(n) + 0.5) / n
    return np.searchsorted(edges, draws).clip(max=len(counts) - 1).astype(np.int32)
