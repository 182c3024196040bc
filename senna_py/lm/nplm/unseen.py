"""Probability for words of the vocabulary that the training text lacks."""

import numpy as np

__all__ = ["Unseen"]

_ROUNDS = 50  # of EM, for one weight
_LEAST = np.finfo(float).tiny  # the exponential of a log P below -745 is 0


class Unseen:
    """What words of the vocabulary get that the training text lacks.

    No example names them, so that the network's probabilities for them sink without end. The model
    is (1 - share) of the network and a share of the same probability for each of them, as the
    interpolated trigram is partly a uniform distribution (Bengio et al. 2003, section 4.1).
    """

    def __init__(self, words, share, n_words):
        """Take the indices of the words: int32[n]; their share; the size of the vocabulary."""
        self.words, self.share = words, share if len(words) else 0.0
        self._is_unseen = np.zeros(n_words, bool)
        self._is_unseen[words] = True

    def __str__(self):
        """Say how many words there are and what share they have."""
        return f"{len(self.words):,}, with {100 * self.share:.3f}% of the probability"

    def smooth(self, log_p, target):
        """log P of targets by the model, given that by the network: float64[n]; target: int[n]."""
        if not self.share:
            return log_p
        out = log_p + np.log1p(-self.share)
        unseen = self._is_unseen[np.minimum(target, len(self._is_unseen) - 1)]
        unseen &= target < len(self._is_unseen)
        out[unseen] = np.logaddexp(out[unseen], np.log(self.share / len(self.words)))
        return out

    def learn(self, log_p, target):
        """Set the share to what EM finds best for a text: log_p: float64[n], of the network."""
        if not len(self.words):
            return
        own = self._is_unseen[target] / len(self.words)
        network, share = np.exp(log_p), self.share or 0.01
        for _ in range(_ROUNDS):
            by_share = share * own
            total = by_share + (1 - share) * network
            share = float(np.mean(by_share / np.maximum(total, _LEAST)))
        self.share = share
