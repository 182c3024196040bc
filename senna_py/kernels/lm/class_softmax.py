"""Probabilities of words within their classes, for a softmax of two levels.

The words are in the order of their classes: class c owns the rows starts[c]:starts[c +
1] of the weights. Only the rows of the target's class are visited for an example
(Goodman 2001; the tree of Bengio et al. 2003, section 5.2, with two levels).
"""

import numpy as np

from senna_py.kernels.lm.rows import add_scaled, dot
from senna_py.kernels.runtime.jit import kernel


@kernel
def _normalize(scores):
    """Replace scores by their softmax; returns the maximum and the sum of exp(score -
    maximum).
    """
    largest, total = scores.max(), 0.0
    for j in range(len(scores)):
        scores[j] = np.exp(scores[j] - largest)
        total += scores[j]
    for j in range(len(scores)):
        scores[j] /= np.float32(total)
    return largest, total


@kernel
def _log_probability(features, weight, bias, first, place, own):
    """Log of the softmax at `place`; `own`, one of each row from `first` on, gets the
    softmax.
    """
    for k in range(len(own)):
        own[k] = bias[first + k] + dot(weight[first + k], features)
    reached = own[place]
    largest, total = _normalize(own)
    return reached - largest - np.log(total)


@kernel
def class_log_probabilities(
    features, weight, bias, starts, word_class, row, room, log_p
):
    """The forward part of `class_slopes`; room: float32[words of the largest class],
    scratch.
    """
    for i in range(len(row)):
        first, end = starts[word_class[i]], starts[word_class[i] + 1]
        log_p[i] = _log_probability(
            features[i], weight, bias, first, row[i] - first, room[: end - first]
        )


@kernel
def class_slopes(
    features, weight, bias, starts, word_class, row, at, slopes, log_p, d_features
):
    """Forward and backward within the target's class.

    features: float32[n, n_features]; weight: float32[n_words, n_features]; bias:
    float32[n_words];
    starts: int64[n_classes + 1]; word_class, row: int64[n], class and row of each
    target; at: int64[n + 1], where the classes of the examples begin in `slopes`:
    float32[at[n]], which gets d(cost)/d(score) = P - 1 at the target; log_p: float64[n]
    gets log P(target | class);
    d_features: float32[n, n_features] is added d(cost)/d(features).
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
    features, starts, word_class, order, at, slopes, rows, gradient, d_bias
):
    """Add up the gradients of the weights, for examples in the order of their classes.

    order: int64[k], examples; rows: int32[m] gets the rows with gradients; gradient:
    float32[m, n_features], d_bias: float32[m]: the sums. Returns m; others: as in
    `class_slopes`.
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
def exp_within(scores, starts):
    """Replace each row of scores: float32[n, n_words] by the softmax within each
    class.
    """
    for i in range(len(scores)):
        for c in range(len(starts) - 1):
            if starts[c] < starts[c + 1]:
                _normalize(scores[i, starts[c] : starts[c + 1]])
