"""Training criteria for soft labels: each word has a distribution over tags in place of a tag.

Of distributions that another model gives, this is distillation (Hinton, Vinyals and Dean 2015,
"Distilling the knowledge in a neural network", section 2, at temperature 1).
"""

import numpy as np

from senna_py.kernels.decoding.likelihood import backward_pass, forward_pass, prepare, softmax
from senna_py.kernels.runtime.jit import reordering_kernel

__all__ = ["soft_sentence_likelihood", "soft_word_likelihood"]


@reordering_kernel
def soft_word_likelihood(emission, target, weight, d_emission):
    """Word-level criterion: the cross-entropy of softmax(emission) against each word's target.

    emission: float32[n, n_tags]; target: float32[n, n_tags], of which each row adds up to 1;
    weight: float32[n], by which the cost of each word is multiplied; d_emission: float32[n,
    n_tags], receives the gradient. Returns the cost, summed over the words. With targets of one
    tag and weights of 1 it is `likelihood.word_likelihood`.
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
def _subtract_pairs(before, after, transition, least, weight, out):
    """Expected transition between two words; takes the pairs' shares times `weight` from `out`.

    before, after: float32[n_tags], the targets of the words; out: float64[n_tags, n_tags]. A pair's
    share is the product of both tags', divided by what all possible pairs have.
    """
    n_tags = len(before)
    total = 0.0
    for i in range(n_tags):
        if before[i] > 0:
            for j in range(n_tags):
                if transition[i, j] > least:
                    total += np.float64(before[i]) * after[j]
    if total == 0:
        return 0.0
    expected = 0.0
    for i in range(n_tags):
        if before[i] > 0:
            for j in range(n_tags):
                if transition[i, j] > least:
                    share = np.float64(before[i]) * after[j] / total
                    expected += share * transition[i, j]
                    out[i, j] -= weight * share
    return expected


@reordering_kernel
def _add_product(factor, a, b, out):
    """Add factor * a * b to `out`: float64[n, m] all three arrays."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] += factor * a[i, j] * b[i, j]


@reordering_kernel
def soft_sentence_likelihood(
    emission, starts, initial, transition, target, weight, least, d_emission, d_initial,
    d_transition,
):  # fmt: skip
    """Sentence-level criterion: log of the sum over all paths, minus the expected score of a path.

    Up to a constant this is the divergence KL(q || p) of the network's distribution p of paths
    from q, of which only the share of each tag of each word is known. Those of pairs of tags are
    taken for the products of the shares of neighbours; pairs whose transition is `least` or lower
    are impossible, and the others share what is left.

    target: float32[n_tokens, n_tags], of which each row adds up to 1; weight: float32[n_sentences],
    by which the cost of each is multiplied. The other arguments are those of
    `likelihood.sentence_likelihood`, which this is with targets of one tag and weights of 1.
    """
    n_tags = emission.shape[1]
    factor, alpha, norm, step, largest = prepare(starts, transition)
    joint, found = np.empty((n_tags, n_tags)), np.zeros((n_tags, n_tags))
    d_initial[:] = 0
    cost = 0.0
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        if a == b:
            continue
        n = b - a
        own = forward_pass(emission[a:b], initial, step, factor[:n], alpha[:n], norm[:n])
        own += (n - 1) * largest
        joint[:] = 0
        backward_pass(step, factor[:n], alpha[:n], norm[:n], d_emission[a:b], joint)
        _add_product(weight[s], joint, step, found)
        for t in range(a, b):
            for j in range(n_tags):
                own -= np.float64(target[t, j]) * emission[t, j]
                d_emission[t, j] = weight[s] * (d_emission[t, j] - target[t, j])
        for j in range(n_tags):
            own -= np.float64(target[a, j]) * initial[j]
            d_initial[j] += d_emission[a, j]
        for t in range(a + 1, b):
            own -= _subtract_pairs(target[t - 1], target[t], transition, least, weight[s], found)
        cost += weight[s] * own
    d_transition[:] = found
    return cost
