"""Costs of scores: the likelihood of tags, of the tags of a sentence, or of spans.

The soft costs have targets that are a distribution over tags for each word, and weights
of sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.tags import PathScores
from senna_py.kernels.decoding.likelihood import sentence_likelihood, word_likelihood
from senna_py.kernels.decoding.marginals import marginals, path_marginals
from senna_py.kernels.decoding.soft_likelihood import (
    soft_sentence_likelihood,
    soft_word_likelihood,
)
from senna_py.layers.biaffine import score_blocks
from senna_py.layers.cost import Cost
from senna_py.layers.protocol import Array

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.integer]
    from senna_py.layers.gradients import Gradients

# A score in the range of float16, and far below any that is learned.
IMPOSSIBLE = -10_000.0


class WordLikelihood(Cost):
    """-sum over words of log softmax(scores)[gold] (equation 9).

    The equations are from Collobert et al. (2011).
    """

    def forward(self, scores: NDArray, gold: Ints, starts: Any) -> tuple[float, Any]:
        """Return the cost of scores, float32[n, n_tags], and the trace.

        The right tags, gold, are int32[n].
        """
        d_scores = np.empty_like(scores)
        return word_likelihood(scores, gold, d_scores), d_scores

    def backward(self, d_scores: NDArray, gradients: Gradients) -> NDArray:
        """Return d(cost)/d(scores): float32[n, n_tags]."""
        return d_scores

    def posteriors(self, scores: NDArray, starts: Any) -> NDArray:
        """Return the probability of each tag of each word: float32[n, n_tags]."""
        out = np.exp(scores - scores.max(axis=1, initial=-np.inf, keepdims=True))
        out /= out.sum(axis=1, keepdims=True)
        return out

    def path_scores(self, scores: NDArray, starts: Any, tags: Ints) -> PathScores:
        """Return PathScores of tags: int32[n]; words are independent of each other."""
        probability = self.posteriors(scores, starts)[np.arange(len(tags)), tags]
        return PathScores(probability, probability)


class SentenceLikelihood(Cost):
    """-log P(gold path), among all paths through a sentence (equation 13).

    A path's score is initial[first tag] + sum of transition[tag, next tag] + sum of its
    scores + final[last tag]. An IMPOSSIBLE score has no gradient, so it stays as it is.
    Fan-in: 1, because one score is added per word.
    """

    @staticmethod
    def declare() -> list[Array]:
        """Declare the arrays of networks that have sentence-level scores."""
        return [
            Array("initial", ("tags",), "zeros", "sentence"),
            Array("transition", ("tags", "tags"), "zeros", "sentence"),
            Array("final", ("tags",), "zeros", "final"),
        ]

    def __init__(
        self, initial: NDArray, transition: NDArray, final: NDArray | None = None
    ) -> None:
        """Hold the arrays; training changes the first two in place.

        Args:
            initial: float32[n_tags].
            transition: float32[n_tags, n_tags], from source to destination.
            final: float32[n_tags], which is not learned, or None for 0.
        """
        self.initial, self.transition, self.final = initial, transition, final

    def parameters(self) -> dict[str, NDArray]:
        return {"initial": self.initial, "transition": self.transition}

    def forward(self, scores: NDArray, gold: Any, starts: Any) -> tuple[float, Any]:
        """Return the cost of scores: float32[n, n_tags], and the trace.

        Args:
            scores: The scores of each word's tags.
            gold: int32[n], the right tags.
            starts: int[n_sentences + 1], where sentences begin among the rows.
        """
        scores = self._with_final(scores, starts)
        arrays = scores, self.initial, self.transition
        slopes = [np.empty_like(array) for array in arrays]
        cost = sentence_likelihood(
            scores, starts, self.initial, self.transition, gold, *slopes
        )
        return cost, slopes

    def _with_final(self, scores: NDArray, starts: Ints) -> NDArray:
        """Return the scores, with `final` added to the scores of last words."""
        if self.final is not None:
            scores, ends = scores.copy(), np.unique(starts)
            scores[ends[ends > 0] - 1] += self.final
        return scores

    def posteriors(self, scores: NDArray, starts: Ints) -> NDArray:
        """Return the probability of each tag of each word: float32[n, n_tags]."""
        out, scores = np.empty_like(scores), self._with_final(scores, starts)
        marginals(scores, starts, self.initial, self.transition, out)
        return out

    def path_scores(self, scores: NDArray, starts: Ints, tags: Ints) -> PathScores:
        """Return PathScores of tags: int32[n], among all paths."""
        single = np.empty(len(tags), np.float32)
        pair = np.empty(len(tags), np.float32)
        scores = self._with_final(scores, starts)
        path_marginals(
            scores, starts, self.initial, self.transition, tags, single, pair
        )
        before = np.roll(single, 1)
        return PathScores(single, np.divide(pair, before, out=before, where=before > 0))

    def backward(self, trace: Any, gradients: Gradients) -> NDArray:
        d_scores, *slopes = trace
        for (name, array), gradient in zip(
            self.parameters().items(), slopes, strict=True
        ):
            gradient[array <= IMPOSSIBLE] = 0
            gradients.add(name, gradient)
        return d_scores


class SoftWordLikelihood(WordLikelihood):
    """-sum over words of weight * sum over tags of target * log softmax(scores)."""

    def forward(  # type: ignore[override] # targets are soft, and have weights
        self, scores: NDArray, target: NDArray, weight: NDArray, starts: Ints
    ) -> tuple[float, Any]:
        """Return the cost of scores, float32[n, n_tags], and the trace.

        Args:
            scores: The scores of each word's tags.
            target: float32[n, n_tags], the probability of each tag; the probabilities
                of a word add up to 1.
            weight: float32[n_sentences], the factor of the cost of each sentence.
            starts: int[n_sentences + 1], where sentences begin among the rows.
        """
        d_scores = np.empty_like(scores)
        word_weight = np.repeat(weight, np.diff(starts))
        return soft_word_likelihood(scores, target, word_weight, d_scores), d_scores


def word_cost(
    scores: NDArray, gold: Ints, share: NDArray | None = None
) -> tuple[float, NDArray]:
    """Return the cost of scores: float32[n, n_labels], and its gradient.

    Args:
        scores: The scores of each row's labels.
        gold: int[n], the right labels.
        share: float32[n], the factor of the cost of each row, or None for 1.
    """
    if share is None:
        return WordLikelihood().forward(scores, gold, None)
    target = np.eye(scores.shape[1], dtype=np.float32)[gold]
    return SoftWordLikelihood().forward(scores, target, share, np.arange(len(gold) + 1))


def head_cost(
    scores: NDArray[np.float32],
    starts: NDArray[np.int32],
    head: NDArray[np.int32],
    share: NDArray[np.float32] | None = None,
) -> tuple[float, NDArray[np.float32]]:
    """Return the cost of scores of arcs, and its gradient.

    The heads of a word compete by a softmax, which excludes the word itself.

    Args:
        scores: float32[n_scores], the scores of arcs; see Biaffine.
        starts: int32[n_sentences + 1].
        head: int32[n_words], the heads in their sentences, -1 for the root.
        share: float32[n_words], the factor of the cost of each word, or None for 1.
    """
    longest = int(np.diff(starts).max(initial=0))
    rows = np.full((len(head), 1 + longest), IMPOSSIBLE, np.float32)
    for (a, b), block in score_blocks(scores, starts):
        rows[a:b, : 1 + b - a] = block
        np.fill_diagonal(rows[a:b, 1 : 1 + b - a], IMPOSSIBLE)
    cost, d_rows = word_cost(rows, head + np.int32(1), share)
    d_scores = np.empty_like(scores)
    for (a, b), block in score_blocks(d_scores, starts):
        block[:] = d_rows[a:b, : 1 + b - a]
        np.fill_diagonal(block[:, 1:], 0)
    return cost, d_scores


def head_shares(
    scores: NDArray[np.float32], starts: NDArray[np.int32], head: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the probability of the head of each word: float32[n_words].

    The score of a word as its own head is -inf; see `head_cost`.
    """
    shares = np.empty(len(head), np.float32)
    for (a, b), block in score_blocks(scores, starts):
        shares[a:b] = word_shares(block, head[a:b] + 1)
    return shares


