"""Training costs: the negative log-likelihood of tags, tag sequences, heads or spans.

The soft versions take a distribution over tags for each word and a weight for each
sentence.
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

# A score that is in the range of float16, and far below all learned scores.
IMPOSSIBLE = -10_000.0


class WordLikelihood(Cost):
    """The word-level negative log-likelihood (Collobert et al. 2011, equation 9).

    The cost is -sum over words of log softmax(scores)[gold].
    """

    def forward(self, scores: NDArray, gold: Ints, starts: Any) -> tuple[float, Any]:
        """Return the cost of the scores and the trace.

        Args:
            scores: float32[n, n_tags], the scores of the tags of each word.
            gold: int32[n], the gold tags.
            starts: Ignored, because words are independent of each other.
        """
        d_scores = np.empty_like(scores)
        return word_likelihood(scores, gold, d_scores), d_scores

    def backward(self, d_scores: NDArray, gradients: Gradients) -> NDArray:
        """Return d(cost)/d(scores): float32[n, n_tags]."""
        return d_scores

    def posteriors(self, scores: NDArray, starts: Any) -> NDArray:
        """Return the probability of each tag of each word: float32[n, n_tags].

        scores is float32[n, n_tags], and `starts` is ignored.
        """
        out = np.exp(scores - scores.max(axis=1, initial=-np.inf, keepdims=True))
        out /= out.sum(axis=1, keepdims=True)
        return out

    def path_scores(self, scores: NDArray, starts: Any, tags: Ints) -> PathScores:
        """Return the PathScores of the tags of words.

        Because words are independent of each other, both probabilities of a tag are
        equal.

        Args:
            scores: float32[n, n_tags], the scores of the tags of each word.
            starts: Ignored, because words are independent of each other.
            tags: int32[n], the tags.
        """
        probability = self.posteriors(scores, starts)[np.arange(len(tags)), tags]
        return PathScores(probability, probability)


class SentenceLikelihood(Cost):
    """The sentence-level negative log-likelihood (Collobert et al. 2011, equation 13).

    The cost of a sentence is -log P(gold path), where P is a softmax over all paths.
    The score of a path is initial[first tag] + sum of transition[tag, next tag] + sum
    of its tag scores + final[last tag]. Transition scores that are IMPOSSIBLE have no
    gradient, so they stay the same. The fan-in is 1, because one transition score is
    added per word.
    """

    @staticmethod
    def declare() -> list[Array]:
        """Declare the arrays of networks with transition scores."""
        return [
            Array("initial", ("tags",), "zeros", "sentence"),
            Array("transition", ("tags", "tags"), "zeros", "sentence"),
            Array("final", ("tags",), "zeros", "final"),
        ]

    def __init__(
        self, initial: NDArray, transition: NDArray, final: NDArray | None = None
    ) -> None:
        """Store the arrays; training changes the first two in place.

        Args:
            initial: float32[n_tags], the scores of first tags.
            transition: float32[n_tags, n_tags], from source to destination.
            final: float32[n_tags], the scores of last tags, which are not trained, or
                None if they are 0.
        """
        self.initial, self.transition, self.final = initial, transition, final

    def parameters(self) -> dict[str, NDArray]:
        return {"initial": self.initial, "transition": self.transition}

    def forward(self, scores: NDArray, gold: Any, starts: Any) -> tuple[float, Any]:
        """Return the cost of the scores and the trace.

        Args:
            scores: float32[n, n_tags], the scores of the tags of each word.
            gold: int32[n], the gold tags.
            starts: int[n_sentences + 1], where each sentence begins.
        """
        scores = self._with_final(scores, starts)
        arrays = scores, self.initial, self.transition
        slopes = [np.empty_like(array) for array in arrays]
        cost = sentence_likelihood(
            scores, starts, self.initial, self.transition, gold, *slopes
        )
        return cost, slopes

    def _with_final(self, scores: NDArray, starts: Ints) -> NDArray:
        """Return a copy of the scores, float32[n, n_tags], to which `final` is added.

        It is added to the last row of each sentence. Without `final`, the scores
        themselves are returned.
        """
        if self.final is not None:
            scores, ends = scores.copy(), np.unique(starts)
            scores[ends[ends > 0] - 1] += self.final
        return scores

    def posteriors(self, scores: NDArray, starts: Ints) -> NDArray:
        """Return the marginal probability of each tag of each word: float32[n, n_tags].

        See `forward` for the arguments.
        """
        out, scores = np.empty_like(scores), self._with_final(scores, starts)
        marginals(scores, starts, self.initial, self.transition, out)
        return out

    def path_scores(self, scores: NDArray, starts: Ints, tags: Ints) -> PathScores:
        """Return the PathScores of tags, from the distribution over paths.

        Args:
            scores: float32[n, n_tags], the scores of the tags of each word.
            starts: int[n_sentences + 1], where each sentence begins.
            tags: int32[n], the tags.
        """
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
    """The word-level cross-entropy with soft targets and weights.

    The cost is -sum over words of weight * sum over tags of target * log
    softmax(scores).
    """

    def forward(  # type: ignore[override] # targets are soft, and have weights
        self, scores: NDArray, target: NDArray, weight: NDArray, starts: Ints
    ) -> tuple[float, Any]:
        """Return the cost of the scores and the trace.

        Args:
            scores: float32[n, n_tags], the scores of the tags of each word.
            target: float32[n, n_tags], the target probability of each tag. The
                probabilities of a word add up to 1.
            weight: float32[n_sentences], the factor of the cost of each sentence.
            starts: int[n_sentences + 1], where each sentence begins.
        """
        d_scores = np.empty_like(scores)
        word_weight = np.repeat(weight, np.diff(starts))
        return soft_word_likelihood(scores, target, word_weight, d_scores), d_scores


def word_cost(
    scores: NDArray, gold: Ints, share: NDArray | None = None
) -> tuple[float, NDArray]:
    """Return the negative log-likelihood of labels, and its gradient.

    Args:
        scores: float32[n, n_labels], the scores of the labels of each row.
        gold: int[n], the gold labels.
        share: float32[n], the factor of the cost of each row, or None for 1.

    Returns:
        The cost, and d(cost)/d(scores): float32[n, n_labels].
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
    """Return the negative log-likelihood of the heads of words, and its gradient.

    The probabilities of the heads of a word are a softmax over the root and all other
    words of the sentence.

    Args:
        scores: float32[n_scores], the scores of arcs; see `Biaffine.forward`.
        starts: int32[n_sentences + 1], where each sentence begins.
        head: int32[n_words], the index of each word's gold head within its sentence, or
            -1 for the root.
        share: float32[n_words], the factor of the cost of each word, or None for 1.

    Returns:
        The cost, and d(cost)/d(scores): float32[n_scores].
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

    Args:
        scores: float32[n_scores], the scores of arcs; see `Biaffine.forward`. The score
            of a word as its own head must be -inf.
        starts: int32[n_sentences + 1], where each sentence begins.
        head: int32[n_words], the index of each word's head within its sentence, or -1
            for the root.
    """
    shares = np.empty(len(head), np.float32)
    for (a, b), block in score_blocks(scores, starts):
        shares[a:b] = word_shares(block, head[a:b] + 1)
    return shares


