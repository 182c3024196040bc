"""Costs of scores: the likelihood of each tag, of the tags of a whole sentence, or of
spans.

There are soft ones for targets that share out each word among tags, with weights of
sentences.
"""

from dataclasses import dataclass

import numpy as np

from senna_py.kernels.decoding.likelihood import sentence_likelihood, word_likelihood
from senna_py.kernels.decoding.marginals import marginals, path_marginals
from senna_py.kernels.decoding.soft_likelihood import (
    soft_sentence_likelihood,
    soft_word_likelihood,
)
from senna_py.layers.protocol import Array, Layer

IMPOSSIBLE = -10_000.0  # a score in float16's range, and far below any that is learned


@dataclass
class PathScores:
    """Probabilities of the tags of a path: float32[n] both.

    tag: of each tag; next: of each tag if the one before is right, meaningless for
    first words.
    """

    tag: np.ndarray
    next: np.ndarray

    def take(self, begin, end):
        """Those of the words `begin:end`, a copy."""
        return PathScores(self.tag[begin:end].copy(), self.next[begin:end].copy())

    def of_segment(self, begin, end):
        """Probability of all tags of the words `begin:end` at once: a float."""
        return float(
            self.tag[begin] * self.next[begin + 1 : end].prod(dtype=np.float64)
        )


class WordLikelihood(Layer):
    """-sum over words of log softmax(scores)[gold] (Collobert et al. 2011, equation
    9).
    """

    def forward(self, scores, gold, starts):
        """Cost, a float, of scores: float32[n, n_tags] for gold: int32[n], and the
        trace.
        """
        d_scores = np.empty_like(scores)
        return word_likelihood(scores, gold, d_scores), d_scores

    def backward(self, d_scores, gradients):
        """d(cost)/d(scores): float32[n, n_tags]."""
        return d_scores

    def posteriors(self, scores, starts):
        """Probability of each tag of each word: float32[n, n_tags]."""
        found = np.exp(scores - scores.max(axis=1, initial=-np.inf, keepdims=True))
        found /= found.sum(axis=1, keepdims=True)
        return found

    def path_scores(self, scores, starts, tags):
        """PathScores of tags: int32[n]; words are independent of each other."""
        found = self.posteriors(scores, starts)[np.arange(len(tags)), tags]
        return PathScores(found, found)


class SentenceLikelihood(Layer):
    """-log of the share that the gold path has of all paths through a sentence
    (equation 13).

    A path's score is initial[first tag] + sum of transition[tag, next tag] + sum of its
    scores + final[last tag]. initial: float32[n_tags]; transition: float32[n_tags,
    n_tags] (source, destination); final: float32[n_tags], not learned, or None for 0.
    What is IMPOSSIBLE stays so: it has no gradient. Fan-in: 1, for one score is added
    per word.
    """

    @staticmethod
    def declare():
        """Arrays of networks for labels, see layers.protocol; those at word level have
        none.
        """
        return [
            Array("initial", ("tags",), "zeros", "sentence"),
            Array("transition", ("tags", "tags"), "zeros", "sentence"),
            Array("final", ("tags",), "zeros", "final"),
        ]

    def __init__(self, initial, transition, final=None):
        """Hold the arrays themselves: training changes the first two in place."""
        self.initial, self.transition, self.final = initial, transition, final

    def parameters(self):
        return {"initial": self.initial, "transition": self.transition}

    def forward(self, scores, gold, starts):
        """Cost, a float, of scores: float32[n, n_tags], and the trace.

        gold: int32[n]; starts: int[n_sentences + 1], where sentences begin among the
        rows.
        """
        scores = self._with_final(scores, starts)
        found = [np.empty_like(a) for a in (scores, self.initial, self.transition)]
        return sentence_likelihood(
            scores, starts, self.initial, self.transition, gold, *found
        ), found

    def _with_final(self, scores, starts):
        """Scores to which those of last words are added."""
        if self.final is not None:
            scores, ends = scores.copy(), np.unique(starts)
            scores[ends[ends > 0] - 1] += self.final
        return scores

    def posteriors(self, scores, starts):
        """Probability of each tag of each word, of all paths: float32[n, n_tags]."""
        found, scores = np.empty_like(scores), self._with_final(scores, starts)
        marginals(scores, starts, self.initial, self.transition, found)
        return found

    def path_scores(self, scores, starts, tags):
        """PathScores of tags: int32[n], among all paths."""
        single, pair = (np.empty(len(tags), np.float32) for _ in range(2))
        scores = self._with_final(scores, starts)
        path_marginals(
            scores, starts, self.initial, self.transition, tags, single, pair
        )
        before = np.roll(single, 1)
        return PathScores(single, np.divide(pair, before, out=before, where=before > 0))

    def backward(self, trace, gradients):
        d_scores, *level = trace
        for (name, array), gradient in zip(
            self.parameters().items(), level, strict=True
        ):
            gradient[array <= IMPOSSIBLE] = 0
            gradients.add(name, gradient)
        return d_scores


