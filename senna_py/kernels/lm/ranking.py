"""The ranking language model: a window's score against the same window with another
center word.

Only the center's block of the first layer differs between the two windows, so
everything else of it is computed once. Four pairs go forward together, so that each
weight is loaded once for four of them; those inside the margin then go backward one by
one (section 4.2; equation 17; appendix A.8).

Threads share the vectors without locks, as in Bengio et al. (2003), section 3.1. Of the
layers, which every step changes, each thread has a copy, and exchanges its changes with
the others' now and then: cores that wrote to the same weights would wait for each
other's caches most of the time.
"""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.lm.random_numbers import next_random
from senna_py.kernels.runtime.jit import kernel, reordering_kernel

_PADDING = 0
_EXCHANGE = 4000  # pairs between two exchanges of a thread's layers, a multiple of 4


class Ranking(NamedTuple):
    """Parameters of the model, as kernels take them.

    vectors: float32[n_words, dim]; context: float32[(window - 1) * dim, hidden], the
    first layer's rows of the words around the center, from left to right; center:
    float32[dim, hidden], those of the center; bias: float32[hidden]; output:
    float32[hidden]. An output bias would cancel out.
    """

    vectors: np.ndarray
    context: np.ndarray
    center: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class Layers(NamedTuple):
    """All of a Ranking but its vectors."""

    context: np.ndarray
    center: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class Scratch(NamedTuple):
    """Arrays that one thread writes while it trains, for four pairs of windows at a
    time.

    state: uint64[1], random, not 0; around: int64[4, window - 1], words around the
    centers; word, noise: int64[4], the centers; context: float32[4, (window - 1) *
    dim], positive_center, negative_center: float32[4, dim], their vectors; d_row:
    float32[(window - 1) * dim], a gradient;
    positive, negative: float32[4, hidden], the first layer's sums, then gradients,
    together d_shared: float32[hidden]. own: the thread's copy of the layers; base: what
    it was copied from.
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
def _gather(model, text, position, word, noise, unknown, p, scratch):
    """Look up pair p: both centers and the words around `position`, PADDING out of its
    sentence.
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
def _add_products(rows, weight, out):
    """Add rows @ weight to out: float32[4, n], float32[n, hidden], float32[4,
    hidden].
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
def _difference(output, positive, negative):
    """Score of the positive window less that of the negative one: output .
    HardTanh(sums).
    """
    total = np.float32(0)
    for j in range(len(output)):
        p = min(max(positive[j], np.float32(-1)), np.float32(1))
        n = min(max(negative[j], np.float32(-1)), np.float32(1))
        total += output[j] * (p - n)
    return total


@kernel
def _forward(model, scratch):
    """First layer's sums of the four gathered pairs of windows."""
    for p in range(4):
        scratch.positive[p] = model.bias
    _add_products(scratch.context, model.context, scratch.positive)
    scratch.negative[:] = scratch.positive
    _add_products(scratch.positive_center, model.center, scratch.positive)
    _add_products(scratch.negative_center, model.center, scratch.negative)


@reordering_kernel
def _backward_context(weight, rate, row, gradient, d_row):
    """Step of `weight` for out = row @ weight, given d(cost)/d(out); d_row:
    d(cost)/d(row).
    """
    for i in range(len(row)):
        total = np.float32(0)
        step = rate * row[i]
        for j in range(len(gradient)):
            total += weight[i, j] * gradient[j]
            weight[i, j] -= step * gradient[j]
        d_row[i] = total


@reordering_kernel
def _backward_center(model, rates, p, scratch):
    """Step of the center's rows and of both center words of pair p."""
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
def _backward(model, rates, p, scratch):
    """Step down the gradient of 1 - f(x) + f(x^w) for pair p (A.8); rates as in
    `train_pairs`.
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
def _draw(text, n_words, unknown, state):
    """Random position of `text` whose word is in the dictionary."""
    while True:
        position = next_random(state, len(text))
        word = text[position]
        if 0 < word < n_words and word != unknown:
            return position


@kernel
def _exchange_array(shared, own, base):
    """Add what `own` has learned since `base` to `shared`, and start from there:
    float32[n, m].
    """
    for i in range(shared.shape[0]):
        for j in range(shared.shape[1]):
            value = shared[i, j] + (own[i, j] - base[i, j])
            shared[i, j] = value
            own[i, j] = value
            base[i, j] = value


@kernel
def _exchange(model, own, base):
    """Give the model what a thread's own Layers learned since `base`; take what others
    have.
    """
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
def train_pairs(model, text, unknown, noise, rates, n_pairs, scratch):
    """Train on `n_pairs` random windows of `text`; returns the number inside the
    margin.

    text: int32[n], PADDING (0) between sentences; words from n_words on (and negative
    ones, of a damaged file) are read as `unknown`, and they and it are no centers;
    noise: int32[m], where the replacing word is drawn from; rates: float32[3], of the
    vectors, the first layer and the output. A pair outside the margin, or whose
    replacing word is its own, changes nothing.
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
def margins(model, text, unknown, position, noise, scratch, out):
    """Write f(x) - f(x^w) of each position: int64[n] and its noise: int32[n] to out:
    float32[n].
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
