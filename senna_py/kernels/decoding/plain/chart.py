"""Twins of kernels of `kernels.decoding.chart`: all spans with some first words at once."""

import numpy as np

from senna_py.kernels.llvm.tile import FIRSTS

__all__ = ["_best_split", "_score_rows", "_turn"]


def _turn(rows, columns):
    columns[:, : len(rows)] = rows.T


def _score_rows(firsts, first, seconds, lengths, weight, bias, scores):
    n, end = len(weight), len(firsts)
    for r in range(min(FIRSTS, end - first)):
        own, k = firsts[first + r], end - first - r
        b, q = np.split(seconds[:, first + r : end], 2)
        of_length = lengths[:, FIRSTS - 1 : FIRSTS - 1 + k]
        units = own[:n, None] + b + of_length + own[n:, None] * q
        scores[r, r : r + k] = bias
        scores[r, r : r + k] += weight @ np.maximum(units, 0)


def _best_split(left, right):
    total = left + right
    where = int(total.argmax())
    return where, total[where]
