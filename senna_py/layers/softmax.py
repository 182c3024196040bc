"""The softmax over the vocabulary (Bengio et al. 2003, sections 2 and 3.2).

A group of processes may share the vocabulary; see `process_group`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores
from senna_py.layers.cost import Cost
from senna_py.layers.process_group import ALONE

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import DTypeLike, NDArray

    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.integer]

_local = threading.local()


def scores_buffer(n: int, n_words: int, dtype: DTypeLike) -> NDArray:
    """Return an uninitialized array for scores: dtype[n, n_words].

    All calls in a thread share the same large buffer, so each call invalidates the
    arrays of earlier calls.
    """
    buffer = getattr(_local, "scores", None)
    if buffer is None or buffer.size < n * n_words or buffer.dtype != dtype:
        buffer = _local.scores = np.empty(n * n_words, dtype)
    return buffer[: n * n_words].reshape(n, n_words)


class _Exponentials(NamedTuple):
    """The exponentials of the scores of a block of words.

    Attributes:
        scores: float[n, n_words], exp(y - max y) for the words of this block, in the
            buffer of the thread.
        total: float64[n], the sums of the exponentials over all blocks.
        log_p: float64[n], log P of the targets.
        place: int64[n], the targets as indices in this block. They are out of range if
            another process owns the target.
    """

    scores: NDArray
    total: NDArray
    log_p: NDArray
    place: NDArray[np.int64]


class Softmax(Cost):
    """The output units y = b + W features, and their softmax.

    Attributes:
        weight: float32[n_words, n_features], the rows of W for the words of this
            process.
        bias: float32[n_words], b for these words.
        first: The index of the first word of this process.
        group: The group of processes that share the vocabulary; see `process_group`.
        name: The prefix of the names of the arrays in files.
    """

    def __init__(
        self,
        weight: NDArray,
        bias: NDArray,
        first: int = 0,
        group: Any = ALONE,
        name: str = "output",
    ) -> None:
        self.weight, self.bias, self.first, self.group = weight, bias, first, group
        self.name = name

    def parameters(self) -> dict[str, NDArray]:
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def _exponentials(self, features: NDArray, target: Ints) -> _Exponentials:
        """Return the exponentials of the scores, and log P of the targets."""
        n = len(features)
        scores = scores_buffer(n, len(self.weight), self.weight.dtype)
        np.matmul(features, self.weight.T, out=scores)
        scores += self.bias
        largest = self.group.largest(scores.max(1))
        shared = np.empty((2, n))
        place = target.astype(np.int64) - self.first
        target_scores(scores, place, shared[1])
        exp_rows(scores, largest, shared[0])
        total, target_score = self.group.sum(shared)
        log_p = target_score - largest - np.log(total)
        return _Exponentials(scores, total, log_p, place)

    def log_probabilities(self, features: NDArray, target: Ints) -> NDArray:
        """Return log P of target words: float64[n].

        Args:
            features: float32[n, n_features].
            target: int32[n], one word for each row of features.
        """
        return self._exponentials(features, target).log_p

    def probabilities(self, features: NDArray) -> NDArray:
        """Return P of all words of this process: float32[n, n_words].

        features is float32[n, n_features].
        """
        scores, total, _, _ = self._exponentials(features, np.full(len(features), -1))
        return scores / total[:, None].astype(scores.dtype)

    def forward(self, features: NDArray, target: Ints) -> tuple[NDArray, Any]:
        """Return log P of the targets, float64[n], and the trace.

        The cost is the negated sum. Any later use of this or another Softmax in the
        same thread overwrites the trace. See `log_probabilities` for the arguments.
        """
        scores, total, log_p, place = self._exponentials(features, target)
        subtract_targets(scores, total, place)
        return log_p, (features, scores)

    def backward(self, trace: Any, gradients: Gradients) -> NDArray:
        features, d_scores = trace
        d_features = self.group.sum(d_scores @ self.weight)
        gradients.product(f"{self.name}_weight", d_scores, features)
        gradients.add(f"{self.name}_bias", d_scores.sum(0))
        return d_features
