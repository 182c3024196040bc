"""Softmax over the vocabulary, or a process's block (Bengio et al. 2003, sections 2 and
3.2).
"""

import threading

import numpy as np

from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores
from senna_py.layers.process_group import ALONE
from senna_py.layers.protocol import Layer

_local = threading.local()


def scores_buffer(n, n_words, dtype):
    """Uninitialized [n, n_words], the same memory for each call in a thread: it is
    large.
    """
    kept = getattr(_local, "scores", None)
    if kept is None or kept.size < n * n_words or kept.dtype != dtype:
        kept = _local.scores = np.empty(n * n_words, dtype)
    return kept[: n * n_words].reshape(n, n_words)


class Softmax(Layer):
    """Output units y = b + (W U) features, and their softmax.

    weight: float32[n, n_features]; bias: float32[n]: the units of the words from
    `first` on. What the other words need is shared through `group` (see
    `process_group`). name: of arrays.
    """

    def __init__(self, weight, bias, first=0, group=ALONE, name="output"):
        self.weight, self.bias, self.first, self.group = weight, bias, first, group
        self.name = name

    def parameters(self):
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def _exponentials(self, features, target):
        """exp(y - max y), their sums, log P of the targets, and the targets by
        place.
        """
        n = len(features)
        scores = scores_buffer(n, len(self.weight), self.weight.dtype)
        np.matmul(features, self.weight.T, out=scores)
        scores += self.bias
        largest = self.group.largest(scores.max(1))
        shared = np.empty((2, n))
        place = target.astype(np.int64) - self.first
        target_scores(scores, place, shared[1])
        exp_rows(scores, largest, shared[0])
        total, reached = self.group.sum(shared)
        return scores, total, reached - largest - np.log(total), place

    def log_probabilities(self, features, target):
        """log P of target words: features: float32[n, n_features]; target: int32[n];
        float64[n].
        """
        return self._exponentials(features, target)[2]

    def probabilities(self, features):
        """P of all words, of this block only: float32[n, n_words]."""
        scores, total, _, _ = self._exponentials(features, np.full(len(features), -1))
        return scores / total[:, None].astype(scores.dtype)

    def forward(self, features, target):
        """Log P, float64[n] (cost: -sum), and the trace, which the thread's next call
        destroys.
        """
        scores, total, log_p, place = self._exponentials(features, target)
        subtract_targets(scores, total, place)
        return log_p, (features, scores)

    def backward(self, trace, gradients):
        features, d_scores = trace
        d_features = self.group.sum(d_scores @ self.weight)
        gradients.product(f"{self.name}_weight", d_scores, features)
        gradients.add(f"{self.name}_bias", d_scores.sum(0))
        return d_features
