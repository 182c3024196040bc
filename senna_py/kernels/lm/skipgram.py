"""Skip-gram with negative sampling, with output vectors for each position.

The probability that word t at position p around the center c is from the text, and not
from the noise, is sigma(v_c . o_pt). A training step follows the negative gradient of

    -log sigma(v_c . o_pt) - sum over n of log sigma(-v_c . o_pn),

where n ranges over the negative samples (Mikolov et al. 2013, equation 4). Output
vectors for each position are from Ling et al. (2015), section 3.1. Threads share all
vectors without locks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.lm.random_numbers import next_random
from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints

_PADDING = 0
# The absolute value to which scores are clipped, as in word2vec, so that products of
# probabilities do not underflow.
_HIGHEST = np.float32(8)
_FRACTIONS = 1 << 24


class SkipGram(NamedTuple):
    """The parameters of the model.

    Attributes:
        vectors: float32[n_words, dim].
        output: float32[2 * window, n_words, dim]; output[k] is for words at the
            distance k - window from the center if k < window, otherwise k - window + 1.
    """

    vectors: np.ndarray
    output: np.ndarray


class Sampling(NamedTuple):
    """The distributions from which words are sampled.

    Attributes:
        keep: float32[n_words], the probability that a word is kept as a center.
        noise: int32[n], the table from which negative samples are drawn uniformly.
    """

    keep: np.ndarray
    noise: np.ndarray


class Scratch(NamedTuple):
    """The arrays that a thread uses while it trains.

    Attributes:
        state: uint64[1], the state of the random numbers, not 0.
        words: int32[1 + negative], the word of the text, then the negative samples.
        scores: float32[1 + negative].
        gradient: float32[dim], the gradient of the center's vector.
    """

    state: np.ndarray
    words: np.ndarray
    scores: np.ndarray
    gradient: np.ndarray


@reordering_kernel
def _score(model: SkipGram, center: int, place: int, word: int) -> float:
    """Return v_c . o_pt, clipped: the log odds that `word` is from the text."""
    score = np.float32(0)
    for i in range(model.vectors.shape[1]):
        score += model.vectors[center, i] * model.output[place, word, i]
    if score > _HIGHEST:  # This is false for NaN.
        return _HIGHEST
    if score < -_HIGHEST:
        return -_HIGHEST
    return score


@reordering_kernel
def _step(
    model: SkipGram, center: int, place: int, word: int, step: float, gradient: Floats
) -> None:
    """Add step * v_c to an output vector o, and step * o to the gradient of v_c."""
    for i in range(len(gradient)):
        weight = model.output[place, word, i]
        gradient[i] += step * weight
        model.output[place, word, i] = weight + step * model.vectors[center, i]


@kernel
def _train_word(
    model: SkipGram,
    center: int,
    place: int,
    word: int,
    sampling: Sampling,
    rate: float,
    scratch: Scratch,
    losses: Doubles,
) -> None:
    """Train on one word at a position around the center; see `train_sentences`.

    Negative samples that equal the word are skipped.
    """
    words, scores = scratch.words, scratch.scores
    words[0] = word
    for k in range(1, len(words)):
        words[k] = sampling.noise[next_random(scratch.state, len(sampling.noise))]
    # All scores are computed before any step, so that the rows are loaded in parallel.
    for k in range(len(words)):
        scores[k] = _score(model, center, place, np.int64(words[k]))
    product = 1.0
    for k in range(len(words)):
        if k and words[k] == word:
            continue
        p = np.float32(1) / (np.float32(1) + math.exp(-scores[k]))
        if k:
            product *= np.float32(1) - p
            step = -p * rate
        else:
            losses[0] -= math.log(p)
            step = (np.float32(1) - p) * rate
        _step(model, center, place, np.int64(words[k]), step, scratch.gradient)
    losses[1] -= math.log(product)
    losses[2] += 1


@kernel
def train_sentences(
    model: SkipGram,
    text: Ints,
    starts: Ints,
    sampling: Sampling,
    rate: float,
    scratch: Scratch,
    losses: Doubles,
) -> None:
    """Train on the words of some sentences.

    Centers are subsampled by `sampling.keep`. For each center, a distance is drawn
    uniformly from 1 to `window`, and the words up to this distance are predicted, as in
    word2vec. The words next to both ends of a sentence are PADDING.

    Args:
        model: The SkipGram.
        text: int32[n], the words of the sentences.
        starts: int32[n_sentences + 1], where each sentence begins.
        sampling: The Sampling.
        rate: The learning rate, float32; 0 leaves the model unchanged.
        scratch: The Scratch of the thread.
        losses: float64[3], to which the cost of words of the text, the cost of negative
            samples and the number of words of the text are added.
    """
    window = model.output.shape[0] // 2
    for s in range(len(starts) - 1):
        begin, end = np.int64(starts[s]), np.int64(starts[s + 1])
        for t in range(begin, end):
            center = np.int64(text[t])
            if (
                next_random(scratch.state, _FRACTIONS)
                >= sampling.keep[center] * _FRACTIONS
            ):
                continue
            scratch.gradient[:] = 0
            width = 1 + next_random(scratch.state, window)
            for near in range(max(t - width, begin - 1), min(t + width, end) + 1):
                if near == t:
                    continue
                word = text[near] if begin <= near < end else _PADDING
                place = near - t + window if near < t else near - t + window - 1
                _train_word(model, center, place, word, sampling, rate, scratch, losses)
            for i in range(len(scratch.gradient)):
                model.vectors[center, i] += scratch.gradient[i]
