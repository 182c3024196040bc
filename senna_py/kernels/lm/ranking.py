"""The ranking language model, which compares windows with different center words.

The two windows of a pair differ only in the block of the first layer for the center, so
the rest of the layer is computed once. Four pairs go forward together, so that each
weight is loaded once for all four. Then pairs inside the margin go backward one by one
(Collobert et al. 2011, section 4.2, equation 17, and appendix A.8).

Threads share the word vectors without locks, as in Bengio et al. (2003), section 3.1.
Every step changes all weights of the layers, so each thread has its own copy of the
layers, and exchanges its changes with the other threads from time to time. If all cores
wrote to the same weights, they would wait for each other's caches most of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.lm.random_numbers import next_random
from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints, Longs

_PADDING = 0
_EXCHANGE = 4000  # the number of pairs between exchanges of layers, a multiple of 4


class Ranking(NamedTuple):
    """The parameters of the ranking language model.

    There is no output bias, because it would cancel out.

    Attributes:
        vectors: float32[n_words, dim].
        context: float32[(window - 1) * dim, hidden], the first layer's rows for the
            words around the center, from left to right.
        center: float32[dim, hidden], the first layer's rows for the center.
        bias: float32[hidden].
        output: float32[hidden].
    """

    vectors: np.ndarray
    context: np.ndarray
    center: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class Layers(NamedTuple):
    """The parameters of a Ranking except the word vectors."""

    context: np.ndarray
    center: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class Scratch(NamedTuple):
    """The arrays that a thread uses while it trains on four pairs of windows.

    Attributes:
        state: uint64[1], the state of the random numbers, not 0.
        around: int64[4, window - 1], the words around the centers.
        word, noise: int64[4], the center words of the text and their replacements.
        context: float32[4, (window - 1) * dim], the vectors of `around`.
        positive_center, negative_center: float32[4, dim], the vectors of `word` and
            `noise`.
        d_row: float32[(window - 1) * dim], a gradient.
        positive, negative: float32[4, hidden], the first layer's sums, then their
            gradients.
        d_shared: float32[hidden], the sum of the two gradients of a pair.
        own: The thread's copy of the layers.
        base: The layers from which the copy was made.
    """

    state: np.ndarray
    around: np.ndarray
    word: np.ndarray
    noise: np.ndarray
    context: np.ndarray
    positive_center: np.ndarray
    negative_center: np.ndarray
    d_row: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    d_shared: np.ndarray
    own: Layers
    base: Layers


@kernel
def _gather(
    model: Ranking,
    text: Ints,
    position: int,
    word: int,
    noise: int,
    unknown: int,
    p: int,
    scratch: Scratch,
) -> None:
    """Look up the words and vectors of pair p, around `position` of a text.

    Words outside the sentence are PADDING.
    """
    n_words, dim = model.vectors.shape
    half = scratch.around.shape[1] // 2
    for side in range(2):
        t = position
        inside = True
        for distance in range(half):
            t += 2 * side - 1
            inside = inside and 0 <= t < len(text) and text[t] != _PADDING
            near = _PADDING
            if inside:
                near = text[t] if 0 < text[t] < n_words else unknown
            slot = half + distance if side else half - 1 - distance
            scratch.around[p, slot] = near
            for i in range(dim):
                scratch.context[p, slot * dim + i] = model.vectors[near, i]
    scratch.word[p] = word
    scratch.noise[p] = noise
    for i in range(dim):
        scratch.positive_center[p, i] = model.vectors[word, i]
        scratch.negative_center[p, i] = model.vectors[noise, i]


@kernel
def _add_products(rows: Floats, weight: Floats, out: Floats) -> None:
    """Add rows @ weight to `out`.

    Args:
        rows: float32[4, n].
        weight: float32[n, hidden].
        out: float32[4, hidden].
    """
    n, hidden = weight.shape
    out0, out1, out2, out3 = out[0], out[1], out[2], out[3]
    n_blocked = n - n % 4
    for i in range(0, n_blocked, 4):
        a0, b0, c0, d0 = rows[0, i], rows[0, i + 1], rows[0, i + 2], rows[0, i + 3]
        a1, b1, c1, d1 = rows[1, i], rows[1, i + 1], rows[1, i + 2], rows[1, i + 3]
        a2, b2, c2, d2 = rows[2, i], rows[2, i + 1], rows[2, i + 2], rows[2, i + 3]
        a3, b3, c3, d3 = rows[3, i], rows[3, i + 1], rows[3, i + 2], rows[3, i + 3]
        for j in range(hidden):
            wa, wb, wc, wd = (
                weight[i, j],
                weight[i + 1, j],
                weight[i + 2, j],
                weight[i + 3, j],
            )
            out0[j] += a0 * wa + b0 * wb + c0 * wc + d0 * wd
            out1[j] += a1 * wa + b1 * wb + c1 * wc + d1 * wd
            out2[j] += a2 * wa + b2 * wb + c2 * wc + d2 * wd
            out3[j] += a3 * wa + b3 * wb + c3 * wc + d3 * wd
    for i in range(n_blocked, n):
        for p in range(4):
            for j in range(hidden):
                out[p, j] += rows[p, i] * weight[i, j]


@reordering_kernel
def _difference(output: Floats, positive: Floats, negative: Floats) -> float:
    """Return the score of the positive window minus the score of the negative window.

    The score of a window is output . HardTanh(sums).
    """
    total = np.float32(0)
    for j in range(len(output)):
        p = min(max(positive[j], np.float32(-1)), np.float32(1))
        n = min(max(negative[j], np.float32(-1)), np.float32(1))
        total += output[j] * (p - n)
    return total


@kernel
def _forward(model: Ranking, scratch: Scratch) -> None:
    """Compute the first layer's sums for the four pairs of windows in `scratch`."""
    for p in range(4):
        scratch.positive[p] = model.bias
    _add_products(scratch.context, model.context, scratch.positive)
    scratch.negative[:] = scratch.positive
    _add_products(scratch.positive_center, model.center, scratch.positive)
    _add_products(scratch.negative_center, model.center, scratch.negative)


