"""Max over time of features to which a bias for their distance from a word is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.reductions import larger
from senna_py.kernels.llvm.tile import WORDS, fill_tile_with_maxima
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


@borrowing_kernel
def _raise_to(out: Floats, x: Floats, bias: Floats) -> None:
    """Compute out[j] = max(out[j], x[j] + bias[j]) for float32[n]."""
    for j in range(len(out)):
        out[j] = larger(x[j] + bias[j], out[j])


@borrowing_kernel
def _raise_far(x: Floats, bias: Floats, extreme: Floats, out: Floats) -> None:
    """Raise each out[w] to the maximum over positions at a distance of at least m.

    All of these positions on one side have the same bias, so a running maximum replaces
    them. Rounding is monotonic, so adding the bias to the maximum gives the same bits.

    Args:
        x, out: float32[n, n_hidden].
        bias: float32[2 * m + 1, n_hidden].
        extreme: float32[n_hidden], scratch.
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
def _near_all(first: int, n: int, m: int) -> tuple[int, int]:
    """Return the range [begin, end) of positions closer than m to all words of a tile.

    The tile consists of WORDS words from `first` on, in a sentence of n words.
    """
    begin = max(0, first + WORDS - m)
    return begin, max(begin, min(n, first + m))


@kernel
def _fill_by_tiles(x: Floats, bias: Floats, out: Floats) -> None:
    """Compute the maxima over the positions that are near all words of a tile.

    The last tile always has WORDS words, so it may overlap with the previous one.
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
def _max_over_time(x: Floats, bias: Floats, extreme: Floats, out: Floats) -> None:
    """Compute out[w] = max over i of x[i] + bias[clip(i - w, -m, m) + m] for all w.

    The time is proportional to n * min(n, m).

    Args:
        x, bias, out: See `max_over_sentences`.
        extreme: float32[n_hidden], scratch.
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
def max_over_sentences(x: Floats, starts: Ints, bias: Floats, out: Floats) -> None:
    """Compute max over time within each sentence, for each of its words.

    The bias for the distance to the word is added first. The tree network uses this
    kernel.

    Args:
        x: float32[n_tokens, n_hidden].
        out: float32[n_tokens, n_hidden], which is written.
        starts: int32[n_sentences + 1], where each sentence begins.
        bias: float32[2 * m + 1, n_hidden], for distances of -m to m; larger ones are
            clipped.
    """
    extreme = np.empty(x.shape[1], np.float32)
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        _max_over_time(x[a:b], bias, extreme, out[a:b])


@kernel
def _add_verb_bias(words: Floats, predicate: int, verb_bias: Floats) -> Floats:
    """Return the features of a sentence plus the bias for the distance to a predicate.

    Args:
        words: float32[n, n_hidden].
        predicate: The token index of the predicate.
        verb_bias: float32[2 * m + 1, n_hidden].
    """
    m = len(verb_bias) // 2
    shifted = np.empty(words.shape, np.float32)
    for i in range(len(words)):
        distance = min(max(i - predicate, -m), m) + m
        for j in range(words.shape[1]):
            shifted[i, j] = words[i, j] + verb_bias[distance, j]
    return shifted


@kernel
def max_over_predicates(
    words: Floats,
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    verb_bias: Floats,
    word_bias: Floats,
    out: Floats,
) -> None:
    """Compute max over time for each pair of a predicate and a word of its sentence.

    See Collobert et al. (2011), section 3.3.2.

    Args:
        words: float32[n_tokens, n_hidden], the contribution of each word to the first
            layer.
        starts: int32[n_sentences + 1], where each sentence begins.
        sentence: int32[n_predicates], the sentence of each predicate.
        predicate: int32[n_predicates], the token index of each predicate in the batch.
        verb_bias, word_bias: float32[2 * m + 1, n_hidden], the contributions of the
            distances to the predicate and to the word.
        out: float32[n_rows, n_hidden], with a row for each pair, which is written.
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
def _raise_and_locate(
    out: Floats, position: Ints, x: Floats, bias: Floats, here: int
) -> None:
    """Compute out[j] = max(out[j], x[j] + bias[j]), and record where `out` changes.

    position[j] is set to `here` where out[j] changes.
    """
    for j in range(len(out)):
        value = x[j] + bias[j]
        is_larger = value > out[j]
        out[j] = value if is_larger else out[j]
        position[j] = here if is_larger else position[j]


@kernel
def locate_maxima(
    words: Floats,
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    verb_bias: Floats,
    word_bias: Floats,
    out: Floats,
    position: Ints,
) -> None:
    """Compute `max_over_predicates` for training, with the position of each maximum.

    Args:
        words, starts, sentence, predicate: See `max_over_predicates`.
        verb_bias, word_bias, out: See `max_over_predicates`.
        position: int32[n_rows, n_hidden], which receives the first token with the
            maximum, as an index in the sentence.
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
    d_out: Floats,
    position: Ints,
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    d_words: Floats,
    d_verb_bias: Floats,
    d_word_bias: Floats,
) -> None:
    """Backward pass of `locate_maxima`: add the gradient of each maximum to its terms.

    Args:
        d_out: float32[n_rows, n_hidden], d(cost)/d(out).
        position: int32[n_rows, n_hidden], from `locate_maxima`.
        starts, sentence, predicate: See `max_over_predicates`.
        d_words: float32[n_tokens, n_hidden].
        d_verb_bias, d_word_bias: float32[2 * m + 1, n_hidden].
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