def word_shares(
    scores: NDArray[np.float32], label: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the softmax probability of the label of each row: float32[n].

    Args:
        scores: float32[n, n_labels].
        label: int32[n].
    """
    return WordLikelihood().path_scores(scores, None, label).tag


class SoftSentenceLikelihood(SentenceLikelihood):
    """The sentence-level cost with soft targets and weights.

    The cost of a sentence is log(sum over paths of exp(score)), minus the expected
    score of a path under the targets; see `kernels.decoding.soft_likelihood`.
    """

    def forward(  # type: ignore[override] # targets are soft, and have weights
        self, scores: NDArray, target: NDArray, weight: NDArray, starts: Ints
    ) -> tuple[float, Any]:
        """Return the cost of the scores and the trace.

        See `SoftWordLikelihood.forward` for the arguments. The target probability of
        tags that are on no possible path is redistributed to the tags that are on one.
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
    """Return the binary cross-entropy of spans, and its gradient.

    sigmoid(score) is the probability that a span is a constituent. A span whose target
    probability is between 0 and 1 counts both as a constituent and as another span,
    weighted accordingly.

    Args:
        scores: float32[n], the scores of spans.
        gold: int64[m], the indices of the constituents.
        share: float32[m] or a number, the target probability of each constituent times
            its weight. The values of an index that occurs several times are added.
        weight: float32[n] or a number, the factor of the cost of each span.

    Returns:
        The cost, and d(cost)/d(scores): float32[n].
    """
    cost = (weight * np.logaddexp(0, scores)).sum(dtype=np.float64)
    cost -= (share * scores[gold]).sum(dtype=np.float64)
    d_scores = weight / (1 + np.exp(-scores.clip(-80, 80)))
    np.subtract.at(d_scores, gold, share)
    return float(cost), d_scores


def likelihood_of(network: Any, soft: bool = False) -> Any:
    """Return the training cost of a tagging network.

    It is sentence-level if the network has transition scores, and word-level otherwise.

    Args:
        network: The network, whose transition scores the cost shares.
        soft: Whether the cost takes soft targets and weights.
    """
    if network.initial is None:
        return SoftWordLikelihood() if soft else WordLikelihood()
    cost_type = SoftSentenceLikelihood if soft else SentenceLikelihood
    return cost_type(network.initial, network.transition, network.final)
