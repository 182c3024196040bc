"""Softmax over a large vocabulary, in steps between which processes exchange sums.

Each row of the scores, float32[n, n_words], belongs to a context, and each column to a
word (Bengio et al. 2003, section 3.2, steps 1c to 2a).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs

_CHUNK = 512
_LOWEST = np.float32(-87)  # the exponential of this is the smallest normal float32
_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
_HALF, _ONE = np.float32(0.5), np.float32(1)
_C2, _C3 = np.float32(5.0000001201e-1), np.float32(1.6666665459e-1)
_C4, _C5 = np.float32(4.1665795894e-2), np.float32(8.3334519073e-3)
_C6, _C7 = np.float32(1.3981999507e-3), np.float32(1.9875691500e-4)


@reordering_kernel
def _exp(row: Floats, shift: float, power: Ints, scale: Floats) -> float:
    """Replace each element x of a row by exp(x - shift), and return the new sum.

    The polynomial for single precision is from Cephes. The bits of 2**k are computed as
    integers and read as floats, in loops that vectorize.

    Args:
        row: float32[n].
        shift: The number to subtract.
        power: int32[n], scratch.
        scale: float32[n], a view of the same memory as `power`.
    """
    for j in range(len(row)):
        x = max(row[j] - shift, _LOWEST)
        k = np.floor(x * _LOG2_E + _HALF)
        power[j] = (np.int32(k) + np.int32(127)) << np.int32(23)
        r = x - k * _LN2_HIGH - k * _LN2_LOW
        tail = ((((_C7 * r + _C6) * r + _C5) * r + _C4) * r + _C3) * r + _C2
        row[j] = tail * r * r + r + _ONE
    total = np.float32(0)
    for j in range(len(row)):
        value = row[j] * scale[j]
        row[j] = value
        total += value
    return total


@kernel
def exp_rows(scores: Floats, largest: Floats, total: Doubles) -> None:
    """Replace scores by exp(score - largest of its row), and compute row sums.

    Scores below largest - 87 are raised to largest - 87.

    Args:
        scores: float32[n, n_words].
        largest: float32[n], the largest score of each row over all blocks of words.
        total: float64[n], which receives the sums.
    """
    n, n_words = scores.shape
    power = np.empty(_CHUNK, np.int32)
    scale = power.view(np.float32)
    for i in range(n):
        total[i] = 0
        for first in range(0, n_words, _CHUNK):
            row = scores[i, first : min(first + _CHUNK, n_words)]
            total[i] += _exp(row, largest[i], power, scale)


@kernel
def target_scores(scores: Floats, target: Longs, out: Doubles) -> None:
    """Write the score of each target, or 0 if the target is in another block of words.

    Args:
        scores: float32[n, n_words].
        target: int64[n], outside [0, n_words) for a word of another block.
        out: float64[n], which is written.
    """
    for i in range(len(target)):
        out[i] = (
            scores[i, target[i]] if 0 <= target[i] < scores.shape[1] else np.float32(0)
        )


@reordering_kernel
def subtract_targets(scores: Floats, total: Doubles, target: Longs) -> None:
    """Replace exponentials by d(cost)/d(score): the probability, minus 1 at the target.

    Args:
        scores: float32[n, n_words], from `exp_rows`.
        total: float64[n], the sums over all blocks of words.
        target: int64[n], outside [0, n_words) for a word of another block.
    """
    n, n_words = scores.shape
    for i in range(n):
        row = scores[i]
        factor = np.float32(1 / total[i])
        for j in range(n_words):
            row[j] *= factor
        if 0 <= target[i] < n_words:
            row[target[i]] -= _ONE
