"""Words drawn at random by their counts, as for a sampled softmax."""

import numpy as np

__all__ = ["words_by_count"]


def words_by_count(counts, power, n):
    """n words, each as often as its count to a power says, to draw one from: int32[n].

    counts: int64[n_words] or float64[n_words].
    """
    weight = counts.astype(np.float64) ** power
    edges = np.cumsum(weight) / weight.sum()
    draws = (np.arange(n) + 0.5) / n
    return np.searchsorted(edges, draws).clip(max=len(counts) - 1).astype(np.int32)