def word_shares(
    scores: NDArray[np.float32], label: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the probability of the label of each row of scores: float32[n]."""
    return WordLikelihood().path_scores(scores, None, label).tag


class SoftSentenceLikelihood(SentenceLikelihood):
    """The log of the sum over all paths, minus the expected score of a path.

    The equation is in `kernels.decoding.soft_likelihood`.
    """

    def forward(  # type: ignore[override] # targets are soft, and have weights
        self, scores: NDArray, target: NDArray, weight: NDArray, starts: Ints
    ) -> tuple[float, Any]:
        """Return the cost of scores: float32[n, n_tags], and the trace.

        The arguments are the same as for SoftWordLikelihood. The probability of a tag
        that is on no possible path is given to tags that are on one.
        """
        scores = self._with_final(scores, starts)
        arrays = scores, self.initial, self.transition
        slopes = [np.empty_like(array) for array in arrays]
        cost = soft_sentence_likelihood(
            scores,
            starts,
            self.initial,
            self.transition,
            target,
            weight,
            IMPOSSIBLE,
            *slopes,
        )
        return cost, slopes


def span_cost(
    scores: NDArray, gold: Ints, share: Any = 1.0, weight: Any = 1.0
) -> tuple[float, NDArray]:
    """-sum over spans of log p, where p = 1 / (1 + exp(-score)) for constituents.

    For all other spans p = 1 - 1 / (1 + exp(-score)). A span that is a constituent only
    in part counts in both ways, according to its probability.

    Args:
        scores: float32[n], the scores of spans.
        gold: int64[m], the indices of the constituents.
        share: float32[m], the probability of each constituent times its weight. The
            numbers of a span that occurs several times are added.
        weight: float32[n], the factor of the cost of each span.

    Returns:
        The cost, and d(cost)/d(scores): float32[n].
    """
    cost = (weight * np.logaddexp(0, scores)).sum(dtype=np.float64)
    cost -= (share * scores[gold]).sum(dtype=np.float64)
    d_scores = weight / (1 + np.exp(-scores.clip(-80, 80)))
    np.subtract.at(d_scores, gold, share)
    return float(cost), d_scores


def likelihood_of(network: Any, soft: bool = False) -> Any:
    """Return the cost with which a network for tags is trained.

    It has the network's sentence-level scores, if the network has any.

    Args:
        network: The network.
        soft: Whether targets are soft labels or have weights.
    """
    if network.initial is None:
        return SoftWordLikelihood() if soft else WordLikelihood()
    cost_type = SoftSentenceLikelihood if soft else SentenceLikelihood
    return cost_type(network.initial, network.transition, network.final)
