"""The ranking language model: a window's score against the same window with another centre word.

Only the centre's block of the first layer differs between the two windows, so everything else of it
is computed once (section 4.2; equation 17; appendix A.8).
"""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.jit import kernel, reordering_kernel

__all__ = ["Ranking", "Scratch", "margins", "next_random", "train_pairs"]

_PADDING = 0
_SHIFT_A, _SHIFT_B, _SHIFT_C = np.uint64(12), np.uint64(25), np.uint64(27)
_MULTIPLIER = np.uint64(2685821657736338717)
_HIGH = np.uint64(32)


class Ranking(NamedTuple):
    """Parameters of the model, as kernels take them.

    vectors: float32[n_words, dim]; context: float32[(window - 1) * dim, hidden], the first layer's
    rows of the words around the centre, from left to right; centre: float32[dim, hidden], those of
    the centre; bias: float32[hidden]; output: float32[hidden]. The output's bias is the same for
    both windows of a pair, so it is left out.
    """

    vectors: np.ndarray
    context: np.ndarray
    centre: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class Scratch(NamedTuple):
    """What one thread writes while it trains.

    state: uint64[1], random state, not 0; word: int64[window - 1], the words around the centre;
    input: float32[(window - 1) * dim] and its gradient d_input; shared, positive, negative:
    float32[hidden], the first layer's sums, later their gradients.
    """

    state: np.ndarray
    word: np.ndarray
    input: np.ndarray
    d_input: np.ndarray
    shared: np.ndarray
    positive: np.ndarray
    negative: np.ndarray


@kernel
def next_random(state, bound):
    """Random integer in [0, bound), bound < 2**32, from state: uint64[1] (xorshift64*)."""
    x = state[0]
    x ^= x >> _SHIFT_A
    x ^= x << _SHIFT_B
    x ^= x >> _SHIFT_C
    state[0] = x
    return np.int64((((x * _MULTIPLIER) >> _HIGH) * np.uint64(bound)) >> _HIGH)


@kernel
def _gather(model, text, position, unknown, half, scratch):
    """Look up the words around `position`; beyond the ends of its sentence they are PADDING."""
    n_words, dim = model.vectors.shape
    k = 0
    for side in range(2):
        step = -1 if side == 0 else 1
        t = position
        inside = True
        for distance in range(half):
            t += step
            inside = inside and 0 <= t < len(text) and text[t] != _PADDING
            word = _PADDING
            if inside:
                word = text[t] if text[t] < n_words else unknown
            slot = half - 1 - distance if side == 0 else half + distance
            scratch.word[slot] = word
            k = slot * dim
            for i in range(dim):
                scratch.input[k + i] = model.vectors[word, i]


@kernel
def _add_rows(weight, row, out):
    """Add row @ weight to out: weight: float32[n, hidden], row: float32[n], out: float32[hidden].

    Eight rows a pass, so that `out` is read and written once for eight of them.
    """
    n, hidden = weight.shape
    n_blocked = n - n % 8
    for i in range(0, n_blocked, 8):
        x0, x1, x2, x3 = row[i], row[i + 1], row[i + 2], row[i + 3]
        x4, x5, x6, x7 = row[i + 4], row[i + 5], row[i + 6], row[i + 7]
        for j in range(hidden):
            out[j] += (
                x0 * weight[i, j] + x1 * weight[i + 1, j] + x2 * weight[i + 2, j]
                + x3 * weight[i + 3, j] + x4 * weight[i + 4, j] + x5 * weight[i + 5, j]
                + x6 * weight[i + 6, j] + x7 * weight[i + 7, j]
            )  # fmt: skip
    for i in range(n_blocked, n):
        x0 = row[i]
        for j in range(hidden):
            out[j] += x0 * weight[i, j]


@reordering_kernel
def _difference(output, positive, negative):
    """Score of the positive window less that of the negative one: output . HardTanh(sums)."""
    total = np.float32(0)
    for j in range(len(output)):
        p = min(max(positive[j], np.float32(-1)), np.float32(1))
        n = min(max(negative[j], np.float32(-1)), np.float32(1))
        total += output[j] * (p - n)
    return total