@reordering_kernel
def _backward_context(
    weight: Floats, rate: float, row: Floats, gradient: Floats, d_row: Floats
) -> None:
    """Take a gradient step on `weight`, where out = row @ weight.

    Args:
        weight: float32[n, hidden].
        rate: The learning rate.
        row: float32[n].
        gradient: float32[hidden], d(cost)/d(out).
        d_row: float32[n], which receives d(cost)/d(row).
    """
    for i in range(len(row)):
        total = np.float32(0)
        step = rate * row[i]
        for j in range(len(gradient)):
            total += weight[i, j] * gradient[j]
            weight[i, j] -= step * gradient[j]
        d_row[i] = total


@reordering_kernel
def _backward_center(model: Ranking, rates: Floats, p: int, scratch: Scratch) -> None:
    """Take a gradient step on the center rows of the first layer and both words."""
    positive, negative = scratch.positive[p], scratch.negative[p]
    word, noise = scratch.word[p], scratch.noise[p]
    for i in range(model.vectors.shape[1]):
        d_word, d_noise = np.float32(0), np.float32(0)
        step_word = rates[1] * scratch.positive_center[p, i]
        step_noise = rates[1] * scratch.negative_center[p, i]
        for j in range(len(positive)):
            weight = model.center[i, j]
            d_word += weight * positive[j]
            d_noise += weight * negative[j]
            model.center[i, j] = weight - (
                step_word * positive[j] + step_noise * negative[j]
            )
        model.vectors[word, i] -= rates[0] * d_word
        model.vectors[noise, i] -= rates[0] * d_noise


@kernel
def _backward(model: Ranking, rates: Floats, p: int, scratch: Scratch) -> None:
    """Take a gradient step on the cost 1 - f(x) + f(x^w) of pair p.

    See Collobert et al. (2011), appendix A.8, and `train_pairs` for the rates.
    """
    one, zero = np.float32(1), np.float32(0)
    positive, negative, d_shared = (
        scratch.positive[p],
        scratch.negative[p],
        scratch.d_shared,
    )
    for j in range(len(d_shared)):
        x, y, weight = positive[j], negative[j], model.output[j]
        model.output[j] += rates[2] * (min(max(x, -one), one) - min(max(y, -one), one))
        positive[j] = -weight if -one < x < one else zero
        negative[j] = weight if -one < y < one else zero
        d_shared[j] = positive[j] + negative[j]
        model.bias[j] -= rates[1] * d_shared[j]
    _backward_context(
        model.context, rates[1], scratch.context[p], d_shared, scratch.d_row
    )
    _backward_center(model, rates, p, scratch)
    dim = model.vectors.shape[1]
    for slot in range(scratch.around.shape[1]):
        near = scratch.around[p, slot]
        for i in range(dim):
            model.vectors[near, i] -= rates[0] * scratch.d_row[slot * dim + i]


