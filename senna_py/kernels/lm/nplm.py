"""The neural probabilistic language model: contexts of words, and training on them.

Training on one example at a time is the algorithm as published (Bengio et al. 2003,
section 3.2, for one processor). The weights of each output unit change as soon as their
part of the gradient has been added, so that they pass through the caches once forward
and once backward. Threads may train one model at the same time without locks (Bengio et
al. 2003, section 3.1): a lost update is only a little noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.lm.rows import dot
from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints, Longs


class Layers(NamedTuple):
    """The parameters of Bengio et al. (2003), equation 1, for a full softmax.

    Attributes:
        vectors: float32[n_words + 1, dim], C; the last row is for positions before the
            beginning of a sentence.
        hidden_weight: float32[(order - 1) * dim, hidden], the transpose of H.
        hidden_bias: float32[hidden], d.
        output_weight: float32[n_words, n_features], U, after W if there are direct
            connections.
        output_bias: float32[n_words], b.
    """

    vectors: np.ndarray
    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    output_weight: np.ndarray
    output_bias: np.ndarray


@kernel
def contexts(
    stream: Ints, positions: Longs, begin: int, padding: int, out: Ints
) -> None:
    """Write the words before each position, the nearest word first.

    Args:
        stream: int32[n_tokens], the text.
        positions: int64[n], token indices in the stream.
        begin: The mark at the beginning of a sentence, before which there is no
            context; -1 if there is none.
        padding: The word for positions before the beginning.
        out: int32[n, order - 1], which is written.
    """
    for i in range(len(positions)):
        t, inside = positions[i], True
        for k in range(out.shape[1]):
            t -= 1
            inside = inside and t >= 0
            out[i, k] = stream[t] if inside else padding
            inside = inside and stream[t] != begin


@kernel
def _features(
    layers: Layers, context: Ints, direct: bool, x: Floats, a: Floats, features: Floats
) -> None:
    """Compute the features of a context, the input of the output units.

    The features are tanh(d + H x), preceded by x if there are direct connections. x is
    the concatenation of the vectors of the context words.
    """
    dim = layers.vectors.shape[1]
    for k in range(len(context)):
        for i in range(dim):
            x[k * dim + i] = layers.vectors[context[k], i]
    a[:] = layers.hidden_bias
    for i in range(len(x)):
        for j in range(len(a)):
            a[j] += x[i] * layers.hidden_weight[i, j]
    first = 0
    if direct:
        first = len(x)
        features[:first] = x
    for j in range(len(a)):
        a[j] = np.tanh(a[j])
        features[first + j] = a[j]


@kernel
def _scores(layers: Layers, features: Floats, scores: Floats) -> float:
    """Compute unnormalized log-probabilities of words, and return the largest one."""
    largest = np.float32(-np.inf)
    for j in range(len(scores)):
        scores[j] = layers.output_bias[j] + dot(layers.output_weight[j], features)
        largest = max(largest, scores[j])
    return largest


@reordering_kernel
def _update_unit(
    weight: Floats,
    features: Floats,
    d_features: Floats,
    slope: float,
    step: float,
    keep: float,
) -> None:
    """Add the gradient of an output unit to d_features, then update it (step 2a)."""
    for i in range(len(weight)):
        d_features[i] += slope * weight[i]
        weight[i] = keep * weight[i] + step * features[i]


@kernel
def _update_below(
    layers: Layers,
    context: Ints,
    direct: bool,
    x: Floats,
    a: Floats,
    d_features: Floats,
    rate: float,
    keep: float,
) -> None:
    """Update the hidden layer and the word vectors of the context (steps 2c and 2d)."""
    dim = layers.vectors.shape[1]
    first = len(x) if direct else 0
    d_hidden = d_features[first:]
    for j in range(len(a)):
        d_hidden[j] *= np.float32(1) - a[j] * a[j]
        layers.hidden_bias[j] += rate * d_hidden[j]
    for i in range(len(x)):
        d_x = dot(layers.hidden_weight[i], d_hidden)
        if direct:
            d_x += d_features[i]
        for j in range(len(a)):
            layers.hidden_weight[i, j] = (
                keep * layers.hidden_weight[i, j] + rate * x[i] * d_hidden[j]
            )
        layers.vectors[context[i // dim], i % dim] += rate * d_x


@kernel
def train_examples(
    layers: Layers,
    direct: bool,
    context: Ints,
    target: Longs,
    rates: Floats,
    decay: float,
) -> float:
    """Train on examples one at a time, by gradient ascent on log P(target | context).

    Args:
        layers: The Layers.
        direct: Whether there are direct connections from x to the output units.
        context: int32[n, order - 1], from `contexts`.
        target: int64[n], the words to predict.
        rates: float32[n], the learning rate for each example.
        decay: float32, the weight decay of all weights except vectors and biases.

    Returns:
        The sum of log P(target | context) over the examples.
    """
    n_words, n_features = layers.output_weight.shape
    dtype = layers.output_weight.dtype
    x = np.empty(layers.hidden_weight.shape[0], dtype)
    a = np.empty(layers.hidden_weight.shape[1], dtype)
    features, d_features = np.empty(n_features, dtype), np.empty(n_features, dtype)
    scores, log_likelihood = np.empty(n_words, dtype), 0.0
    for e in range(len(target)):
        rate, keep = rates[e], np.float32(1) - rates[e] * decay
        _features(layers, context[e], direct, x, a, features)
        largest = _scores(layers, features, scores)
        total = 0.0
        log_likelihood += np.float64(scores[target[e]] - largest)
        for j in range(n_words):
            scores[j] = np.exp(scores[j] - largest)
            total += scores[j]
        log_likelihood -= np.log(total)
        factor = np.float32(1 / total)
        d_features[:] = 0
        for j in range(n_words):
            slope = -scores[j] * factor
            if j == target[e]:
                slope += np.float32(1)
            layers.output_bias[j] += rate * slope
            weight = layers.output_weight[j]
            _update_unit(weight, features, d_features, slope, rate * slope, keep)
        _update_below(layers, context[e], direct, x, a, d_features, rate, keep)
    return log_likelihood
