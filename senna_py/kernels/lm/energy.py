"""The energy of every word in a context, and its gradients.

The source is Bengio et al. (2003), section 5.1. The predicted word is an input of the
hidden units, so there is a hidden layer for every pair of a context and a word, and
nearly all time is spent on hyperbolic tangents. They are computed for a block of words
at a time, and again in the backward pass, so that no array has the size contexts x
words x hidden units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats

_BLOCK = 512
_LIMIT = np.float32(7.90531110763549805)  # beyond it, the quotient leaves [-1, 1]
_A1, _A3 = np.float32(4.89352455891786e-03), np.float32(6.37261928875436e-04)
_A5, _A7 = np.float32(1.48572235717979e-05), np.float32(5.12229709037114e-08)
_A9, _A11 = np.float32(-8.60467152213735e-11), np.float32(2.00018790482477e-13)
_A13 = np.float32(-2.76076847742355e-16)
_B0, _B2 = np.float32(4.89352518554385e-03), np.float32(2.26843463243900e-03)
_B4, _B6 = np.float32(1.18534705686654e-04), np.float32(1.19825839466702e-06)


@reordering_kernel
def _tanh(shift: float, row: Floats, out: Floats) -> None:
    """Compute out = tanh(shift + row), as a rational function accurate to float32."""
    for i in range(len(out)):
        x = min(max(shift + row[i], -_LIMIT), _LIMIT)
        y = x * x
        above = (
            (((((_A13 * y + _A11) * y + _A9) * y + _A7) * y + _A5) * y + _A3) * y + _A1
        ) * x
        out[i] = above / (((_B6 * y + _B4) * y + _B2) * y + _B0)


@reordering_kernel
def _add_products(x: Floats, y: Floats, out: Floats) -> None:
    for i in range(len(out)):
        out[i] += x[i] * y[i]


@reordering_kernel
def _backward_unit(
    unit: Floats, weight: Floats, slope: Floats, d_word: Floats, d_weight: Floats
) -> float:
    """Add the gradients of a hidden unit, and return the gradient of its shift.

    Args:
        unit: float32[n_words], the output of the unit for each word.
        weight, slope: float32[n_words], its weights, and d(cost)/d(score).
        d_word, d_weight: float32[n_words], to which gradients are added.
    """
    total = np.float32(0)
    for i in range(len(unit)):
        d_weight[i] += slope[i] * unit[i]
        through = slope[i] * weight[i] * (np.float32(1) - unit[i] * unit[i])
        d_word[i] += through
        total += through
    return total


@kernel
def energy_scores(
    shift: Floats, word_part: Floats, weight: Floats, bias: Floats, scores: Floats
) -> None:
    """Compute the scores, or negative energies, of words in their contexts.

    scores[i, w] = bias[w] + sum over j of weight[j, w] tanh(shift[i, j] + word_part[j,
    w]).

    Args:
        shift: float32[n, hidden], the contribution of each context to the hidden units,
            including the bias d.
        word_part: float32[hidden, n_words], the contribution of each word to the hidden
            units.
        weight: float32[hidden, n_words], the output weights of the hidden units for
            each word.
        bias: float32[n_words], the output bias of each word.
        scores: float32[n, n_words], which is written.
    """
    n_words = len(bias)
    unit = np.empty(_BLOCK, scores.dtype)
    for first in range(0, n_words, _BLOCK):
        end = min(first + _BLOCK, n_words)
        for i in range(len(scores)):
            out = scores[i, first:end]
            out[:] = bias[first:end]
            for j in range(len(weight)):
                _tanh(shift[i, j], word_part[j, first:end], unit[: end - first])
                _add_products(weight[j, first:end], unit, out)


@kernel
def energy_gradients(
    shift: Floats,
    word_part: Floats,
    weight: Floats,
    slopes: Floats,
    d_shift: Floats,
    d_word_part: Floats,
    d_weight: Floats,
) -> None:
    """Backward pass of `energy_scores`: add the gradients of all inputs except `bias`.

    Args:
        shift, word_part, weight: See `energy_scores`.
        slopes: float32[n, n_words], d(cost)/d(score).
        d_shift: float32[n, hidden], to which the gradient is added.
        d_word_part, d_weight: float32[hidden, n_words], to which gradients are added.
    """
    n_words = slopes.shape[1]
    unit = np.empty(_BLOCK, slopes.dtype)
    for first in range(0, n_words, _BLOCK):
        end = min(first + _BLOCK, n_words)
        own = unit[: end - first]
        for i in range(len(slopes)):
            slope = slopes[i, first:end]
            for j in range(len(weight)):
                _tanh(shift[i, j], word_part[j, first:end], own)
                d_shift[i, j] += _backward_unit(
                    own,
                    weight[j, first:end],
                    slope,
                    d_word_part[j, first:end],
                    d_weight[j, first:end],
                )
