"""Fallbacks for `kernels.decoding.marginals`, with the same order of sums."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.likelihood import TINY, rescale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Doubles, Floats, Reals


def _product(row: Doubles, matrix: Doubles) -> Doubles:
    """Return row @ matrix, added up in the order of the row: float64[n_columns]."""
    total = np.zeros(matrix.shape[1])
    for scale, line in zip(row.tolist(), matrix, strict=True):
        total += scale * line
    return total


def _sum(row: Reals) -> float:
    return np.cumsum(row)[-1]


def forward(
    scores: Floats,
    begins: NDArray[np.integer],
    step: Doubles,
    factor: Doubles,
    alpha: Doubles,
    norm: Doubles,
) -> None:
    for a, b in pairwise(begins.tolist()):
        for t in range(a, b):
            to = np.ones(len(step)) if t == a else _product(alpha[t - 1], step)
            if t > a and _sum(to * factor[t]) < TINY:
                rescale(scores[t], to, factor[t])
            to *= factor[t]
            norm[t] = _sum(to)
            alpha[t] = to / norm[t]


def backward(
    begins: NDArray[np.integer],
    step: Doubles,
    factor: Doubles,
    norm: Doubles,
    beta: Doubles,
    ahead: Doubles,
) -> None:
    for a, b in pairwise(begins.tolist()):
        for t in range(b - 1, a - 1, -1):
            beta[t] = 1 if t == b - 1 else _product(ahead[t + 1], step.T)
            ahead[t] = factor[t] * beta[t] / norm[t]
