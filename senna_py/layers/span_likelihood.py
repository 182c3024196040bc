"""The cost of span scores: the likelihood of which spans are constituents."""

import numpy as np

__all__ = ["SpanLikelihood"]


class SpanLikelihood:
    """-sum over spans of log p, p = 1 / (1 + exp(-score)) of constituents, 1 - p of all others."""

    def parameters(self):
        """An empty dict."""
        return {}

    def forward(self, scores, gold):
        """Cost, a float, of scores: float32[n]; gold: int64[m], the numbers of the constituents.

        The trace is d(cost)/d(scores): float32[n].
        """
        cost = np.logaddexp(0, scores).sum(dtype=np.float64) - scores[gold].sum(dtype=np.float64)
        d_scores = 1 / (1 + np.exp(-scores.clip(-80, 80)))
        d_scores[gold] -= 1
        return float(cost), d_scores

    def backward(self, d_scores, gradients):
        """d(cost)/d(scores): float32[n]."""
        return d_scores