@kernel
def _forward(model, word, noise, scratch):
    """f(x) - f(x^w) for the gathered window with `word`, and with `noise`, in its centre."""
    shared, positive, negative = scratch.shared, scratch.positive, scratch.negative
    shared[:] = model.bias
    _add_rows(model.context, scratch.input, shared)
    positive[:] = shared
    negative[:] = shared
    _add_rows(model.centre, model.vectors[word], positive)
    _add_rows(model.centre, model.vectors[noise], negative)
    return _difference(model.output, positive, negative)


@reordering_kernel
def _backward_rows(weight, rate, row, gradient, d_row):
    """Step of `weight` for out = row @ weight, given d(cost)/d(out); d_row: d(cost)/d(row)."""
    for i in range(len(row)):
        total = np.float32(0)
        step = rate * row[i]
        for j in range(len(gradient)):
            total += weight[i, j] * gradient[j]
            weight[i, j] -= step * gradient[j]
        d_row[i] = total


@reordering_kernel
def _backward_centre(model, rate, vector_rate, word, noise, positive, negative):
    """Step of the centre's rows and of both centre words."""
    for i in range(model.vectors.shape[1]):
        d_word, d_noise = np.float32(0), np.float32(0)
        step_word = rate * model.vectors[word, i]
        step_noise = rate * model.vectors[noise, i]
        for j in range(len(positive)):
            weight = model.centre[i, j]
            d_word += weight * positive[j]
            d_noise += weight * negative[j]
            model.centre[i, j] = weight - (step_word * positive[j] + step_noise * negative[j])
        model.vectors[word, i] -= vector_rate * d_word
        model.vectors[noise, i] -= vector_rate * d_noise


@kernel
def _backward(model, rates, word, noise, scratch):
    """Step down the gradient of 1 - f(x) + f(x^w) for the pair that `_forward` saw last (A.8).

    rates: float32[3], of the vectors, the first layer and the output.
    """
    one = np.float32(1)
    shared, positive, negative = scratch.shared, scratch.positive, scratch.negative
    for j in range(len(shared)):
        p, n, weight = positive[j], negative[j], model.output[j]
        model.output[j] += rates[2] * (min(max(p, -one), one) - min(max(n, -one), one))
        positive[j] = -weight if -one < p < one else np.float32(0)
        negative[j] = weight if -one < n < one else np.float32(0)
        shared[j] = positive[j] + negative[j]
        model.bias[j] -= rates[1] * shared[j]
    _backward_rows(model.context, rates[1], scratch.input, shared, scratch.d_input)
    _backward_centre(model, rates[1], rates[0], word, noise, positive, negative)
    dim = model.vectors.shape[1]
    for slot in range(len(scratch.word)):
        w = scratch.word[slot]
        for i in range(dim):
            model.vectors[w, i] -= rates[0] * scratch.d_input[slot * dim + i]


@kernel
def train_pairs(model, text, unknown, noise, rates, n_pairs, scratch):
    """Train on `n_pairs` random windows of `text`; returns the number inside the margin.

    text: int32[n], PADDING (0) between sentences; words from n_words on are read as `unknown`, and
    they and it are no centres; noise: int32[m], where the replacing word is drawn from. Several
    threads may train one model at once, each with its own Scratch: they write over each other's
    steps now and then, as in Bengio et al. (2003), section 3.1.
    """
    n_words = len(model.vectors)
    half = len(scratch.word) // 2
    n_active = 0
    for _ in range(n_pairs):
        position = next_random(scratch.state, len(text))
        word = text[position]
        while word >= n_words or word in (_PADDING, unknown):
            position = next_random(scratch.state, len(text))
            word = text[position]
        other = noise[next_random(scratch.state, len(noise))]
        _gather(model, text, position, unknown, half, scratch)
        if other != word and _forward(model, word, other, scratch) < np.float32(1):
            n_active += 1
            _backward(model, rates, word, other, scratch)
    return n_active


@kernel
def margins(model, text, unknown, position, noise, scratch, out):
    """f(x) - f(x^w) of the window at each `position` and its noise: int64[n], int32[n].

    out: float32[n].
    """
    half = len(scratch.word) // 2
    for p in range(len(position)):
        _gather(model, text, position[p], unknown, half, scratch)
        out[p] = _forward(model, text[position[p]], noise[p], scratch)