@kernel
def _draw(text: Ints, n_words: int, unknown: int, state: NDArray[np.uint64]) -> int:
    """Return a random position of `text` whose word is in the vocabulary.

    It is neither padding nor `unknown`. The text must contain such a word.
    """
    while True:
        position = next_random(state, len(text))
        word = text[position]
        if 0 < word < n_words and word != unknown:
            return position


@kernel
def _exchange_array(shared: Floats, own: Floats, base: Floats) -> None:
    """Add the changes of `own` since `base` to `shared`, and copy the sum to both."""
    for i in range(shared.shape[0]):
        for j in range(shared.shape[1]):
            value = shared[i, j] + (own[i, j] - base[i, j])
            shared[i, j] = value
            own[i, j] = value
            base[i, j] = value


@kernel
def _exchange(model: Ranking, own: Layers, base: Layers) -> None:
    """Add a thread's changes to the model, and copy the layers of the model back."""
    _exchange_array(model.context, own.context, base.context)
    _exchange_array(model.center, own.center, base.center)
    _exchange_array(
        model.bias.reshape(1, -1), own.bias.reshape(1, -1), base.bias.reshape(1, -1)
    )
    _exchange_array(
        model.output.reshape(1, -1),
        own.output.reshape(1, -1),
        base.output.reshape(1, -1),
    )


@kernel
def train_pairs(
    model: Ranking,
    text: Ints,
    unknown: int,
    noise: Ints,
    rates: Floats,
    n_pairs: int,
    scratch: Scratch,
) -> int:
    """Train on `n_pairs` random windows of a text.

    A pair changes nothing if it is outside the margin, or if the replacement is the
    word itself.

    Args:
        model: The Ranking.
        text: int32[n], with PADDING (0) between sentences. Words from n_words on, and
            negative ones in a damaged file, are read as `unknown`.
        unknown: The unknown word, which is never a center.
        noise: int32[m], from which the replacement of the center is drawn.
        rates: float32[3], the learning rates for the vectors, the first layer and the
            output.
        n_pairs: The number of pairs.
        scratch: The Scratch of the thread.

    Returns:
        The number of pairs that changed the model.
    """
    n_active = 0
    own, base = scratch.own, scratch.base
    for layers in (own, base):
        layers.context[:] = model.context
        layers.center[:] = model.center
        layers.bias[:] = model.bias
        layers.output[:] = model.output
    mine = Ranking(model.vectors, own.context, own.center, own.bias, own.output)
    for begin in range(0, n_pairs, 4):
        if begin % _EXCHANGE == 0 and begin > 0:
            _exchange(model, own, base)
        n = min(4, n_pairs - begin)
        for p in range(n):
            position = _draw(text, len(model.vectors), unknown, scratch.state)
            other = noise[next_random(scratch.state, len(noise))]
            _gather(mine, text, position, text[position], other, unknown, p, scratch)
        _forward(mine, scratch)
        for p in range(n):
            if scratch.word[p] != scratch.noise[p] and (
                _difference(own.output, scratch.positive[p], scratch.negative[p]) < 1
            ):
                n_active += 1
                _backward(mine, rates, p, scratch)
    _exchange(model, own, base)
    return n_active


@kernel
def margins(
    model: Ranking,
    text: Ints,
    unknown: int,
    position: Longs,
    noise: Ints,
    scratch: Scratch,
    out: Floats,
) -> None:
    """Compute the margins f(x) - f(x^w) for positions and their replacements.

    Args:
        model, text, unknown, scratch: See `train_pairs`.
        position: int64[n], indices of the centers in the text.
        noise: int32[n], the replacement of each center.
        out: float32[n], which is written.
    """
    for begin in range(0, len(position), 4):
        n = min(4, len(position) - begin)
        for p in range(n):
            t = position[begin + p]
            _gather(model, text, t, text[t], noise[begin + p], unknown, p, scratch)
        _forward(model, scratch)
        for p in range(n):
            out[begin + p] = _difference(
                model.output, scratch.positive[p], scratch.negative[p]
            )
