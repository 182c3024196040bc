"""Max over time of features to which a term depending only on the distance is added."""

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.reductions import larger
from senna_py.kernels.llvm.tile import WORDS, fill_tile_with_maxima
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel, reordering_kernel


@borrowing_kernel
def _raise_to(out, x, bias):
    """Raise out[j] to x[j] + bias[j] where that is larger."""
    for j in range(len(out)):
        out[j] = larger(x[j] + bias[j], out[j])


@borrowing_kernel
def _raise_far(x, bias, extreme, out):
    """Raise out[w] to the maxima over the positions m or further away, which share one
    bias.

    A running maximum stands for them: as rounding is monotonic, adding later gives the
    same bits.
    """
    n, n_hidden = x.shape
    m = len(bias) // 2
    extreme[:] = -np.inf
    for w in range(m, n):
        for j in range(n_hidden):
            extreme[j] = larger(x[w - m, j], extreme[j])
        _raise_to(out[w], extreme, bias[0])
    extreme[:] = -np.inf
    for w in range(n - 1 - m, -1, -1):
        for j in range(n_hidden):
            extreme[j] = larger(x[w + m, j], extreme[j])
        _raise_to(out[w], extreme, bias[2 * m])


@borrowing_kernel
def _near_all(first, n, m):
    """Positions within less than m of each of WORDS words from `first` on: begin and
    end.
    """
    begin = max(0, first + WORDS - m)
    return begin, max(begin, min(n, first + m))


@kernel
def _fill_by_tiles(x, bias, out):
    """Compute the maxima over the positions near all words of a tile; the last one is
    full, too.
    """
    (n, width), m = x.shape, len(bias) // 2
    flat_x, flat_bias, flat_out = x.ravel(), bias.ravel(), out.reshape(-1)
    for panel in range(0, width, LANES):
        column = min(panel, width - LANES)
        for block in range(0, n, WORDS):
            w = min(block, n - WORDS)
            begin, end = _near_all(w, n, m)
            fill_tile_with_maxima(
                flat_x,
                begin * width + column,
                end - begin,
                flat_bias,
                (begin - w + m) * width + column,
                flat_out,
                w * width + column,
                width,
            )


@kernel
def _max_over_time(x, bias, extreme, out):
    """Compute out[w] = max over i of x[i] + bias[clip(i - w, -m, m) + m], for every
    position w.

    Shapes: as of `max_over_sentences`; extreme: float32[n_hidden], scratch. Time: n *
        min(n, m).
    """
    (n, width), m = x.shape, len(bias) // 2
    by_tiles = n >= WORDS and width >= LANES
    if by_tiles:
        _fill_by_tiles(x, bias, out)
    else:
        out[:] = -np.inf
    for w in range(n):
        first, last = max(0, w - m + 1), min(n, w + m)
        begin, end = first, first
        if by_tiles:
            begin, end = _near_all(n - WORDS if w >= n - WORDS else w - w % WORDS, n, m)
        for i in range(first, min(begin, last)):
            _raise_to(out[w], x[i], bias[i - w + m])
        for i in range(end, last):
            _raise_to(out[w], x[i], bias[i - w + m])
    _raise_far(x, bias, extreme, out)


@kernel
def max_over_sentences(x, starts, bias, out):
    """Max over time within each sentence, with a bias for the distance (network of
    PSG).

    x, out: float32[n_tokens, n_hidden]; starts: int32[n_sentences + 1];
    bias: float32[2 * m + 1, n_hidden], for distances -m to m and beyond.
    """
    extreme = np.empty(x.shape[1], np.float32)
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        _max_over_time(x[a:b], bias, extreme, out[a:b])


@kernel
def _add_verb_bias(words, predicate, verb_bias):
    """Words of a sentence with what their distance to its predicate adds: float32[n,
    n_hidden].
    """
    m = len(verb_bias) // 2
    shifted = np.empty(words.shape, np.float32)
    for i in range(len(words)):
        distance = min(max(i - predicate, -m), m) + m
        for j in range(words.shape[1]):
            shifted[i, j] = words[i, j] + verb_bias[distance, j]
    return shifted


@kernel
def max_over_predicates(words, starts, sentence, predicate, verb_bias, word_bias, out):
    """Max over time for every pair of a predicate and a word of its sentence (section
    3.3.2).

    words: float32[n_tokens, n_hidden], what the words add to the first layer; starts:
    int32[n_sentences + 1]; sentence, predicate: int32[n_predicates], where each
    predicate stands, its token counted from the start of the batch; verb_bias,
    word_bias: float32[2 * m + 1, n_hidden], what the distances to the predicate and to
    the word add; out: float32[n_rows, n_hidden], for each predicate in turn one row per
    word of its sentence.
    """
    n_hidden = words.shape[1]
    extreme = np.empty(n_hidden, np.float32)
    row = 0
    for p in range(len(predicate)):
        a, b = starts[sentence[p]], starts[sentence[p] + 1]
        shifted = _add_verb_bias(words[a:b], predicate[p] - a, verb_bias)
        _max_over_time(shifted, word_bias, extreme, out[row : row + b - a])
        row += b - a


@kernel
def _raise_and_locate(out, position, x, bias, here):
    """Raise out[j] to x[j] + bias[j] where that is larger, and set position[j] to
    `here` there.
    """
    for j in range(len(out)):
        value = x[j] + bias[j]
        is_larger = value > out[j]
        out[j] = value if is_larger else out[j]
        position[j] = here if is_larger else position[j]


@kernel
def locate_maxima(
    words, starts, sentence, predicate, verb_bias, word_bias, out, position
):
    """Compute what `max_over_predicates` does, and where each maximum was found.

    position: int32[n_rows, n_hidden], the first token of the sentence, counted from its
    start, that has the maximum; the other parameters are those of
    `max_over_predicates`.
    """
    m, row = len(word_bias) // 2, 0
    for p in range(len(predicate)):
        a, b = starts[sentence[p]], starts[sentence[p] + 1]
        shifted = _add_verb_bias(words[a:b], predicate[p] - a, verb_bias)
        for w in range(b - a):
            out[row] = -np.inf
            for i in range(b - a):
                distance = min(max(i - w, -m), m) + m
                _raise_and_locate(
                    out[row],
                    position[row],
                    shifted[i],
                    word_bias[distance],
                    np.int32(i),
                )
            row += 1


@reordering_kernel
def spread_maxima(
    d_out, position, starts, sentence, predicate, d_words, d_verb_bias, d_word_bias
):
    """Backward pass of `locate_maxima`: add each gradient to the terms of its maximum.

    d_out: float32[n_rows, n_hidden]; the other gradients have the shapes of what they
    are of.
    """
    n_hidden = d_words.shape[1]
    m, row = len(d_verb_bias) // 2, 0
    for p in range(len(predicate)):
        a, b = starts[sentence[p]], starts[sentence[p] + 1]
        d_shifted = np.zeros((b - a, n_hidden), np.float32)
        for w in range(b - a):
            for j in range(n_hidden):
                i = position[row, j]
                d_shifted[i, j] += d_out[row, j]
                d_word_bias[min(max(i - w, -m), m) + m, j] += d_out[row, j]
            row += 1
        for i in range(a, b):
            distance = min(max(i - predicate[p], -m), m) + m
            for j in range(n_hidden):
                d_words[i, j] += d_shifted[i - a, j]
                d_verb_bias[distance, j] += d_shifted[i - a, j]
