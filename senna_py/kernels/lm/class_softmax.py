"""Probabilities of words within their classes, for a two-level softmax.

Words are sorted by class: rows starts[c]:starts[c + 1] of the weights belong to class
c. An example only visits the rows of the class of its target (Goodman 2001). This is
the tree of Bengio et al. (2003), section 5.2, with two levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.lm.rows import add_scaled, dot
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs, Reals


@kernel
def _normalize(scores: Reals) -> tuple[float, float]:
    """Replace scores by their softmax, in place.

    Returns:
        The largest score, and the sum of exp(score - largest).
    """
    largest, total = scores.max(), 0.0
    for j in range(len(scores)):
        scores[j] = np.exp(scores[j] - largest)
        total += scores[j]
    for j in range(len(scores)):
        scores[j] /= np.float32(total)
    return largest, total


@kernel
def _log_probability(
    features: Floats, weight: Floats, bias: Floats, first: int, place: int, own: Reals
) -> float:
    """Return the log-probability of the word at index `place` of its class.

    Args:
        features: float32[n_features].
        weight, bias: See `class_slopes`.
        first: The first row of the class.
        place: The index of the word in the class.
        own: float32[words of the class], which receives the softmax.
    """
    for k in range(len(own)):
        own[k] = bias[first + k] + dot(weight[first + k], features)
    reached = own[place]
    largest, total = _normalize(own)
    return reached - largest - np.log(total)


@kernel
def class_log_probabilities(
    features: Floats,
    weight: Floats,
    bias: Floats,
    starts: Longs,
    word_class: Longs,
    row: Longs,
    room: Floats,
    log_p: Doubles,
) -> None:
    """Compute the log-probability of each target within its class.

    Args:
        features, weight, bias, starts, word_class, row, log_p: See `class_slopes`.
        room: float32[words of the largest class], scratch.
    """
    for i in range(len(row)):
        first, end = starts[word_class[i]], starts[word_class[i] + 1]
        log_p[i] = _log_probability(
            features[i], weight, bias, first, row[i] - first, room[: end - first]
        )


@kernel
def class_slopes(
    features: Floats,
    weight: Floats,
    bias: Floats,
    starts: Longs,
    word_class: Longs,
    row: Longs,
    at: Longs,
    slopes: Floats,
    log_p: Doubles,
    d_features: Floats,
) -> None:
    """Compute the forward and backward pass within the class of each target.

    Args:
        features: float32[n, n_features].
        weight: float32[n_words, n_features].
        bias: float32[n_words].
        starts: int64[n_classes + 1], the first row of each class.
        word_class: int64[n], the class of each target.
        row: int64[n], the row of each target.
        at: int64[n + 1], where the class of each example begins in `slopes`.
        slopes: float32[at[n]], which receives d(cost)/d(score): the probability, minus
            1 at the target.
        log_p: float64[n], which receives log P(target | class).
        d_features: float32[n, n_features], to which d(cost)/d(features) is added.
    """
    for i in range(len(row)):
        first = starts[word_class[i]]
        own = slopes[at[i] : at[i + 1]]
        place = row[i] - first
        log_p[i] = _log_probability(features[i], weight, bias, first, place, own)
        own[place] -= np.float32(1)
        for k in range(len(own)):
            add_scaled(d_features[i], own[k], weight[first + k])


@kernel
def class_gradients(
    features: Floats,
    starts: Longs,
    word_class: Longs,
    order: Longs,
    at: Longs,
    slopes: Floats,
    rows: Ints,
    gradient: Floats,
    d_bias: Floats,
) -> int:
    """Compute the gradients of weights and biases, summed over examples.

    Args:
        features, starts, word_class, at, slopes: See `class_slopes`.
        order: int64[k], the examples, sorted by class.
        rows: int32[m], which receives the rows that have gradients.
        gradient: float32[m, n_features], which receives the gradients of the weights.
        d_bias: float32[m], which receives the gradients of the biases.

    Returns:
        The number of rows that have gradients.
    """
    count, e = 0, 0
    while e < len(order):
        c = word_class[order[e]]
        size = starts[c + 1] - starts[c]
        for k in range(size):
            rows[count + k] = starts[c] + k
            d_bias[count + k] = 0
            gradient[count + k] = 0
        while e < len(order) and word_class[order[e]] == c:
            i = order[e]
            for k in range(size):
                slope = slopes[at[i] + k]
                d_bias[count + k] += slope
                add_scaled(gradient[count + k], slope, features[i])
            e += 1
        count += size
    return count


@kernel
def exp_within(scores: Floats, starts: Longs) -> None:
    """Replace scores by the softmax within each class, in place.

    Args:
        scores: float32[n, n_words], with words sorted by class.
        starts: int64[n_classes + 1], the first column of each class.
    """
    for i in range(len(scores)):
        for c in range(len(starts) - 1):
            if starts[c] < starts[c + 1]:
                _normalize(scores[i, starts[c] : starts[c + 1]])
