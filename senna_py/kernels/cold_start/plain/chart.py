"""Twins of kernels of `kernels.chart`: all spans with one first word at once."""

import numpy as np

__all__ = ["_best_split", "_score_row"]


def _score_row(first, seconds, i, lengths, weight, scores):
    """See `kernels.chart._score_row`."""
    n, n_spans = len(weight), len(scores)
    b, q = np.split(seconds[:, i : i + n_spans], 2)
    units = first[:n, None] + b + lengths[:, :n_spans] + first[n:, None] * q
    scores += weight @ np.maximum(units, 0)


def _best_split(left, right):
    """See `kernels.chart._best_split`."""
    total = left + right
    where = int(total.argmax())
    return where, total[where]
