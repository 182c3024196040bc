"""Marginal probabilities of tags by the forward-backward algorithm (Rabiner 1989)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.likelihood import TINY, rescale
from senna_py.kernels.runtime.jit import uncontracted_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Doubles, Floats, Reals

_WORDS = 2048  # the number of words in a block of sentences, unless one is longer


def marginals(
    emission: Floats,
    starts: NDArray[np.integer[Any]],
    initial: Floats,
    transition: Floats,
    out: Floats,
) -> None:
    """Compute the marginal probability of each tag at each word, over all paths.

    The probability of a path is proportional to exp(its score).

    Args:
        emission, starts, initial, transition: See `likelihood.sentence_likelihood`.
        out: float32[n_tokens, n_tags], which is written.
    """
    for words, alpha, beta, _, _ in _variables(emission, starts, initial, transition):
        np.multiply(alpha, beta, out=out[words], casting="same_kind")


def path_marginals(
    emission: Floats,
    starts: NDArray[np.integer[Any]],
    initial: Floats,
    transition: Floats,
    tags: NDArray[np.integer[Any]],
    single: Floats,
    pair: Floats,
) -> None:
    """Compute the marginal probabilities of the tags of a path and of its tag pairs.

    Args:
        emission, starts, initial, transition: See `marginals`.
        tags: int32[n_tokens], the path.
        single: float32[n_tokens], which receives the probability of each tag.
        pair: float32[n_tokens], which receives the joint probability of each tag and
            the previous tag; at the first word of a sentence it equals `single`.
    """
    for words, alpha, beta, ahead, step in _variables(
        emission, starts, initial, transition
    ):
        path, rows = tags[words], np.arange(len(alpha))
        single[words] = alpha[rows, path] * beta[rows, path]
        before = alpha[rows[:-1], path[:-1]] * step[path[:-1], path[1:]]
        pair[words.start + 1 : words.stop] = before * ahead[rows[1:], path[1:]]
    first = starts[:-1][np.diff(starts) > 0]
    pair[first] = single[first]


def _variables(
    emission: Floats,
    starts: NDArray[np.integer[Any]],
    initial: Floats,
    transition: Floats,
) -> Iterator[Any]:
    """Yield forward and backward variables for blocks of whole sentences.

    Yields:
        The slice of the words; alpha, see `forward`; beta and ahead, see `backward`;
        and exp(transition), float64[n_tags, n_tags], up to a constant.
    """
    step = np.exp(transition.astype(float) - transition.max())
    first = 0
    while first < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[first] + _WORDS, side="right")) - 1
        own = starts[first : max(end, first + 1) + 1]
        words, first = slice(int(own[0]), int(own[-1])), first + len(own) - 1
        if words.start == words.stop:
            continue
        # The starts of sentences that are not empty, and the end of the block.
        begins = np.unique(own - own[0])
        scores = emission[words].copy()
        scores[begins[:-1]] += initial
        factor = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(float))
        alpha, beta, ahead = (np.empty_like(factor) for _ in range(3))
        norm = np.empty(len(factor))
        forward(scores, begins, step, factor, alpha, norm)
        backward(begins, step, factor, norm, beta, ahead)
        yield words, alpha, beta, ahead, step


@uncontracted_kernel
def _add_scaled(scale: float, row: Reals, out: Floats) -> None:
    for j in range(len(out)):
        out[j] += scale * row[j]


@uncontracted_kernel
def forward(
    scores: Floats,
    begins: NDArray[np.integer],
    step: Doubles,
    factor: Doubles,
    alpha: Doubles,
    norm: Doubles,
) -> None:
    """Compute the forward variables of sentences, with each row divided by its sum.

    Sums are computed in the order of the tags.

    Args:
        scores: float32[n, n_tags], the emission scores, to which the initial scores
            have been added.
        begins: int[n_sentences + 1], where each sentence begins.
        step: float64[n_tags, n_tags], exp(transition) up to a constant.
        factor: float64[n, n_tags], exp(scores) up to a constant for each row; rows may
            be rescaled.
        alpha: float64[n, n_tags], which is written.
        norm: float64[n], which receives the sum of each row.
    """
    n_tags = len(step)
    for s in range(len(begins) - 1):
        for t in range(begins[s], begins[s + 1]):
            to = alpha[t]
            to[:] = 1
            if t > begins[s]:
                to[:] = 0
                for i in range(n_tags):
                    _add_scaled(alpha[t - 1, i], step[i], to)
                total = 0.0
                for j in range(n_tags):
                    total += to[j] * factor[t, j]
                if total < TINY:
                    rescale(scores[t], to, factor[t])
            total = 0.0
            for j in range(n_tags):
                to[j] *= factor[t, j]
                total += to[j]
            norm[t] = total
            for j in range(n_tags):
                to[j] /= total


@uncontracted_kernel
def backward(
    begins: NDArray[np.integer],
    step: Doubles,
    factor: Doubles,
    norm: Doubles,
    beta: Doubles,
    ahead: Doubles,
) -> None:
    """Compute the backward variables of sentences.

    Args:
        begins, step, factor, norm: See `forward`.
        beta: float64[n, n_tags], which is written; alpha * beta are the marginals.
        ahead: float64[n, n_tags], which receives factor * beta / norm: the marginal of
            a pair of adjacent tags is alpha of the first tag, times step, times ahead
            of the second tag.
    """
    n_tags = len(step)
    turned = step.T.copy()
    for s in range(len(begins) - 1):
        for t in range(begins[s + 1] - 1, begins[s] - 1, -1):
            own = beta[t]
            own[:] = 1
            if t + 1 < begins[s + 1]:
                own[:] = 0
                for j in range(n_tags):
                    _add_scaled(ahead[t + 1, j], turned[j], own)
            for j in range(n_tags):
                ahead[t, j] = factor[t, j] * own[j] / norm[t]
