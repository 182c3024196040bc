"""Probability of words in the vocabulary that do not occur in the training text."""

import numpy as np

__all__ = ["Unseen"]

_ROUNDS = 50  # of EM, for one weight
_LEAST = np.finfo(float).tiny  # the exponential of a log P below -745 is 0


class Unseen:
    """A share of probability for words in the vocabulary that the training text lacks.

    They are never the target, so training drives their probabilities towards zero. The model is
    therefore a mixture: (1 - share) of the network, and share of a uniform distribution over these
    words, as the interpolated trigram is partly uniform (Bengio et al. 2003, section 4.1).
    """

    def __init__(self, words, share, n_words):
        """Words: int32[n], their indices; share: of all n; n_words: size of the vocabulary."""
        self.words, self.share = words, share if len(words) else 0.0
        self._is_unseen = np.zeros(n_words, bool)
        self._is_unseen[words] = True

    def __str__(self):
        """Number of words and their share, for people."""
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