class SoftWordLikelihood(WordLikelihood):
    """-sum over words of weight * sum over tags of target * log softmax(scores)."""

    def forward(self, scores, target, weight, starts):
        """Cost, a float, of scores: float32[n, n_tags], and the trace.

        target: float32[n, n_tags], probabilities of tags, which add up to 1 for each
        word; weight: float32[n_sentences]; starts: int[n_sentences + 1].
        """
        d_scores = np.empty_like(scores)
        of_words = np.repeat(weight, np.diff(starts))
        return soft_word_likelihood(scores, target, of_words, d_scores), d_scores


def word_cost(scores, gold, share=None):
    """Cost, a float, of scores: float32[n, n_labels], and its gradient.

    gold: int[n], labels; share: float32[n], by which the cost of each is multiplied, or
    None.
    """
    if share is None:
        return WordLikelihood().forward(scores, gold, None)
    target = np.eye(scores.shape[1], dtype=np.float32)[gold]
    return SoftWordLikelihood().forward(scores, target, share, np.arange(len(gold) + 1))


class SoftSentenceLikelihood(SentenceLikelihood):
    """log of the sum of all paths minus the expected score of one, see the kernel."""

    def forward(self, scores, target, weight, starts):
        """Cost, a float, of scores: float32[n, n_tags], and the trace.

        target, weight, starts: as for SoftWordLikelihood. Probabilities of tags
        that no possible path has go to those that one has.
        """
        scores = self._with_final(scores, starts)
        found = [np.empty_like(a) for a in (scores, self.initial, self.transition)]
        return soft_sentence_likelihood(
            scores,
            starts,
            self.initial,
            self.transition,
            target,
            weight,
            IMPOSSIBLE,
            *found,
        ), found


def span_cost(scores, gold, share=1.0, weight=1.0):
    """-sum over spans of log p, p = 1 / (1 + exp(-score)) of constituents, 1 - p of all
    others.

    Of spans that are constituents in part, both count, with their shares. scores:
    float32[n]; gold: int64[m], the numbers of the constituents; weight: float32[n], by
    which the cost of each span is multiplied; share: float32[m], of the constituents,
    times their weights: a span that is there several times has the sum. Returns the
    cost, a float, and d(cost)/d(scores): float32[n].
    """
    cost = (weight * np.logaddexp(0, scores)).sum(dtype=np.float64)
    cost -= (share * scores[gold]).sum(dtype=np.float64)
    d_scores = weight / (1 + np.exp(-scores.clip(-80, 80)))
    np.subtract.at(d_scores, gold, share)
    return float(cost), d_scores


def likelihood_of(network, soft=False):
    """The cost that a network for tags is trained with: by its sentence-level scores,
    if any.

    soft: on soft labels, or with weights.
    """
    if network.initial is None:
        return SoftWordLikelihood() if soft else WordLikelihood()
    cost = SoftSentenceLikelihood if soft else SentenceLikelihood
    return cost(network.initial, network.transition, network.final)
