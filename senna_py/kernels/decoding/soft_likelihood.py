"""Training criteria for soft labels: each word has a distribution over tags in place of
a tag.

Of distributions that another model gives, this is distillation (Hinton, Vinyals and
Dean 2015, "Distilling the knowledge in a neural network", section 2, at temperature 1).
"""

import numpy as np

from senna_py.kernels.decoding.likelihood import (
    backward_pass,
    forward_pass,
    prepare,
    softmax,
)
from senna_py.kernels.runtime.jit import reordering_kernel

_LEAST_SHARE = np.float32(
    1e-9
)  # so that tags that hardly follow each other still have a path


@reordering_kernel
def soft_word_likelihood(emission, target, weight, d_emission):
    """Word-level criterion: the cross-entropy of softmax(emission) against each word's
    target.

    target: float32[n, n_tags], of which each row adds up to 1; weight: float32[n], by
    which the cost of each word is multiplied. The rest is as of
    `likelihood.word_likelihood`, which this is with targets of one tag and weights of
    1.
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
def _logarithms(target, emission, least, out):
    """Log of targets: float32[n, n_tags] all; what `emission` rules out is ruled out
    here, too.
    """
    for t in range(len(target)):
        for j in range(len(target[t])):
            share = max(target[t, j], _LEAST_SHARE)
            out[t, j] = np.log(share) if emission[t, j] > least / 2 else -np.inf


@reordering_kernel
def _add_product(factor, a, b, out):
    """Add factor * a * b to `out`: float64[n, m] all three arrays."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] += factor * a[i, j] * b[i, j]


@reordering_kernel
def soft_sentence_likelihood(
    emission,
    starts,
    initial,
    transition,
    target,
    weight,
    least,
    d_emission,
    d_initial,
    d_transition,
):
    """Sentence-level criterion: log of the sum over all paths, minus the expected score
    of a path.

    Up to a constant this is KL(q || p), the divergence of the network's distribution p
    of paths from q, where a path's probability is proportional to the product of its
    tags', 0 if a transition or a first tag is `least` or lower. Probabilities of tags
    as they are, and of pairs by themselves, would be no distribution where these do not
    agree, and the cost no lower bound.

    target: float32[n_tokens, n_tags], of which each row adds up to 1; weight:
    float32[n_sentences], by which the cost of each is multiplied. The other arguments
    are those of `likelihood.sentence_likelihood`, which this is with targets of one tag
    and weights of 1.
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
