"""Training criteria for soft labels: a distribution over tags for each word.

If another model predicts the distributions, this is distillation (Hinton, Vinyals and
Dean 2015, "Distilling the knowledge in a neural network", section 2, at temperature 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.likelihood import (
    backward_pass,
    forward_pass,
    prepare,
    softmax,
)
from senna_py.kernels.runtime.jit import reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints

# The lower bound of target probabilities, which leaves a possible path of tags.
_LEAST_SHARE = np.float32(1e-9)


@reordering_kernel
def soft_word_likelihood(
    emission: Floats, target: Floats, weight: Floats, d_emission: Floats
) -> float:
    """Compute the word-level criterion for soft labels: the cross-entropy.

    If each target is a single tag and weights are 1, it equals
    `likelihood.word_likelihood`.

    Args:
        emission, d_emission: See `likelihood.word_likelihood`.
        target: float32[n, n_tags], whose rows add up to 1.
        weight: float32[n], the factor of the cost of each word.

    Returns:
        The weighted cost, summed over the words.
    """
    n, n_tags = emission.shape
    cost = 0.0
    for t in range(n):
        row, gradient = emission[t], d_emission[t]
        log_z, expected = softmax(row, gradient), 0.0
        for j in range(n_tags):
            expected += np.float64(target[t, j]) * row[j]
            gradient[j] = weight[t] * (gradient[j] - target[t, j])
        cost += weight[t] * (log_z - expected)
    return cost


@reordering_kernel
def _logarithms(target: Floats, emission: Floats, least: float, out: Floats) -> None:
    """Compute the logarithms of targets, or -inf for tags whose emission is impossible.

    All arrays are float32[n, n_tags]. An emission of at most `least / 2` is impossible.
    """
    for t in range(len(target)):
        for j in range(len(target[t])):
            share = max(target[t, j], _LEAST_SHARE)
            out[t, j] = np.log(share) if emission[t, j] > least / 2 else -np.inf


@reordering_kernel
def _add_product(factor: float, a: Doubles, b: Doubles, out: Doubles) -> None:
    """Add factor * a * b to `out`; all arrays are float64[n, m]."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] += factor * a[i, j] * b[i, j]


@reordering_kernel
def soft_sentence_likelihood(
    emission: Floats,
    starts: Ints,
    initial: Floats,
    transition: Floats,
    target: Floats,
    weight: Floats,
    least: float,
    d_emission: Floats,
    d_initial: Floats,
    d_transition: Floats,
) -> float:
    """Compute the sentence-level criterion for soft labels.

    The cost of a sentence is the log of the sum over all paths, minus the expected
    score of a path under q. Up to a constant this is KL(q || p), the divergence of the
    network's distribution p over paths from q. In q, the probability of a path is
    proportional to the product of the target probabilities of its tags, and 0 if a
    transition or a first tag has a score of at most `least`, or a tag an emission of at
    most `least` / 2. Without q, the probabilities of tags and of pairs of tags might
    contradict each other: they would belong to no distribution over paths, and the cost
    would have no lower bound.

    If each target is a single tag and weights are 1, this is
    `likelihood.sentence_likelihood`.

    Args:
        emission, starts, initial, transition: See `likelihood.sentence_likelihood`.
        target: float32[n_tokens, n_tags], whose rows add up to 1.
        weight: float32[n_sentences], the factor of the cost of each sentence.
        least: The highest score of an impossible transition or first tag.
        d_emission, d_initial, d_transition: See `likelihood.sentence_likelihood`.

    Returns:
        The weighted cost, summed over the sentences.
    """
    n_tags = emission.shape[1]
    factor, alpha, norm, step, largest = prepare(starts, transition)
    may = (transition > least).astype(np.float64)
    begin = np.where(initial > least, np.float32(0), np.float32(-np.inf))
    logs, share = np.empty(alpha.shape, np.float32), np.empty(alpha.shape, np.float32)
    joint, found = np.empty((n_tags, n_tags)), np.zeros((n_tags, n_tags))
    d_initial[:] = 0
    cost = 0.0
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        if a == b:
            continue
        n = b - a
        own = forward_pass(
            emission[a:b], initial, step, factor[:n], alpha[:n], norm[:n]
        )
        own += (n - 1) * largest
        joint[:] = 0
        backward_pass(step, factor[:n], alpha[:n], norm[:n], d_emission[a:b], joint)
        _add_product(weight[s], joint, step, found)
        _logarithms(target[a:b], emission[a:b], least, logs)
        forward_pass(logs[:n], begin, may, factor[:n], alpha[:n], norm[:n])
        joint[:] = 0
        backward_pass(may, factor[:n], alpha[:n], norm[:n], share[:n], joint)
        _add_product(-weight[s], joint, may, found)
        for i in range(n_tags):
            for j in range(n_tags):
                if may[i, j] > 0:
                    own -= joint[i, j] * transition[i, j]
        for t in range(n):
            for j in range(n_tags):
                if share[t, j] > 0:
                    own -= np.float64(share[t, j]) * emission[a + t, j]
                d_emission[a + t, j] = weight[s] * (d_emission[a + t, j] - share[t, j])
        for j in range(n_tags):
            if share[0, j] > 0:
                own -= np.float64(share[0, j]) * initial[j]
            d_initial[j] += d_emission[a, j]
        cost += weight[s] * own
    d_transition[:] = found
    return cost
