"""Costs of tag scores against soft labels, with a weight for each sentence."""

import numpy as np

from senna_py.kernels.decoding.soft_likelihood import soft_sentence_likelihood, soft_word_likelihood
from senna_py.layers.likelihood import IMPOSSIBLE, SentenceLikelihood, WordLikelihood

__all__ = ["SoftSentenceLikelihood", "SoftWordLikelihood", "soft_likelihood_of"]


class SoftWordLikelihood(WordLikelihood):
    """-sum over words of weight * sum over tags of target * log softmax(scores)."""

    def forward(self, scores, target, weight, starts):
        """Cost, a float, of scores: float32[n, n_tags], and the trace.

        target: float32[n, n_tags], shares of tags, which add up to 1 for each word; weight:
        float32[n_sentences]; starts: int[n_sentences + 1].
        """
        d_scores = np.empty_like(scores)
        of_words = np.repeat(weight, np.diff(starts))
        return soft_word_likelihood(scores, target, of_words, d_scores), d_scores


class SoftSentenceLikelihood(SentenceLikelihood):
    """log of the sum of all paths minus the expected score of one, see the kernel."""

    def forward(self, scores, target, weight, starts):
        """Cost, a float, of scores: float32[n, n_tags], and the trace.

        target, weight, starts: as for SoftWordLikelihood. Shares of tags with which a sentence
        cannot begin or end go to those with which it can.
        """
        ends = np.unique(starts)  # of sentences that have words
        target = _possible(target, ends[:-1], self.initial)
        if self.final is not None:
            target = _possible(target, ends[1:] - 1, self.final)
        scores = self._with_final(scores, starts)
        found = [np.empty_like(a) for a in (scores, self.initial, self.transition)]
        return soft_sentence_likelihood(
            scores, starts, self.initial, self.transition, target, weight, IMPOSSIBLE, *found
        ), found


def _possible(target, rows, scores):
    """Targets without impossible tags in some rows, unless such a row has no others."""
    part = np.where(scores > IMPOSSIBLE, target[rows], 0)
    total = part.sum(axis=1, keepdims=True)
    out = target.copy()
    out[rows] = np.where(total > 0, part / np.where(total > 0, total, 1), target[rows])
    return out


def soft_likelihood_of(network):
    """The cost that a network for tags is trained with on soft labels, or with weights."""
    if network.initial is None:
        return SoftWordLikelihood()
    return SoftSentenceLikelihood(network.initial, network.transition, network.final)
