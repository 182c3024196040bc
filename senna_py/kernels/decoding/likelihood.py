"""Training criteria: the negative log-likelihood of tags, and its gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Reals

TINY = 1e-200  # smaller sums of probabilities are inaccurate or 0


@reordering_kernel
def softmax(row: Reals, out: Reals) -> float:
    """Compute out = exp(row) / Z for float32[n_tags], and return log Z."""
    largest = row[0]
    for j in range(1, len(row)):
        largest = max(largest, row[j])
    total = np.float32(0)
    for j in range(len(row)):
        out[j] = np.exp(row[j] - largest)
        total += out[j]
    for j in range(len(row)):
        out[j] /= total
    return np.log(total) + largest


@reordering_kernel
def word_likelihood(emission: Floats, gold: Ints, d_emission: Floats) -> float:
    """Compute the word-level criterion: a softmax over the tags of each word.

    See Collobert et al. (2011), section 3.4.1, equation 9.

    Args:
        emission: float32[n, n_tags].
        gold: int32[n], the gold tags.
        d_emission: float32[n, n_tags], which receives the gradient of the cost with
            respect to `emission`.

    Returns:
        The cost, summed over the words.
    """
    cost = 0.0
    for t in range(len(emission)):
        row, gradient = emission[t], d_emission[t]
        cost += softmax(row, gradient) - row[gold[t]]
        gradient[gold[t]] -= np.float32(1)
    return cost


@reordering_kernel
def _normalize(row: Reals) -> float:
    """Divide a row by its sum, and return the sum."""
    total = 0.0
    for j in range(len(row)):
        total += row[j]
    scale = 1 / total
    for j in range(len(row)):
        row[j] *= scale
    return total


@reordering_kernel
def _exponentiate(row: Reals, out: Reals) -> float:
    """Compute out = exp(row - max(row)), and return the maximum."""
    largest = row[0]
    for j in range(1, len(row)):
        largest = max(largest, row[j])
    for j in range(len(row)):
        out[j] = np.exp(np.float64(row[j] - largest))
    return np.float64(largest)


@reordering_kernel
def rescale(row: Floats, to: Doubles, factor: Doubles) -> float:
    """Rescale the emission factors of a word to the best tag that can be reached.

    This avoids underflow if the tags with the highest emissions cannot be reached.

    Args:
        row: float32[n_tags], the emission scores.
        to: float64[n_tags], the probability of reaching each tag.
        factor: float64[n_tags], exp(row) up to a constant, which is rescaled.

    Returns:
        The growth of the logarithm of that constant.
    """
    largest, reached = row[0], -np.inf
    for j in range(len(row)):
        largest = max(largest, row[j])
        if to[j] > 0:
            reached = max(reached, np.log(to[j]) + row[j])
    for j in range(len(row)):
        factor[j] = np.exp(min(row[j] - reached, 700.0)) if to[j] > 0 else 0.0
    return reached - largest


@reordering_kernel
def forward_pass(
    emission: Floats,
    initial: Floats,
    step: Doubles,
    factor: Doubles,
    alpha: Doubles,
    norm: Doubles,
) -> float:
    """Compute the forward variables of one sentence, and return log Z.

    log Z lacks the term (n - 1) * `largest` of `prepare`.

    Args:
        emission: float32[n, n_tags].
        initial: float32[n_tags].
        step: float64[n_tags, n_tags], from `prepare`.
        factor: float64[n, n_tags], which receives exp(emission), up to a constant for
            each row.
        alpha: float64[n, n_tags], which receives the forward variables, with each row
            divided by its sum.
        norm: float64[n], which receives these sums.
    """
    n, n_tags = emission.shape
    log_z = 0.0
    for t in range(n):
        if t == 0:
            row = initial + emission[0]
            log_z += _exponentiate(row, factor[0])
            for j in range(n_tags):
                alpha[0, j] = factor[0, j]
        else:
            log_z += _exponentiate(emission[t], factor[t])
            to, before = alpha[t], alpha[t - 1]
            for j in range(n_tags):
                to[j] = 0.0
            for i in range(n_tags):
                scale, row_i = before[i], step[i]
                for j in range(n_tags):
                    to[j] += scale * row_i[j]
            total = 0.0
            for j in range(n_tags):
                total += to[j] * factor[t, j]
            if total < TINY:
                log_z += rescale(emission[t], to, factor[t])
            for j in range(n_tags):
                to[j] *= factor[t, j]
        norm[t] = _normalize(alpha[t])
        log_z += np.log(norm[t])
    return log_z


@reordering_kernel
def backward_pass(
    step: Doubles,
    factor: Doubles,
    alpha: Doubles,
    norm: Doubles,
    d_emission: Floats,
    joint: Doubles,
) -> None:
    """Compute the marginals of tags, and add the marginals of pairs of tags to `joint`.

    Args:
        step, factor, alpha, norm: See `forward_pass`.
        d_emission: float32[n, n_tags], which receives the marginals of tags.
        joint: float64[n_tags, n_tags], to which the marginals of adjacent tags are
            added, summed over words, and without the factor `step`.
    """
    n, n_tags = alpha.shape
    beta = np.ones(n_tags)
    ahead = np.empty(n_tags)
    for t in range(n - 1, -1, -1):
        for j in range(n_tags):
            d_emission[t, j] = alpha[t, j] * beta[j]
        if t == 0:
            break
        for j in range(n_tags):
            ahead[j] = factor[t, j] * beta[j] / norm[t]
        for i in range(n_tags):
            scale, row_i, joint_i = alpha[t - 1, i], step[i], joint[i]
            total = 0.0
            for j in range(n_tags):
                total += row_i[j] * ahead[j]
                joint_i[j] += scale * ahead[j]
            beta[i] = total


@reordering_kernel
def prepare(
    starts: Ints, transition: Floats
) -> tuple[Doubles, Doubles, Doubles, Doubles, float]:
    """Return scratch arrays for the longest sentence, and exponentials of transitions.

    Args:
        starts: int32[n_sentences + 1], where each sentence begins.
        transition: float32[n_tags, n_tags], from source to destination.

    Returns:
        `factor` and `alpha`, float64[longest, n_tags]; `norm`, float64[longest];
        `step`, float64[n_tags, n_tags], which is exp(transition - largest); and the
        largest transition score.
    """
    longest, n_tags = 0, len(transition)
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    largest = np.float64(transition.max())
    step = np.exp(transition.astype(np.float64) - largest)
    factor, alpha = np.empty((longest, n_tags)), np.empty((longest, n_tags))
    return factor, alpha, np.empty(longest), step, largest


@reordering_kernel
def sentence_likelihood(
    emission: Floats,
    starts: Ints,
    initial: Floats,
    transition: Floats,
    gold: Ints,
    d_emission: Floats,
    d_initial: Floats,
    d_transition: Floats,
) -> float:
    """Compute the sentence-level criterion: a softmax over all paths of tags.

    See Collobert et al. (2011), section 3.4.2, equation 13. Forward and backward
    variables are probabilities in float64, normalized at each word, so only
    exp(transition) must be in the range of float64.

    Args:
        emission: float32[n_tokens, n_tags].
        starts: int32[n_sentences + 1], where each sentence begins.
        initial: float32[n_tags].
        transition: float32[n_tags, n_tags], from source to destination.
        gold: int32[n_tokens], the gold tags.
        d_emission, d_initial, d_transition: Arrays of the same shapes, which receive
            the gradients of the cost.

    Returns:
        The cost, summed over the sentences.
    """
    n_tags = emission.shape[1]
    factor, alpha, norm, step, largest = prepare(starts, transition)
    joint = np.zeros((n_tags, n_tags))
    counts = np.zeros((n_tags, n_tags), np.float32)
    d_initial[:] = 0
    cost = 0.0
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        if a == b:
            continue
        n = b - a
        cost += forward_pass(
            emission[a:b], initial, step, factor[:n], alpha[:n], norm[:n]
        )
        cost += (n - 1) * largest
        backward_pass(step, factor[:n], alpha[:n], norm[:n], d_emission[a:b], joint)
        d_initial += d_emission[a]
        d_initial[gold[a]] -= np.float32(1)
        cost -= initial[gold[a]]
        for t in range(a, b):
            cost -= emission[t, gold[t]]
            d_emission[t, gold[t]] -= np.float32(1)
            if t > a:
                cost -= transition[gold[t - 1], gold[t]]
                counts[gold[t - 1], gold[t]] += np.float32(1)
    for i in range(n_tags):
        for j in range(n_tags):
            d_transition[i, j] = joint[i, j] * step[i, j] - counts[i, j]
    return cost
